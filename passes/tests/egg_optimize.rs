//! Tests that `egg-optimize` preserves the values of the programs of other tests, computed by the reference evaluator.

use crate::samples;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

pub const PIPELINES: &[&str] = &[
    "builtin.module(func.func(egg-optimize))",
    "builtin.module(func.func(egg-optimize{driver=normalise}))",
    "builtin.module(func.func(egg-optimize{driver=egg fuel=1000 iter=4}))",
    "builtin.module(func.func(normalise-terms,contract-sums,unroll-small-loops,saturate-terms{fuel=1000 iter=4},\
     place-terms))",
];

/// Programs that are compared before and after the pass.
const FILES: [&str; 2] =
    ["optimise/egg_optimize/egg_optimize.mlir", "../test/logistic_regression/logistic_regression.mlir"];

fn program(text: &str) -> Program {
    let program = samples::parse(text);
    program.run_pipeline("builtin.module(jvp)").unwrap_or_else(|_| panic!("no derivative:\n{text}"));
    program
}

fn random(rng: &mut ChaCha8Rng, ty: Type, dynamic: usize) -> Option<Array> {
    let shape: Vec<usize> = ty.shape().into_iter().map(|n| n.unwrap_or(dynamic)).collect();
    let len: usize = shape.iter().product();
    let element = ty.element()?;
    let least = match element {
        Element::I1 | Element::Index => 0,
        _ => -5,
    };
    let data = match element.is_float() {
        true => Data::of_f64(element, (0..len).map(|_| rng.random_range(-1.0..1.0))),
        false => Data::of_integers(element, (0..len).map(|_| rng.random_range(least..6))),
    };
    Some(Array::new(shape, data))
}

fn close(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape()
        && a.to_f64()
            .iter()
            .zip(b.to_f64())
            .all(|(&a, b)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())))
}

fn functions(module: Op) -> Vec<Op> {
    module.child_ops().into_iter().filter(|f| f.name() == "func.func" && f.body().is_some()).collect()
}

/// Compares every function of a text before and after each pipeline. Returns the number of comparisons.
fn keeps_values(text: &str, samples: usize) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let before = program(text);
    let mut compared = 0;
    for pipeline in PIPELINES {
        let after = program(text);
        after.run_pipeline(pipeline).unwrap_or_else(|_| panic!("{pipeline} fails on\n{text}"));
        for f in functions(before.module()) {
            let name = f.symbol().expect("a function has a name");
            let (inputs, _) = f.function_type().expect("a function has a type");
            for sample in 0..samples {
                let sizes: Vec<usize> =
                    inputs.iter().map(|_| [4, 4, 1, 0, rng.random_range(0..6)][sample.min(4)]).collect();
                let arguments: Option<Vec<Array>> =
                    inputs.iter().zip(&sizes).map(|(&ty, &n)| random(&mut rng, ty, n)).collect();
                let Some(arguments) = arguments else { continue };
                // A call that the evaluator rejects (effects, incompatible sizes) has no value to compare.
                let Ok(expected) = Evaluator::new(before.module()).call(&name, &arguments) else { continue };
                let found = Evaluator::new(after.module())
                    .call(&name, &arguments)
                    .unwrap_or_else(|e| panic!("@{name} after {pipeline}: {e}\n{}", after.module()));
                for (e, f) in expected.iter().zip(&found) {
                    assert!(
                        close(e, f),
                        "@{name} after {pipeline}: {e:?} became {f:?} on {arguments:?}\n{}\n{}",
                        before.module(),
                        after.module()
                    );
                }
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn the_tests_of_the_pass_and_the_rules_keep_their_values() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = FILES.map(|file| root.join(file)).to_vec();
    files.push(root.join("../test/gradients/forward.mlir"));
    let rules = std::fs::read_dir(root.join("optimise/rules")).expect("the rules are there");
    files.extend(rules.map(|f| f.expect("a file").path()).filter(|p| p.extension().is_some_and(|e| e == "mlir")));
    let mut compared = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a test is readable");
        compared += text.split("// -----").map(|part| keeps_values(part, 6)).sum::<usize>();
    }
    assert!(compared > 300, "only {compared} comparisons");
}

/// The pass is idempotent and deterministic.
#[test]
fn idempotent_and_deterministic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in FILES {
        let text = std::fs::read_to_string(root.join(file)).expect("a test is readable");
        let run = || {
            let p = program(&text);
            p.run_pipeline(PIPELINES[0]).expect("the pass succeeds");
            p
        };
        let (first, second) = (run(), run());
        let once = first.module().to_string();
        assert_eq!(once, second.module().to_string(), "two runs differ on\n{text}");
        first.run_pipeline(PIPELINES[0]).expect("the pass succeeds");
        assert_eq!(once, first.module().to_string(), "a second application changes the result of\n{text}");
    }
}
