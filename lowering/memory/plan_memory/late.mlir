// RUN: mlopt %s --pass-pipeline='builtin.module(static-sizes,differentiate,array-to-sweeps,plan-memory)' | FileCheck %s

// With one row, the length of the inner loop is read from an array of one number. It is checked when that array is
// available.
// CHECK-LABEL: func.func @ragged(
// CHECK: array.check %{{.*}}, "invalid-size", "an extent of 'array.iota' is too large
func.func private @rows(%x: tensor<?x4xf64>, %y: tensor<4xf64>) -> f64 {
  %n = array.length %x : tensor<?x4xf64>
  %none = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %sums = array.build (%i < %n) -> (tensor<?xf64>) {
    %most = arith.minsi %i, %none : index
    %sum = array.ifold (%j < %most) iter_args(%s = %zero) -> (f64) {
      %p = array.get %x[%i, %j] : (tensor<?x4xf64>) -> f64
      %q = array.get %y[%j] : (tensor<4xf64>) -> f64
      %pq = arith.mulf %p, %q : f64
      %next = arith.addf %s, %pq : f64
      array.yield %next : f64
    }
    array.yield %sum : f64
  }
  %squares = arith.mulf %sums, %sums : tensor<?xf64>
  %z = array.sum %squares : (tensor<?xf64>) -> f64
  return %z : f64
}
func.func @ragged(%x: tensor<?x4xf64>, %y: tensor<4xf64>) -> (tensor<?x4xf64>, tensor<4xf64>) attributes {array.sizes = "1x4,4"} {
  %g:2 = dual.hvp @rows(%x, %y) tangents(%x, %y) wrt [0, 1] : (tensor<?x4xf64>, tensor<4xf64>, tensor<?x4xf64>, tensor<4xf64>) -> (tensor<?x4xf64>, tensor<4xf64>)
  return %g#0, %g#1 : tensor<?x4xf64>, tensor<4xf64>
}
