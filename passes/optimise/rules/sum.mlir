// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Sums of masks, and the order of sums.

// sum-one-hot with a structural zero: one element is left, guarded, for q may lie outside.
// CHECK-LABEL: func.func @one_hot
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @one_hot(%v: tensor<5xf64>, %q: index) -> f64 {
  %zero = dual.zero : f64
  %h = array.build (%i < 5) -> (tensor<5xf64>) {
    %x = array.get %v[%i] : tensor<5xf64> -> f64
    %e = math.exp %x : f64
    %here = arith.cmpi eq, %i, %q : index
    %m = arith.select %here, %e, %zero : f64
    array.yield %m : f64
  }
  %s = array.sum %h : (tensor<5xf64>) -> f64
  return %s : f64
}

// Σ_i Σ_j A_ij x_j y_i: the products may move only under `reassoc`; then one pass over the matrix has one multiplication.
// CHECK-LABEL: func.func @strict_order
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         return
func.func @strict_order(%m: tensor<9x9xf64>, %x: tensor<9xf64>, %y: tensor<9xf64>) -> f64 {
  %p = array.build (%i < 9, %j < 9) -> (tensor<9x9xf64>) {
    %a = array.get %m[%i, %j] : tensor<9x9xf64> -> f64
    %b = array.get %x[%j] : tensor<9xf64> -> f64
    %c = array.get %y[%i] : tensor<9xf64> -> f64
    %d = arith.mulf %a, %b : f64
    %e = arith.mulf %d, %c : f64
    array.yield %e : f64
  }
  %r = array.sum %p : (tensor<9x9xf64>) -> tensor<9xf64>
  %s = array.sum %r : (tensor<9xf64>) -> f64
  return %s : f64
}
// Σ_j x_j y_j c: under `reassoc`, c moves out of the sum.
// CHECK-LABEL: func.func @free_order
// CHECK:         array.build
// CHECK:           arith.mulf {{.*}} fastmath<reassoc>
// CHECK-NEXT:      array.yield
// CHECK:         %[[S:.*]] = array.sum
// CHECK:         arith.mulf {{.*}}%[[S]] fastmath<reassoc>
func.func @free_order(%x: tensor<9xf64>, %y: tensor<9xf64>, %c: f64) -> f64 {
  %p = array.build (%j < 9) -> (tensor<9xf64>) {
    %a = array.get %x[%j] : tensor<9xf64> -> f64
    %b = array.get %y[%j] : tensor<9xf64> -> f64
    %d = arith.mulf %a, %b fastmath<reassoc> : f64
    %e = arith.mulf %d, %c fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %s = array.sum %p : (tensor<9xf64>) -> f64
  return %s : f64
}

// A sum over columns stays one operation.
// CHECK-LABEL: func.func @column_sums
// CHECK-NEXT:    %[[S:.*]] = array.sum
// CHECK-NEXT:    return %[[S]]
func.func @column_sums(%m: tensor<9x4xf64>) -> tensor<4xf64> {
  %s = array.build (%j < 4) -> (tensor<4xf64>) {
    %c = array.build (%i < 9) -> (tensor<9xf64>) {
      %x = array.get %m[%i, %j] : tensor<9x4xf64> -> f64
      array.yield %x : f64
    }
    %t = array.sum %c : (tensor<9xf64>) -> f64
    array.yield %t : f64
  }
  return %s : tensor<4xf64>
}

// The sum of nothing is 0, also where what would be added is infinite.
// CHECK-LABEL: func.func @sum_of_copies
// CHECK:         %[[N:.*]] = array.length
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK:         %[[P:.*]] = arith.mulf {{.*}} fastmath<reassoc> : f64
// CHECK:         arith.select %[[SOME]], %[[P]], %{{.*}} : f64
func.func @sum_of_copies(%v: tensor<?xf64>, %c: f64) -> f64 {
  %n = array.length %v : tensor<?xf64>
  %r = array.replicate %c, %n : (f64) -> tensor<?xf64>
  %s = array.sum %r fastmath<reassoc> : (tensor<?xf64>) -> f64
  return %s : f64
}
