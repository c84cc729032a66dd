//! Functions that tests share: programs after passes, their results and their work, which the evaluator counts.

use crate::samples::parse;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns the program after the pipelines.
pub fn after(text: &str, pipelines: &[&str]) -> Program {
    let program = parse(text);
    pipelines.iter().for_each(|p| program.run_pipeline(p).expect("the test's program goes through its passes"));
    program
}

/// Returns the types of the parameters of a function.
pub fn inputs(program: &Program, name: &str) -> Vec<Type> {
    program.module().lookup(name).and_then(Op::function_type).expect("the function is there").0
}

/// Returns one random array of each type, with numbers from `least` to 1; every dynamic size is `n`.
pub fn arguments(types: &[Type], n: usize, least: f64) -> Vec<Array> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let random = |ty: &Type| {
        assert_eq!(ty.element(), Some(Element::F64), "sizes come from the arrays");
        let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.unwrap_or(n)).collect();
        let numbers = (0..shape.iter().product()).map(|_| rng.random_range(least..1.0)).collect();
        Array::new(shape, Data::F64(numbers))
    };
    types.iter().map(random).collect()
}

/// Returns the results and the counted work of a function on the [`arguments`].
pub fn evaluate(program: &Program, name: &str, n: usize, least: f64) -> (Vec<Array>, f64) {
    let mut evaluator = Evaluator::new(program.module());
    let given = arguments(&inputs(program, name), n, least);
    let results = evaluator.call(name, &given).unwrap_or_else(|e| panic!("@{name}: {e}"));
    let work = evaluator.work() as f64;
    (results, work)
}

/// Returns x + step · t.
pub fn moved(x: &Array, t: &Array, step: f64) -> Array {
    x.with_f64(x.to_f64().into_iter().zip(t.to_f64()).map(|(x, t)| x + step * t))
}

pub fn assert_close(name: &str, found: &[Array], expected: &[Array]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.shape(), expected.shape(), "@{name}");
        for (f, e) in found.to_f64().into_iter().zip(expected.to_f64()) {
            assert!((f - e).abs() <= 1e-12 * e.abs().max(1.0), "@{name}: found {f}, expected {e}");
        }
    }
}
