// Loops over rows by closed functions: `fold`, `map_accum`, and folds in a batch.

// RUN: mlopt run %s --entry @recurrence_and_gradient --arg 1 --arg '[3, 4, 5]' | FileCheck %s --check-prefix=FOLD
// RUN: mlopt run %s --entry @recurrence_and_gradient --arg 1 --arg '[3, 4, 5]' --interpret | FileCheck %s --check-prefix=FOLD
// RUN: mlopt run %s --entry @running_sums_and_jacobian --arg '[1, 10, 100]' | FileCheck %s --check-prefix=SCAN
// RUN: mlopt run %s --entry @running_sums_and_jacobian --arg '[1, 10, 100]' --interpret | FileCheck %s --check-prefix=SCAN
// RUN: mlopt run %s --entry @batch_and_jvp --arg '[0, 1]' --arg '[[1, 2], [3, 4]]' --arg '[[1, 0], [0, 1]]' | FileCheck %s --check-prefix=BATCH
// RUN: mlopt run %s --entry @batch_and_jvp --arg '[0, 1]' --arg '[[1, 2], [3, 4]]' --arg '[[1, 0], [0, 1]]' --interpret | FileCheck %s --check-prefix=BATCH

//===-- s ← s/2 + x, from z: z/8 + x₀/4 + x₁/2 + x₂. ------------------------------------------------------------===//

func.func @recurrence(%z: f64, %x: tensor<?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %r = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %z) -> (f64) {
    %decayed = arith.mulf %half, %s : f64
    %next = arith.addf %decayed, %e : f64
    array.yield %next : f64
  }
  return %r : f64
}
// FOLD:      7.875
// FOLD-NEXT: 0.125
// FOLD-NEXT: [0.25 0.5  1.  ]
func.func @recurrence_and_gradient(%z: f64, %x: tensor<?xf64>) -> (f64, f64, tensor<?xf64>) {
  %r = func.call @recurrence(%z, %x) : (f64, tensor<?xf64>) -> f64
  %gz, %gx = dual.grad @recurrence(%z, %x) : (f64, tensor<?xf64>) -> (f64, tensor<?xf64>)
  return %r, %gz, %gx : f64, f64, tensor<?xf64>
}

//===-- The sums so far, as rows that the loop emits: the Jacobian is a triangle of ones. -------------------------===//

func.func @running_sums(%x: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %last, %sums = array.map_accum (%e = %x : tensor<3xf64>) iter_args(%s = %zero) -> (f64, tensor<3xf64>) {
    %next = arith.addf %s, %e : f64
    array.yield %next, %next : f64, f64
  }
  return %sums : tensor<3xf64>
}
// SCAN:      [  1.  11. 111.]
// SCAN-NEXT: {{\[\[}}1. 0. 0.]
// SCAN-NEXT:  [1. 1. 0.]
// SCAN-NEXT:  [1. 1. 1.]]
func.func @running_sums_and_jacobian(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
  %r = func.call @running_sums(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %j = dual.jacobian @running_sums(%x) : (tensor<3xf64>) -> tensor<3x3xf64>
  return %r, %j : tensor<3xf64>, tensor<3x3xf64>
}

//===-- A fold for each row of a matrix: s ← s·s + x. -----------------------------------------------------------===//

func.func @batch(%z: tensor<2xf64>, %x: tensor<2x2xf64>) -> tensor<2xf64> {
  %r = array.build (%i < 2) -> (tensor<2xf64>) {
    %start = array.get %z[%i] : (tensor<2xf64>) -> f64
    %row = array.get %x[%i] : (tensor<2x2xf64>) -> tensor<2xf64>
    %s = array.fold (%e = %row : tensor<2xf64>) iter_args(%a = %start) -> (f64) {
      %square = arith.mulf %a, %a : f64
      %next = arith.addf %square, %e : f64
      array.yield %next : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<2xf64>
}
// ((z² + x₀)² + x₁): 3 and 20; along the tangent 2(z² + x₀)·x₀' + x₁': 2 and 1.
// BATCH:      [ 3. 20.]
// BATCH-NEXT: [2. 1.]
func.func @batch_and_jvp(%z: tensor<2xf64>, %x: tensor<2x2xf64>, %t: tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
  %y, %y_t = dual.jvp @batch(%z, %x) tangents(%t) wrt [1]
    : (tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %y, %y_t : tensor<2xf64>, tensor<2xf64>
}
