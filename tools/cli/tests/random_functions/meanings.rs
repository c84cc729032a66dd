//! Tests that passes preserve the results of random programs. Values and gradients are compared with those of the
//! evaluator, whose derivatives share no code with J.

use super::programs::{self, point, program};
use super::size;
use mlopt_cases::{Checked, Failures, seeds};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;

/// The pipelines, each with whether it always succeeds. A function that is a parameter where it is differentiated
/// becomes known only by simplification, and functions are not converted before derivatives are expanded.
const PIPELINES: [(&str, bool); 10] = [
    ("lambda-specialise", true),
    ("lambda-specialise,lambda-simplify", true),
    ("lambda-specialise,j-transform", false),
    ("lambda-specialise,lambda-simplify,j-transform,lambda-simplify", true),
    ("lambda-specialise,func.func(egg-optimize)", true),
    ("lambda-specialise,j-transform,func.func(egg-optimize{rules=all,expanded}),lambda-simplify", false),
    ("lambda-specialise,closure-convert", false),
    ("lambda-specialise,j-transform,closure-convert", false),
    ("lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert", true),
    ("lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert,lambda-simplify", true),
];

/// The errors of pipelines that do not always succeed.
const REFUSED: [&str; 2] = ["unknown-function-value", "run `j-transform` first"];

/// Imports a program, which must verify.
pub fn parse(term: &str, inputs: usize) -> Checked<Program> {
    let program = import("random", "f", &vec!["f64".to_string(); inputs], &read_one(term)?)?;
    Ok(program.verified().map_err(|_| "it does not verify")?)
}

pub fn value(program: &Program, at: &[f64]) -> Checked<f64> {
    let arguments: Vec<Value> = at.iter().map(|x| Value::f64(*x)).collect();
    let found = Evaluator::new(program.module()).call("f", &arguments)?;
    found.as_f64().ok_or_else(|| format!("expected a number, found {}", found.kind()).into())
}

/// Checks a program by all pipelines. Returns the number of pipelines that ran; those that do not always succeed may be
/// skipped.
fn keeps(term: &str, at: &[f64], wanted: f64, rtol: f64) -> Checked<usize> {
    let mut ran = 0;
    for (pipeline, always) in PIPELINES {
        let program = parse(term, at.len())?;
        let run = || program.run_pipeline(&format!("builtin.module({pipeline})"));
        let (outcome, said) = captured(program.module().context(), run);
        match outcome {
            Err(_) if !always && said.iter().any(|s| REFUSED.iter().any(|r| s.contains(r))) => continue,
            Err(_) => return Err(format!("{pipeline}: {}", said.join("; ")).into()),
            Ok(()) => ran += 1,
        }
        let found = value(&program, at).map_err(|e| format!("{pipeline}: {e}"))?;
        let close = (found - wanted).abs() <= rtol * wanted.abs().max(1.0) || found.is_nan() && wanted.is_nan();
        if !close {
            return Err(format!("after {pipeline}: expected {wanted}, found {found}").into());
        }
    }
    Ok(ran)
}

/// Returns the derivative of a program with respect to its first input, as a program.
pub fn derivative(program: &programs::Program) -> String {
    let names: Vec<String> = (0..program.inputs).map(|k| format!("p{k}")).collect();
    let names = names.join(" ");
    format!("(lam ({names}) ((grad 0 {} {}) {names}))", program.inputs, program.term)
}

fn check(seed: u64) -> Checked<usize> {
    let program = program(seed, size(seed));
    let at = point(seed, program.inputs);
    let open = parse(&program.term, program.inputs)?;
    let mut ran = keeps(&program.term, &at, value(&open, &at)?, 1e-12)?;
    if program.inputs > 0 {
        let gradient = derivative(&program);
        let open = parse(&gradient, program.inputs)?;
        ran += keeps(&gradient, &at, value(&open, &at)?, 1e-9)?;
    }
    Ok(ran)
}

#[test]
fn passes_keep_values_and_gradients() {
    mlopt_lowering::register_passes();
    let seeds = seeds(0, 200);
    let (mut ran, mut failures) = (0, Failures::default());
    for seed in seeds.clone() {
        match check(seed) {
            Ok(n) => ran += n,
            Err(problem) => failures.add(seed, problem, &program(seed, size(seed)).term),
        }
    }
    failures.end();
    assert!(ran >= 11 * seeds.count(), "only {ran} pipelines were run");
}
