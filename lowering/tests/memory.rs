//! The program that `tools/valgrind.sh` runs: a thousand calls of compiled code with changing sizes, on a target that
//! valgrind supports.
//!
//! Every buffer is a heap block of exactly its size, and scratch memory is not initialised, so valgrind detects each
//! access outside an array and each use of an element that was never written. Without valgrind the test still checks
//! that calls are reproducible.

use crate::common::*;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_runtime::code::Compiled;

const CALLS: usize = 1000;

/// Elementwise code, guarded and reversed reads, sums, rows, triangles, carried arrays, scratch memory that is reused.
const PROGRAM: &str = "
func.func @elementwise(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> (tensor<?xf64>, f64, tensor<?xf64>) {
  %e = math.exp %x : tensor<?xf64>
  %p = arith.mulf %e, %x : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %p, %s, %e : tensor<?xf64>, f64, tensor<?xf64>
}
func.func @reads(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> (tensor<?x2xf64>, tensor<?xf64>, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %m = arith.addi %n, %k : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a, %b = array.build (%i < %m) -> (tensor<?x2xf64>, tensor<?xf64>) {
    %below = arith.subi %i, %k : index
    %u = array.get %x[%below] : (tensor<?xf64>) -> f64
    %v = array.get %y[%i, %below] : (tensor<?x3xf64>) -> f64
    %w = arith.addf %u, %v : f64
    %row = array.replicate %w : (f64) -> tensor<2xf64>
    array.yield %row, %u : tensor<2xf64>, f64
  }
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %j = arith.subi %last, %i : index
    %e = array.get %x[%j] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  return %a, %b, %r : tensor<?x2xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func @matrices(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) \
    -> (tensor<3xf64>, tensor<3x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %columns = array.sum %y : (tensor<?x3xf64>) -> tensor<3xf64>
  %t = array.transpose %y [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>
  %n = array.length %x : tensor<?xf64>
  %outer = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %x[%j] : (tensor<?xf64>) -> f64
    %c = arith.mulf %a, %b : f64
    array.yield %c : f64
  }
  %d = array.sum %outer : (tensor<?x?xf64>) -> tensor<?xf64>
  return %columns, %t, %outer, %d : tensor<3xf64>, tensor<3x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}
func.func @loops(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) \
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %n = array.length %x : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = arith.negf %x : tensor<?xf64>
  %a, %b, %c, %d = array.ifold (%i < %k) iter_args(%u = %x, %v = %z, %w = %x, %s = %zero)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
    %shifted = array.build (%j < %n) -> (tensor<?xf64>) {
      %l = arith.addi %j, %c1 : index
      %e = array.get %w[%l] : (tensor<?xf64>) -> f64
      %f = array.get %w[%j] : (tensor<?xf64>) -> f64
      %g = arith.addf %e, %f : f64
      %h = arith.mulf %g, %half : f64
      array.yield %h : f64
    }
    %sin = math.sin %shifted : tensor<?xf64>
    %q = arith.mulf %shifted, %sin : tensor<?xf64>
    %t = array.sum %q : (tensor<?xf64>) -> f64
    %r = arith.addf %s, %t : f64
    array.yield %v, %u, %shifted, %r : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
  }
  return %a, %b, %c, %d : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}
func.func @triangle(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %head = array.build (%j < %i) -> (tensor<?xf64>) {
      %e = array.get %x[%j] : (tensor<?xf64>) -> f64
      %s = math.tanh %e : f64
      array.yield %s : f64
    }
    %a = array.sum %head : (tensor<?xf64>) -> f64
    %m = array.ifold (%k2 < %i) iter_args(%q = %a) -> (f64) {
      %e = array.get %head[%k2] : (tensor<?xf64>) -> f64
      %r = arith.mulf %e, %q : f64
      array.yield %r : f64
    }
    array.yield %m : f64
  }
  return %z : tensor<?xf64>
}
";

#[test]
fn a_thousand_calls_with_changing_sizes() {
    let context = context();
    let module = parse(&context, PROGRAM);
    let target = Target::named("x86-64-v3", "").unwrap();
    target.describe(module_op(&module));
    lower(module_op(&module)).unwrap();
    let mut previous: Option<Compiled> = None;
    let mut calls = 0;
    for round in 0..4 {
        // Code is also created and freed repeatedly.
        let compiled = Compiled::new(module_op(&module), &target).unwrap();
        drop(previous.take());
        for n in 0..CALLS / 20 / 2 {
            let n = (n * 7 + round) % 37;
            let args = [array(n as u64, &[n]), array(n as u64 + 1, &[n, 3]), Array::index((n % 5) as i64)];
            for name in ["elementwise", "reads", "matrices", "loops", "triangle"] {
                let f = compiled.function(name).unwrap();
                let first = f.call(&args).unwrap();
                let second = f.call(&args).unwrap();
                assert_eq!(format!("{first:?}"), format!("{second:?}"), "@{name} at n = {n}");
                calls += 2;
            }
        }
        previous = Some(compiled);
    }
    assert!(calls >= CALLS, "{calls} calls");
}
