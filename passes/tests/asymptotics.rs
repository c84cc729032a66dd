//! What gradients cost by forward mode and rewriting, counted by the evaluator: the order of growth that the attribute `growth` says in
//! `test/gradients/asymptotics.mlir`, and the operations a point that `units` says in `test/gradients/bundle_adjustment.mlir`.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Once;

const PROGRAMS: &str = include_str!("../../test/gradients/asymptotics.mlir");
const BUNDLE_ADJUSTMENT: &str = include_str!("../../test/gradients/bundle_adjustment.mlir");

const FORWARD: &str = "builtin.module(jvp)";
/// Of a scalar argument there is one column: a call of the derivative.
const FORWARD_INLINED: &str = "builtin.module(jvp, inline)";
const REVERSE: &str = "builtin.module(bulk-operations, differentiate)";
const OPTIMISE: &str = "builtin.module(func.func(egg-optimize))";

/// What the fit may exceed the power by: terms of lower order.
const TOLERANCE: f64 = 0.12;

fn program(text: &str, pipelines: &[&str]) -> Program {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
    let program = Program::parse(text.as_bytes(), "asymptotics").expect("the test's program parses");
    pipelines.iter().for_each(|p| program.run_pipeline(p).expect("the test's program goes through its passes"));
    program
}

/// One random argument of each parameter's type; every run-time size is `n`.
fn arguments(function: Op, n: usize) -> Vec<Array> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (inputs, _) = function.function_type().expect("a function has a type");
    let positive = |shape: Vec<usize>| {
        let v = (0..shape.iter().product()).map(|_| rng.random_range(0.1..1.0)).collect();
        Array::new(shape, Data::F64(v))
    };
    inputs.into_iter().map(|ty| ty.shape().into_iter().map(|d| d.unwrap_or(n)).collect()).map(positive).collect()
}

/// Results and counted work of a function.
fn evaluate(program: &Program, name: &str, n: usize) -> (Vec<Array>, f64) {
    let function = program.module().lookup(name).expect("the function is there");
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call(name, &arguments(function, n)).unwrap_or_else(|e| panic!("@{name}: {e}"));
    let work = evaluator.work() as f64;
    (results, work)
}

fn assert_close(name: &str, found: &[Array], expected: &[Array]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.shape(), expected.shape(), "@{name}");
        for (f, e) in found.to_f64().into_iter().zip(expected.to_f64()) {
            assert!((f - e).abs() <= 1e-11 * (1.0 + e.abs()), "@{name}: found {f}, expected {e}");
        }
    }
}

/// The power of n with which work grows between two sizes.
fn exponent(name: &str, sizes: [usize; 2], pipelines: &[&str]) -> f64 {
    let program = program(PROGRAMS, pipelines);
    let work = |n: usize| evaluate(&program, name, n).1;
    let (small, large) = (work(sizes[0]), work(sizes[1]));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).ln() / (sizes[1] as f64 / sizes[0] as f64).ln() }
}

#[test]
fn forward_mode_and_rewriting_reach_the_growth_of_the_vectors() {
    let all = program(PROGRAMS, &[]);
    let (mut count, mut improved) = (0, 0);
    for function in all.module().child_ops() {
        let Some(growth) = function.attribute("growth").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().expect("a function has a name");
        let differentiate = if function.to_string().contains("mode reverse") { REVERSE } else { FORWARD };
        let found = exponent(&name, [12, 24], &[differentiate, OPTIMISE]);
        assert!(found <= growth as f64 + TOLERANCE, "@{name}: n^{found:.2} instead of n^{growth}");
        improved += usize::from(exponent(&name, [4, 8], &[differentiate]) > growth as f64 + 0.5);
        count += 1;
        let at_five = |pipelines: &[&str]| evaluate(&program(PROGRAMS, pipelines), &name, 5).0;
        assert_close(&name, &at_five(&[differentiate, OPTIMISE]), &at_five(&[differentiate]));
    }
    assert!(count >= 22, "only {count} programs");
    assert!(improved >= 16, "only {improved} programs cost a power more before");
}

/// Whatever the order of the columns and the points, and whatever the parameters are called.
#[test]
fn jacobians_of_bundle_adjustment_compute_what_columns_share_once() {
    let [naive, optimised] =
        [&[FORWARD_INLINED][..], &[FORWARD_INLINED, OPTIMISE]].map(|pipelines| program(BUNDLE_ADJUSTMENT, pipelines));
    let mut count = 0;
    for function in program(BUNDLE_ADJUSTMENT, &[]).module().child_ops() {
        let Some(units) = function.attribute("units").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().expect("a function has a name");
        let work = |program: &Program, n: usize| evaluate(program, &name, n).1;
        let [few, more, most] = [8, 16, 32].map(|n| work(&optimised, n));
        let each = (more - few) / 8.0;
        println!("@{name}: {each} operations a point, {} before", (work(&naive, 4) - work(&naive, 2)) / 2.0);
        assert!(each <= units as f64, "@{name}: {each} operations a point, more than {units}");
        assert!((most - more) / 16.0 <= each, "@{name}: not linear: {few}, {more}, {most} for 8, 16, 32 points");
        assert_close(&name, &evaluate(&optimised, &name, 5).0, &evaluate(&naive, &name, 5).0);
        count += 1;
    }
    assert!(count >= 7, "only {count} programs");
}
