// RUN: mlopt check-grad %s --entry @dot | FileCheck %s
// RUN: mlopt check-grad %s --entry @self_convolution | FileCheck %s
// RUN: mlopt check-grad %s --entry @two_layers | FileCheck %s
// RUN: mlopt check-grad %s --entry @matvec | FileCheck %s
// Functions whose linear maps depend on the program, not on its sizes: `passes/tests/work.rs` counts the ops, with
// other static sizes in place of 5, so that no hidden loop over elements is possible.

// CHECK: all derivatives agree

func.func @dot(%a: tensor<5xf64>, %b: tensor<5xf64>) -> f64 {
  %p = array.build (%i < 5) -> (tensor<5xf64>) {
    %x = array.get %a[%i] : (tensor<5xf64>) -> f64
    %y = array.get %b[%i] : (tensor<5xf64>) -> f64
    %z = arith.mulf %x, %y : f64
    array.yield %z : f64
  }
  %s = array.sum %p : (tensor<5xf64>) -> f64
  return %s : f64
}
func.func @self_convolution(%a: tensor<5xf64>) -> f64 {
  %last = arith.constant 5 : index
  %p = array.build (%i < 5) -> (tensor<5xf64>) {
    %c1 = arith.constant 1 : index
    %k = arith.subi %last, %i : index
    %j = arith.subi %k, %c1 : index
    %x = array.get %a[%i] : (tensor<5xf64>) -> f64
    %y = array.get %a[%j] : (tensor<5xf64>) -> f64
    %z = arith.mulf %x, %y : f64
    array.yield %z : f64
  }
  %s = array.sum %p : (tensor<5xf64>) -> f64
  return %s : f64
}
func.func @layer(%x: tensor<5x5xf64>, %w: tensor<5x5xf64>, %b: tensor<5xf64>) -> tensor<5x5xf64> {
  %y = array.build (%i < 5, %j < 5) -> (tensor<5x5xf64>) {
    %row = array.get %x[%i] : (tensor<5x5xf64>) -> tensor<5xf64>
    %column = array.get %w[%j] : (tensor<5x5xf64>) -> tensor<5xf64>
    %p = arith.mulf %row, %column : tensor<5xf64>
    %s = array.sum %p : (tensor<5xf64>) -> f64
    %bj = array.get %b[%j] : (tensor<5xf64>) -> f64
    %t = arith.addf %bj, %s : f64
    array.yield %t : f64
  }
  return %y : tensor<5x5xf64>
}
func.func @two_layers(%x: tensor<5x5xf64>, %w: tensor<5x5xf64>, %b: tensor<5xf64>) -> f64 {
  %a = func.call @layer(%x, %w, %b) : (tensor<5x5xf64>, tensor<5x5xf64>, tensor<5xf64>) -> tensor<5x5xf64>
  %h = math.tanh %a : tensor<5x5xf64>
  %y = func.call @layer(%h, %w, %b) : (tensor<5x5xf64>, tensor<5x5xf64>, tensor<5xf64>) -> tensor<5x5xf64>
  %q = arith.mulf %y, %y : tensor<5x5xf64>
  %s = array.sum %q axes [0, 1] : (tensor<5x5xf64>) -> f64
  return %s : f64
}
func.func @matvec(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %m : tensor<?x?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %x : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %r : tensor<?xf64>
}
