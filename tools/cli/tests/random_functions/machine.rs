//! Tests of compiled code on random programs and their gradients: it computes the same as the evaluator, and frees all
//! its memory. Gradients agree with finite differences.

use super::meanings::{derivative, parse, value};
use super::programs::{point, program};
use super::size;
use mlopt_cases::{Checked, Failures, is_one, seeds};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::Value;
use mlopt_functions::run::machine;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::{Compiled, blocks_held};

/// Checks the result of compiled code. Returns whether the program could be compiled.
fn agrees(term: &str, at: &[f64], wanted: f64, rtol: f64, passes: &[&str]) -> Checked<bool> {
    let program = parse(term, at.len())?;
    let module = program.module();
    let target = Target::host()?;
    target.describe(module);
    let (ran, said) = captured(module.context(), || program.run_pipeline(&pipeline_text(passes)));
    if ran.is_err() {
        // The derivative of a function that is a parameter of a recursive one may remain unknown.
        let is_limit = said.iter().any(|s| s.contains("not supported") || s.contains("unknown-function-value"));
        return if is_limit { Ok(false) } else { Err(said.join("; ").into()) };
    }
    let compiled = Compiled::new(module, &target)?;
    let arguments: Vec<Value> = at.iter().map(|x| Value::f64(*x)).collect();
    let found = machine(module, &compiled, "f", &arguments)?;
    let found = found[0].0.as_f64().ok_or("the result is no number")?;
    let close =
        (found - wanted).abs() <= rtol * wanted.abs().max(1.0) || found.is_nan() && wanted.is_nan() || found == wanted;
    if close { Ok(true) } else { Err(format!("expected {wanted}, found {found}").into()) }
}

/// Returns the derivative with respect to the first input by differences, if those of two steps agree.
fn by_differences(program: &Program, at: &[f64]) -> Option<f64> {
    let mut slopes = Vec::new();
    for step in [1e-4, 5e-5] {
        let h = step * at[0].abs().max(1.0);
        let moved = |by: f64| value(program, &[&[at[0] + by], &at[1..]].concat());
        let (Ok(above), Ok(below)) = (moved(h), moved(-h)) else { return None };
        slopes.push((above - below) / (2.0 * h));
    }
    // The error of a central difference is quadratic in the step.
    let best = slopes[1] + (slopes[1] - slopes[0]) / 3.0;
    let is_smooth = (slopes[1] - slopes[0]).abs() <= 1e-5 * best.abs().max(1.0);
    (is_smooth && best.is_finite()).then_some(best)
}

#[derive(Default)]
struct Counts {
    /// The numbers of pipelines that ended in machine code, and of all pipelines.
    compiled: usize,
    all: usize,
    /// The numbers of gradients compared with differences, and of all gradients.
    smooth: usize,
    gradients: usize,
}

fn check(seed: u64, counts: &mut Counts) -> Checked {
    let program = program(seed, size(seed));
    let at = point(seed, program.inputs);
    let mut terms = vec![(program.term.clone(), 1e-11)];
    if program.inputs > 0 {
        let gradient = derivative(&program);
        counts.gradients += 1;
        if let Some(slope) = by_differences(&parse(&program.term, at.len())?, &at) {
            let found = value(&parse(&gradient, at.len())?, &at)?;
            if (found - slope).abs() > 1e-5 * slope.abs().max(1.0) {
                return Err(format!("the gradient is {found}, differences say {slope}: {gradient}").into());
            }
            counts.smooth += 1;
        }
        terms.push((gradient, 1e-8));
    }
    for (term, rtol) in terms {
        let wanted = value(&parse(&term, at.len())?, &at)?;
        for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
            let what = if passes == FUNCTIONS_PLAIN { "plain" } else { "optimised" };
            let outcome = agrees(&term, &at, wanted, rtol, passes).map_err(|e| format!("{what}: {e}: {term}"))?;
            counts.compiled += usize::from(outcome);
            counts.all += 1;
        }
    }
    match blocks_held() {
        0 => Ok(()),
        left => Err(format!("{left} blocks of memory are not freed: {}", program.term).into()),
    }
}

#[test]
fn machine_code_gives_what_the_evaluator_gives() {
    mlopt_lowering::register_passes();
    let (mut counts, mut failures) = (Counts::default(), Failures::default());
    for seed in seeds(0, 200) {
        if let Err(problem) = check(seed, &mut counts) {
            failures.add(seed, problem, "");
        }
    }
    let Counts { compiled, all, smooth, gradients } = counts;
    println!(
        "{compiled} of {all} pipelines ended in machine code, {smooth} of {gradients} gradients were compared with \
         differences"
    );
    failures.end();
    assert!(is_one() || 2 * compiled >= all, "only {compiled} of {all} were compiled");
    assert!(is_one() || 2 * smooth >= gradients, "only {smooth} of {gradients} were compared with differences");
}
