//! The order of growth of the gradients in `test/gradients/asymptotics.mlir`, counted by the evaluator: what their attribute `growth`
//! says, by forward mode and rewriting.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Once;

const PROGRAMS: &str = include_str!("../../test/gradients/asymptotics.mlir");

const FORWARD: &str = "builtin.module(jvp)";
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

/// Result and counted work of a function.
fn evaluate(program: &Program, name: &str, n: usize) -> (Array, f64) {
    let function = program.module().lookup(name).expect("the function is there");
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call(name, &arguments(function, n)).unwrap_or_else(|e| panic!("@{name}: {e}"));
    (results[0].clone(), evaluator.work() as f64)
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
        let (expected, found) = (at_five(&[differentiate]), at_five(&[differentiate, OPTIMISE]));
        assert_eq!(found.shape(), expected.shape(), "@{name}");
        for (f, e) in found.to_f64().into_iter().zip(expected.to_f64()) {
            assert!((f - e).abs() <= 1e-11 * (1.0 + e.abs()), "@{name}: found {f}, expected {e}");
        }
    }
    assert!(count >= 22, "only {count} programs");
    assert!(improved >= 16, "only {improved} programs cost a power more before");
}
