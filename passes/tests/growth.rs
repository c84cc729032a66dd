//! Tests of the cost of the gradients of `test/gradients/forward.mlir`, counted by the evaluator at increasing sizes,
//! and of their values after optimisation. Other tests check that analyses of large programs take one traversal.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_passes::ad::activity::{Activity, Calls};
use mlopt_passes::optimise::terms::prim::Prim;
use mlopt_passes::optimise::terms::{Flags, Op as Term, Pool};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Once;

const GRADIENTS: &str = include_str!("../../test/gradients/forward.mlir");

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
}

fn after(pipeline: &str) -> Program {
    let program = Program::parse(GRADIENTS.as_bytes(), "forward.mlir").expect("the test's program parses");
    program.run_pipeline(pipeline).expect("the test's program goes through its passes");
    program
}

/// Returns one random argument of each parameter's type; every dynamic size is `n`.
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

/// Returns the result and the counted work.
fn evaluate(program: &Program, name: &str, arguments: &[Array]) -> (Array, f64) {
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call(name, arguments).unwrap_or_else(|e| panic!("{e}"));
    (results[0].clone(), evaluator.work() as f64)
}

/// Returns the power of n with which work grows, between n and 2n.
fn exponent(program: &Program, name: &str, function: Op, n: usize) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut work = |n| evaluate(program, name, &arguments(function, n, &mut rng)).1;
    let (small, large) = (work(n), work(2 * n));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).log2() }
}

#[test]
fn gradients_cost_what_they_must_and_keep_their_values() {
    register();
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
    // Naive forward mode is linear for the derivative in a scalar, and quadratic for these Jacobians: for all others
    // the power must have decreased by one, or the test cannot detect a regression.
    assert!(improved >= 8, "only {improved} gradients cost more before optimisation");
}

/// The linear form of a sum with 2⁶⁰ paths to the variable in it: each step is visited once. Up to the bound on
/// coefficients the form is a multiple of the variable, and beyond it is a multiple of another atom.
#[test]
fn linear_forms_of_many_paths() {
    let mut pool = Pool::new();
    let x = pool.leaf(Element::Index, vec![]);
    let mut sum = x;
    for k in 1..=60 {
        sum = pool.add(Term::Prim(Prim::AddI, Flags::NONE), [sum, sum]);
        let form = pool.linear(sum);
        assert_eq!(form.terms.len(), 1, "{k} doublings: {form:?}");
        if k < 40 {
            assert_eq!(form.terms[0], (x, 1 << k), "{k} doublings: {form:?}");
        }
    }
}

/// The values that lead to a result are those on which it depends when they alone vary: through loops, branches and
/// calls.
#[test]
fn activity_is_the_same_both_ways() {
    let source = "
      func.func @swap(%a: f64, %b: f64, %n: index) -> (f64, f64) {
        return %b, %a : f64, f64
      }
      func.func @f(%p: f64, %q: f64, %r: f64, %s: f64, %x: tensor<4xf64>, %y: tensor<4xf64>, %n: index, %c: i1) \
          -> (f64, f64) {
        %one = arith.constant 1.0 : f64
        %first, %second = func.call @swap(%p, %q, %n) : (f64, f64, index) -> (f64, f64)
        %u, %v = array.ifold (%i < %n) iter_args(%a = %first, %b = %r) -> (f64, f64) {
          %d = arith.mulf %a, %b : f64
          array.yield %d, %one : f64, f64
        }
        %w, %rows = array.map_accum (%e = %x : tensor<4xf64>) iter_args(%a = %u) -> (f64, tensor<4xf64>) {
          array.yield %a, %e : f64, f64
        }
        %z = scf.if %c -> (f64) {
          %t = array.sum %rows : (tensor<4xf64>) -> f64
          scf.yield %t : f64
        } else {
          scf.yield %s : f64
        }
        %stopped = dual.stop_gradient %second : f64
        %k = arith.fptosi %v : f64 to i64
        %l = arith.sitofp %k : i64 to f64
        %m = arith.addf %l, %stopped : f64
        %sum = arith.addf %m, %z : f64
        return %sum, %w : f64, f64
      }";
    register();
    let program = Program::parse(source.as_bytes(), "ways.mlir").expect("the test's program parses");
    let module = program.module();
    let lookup = |name: &str| module.lookup(name);
    let f = module.lookup("f").expect("it is there");
    let body = f.body().expect("it has a body");
    let returned = body.terminator().expect("verified").operands();
    let leading = Activity::leading_to_results(f, &lookup);
    let found: Vec<bool> = body.arguments().into_iter().map(|v| leading.is_active(v)).collect();
    // %p ends before a stop, %y is unused, and integers carry no derivative.
    assert_eq!(found, [false, true, true, true, true, false, false, false]);
    for (k, leads) in found.into_iter().enumerate().take(6) {
        let alone: Vec<bool> = (0..8).map(|j| j == k).collect();
        let activity = Activity::of(f, &alone, &lookup, &mut Calls::new());
        assert_eq!(returned.iter().any(|v| activity.is_active(*v)), leads, "argument {k}");
    }
}
