//! Machine code gives what the evaluator gives, of random programs and of their gradients, where the passes make arrays of them.

use super::meanings::{derivative, parse, value};
use super::programs::{point, program};
use super::{size, variable};
use mlopt::compile::pipeline_text;
use mlopt::functions::run::machine;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::Value;
use mlopt_lowering::native::{Compiled, Target};
use mlopt_lowering::pipeline::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};

/// Whether the program could be compiled.
fn agrees(term: &str, at: &[f64], wanted: f64, rtol: f64, passes: &[&str]) -> Result<bool, String> {
    let program = parse(term, at.len())?;
    let module = program.module();
    let target = Target::host().map_err(|e| e.to_string())?;
    target.describe(module);
    let (ran, said) = captured(module.context(), || program.run_pipeline(&pipeline_text(passes)));
    if ran.is_err() {
        let is_limit = said.iter().any(|s| s.contains("not supported"));
        return if is_limit { Ok(false) } else { Err(said.join("; ")) };
    }
    let compiled = Compiled::new(module, &target).map_err(|e| e.to_string())?;
    let arguments: Vec<Value> = at.iter().map(|x| Value::f64(*x)).collect();
    let found = machine(module, &compiled, "f", &arguments).map_err(|e| e.to_string())?;
    let found = found[0].0.as_f64().ok_or("the result is no number")?;
    let close =
        (found - wanted).abs() <= rtol * wanted.abs().max(1.0) || found.is_nan() && wanted.is_nan() || found == wanted;
    if close { Ok(true) } else { Err(format!("expected {wanted}, found {found}")) }
}

/// How many pipelines of how many ended in machine code.
fn check(seed: u64) -> Result<(usize, usize), String> {
    let program = program(seed, size(seed));
    let at = point(seed, program.inputs);
    let mut terms = vec![(program.term.clone(), 1e-11)];
    if program.inputs > 0 {
        terms.push((derivative(&program), 1e-8));
    }
    let (mut compiled, mut all) = (0, 0);
    for (term, rtol) in terms {
        let wanted = value(&parse(&term, at.len())?, &at)?;
        for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
            let what = if passes == FUNCTIONS_PLAIN { "plain" } else { "optimised" };
            compiled +=
                usize::from(agrees(&term, &at, wanted, rtol, passes).map_err(|e| format!("{what}: {e}: {term}"))?);
            all += 1;
        }
    }
    Ok((compiled, all))
}

#[test]
fn machine_code_gives_what_the_evaluator_gives() {
    mlopt::cli::register_passes();
    let seeds = variable("MLOPT_SEED").map_or(0..variable("MLOPT_CASES").unwrap_or(200), |s| s..s + 1);
    let (mut compiled, mut all, mut failures) = (0, 0, Vec::new());
    for seed in seeds {
        match check(seed) {
            Ok((some, of)) => {
                compiled += some;
                all += of;
            }
            Err(problem) => {
                println!("MLOPT_SEED={seed}: {problem}");
                failures.push(seed);
            }
        }
    }
    println!("{compiled} of {all} pipelines ended in machine code");
    assert!(failures.is_empty(), "{} cases fail: {failures:?}", failures.len());
    assert!(variable("MLOPT_SEED").is_some() || 2 * compiled >= all, "only {compiled} of {all} were compiled");
}
