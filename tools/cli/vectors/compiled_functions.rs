//! Execution of functional programs as compiled code.

use super::function_cases::{parse, read, write};
use super::functions::{Facts, Program as Term, Rng, Value, are_close};
use super::passes::through;
use super::{Error, wrong};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::Array;
use mlopt_functions::run::{Stop, machine, signature};
use mlopt_lowering::native::Target;
use mlopt_runtime::code::Compiled;

fn compiled(program: &Program, pipeline: &str) -> Result<Compiled, Error> {
    let target = Target::host()?;
    target.describe(program.module());
    through(program, pipeline)?;
    Ok(Compiled::new(program.module(), &target)?)
}

/// Returns the result of a function after the passes.
fn call(program: &Program, code: &Compiled, name: &str, inputs: &[Value]) -> Result<Value, Error> {
    let (types, _) = signature(program.module(), name).ok_or_else(|| Stop::NoFunction(name.to_string()))?;
    let arguments: Vec<_> = inputs.iter().zip(&types).map(|(value, ty)| write(value, *ty)).collect();
    match &machine(program.module(), code, name, &arguments)?[..] {
        [(found, _)] => read(found),
        found => wrong(format!("`@{name}` has {} results", found.len())),
    }
}

/// Returns the result of a function of a program after passes that lower it to machine code.
pub fn called(program: &Program, pipeline: &str, name: &str, inputs: &[Value]) -> Result<Value, Error> {
    call(program, &compiled(program, pipeline)?, name, inputs)
}

/// Checks the results of a function at points.
pub fn agrees(id: &str, term: &Term, facts: &Facts, pipeline: &str) -> Result<(), Error> {
    let program = parse(id, term)?;
    let code = compiled(&program, pipeline)?;
    let mut points = facts.points.iter();
    points.try_for_each(|point| call(&program, &code, "f", &point.inputs)?.agrees(&point.out, facts.rtol))
}

/// Draws four uniform numbers, three after those, two after these, and four normal ones from the initial state.
const RANDOM: &str = include_str!("random.mlir");

pub fn random(case: &Rng, rtol: f64, pipeline: &str) -> Result<(), Error> {
    let program = Program::parse(RANDOM.as_bytes(), "rng").map_err(|_| Error::Invalid("the program"))?;
    let code = compiled(&program, pipeline)?;
    let seed = Array::new(vec![], mlopt_dialects::value::Data::I64(vec![case.seed]));
    let found = code.function("f")?.call(&[seed])?;
    let same = |what: &str, found: &Array, wanted: &[f64]| {
        are_close(&format!("{what} of seed {}", case.seed), &found.to_f64(), wanted, rtol)
    };
    same("uniform numbers", &found[0], &case.uniform4)?;
    same("the numbers after", &found[1], &case.then_uniform3)?;
    // A draw ends at a block boundary.
    let state = mlopt_dialects::lambda::philox::State::new(case.seed as u64);
    let (_, skipped) = state.uniform(4).1.uniform(2 * case.blocks_used_by_uniform3);
    same("the numbers after those", &found[2], &skipped.uniform(2).0)?;
    same("normal numbers", &found[3], &case.normal4)
}
