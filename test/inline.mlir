// RUN: mlopt %s --pass-pipeline='builtin.module(inline,symbol-dce)' | FileCheck %s
// Functions of array operations are inlined, in the bodies of array operations too.

func.func private @squares(%x: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = arith.mulf %a, %a : f64
    array.yield %b : f64
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @norms
// CHECK-NOT:     call
// CHECK:         array.build
// CHECK:           array.build
// CHECK:             arith.mulf
// CHECK:           array.sum
// CHECK-NOT:   @squares
func.func @norms(%m: tensor<3x?xf64>) -> tensor<3xf64> {
  %r = array.build (%i < 3) -> (tensor<3xf64>) {
    %row = array.get %m[%i] : (tensor<3x?xf64>) -> tensor<?xf64>
    %s = func.call @squares(%row) : (tensor<?xf64>) -> tensor<?xf64>
    %n = array.sum %s : (tensor<?xf64>) -> f64
    array.yield %n : f64
  }
  return %r : tensor<3xf64>
}
