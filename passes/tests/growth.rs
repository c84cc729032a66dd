//! What the gradients of `test/gradients/forward.mlir` cost, counted by the evaluator at growing sizes, and whether
//! optimisation kept their values.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::value::{Array, Data, Element};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GRADIENTS: &str = include_str!("../../test/gradients/forward.mlir");

fn after(pipeline: &str) -> Program {
    let program = Program::parse(GRADIENTS.as_bytes(), "forward.mlir").expect("the test's program parses");
    program.run_pipeline(pipeline).expect("the test's program goes through its passes");
    program
}

/// One random argument of each parameter's type; every run-time size is `n`.
fn arguments(function: Op, n: usize, rng: &mut ChaCha8Rng) -> Vec<Array> {
    let body = function.body().expect("a function with a body");
    let random = |parameter: Value| {
        let shape: Vec<usize> = parameter.ty().shape().into_iter().map(|d| d.unwrap_or(n)).collect();
        assert_ne!(parameter.ty().element(), Some(Element::Index), "sizes come from the arrays");
        let v = (0..shape.iter().product()).map(|_| rng.random_range(-1.0..1.0)).collect();
        Array::new(shape, Data::F64(v))
    };
    body.arguments().into_iter().map(random).collect()
}

/// Result and counted work.
fn evaluate(program: &Program, name: &str, arguments: &[Array]) -> (Array, f64) {
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call(name, arguments).unwrap_or_else(|e| panic!("{e}"));
    (results[0].clone(), evaluator.work() as f64)
}

/// The power of n with which work grows, between n and 2n.
fn exponent(program: &Program, name: &str, function: Op, n: usize) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut work = |n| evaluate(program, name, &arguments(function, n, &mut rng)).1;
    let (small, large) = (work(n), work(2 * n));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).log2() }
}

#[test]
fn gradients_cost_what_they_must_and_keep_their_values() {
    mlopt_dialects::bridge::register_upstream_passes();
    mlopt_passes::register();
    let naive = after("builtin.module(jvp)");
    let optimised = after("builtin.module(jvp,func.func(egg-optimize))");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut gradients, mut improved) = (0, 0);
    for function in naive.module().child_ops() {
        let name = function.symbol().expect("the module holds functions");
        let expected = match name.split('_').next() {
            Some("grad") => 1.0,
            Some("jacobian") => 2.0,
            _ => continue,
        };
        gradients += 1;
        let found = exponent(&optimised, &name, function, 64);
        assert!(found < expected + 0.1, "@{name} grows as n^{found:.2}, expected n^{expected}");
        improved += (exponent(&naive, &name, function, 16) > expected + 0.7) as usize;
        for n in [0, 1, 2, 7] {
            let arguments = arguments(function, n, &mut rng);
            let (expected, _) = evaluate(&naive, &name, &arguments);
            let (found, _) = evaluate(&optimised, &name, &arguments);
            assert_eq!(found.shape(), expected.shape(), "@{name} at n = {n}");
            for (f, e) in found.to_f64().into_iter().zip(expected.to_f64()) {
                assert!((f - e).abs() <= 1e-12, "@{name} at n = {n}: found {f}, expected {e}");
            }
        }
    }
    assert!(gradients >= 11, "only {gradients} gradients in forward.mlir");
    // Naive forward mode is linear by itself for the derivative in a scalar, and quadratic for these Jacobians: for all
    // others a power of n must have gone, or the test sees no difference.
    assert!(improved >= 8, "only {improved} gradients cost more before optimisation");
}
