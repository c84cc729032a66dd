// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize,egg-optimize))' | FileCheck %s
// Branches. A cheap branch without traps becomes a selection; any other remains a branch, with rewritten arms.

// Both arms are equal.
// CHECK-LABEL: func.func @same
// CHECK-NEXT:    %[[A:.*]] = arith.addf %arg1, %arg2
// CHECK-NEXT:    return %[[A]]
func.func @same(%c: i1, %x: f64, %y: f64) -> f64 {
  %z = scf.if %c -> (f64) {
    %a = arith.addf %x, %y : f64
    scf.yield %a : f64
  } else {
    %a = arith.addf %y, %x : f64
    scf.yield %a : f64
  }
  return %z : f64
}

// A division by zero must not be executed unless the program requires it.
// CHECK-LABEL: func.func @guarded_division
// CHECK:         scf.if
// CHECK:           arith.divsi
// CHECK:         } else {
func.func @guarded_division(%x: i64, %y: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.cmpi ne, %y, %zero : i64
  %z = scf.if %c -> (i64) {
    %a = arith.divsi %x, %y : i64
    %b = arith.muli %a, %one : i64
    scf.yield %b : i64
  } else {
    scf.yield %zero : i64
  }
  return %z : i64
}

// A costly arm is not executed unconditionally either: the arms are rewritten in place.
// CHECK-LABEL: func.func @costly
// CHECK:         scf.if
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:         } else {
// CHECK:           math.sin
// CHECK-NOT:       math.sin
// CHECK:         return
func.func @costly(%c: i1, %x: f64) -> f64 {
  %z = scf.if %c -> (f64) {
    %a = math.exp %x : f64
    %b = math.exp %x : f64
    %s = arith.addf %a, %b : f64
    scf.yield %s : f64
  } else {
    %a = math.sin %x : f64
    %b = math.sin %x : f64
    %s = arith.mulf %a, %b : f64
    scf.yield %s : f64
  }
  return %z : f64
}

// A branch that does not depend on the index is hoisted out of the loop; the values that its arms read remain.
// CHECK-LABEL: func.func @invariant
// CHECK:         math.cos
// CHECK:         scf.if
// CHECK:           math.exp
// CHECK:         array.build
// CHECK-NOT:       scf.if
// CHECK:         return
func.func @invariant(%c: i1, %x: f64, %v: tensor<6xf64>) -> tensor<6xf64> {
  %r = array.build (%i < 6) -> (tensor<6xf64>) {
    %y = math.cos %x : f64
    %z = scf.if %c -> (f64) {
      %a = math.exp %y : f64
      scf.yield %a : f64
    } else {
      scf.yield %y : f64
    }
    %e = array.get %v[%i] : (tensor<6xf64>) -> f64
    %p = arith.mulf %e, %z : f64
    array.yield %p : f64
  }
  return %r : tensor<6xf64>
}

// Values that only an arm reads are computed in it, in their cheapest form.
// CHECK-LABEL: func.func @captured
// CHECK-SAME:    %[[C:[a-z0-9]+]]: i1, %[[M:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK:         scf.if
// CHECK-NEXT:      array.sum %[[M]]
// CHECK:         return
func.func @captured(%c: i1, %m: tensor<4x3xf64>) -> tensor<3xf64> {
  %t = array.transpose %m [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %u = array.transpose %t [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %z = scf.if %c -> (tensor<3xf64>) {
    %s = array.sum %u : (tensor<4x3xf64>) -> tensor<3xf64>
    scf.yield %s : tensor<3xf64>
  } else {
    %s = array.max %u : (tensor<4x3xf64>) -> tensor<3xf64>
    scf.yield %s : tensor<3xf64>
  }
  return %z : tensor<3xf64>
}

// An effect in an arm is a barrier.
// CHECK-LABEL: func.func @effect
// CHECK:         scf.if
// CHECK:           call @noise
func.func private @noise(f64) -> f64
func.func @effect(%c: i1, %x: f64) -> f64 {
  %z = scf.if %c -> (f64) {
    %a = func.call @noise(%x) : (f64) -> f64
    scf.yield %a : f64
  } else {
    scf.yield %x : f64
  }
  return %z : f64
}
