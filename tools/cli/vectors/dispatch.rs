//! Selection of the check for each kind of vector in files of functional and of reactive programs, for each runner.

use super::by_kind::{self, Head, Outcome};
use super::configurations::Runner;
use super::functions::{self, Case, CaseKind};
use super::read::{ReadError, read};
use super::streams::File;
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
            Runner::Eval => check_case(&case, None),
            Runner::Jit => check_case(&case, Some(&pipeline_text(FUNCTIONS_PLAIN))),
            Runner::Egg => check_case(&case, Some(&pipeline_text(FUNCTIONS_CPU))),
            Runner::Bulk => Ok(Outcome::NotRun),
        }
    };
    match by_kind::run("cases", &cases, selection, check) {
        None => Err(Error::NoMatch("case")),
        Some([0, 0, _]) => Err(Error::NoWay),
        Some([_, failed, _]) => Ok(failed == 0),
    }
}

/// Checks a case in the evaluator, or in machine code that `pipeline` makes.
fn check_case(Case { id, kind }: &Case, pipeline: Option<&str>) -> Result<Outcome, Error> {
    let checked = match (kind, pipeline) {
        (CaseKind::Run(program, facts), None) => function_cases::run(id, program, facts),
        (CaseKind::Run(program, facts), Some(pipeline)) => compiled_functions::agrees(id, program, facts, pipeline),
        (CaseKind::Error { program, code }, _) => {
            function_cases::refused(id, program, code, pipeline.unwrap_or(function_cases::DERIVATIVES))
        }
        (CaseKind::Message { program, inputs, end }, None) => function_cases::message(id, program, inputs, end),
        (CaseKind::Message { program, inputs, end }, Some(pipeline)) => {
            end.agrees(compiled_functions::called(&function_cases::parse(id, program)?, pipeline, "f", inputs))
        }
        (CaseKind::Rng(draws), _) => draws.cases.iter().try_for_each(|case| match pipeline {
            None => function_cases::random(case, draws.rtol),
            Some(pipeline) => compiled_functions::random(case, draws.rtol, pipeline),
        }),
        (CaseKind::Pullback(pullback), _) => pullbacks::check(id, pullback, pipeline),
        (CaseKind::Attributes(attributes), None) => structures::check(id, attributes),
        (CaseKind::Attributes(_), Some(_)) => return Ok(Outcome::NotRun),
    };
    let may_be_unsupported = pipeline.is_some() && !matches!(kind, CaseKind::Pullback(_));
    match checked {
        Err(Error::Passes(said)) if may_be_unsupported && said.have_code("not supported") => Ok(Outcome::NotRun),
        checked => checked.map(|()| Outcome::Passed),
    }
}

/// Runs the tests of a file of reactive programs and prints a scoreboard by kind. Returns whether none failed.
pub fn streams(json: &Json, selection: &Selection) -> Result<bool, Error> {
    let file: File = read(json, "")?;
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
    let counts = by_kind::run("tests", &file.tests, selection, check).ok_or(Error::NoMatch("test"))?;
    Ok(counts[1] == 0)
}
