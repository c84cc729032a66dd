// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(contract-sums))' | FileCheck %s
// A sum of products in the cheapest order, if the products have the fast-math flags.

// (M v) summed with the weights u, entry by entry: the matrix is read once, and no matrix of products is kept.
// CHECK-LABEL: func.func @bilinear
// CHECK-NOT:     tensor<30x40xf64>{{$}}
// CHECK:         array.sum
// CHECK:         array.sum
// CHECK:         return
func.func @bilinear(%u: tensor<30xf64>, %m: tensor<30x40xf64>, %v: tensor<40xf64>) -> f64 {
  %p = array.build (%i < 30, %j < 40) -> (tensor<30x40xf64>) {
    %a = array.get %u[%i] : (tensor<30xf64>) -> f64
    %b = array.get %m[%i, %j] : (tensor<30x40xf64>) -> f64
    %c = array.get %v[%j] : (tensor<40xf64>) -> f64
    %d = arith.mulf %a, %b fastmath<reassoc> : f64
    %e = arith.mulf %d, %c fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %s = array.sum %p axes [0, 1] {fastmath = #arith.fastmath<reassoc>} : (tensor<30x40xf64>) -> f64
  return %s : f64
}

// CHECK-LABEL: func.func @exactly
// CHECK:         arith.mulf %{{.*}} : tensor<9xf64>
// CHECK:         array.sum
func.func @exactly(%c: f64, %v: tensor<9xf64>) -> f64 {
  %w = array.replicate %c : (f64) -> tensor<9xf64>
  %p = arith.mulf %w, %v : tensor<9xf64>
  %s = array.sum %p : (tensor<9xf64>) -> f64
  return %s : f64
}
