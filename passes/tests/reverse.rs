//! Tests of reverse mode against forward mode on random programs, by ⟨c, J·t⟩ = ⟨Jᵀ·c, t⟩ for random directions
//! (spec/arrays.md J.4), and of forward mode against finite differences; with and without bulk operations.
//!
//! A failure prints the seed and the smallest program that fails in the same way. `MLOPT_SEED` repeats one case,
//! `MLOPT_CASES` runs more.

use crate::measure::moved;
use crate::programs;
use crate::requests::{Watched, directions, with_requests};
use crate::samples::{self, Failure, parse};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::Array;
use std::collections::BTreeMap;

fn dot(a: &[Array], b: &[Array]) -> (f64, f64) {
    let products = a.iter().zip(b).flat_map(|(a, b)| a.to_f64().into_iter().zip(b.to_f64())).map(|(a, b)| a * b);
    products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + f64::abs(p)))
}

/// The numbers of comparisons, of modes and with differences.
#[derive(Default)]
struct Made {
    modes: usize,
    differences: usize,
    /// The number of occurrences of each op in compared programs.
    ops: BTreeMap<String, usize>,
}

/// Reverse mode of the unchanged program, and of its bulk operations.
const PIPELINES: [&str; 2] = ["func.func(vmap),jvp,dual-arrays,transpose-delta", "differentiate"];

fn program(seed: u64) -> String {
    programs::program(seed, programs::Options { ops: 14, depth: 2, upstream: false, stable: false })
}

/// Compares the derivatives of `@f` in `text` at points that `seed` determines.
fn compare(text: &str, seed: u64, made: &mut Made, pipeline: &str) -> Result<(), Failure> {
    let alone = parse(text);
    let signature = alone.module().lookup("f").and_then(Op::function_type).expect("there is `@f`");
    // A program without a float result has no derivative.
    if !signature.1.iter().any(|t| t.is_differentiable()) {
        return Ok(());
    }
    let requests = with_requests(text, &signature);
    if mlopt_cases::is_one() {
        println!("{requests}");
    }
    let run = |options: &str| -> Result<Program, Failure> {
        let program = parse(&requests);
        let pipeline = pipeline.replace("dual-arrays", &format!("dual-arrays{options}"));
        let pipeline = pipeline.replace("differentiate", &format!("differentiate{options}"));
        let pipeline = format!("builtin.module({pipeline})");
        samples::run(&program, &pipeline)?;
        Ok(program)
    };
    let (program, segmented) = (run("")?, run("{memory-budget=0}")?);
    let before = made.modes;
    for sizes in [[3, 2, 2], [1, 4, -1], [2, 1, 1]] {
        let watched = Watched::new(program.module());
        let call = |name: &str, given: &[Array]| watched.call(name, given);
        let x = samples::arguments(program.module(), sizes, seed);
        // A call that the evaluator rejects has no derivative.
        let Ok(y) = call("f", &x) else { continue };
        let (t, c) = (directions(&x, seed * 97 + 1), directions(&y, seed * 97 + 1000));
        let forward = call("jvp", &[x.clone(), t.clone()].concat());
        let reverse = call("vjp", &[x.clone(), c.clone()].concat());
        if watched.met_unknown_sizes() {
            continue;
        }
        let forward = forward.map_err(|e| Failure::new("no tangent", e))?;
        let reverse = reverse.map_err(|e| Failure::new("no cotangent", e))?;
        let ((a, scale), (b, other)) = (dot(&forward, &c), dot(&reverse, &t));
        if !scale.is_finite() || !other.is_finite() {
            continue;
        }
        // f32 is among the arguments.
        if (a - b).abs() > 2e-4 * (1e-3 + scale.max(other)) {
            let text = format!("for {sizes:?}: forward {a}, reverse {b}\n{}", program.module());
            return Err(Failure::new("the modes disagree", text));
        }
        made.modes += 1;
        let given = [x.clone(), c.clone()].concat();
        let again = Evaluator::new(segmented.module())
            .call("vjp", &given)
            .map_err(|e| Failure::new("`@vjp` fails in segments", e))?;
        // Bitwise, except for the sign of zero.
        let equal =
            |a: &Array, b: &Array| a.to_f64().iter().zip(b.to_f64()).all(|(a, b)| *a == b || a.is_nan() && b.is_nan());
        if !reverse.iter().zip(&again).all(|(a, b)| a.shape() == b.shape() && equal(a, b)) {
            let text = format!("for {sizes:?}: {reverse:?} became {again:?}\n{}", segmented.module());
            return Err(Failure::new("segments change the derivative", text));
        }

        // Differences at two steps are trusted if they agree: otherwise there is a kink or a jump near the point.
        let quotient = |step: f64| -> Option<f64> {
            let at = |step: f64| -> Option<Vec<Array>> {
                let mut t = t.iter();
                let x: Vec<Array> = x
                    .iter()
                    .map(|x| match x.element().is_float() {
                        true => moved(x, t.next().expect("one for each"), step),
                        false => x.clone(),
                    })
                    .collect();
                let y = call("f", &x).ok()?;
                Some(y.into_iter().filter(|y| y.element().is_float()).collect())
            };
            let (up, down) = (dot(&at(step)?, &c).0, dot(&at(-step)?, &c).0);
            Some((up - down) / (2.0 * step))
        };
        let (Some(coarse), Some(fine)) = (quotient(2e-3), quotient(1e-3)) else { continue };
        let near = |a: f64, b: f64, tolerance: f64| (a - b).abs() <= tolerance * (1.0 + scale);
        if near(coarse, fine, 1e-4) {
            if !near(fine, a, 5e-3) {
                let text = format!("for {sizes:?}: differences {fine}, forward {a}");
                return Err(Failure::new("the differences disagree", text));
            }
            made.differences += 1;
        }
    }
    if made.modes > before {
        for op in alone.module().nested_ops() {
            *made.ops.entry(op.name().to_string()).or_default() += 1;
        }
    }
    Ok(())
}

#[test]
fn modes_agree_on_random_programs() {
    let cases = mlopt_cases::count(600);
    let mut made = Made::default();
    samples::check_programs(mlopt_cases::seeds(1, 600), &PIPELINES, program, |text, seed, pipeline| {
        compare(text, seed, &mut made, pipeline)
    });
    println!("{cases} programs, {} comparisons of modes, {} with differences", made.modes, made.differences);
    assert!(
        cases < 100 || made.modes as u64 > cases && made.differences as u64 > cases / 2,
        "most programs are refused"
    );
    // The generator writes only the array language, and no ops of `tensor`.
    for kind in mlopt_passes::ad::derivatives::array_ops().filter(|kind| kind.dialect() != "tensor") {
        let n = made.ops.get(kind.name()).copied().unwrap_or(0);
        assert!(cases < 600 || n >= 20, "`{kind}` occurs {n} times only");
    }
}
