//! Tests that analyses of large programs take one traversal.

use crate::samples;
use mlopt_dialects::value::Element;
use mlopt_passes::ad::activity::{Activity, Calls};
use mlopt_passes::optimise::terms::prim::Prim;
use mlopt_passes::optimise::terms::{Flags, Op as Term, Pool};

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
    let program = samples::parse(source);
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
