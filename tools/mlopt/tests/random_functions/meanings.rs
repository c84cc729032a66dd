//! Passes keep what random programs mean: values, and gradients as the evaluator's tape has them, which shares nothing with J.

use super::programs::{self, point, program};
use super::{size, variable};
use mlopt::functions::import;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_passes::notation::read_one;

/// Each with what it is about. A function that is a parameter where it is differentiated is known after simplification only.
const PIPELINES: [(&str, bool); 4] = [
    ("lambda-specialise", true),
    ("lambda-specialise,lambda-simplify", true),
    ("lambda-specialise,j-transform", false),
    ("lambda-specialise,lambda-simplify,j-transform,lambda-simplify", true),
];

fn parse(term: &str, inputs: usize) -> Result<Program, String> {
    let types = vec!["f64".to_string(); inputs];
    let term = read_one(term).map_err(|e| e.to_string())?;
    let module = import("random", "f", &types, &term).map_err(|e| e.to_string())?;
    Program::parse(module.as_bytes(), "random").map_err(|_| "it does not verify".to_string())
}

fn value(program: &Program, at: &[f64]) -> Result<f64, String> {
    let arguments: Vec<Value> = at.iter().map(|x| Value::f64(*x)).collect();
    let found = Evaluator::new(program.module()).call("f", &arguments).map_err(|e| e.to_string())?;
    found.as_f64().ok_or_else(|| format!("expected a number, found {}", found.kind()))
}

/// Whether a pipeline was run: one that may not know a function is left out where it does not.
fn keeps(term: &str, at: &[f64], wanted: f64, rtol: f64) -> Result<usize, String> {
    let mut ran = 0;
    for (pipeline, always) in PIPELINES {
        let program = parse(term, at.len())?;
        let run = || program.run_pipeline(&format!("builtin.module({pipeline})"));
        let (outcome, said) = captured(program.module().context(), run);
        match outcome {
            Err(_) if !always && said.iter().any(|s| s.contains("unknown-function-value")) => continue,
            Err(_) => return Err(format!("{pipeline}: {}", said.join("; "))),
            Ok(()) => ran += 1,
        }
        let found = value(&program, at).map_err(|e| format!("{pipeline}: {e}"))?;
        let close = (found - wanted).abs() <= rtol * wanted.abs().max(1.0) || found.is_nan() && wanted.is_nan();
        if !close {
            return Err(format!("after {pipeline}: expected {wanted}, found {found}"));
        }
    }
    Ok(ran)
}

/// The derivative of a program by its first input, as a program.
fn derivative(program: &programs::Program) -> String {
    let names: Vec<String> = (0..program.inputs).map(|k| format!("p{k}")).collect();
    let names = names.join(" ");
    format!("(lam ({names}) ((grad 0 {} {}) {names}))", program.inputs, program.term)
}

fn check(seed: u64) -> Result<usize, String> {
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
    mlopt::cli::register_passes();
    let seeds = variable("MLOPT_SEED").map_or(0..variable("MLOPT_CASES").unwrap_or(200), |s| s..s + 1);
    let (mut ran, mut failures) = (0, Vec::new());
    for seed in seeds.clone() {
        match check(seed) {
            Ok(n) => ran += n,
            Err(problem) => {
                println!("MLOPT_SEED={seed}: {problem}\n{}", program(seed, size(seed)).term);
                failures.push(seed);
            }
        }
    }
    assert!(failures.is_empty(), "{} cases fail: {failures:?}", failures.len());
    assert!(ran >= 6 * seeds.count(), "only {ran} pipelines were run");
}
