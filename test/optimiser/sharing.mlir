// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// What several loops need for the same indices is computed once and stored, if a store and the loads cost less: rules
// inline it into each of its consumers.

// A row is summed, and divided by its sum.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @softmax(%x: tensor<32x10xf64>) -> tensor<32x10xf64> {
  %z = array.build (%i < 32, %j < 10) -> (tensor<32x10xf64>) {
    %e = array.build (%k < 10) -> (tensor<10xf64>) {
      %v = array.get %x[%i, %k] : (tensor<32x10xf64>) -> f64
      %exp = math.exp %v fastmath<fast> : f64
      array.yield %exp : f64
    }
    %s = array.sum %e fastmath<fast> : (tensor<10xf64>) -> f64
    %ej = array.get %e[%j] : (tensor<10xf64>) -> f64
    %q = arith.divf %ej, %s fastmath<fast> : f64
    array.yield %q : f64
  }
  return %z : tensor<32x10xf64>
}

// Sums along rows and along columns of one matrix that is computed.
// CHECK-LABEL: func.func @both_ways
// CHECK-COUNT-1: math.sin
// CHECK-NOT:     math.sin
// CHECK:         return
func.func @both_ways(%x: tensor<32x10xf64>, %y: tensor<32x10xf64>) -> (tensor<32xf64>, tensor<10xf64>) {
  %p = array.build (%i < 32) -> (tensor<32xf64>) {
    %r = array.build (%j < 10) -> (tensor<10xf64>) {
      %v = array.get %x[%i, %j] : (tensor<32x10xf64>) -> f64
      %s = math.sin %v : f64
      array.yield %s : f64
    }
    %t = array.sum %r : (tensor<10xf64>) -> f64
    array.yield %t : f64
  }
  %q = array.build (%j < 10) -> (tensor<10xf64>) {
    %c = array.build (%i < 32) -> (tensor<32xf64>) {
      %v = array.get %x[%i, %j] : (tensor<32x10xf64>) -> f64
      %w = array.get %y[%i, %j] : (tensor<32x10xf64>) -> f64
      %s = math.sin %v : f64
      %m = arith.mulf %s, %w : f64
      array.yield %m : f64
    }
    %t = array.sum %c : (tensor<32xf64>) -> f64
    array.yield %t : f64
  }
  return %p, %q : tensor<32xf64>, tensor<10xf64>
}

// A sum of two elements is cheaper to compute again than to store and to load.
// CHECK-LABEL: func.func @cheap
// CHECK-COUNT-2: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK:         return
func.func @cheap(%x: tensor<32xf64>, %y: tensor<32xf64>) -> (f64, f64) {
  %a = array.build (%i < 32) -> (tensor<32xf64>) {
    %v = array.get %x[%i] : (tensor<32xf64>) -> f64
    %w = array.get %y[%i] : (tensor<32xf64>) -> f64
    %s = arith.addf %v, %w : f64
    array.yield %s : f64
  }
  %b = array.build (%i < 32) -> (tensor<32xf64>) {
    %v = array.get %x[%i] : (tensor<32xf64>) -> f64
    %w = array.get %y[%i] : (tensor<32xf64>) -> f64
    %s = arith.addf %v, %w : f64
    %t = arith.mulf %s, %v : f64
    array.yield %t : f64
  }
  %p = array.sum %a : (tensor<32xf64>) -> f64
  %q = array.max %b : (tensor<32xf64>) -> f64
  return %p, %q : f64, f64
}
