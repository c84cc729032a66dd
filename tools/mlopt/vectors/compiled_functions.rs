//! Execution of functional programs as compiled code.

use super::function_cases::{parse, read, write};
use super::functions::{End, Facts, Program as Term, Rng, Value, are_close};
use crate::functions::run::{Stop, machine, signature};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::{Error, Target};
use mlopt_runtime::code::Compiled;

/// The reason why a case has not passed.
pub enum Problem {
    /// The passes report that the program is not supported.
    NotSupported,
    Wrong(String),
}

fn wrong(e: impl std::fmt::Display) -> Problem {
    Problem::Wrong(e.to_string())
}

fn compiled(program: &Program, pipeline: &str) -> Result<Compiled, Problem> {
    let target = Target::host().map_err(wrong)?;
    target.describe(program.module());
    let (ran, said) = captured(program.module().context(), || program.run_pipeline(pipeline));
    match ran {
        Err(_) if said.first().is_some_and(|s| s.contains("not supported")) => return Err(Problem::NotSupported),
        Err(_) => return Err(wrong(said.join("; "))),
        Ok(()) => {}
    }
    Compiled::new(program.module(), &target).map_err(wrong)
}

/// Returns the result of a function of a program after passes that lower it to machine code.
pub fn called(program: &Program, pipeline: &str, name: &str, inputs: &[Value]) -> Result<Value, String> {
    let code = compiled(program, pipeline).map_err(|problem| match problem {
        Problem::NotSupported => "not supported".to_string(),
        Problem::Wrong(text) => text,
    })?;
    let (types, _) =
        signature(program.module(), name).ok_or_else(|| format!("there is no `@{name}` after the passes"))?;
    let arguments: Vec<_> = inputs.iter().zip(&types).map(|(value, ty)| write(value, *ty)).collect();
    let found = machine(program.module(), &code, name, &arguments).map_err(|e| e.to_string())?;
    match &found[..] {
        [(found, _)] => read(found),
        _ => Err(format!("`@{name}` has {} results", found.len())),
    }
}

/// Checks the results of a function at points.
pub fn agrees(id: &str, term: &Term, facts: &Facts, pipeline: &str) -> Result<(), Problem> {
    let program = parse(id, term).map_err(wrong)?;
    let function = program.module().lookup("f").expect("the imported function");
    let (inputs, _) = function.function_type().expect("a function has a type");
    let compiled = compiled(&program, pipeline)?;
    for point in &facts.points {
        let arguments: Vec<_> = point.inputs.iter().zip(&inputs).map(|(value, ty)| write(value, *ty)).collect();
        let found = machine(program.module(), &compiled, "f", &arguments).map_err(wrong)?;
        let [(found, _)] = &found[..] else { return Err(wrong("`@f` has not one result")) };
        if let Some(text) = read(found).map_err(wrong)?.difference(&point.out, facts.rtol) {
            return Err(wrong(text));
        }
    }
    Ok(())
}

/// Checks that a program of tasks returns this value, or stops with an error of this name.
pub fn message(id: &str, term: &Term, inputs: &[Value], end: &End, pipeline: &str) -> Result<(), Problem> {
    let program = parse(id, term).map_err(wrong)?;
    let compiled = compiled(&program, pipeline)?;
    let (types, _) = signature(program.module(), "f").ok_or_else(|| wrong("there is no `@f` after the passes"))?;
    let arguments: Vec<_> = inputs.iter().zip(&types).map(|(value, ty)| write(value, *ty)).collect();
    match (machine(program.module(), &compiled, "f", &arguments), end) {
        (Ok(found), End::Out(wanted)) => match read(&found[0].0).map_err(wrong)?.difference(wanted, 0.0) {
            Some(text) => Err(wrong(text)),
            None => Ok(()),
        },
        (Err(Stop::Code(Error::Stopped { text, .. })), End::Error(code)) if text.starts_with(&format!("{code}: ")) => {
            Ok(())
        }
        (Err(e), _) => Err(wrong(e)),
        (Ok(_), End::Error(code)) => Err(wrong(format!("expected {code}, but the program ends"))),
    }
}

/// Draws four uniform numbers, three after those, two after these, and four normal ones from the initial state.
const RANDOM: &str = r#"
func.func @f(%seed: i64) -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>> {
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %a = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %four = lambda.get %a[0] : (tuple<tensor<4xf64>, !lambda.rng>) -> tensor<4xf64>
  %s = lambda.get %a[1] : (tuple<tensor<4xf64>, !lambda.rng>) -> !lambda.rng
  %b = lambda.rng.uniform %s : (!lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng>
  %three = lambda.get %b[0] : (tuple<tensor<3xf64>, !lambda.rng>) -> tensor<3xf64>
  %t = lambda.get %b[1] : (tuple<tensor<3xf64>, !lambda.rng>) -> !lambda.rng
  %c = lambda.rng.uniform %t : (!lambda.rng) -> tuple<tensor<2xf64>, !lambda.rng>
  %two = lambda.get %c[0] : (tuple<tensor<2xf64>, !lambda.rng>) -> tensor<2xf64>
  %d = lambda.rng.normal %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %normal = lambda.get %d[0] : (tuple<tensor<4xf64>, !lambda.rng>) -> tensor<4xf64>
  %all = lambda.tuple %four, %three, %two, %normal : (tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>)
    -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>>
  return %all : tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>>
}
"#;

pub fn random(case: &Rng, rtol: f64, pipeline: &str) -> Result<(), Problem> {
    let program = Program::parse(RANDOM.as_bytes(), "rng").map_err(|_| wrong("the program does not verify"))?;
    let compiled = compiled(&program, pipeline)?;
    let call = |seed: i64| {
        let function = compiled.function("f").map_err(wrong)?;
        function.call(&[Array::new(vec![], mlopt_dialects::value::Data::I64(vec![seed]))]).map_err(wrong)
    };
    let found = call(case.seed)?;
    let same = |what: &str, found: &Array, wanted: &[f64]| {
        are_close(&format!("{what} of seed {}", case.seed), &found.to_f64(), wanted, rtol).map_err(wrong)
    };
    same("uniform numbers", &found[0], &case.uniform4)?;
    same("the numbers after", &found[1], &case.then_uniform3)?;
    // A draw ends at a block boundary.
    let state = mlopt_dialects::lambda::philox::State::new(case.seed as u64);
    let (_, skipped) = state.uniform(4).1.uniform(2 * case.blocks_used_by_uniform3);
    same("the numbers after those", &found[2], &skipped.uniform(2).0)?;
    same("normal numbers", &found[3], &case.normal4)
}
