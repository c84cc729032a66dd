//! Selection of the check for each kind of vector in files of functional and of reactive programs, for each runner.

use super::by_kind::{self, Head, Outcome};
use super::configurations::Runner;
use super::functions::{self, Case, CaseKind};
use super::read::{ReadError, read};
use super::streams::{Document, File};
use super::{Error, Selection, compiled_functions, function_cases, pullbacks, structures};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN, pipeline_text};
use serde_json::Value as Json;

/// Runs the cases of a file of functional programs and prints a scoreboard by kind. Returns whether none failed.
///
/// # Errors
/// The file is invalid, or no case was run.
pub fn functions(json: &Json, selection: &Selection) -> Result<bool, Error> {
    let cases = read::<functions::File>(json, "")?.cases;
    let check = |runner: Runner, head: &Head, json: &Json, path: &str| -> Result<Outcome, Error> {
        let case = functions::case(head, json, path)?;
        match runner {
            Runner::Eval => evaluate(&case).map(|()| Outcome::Passed),
            Runner::Jit => compiled(&case, FUNCTIONS_PLAIN),
            Runner::Egg => compiled(&case, FUNCTIONS_CPU),
            Runner::Bulk => Ok(Outcome::NotRun),
        }
    };
    match by_kind::run("cases", &cases, selection, check) {
        None => Err(Error::NoMatch("case")),
        Some([0, 0, _]) => Err(Error::NoWay),
        Some([_, failed, _]) => Ok(failed == 0),
    }
}

/// Checks a case in the evaluator.
fn evaluate(case: &Case) -> Result<(), Error> {
    match &case.kind {
        CaseKind::Run(program, facts) => function_cases::run(&case.id, program, facts),
        CaseKind::Error { program, code } => {
            function_cases::refused(&case.id, program, code, function_cases::DERIVATIVES)
        }
        CaseKind::Message { program, inputs, end } => function_cases::message(&case.id, program, inputs, end),
        CaseKind::Rng(draws) => draws.cases.iter().try_for_each(|c| function_cases::random(c, draws.rtol)),
        CaseKind::Pullback(pullback) => pullbacks::check(&case.id, pullback),
        CaseKind::Attributes(attributes) => structures::check(&case.id, attributes),
    }
}

/// Checks a case after these passes, the last of which lower it to machine code.
fn compiled(case: &Case, passes: &[&str]) -> Result<Outcome, Error> {
    let pipeline = pipeline_text(passes);
    let checked = match &case.kind {
        CaseKind::Run(program, facts) => compiled_functions::agrees(&case.id, program, facts, &pipeline),
        CaseKind::Error { program, code } => function_cases::refused(&case.id, program, code, &pipeline),
        CaseKind::Rng(draws) => {
            draws.cases.iter().try_for_each(|c| compiled_functions::random(c, draws.rtol, &pipeline))
        }
        CaseKind::Pullback(pullback) => pullbacks::check_compiled(&case.id, pullback, &pipeline),
        CaseKind::Message { program, inputs, end } => {
            compiled_functions::message(&case.id, program, inputs, end, &pipeline)
        }
        CaseKind::Attributes(_) => return Ok(Outcome::NotRun),
    };
    match checked {
        Ok(()) => Ok(Outcome::Passed),
        Err(Error::Passes(said)) if said.have_code("not supported") && !matches!(case.kind, CaseKind::Pullback(_)) => {
            Ok(Outcome::NotRun)
        }
        Err(error) => Err(error),
    }
}

/// Runs the tests of a file of reactive programs and prints a scoreboard by kind. Returns whether none failed.
pub fn streams(json: &Json, selection: &Selection) -> Result<bool, Error> {
    let Document { library, tolerance, tests } = read(json, "")?;
    let file = File { library, tolerance: tolerance.f64 };
    let check = |runner: Runner, head: &Head, json: &Json, path: &str| -> Result<Outcome, Error> {
        match head.kind.as_str() {
            "prim" | "reject" if runner != Runner::Eval => return Ok(Outcome::NotAbout),
            "runtime" if runner == Runner::Eval && json["error"] == "E-RT-HORIZON" => return Ok(Outcome::NotAbout),
            "prim" => file.primitive(&read(json, path)?),
            "run" => file.run(&read(json, path)?, &read(json, path)?, runner),
            "law" => file.law(&read(json, path)?, &read(json, path)?, runner),
            "grad" => file.gradient(&read(json, path)?, &read(json, path)?, runner),
            "runtime" => file.runtime(&read(json, path)?, &read(json, path)?, runner),
            "reject" => file.reject(&read(json, path)?, &read(json, path)?),
            other => Err(ReadError::new(format!("{path}.kind"), format!("unknown kind `{other}`")).into()),
        }
        .map(|()| Outcome::Passed)
    };
    let counts = by_kind::run("tests", &tests, selection, check).ok_or(Error::NoMatch("test"))?;
    Ok(counts[1] == 0)
}
