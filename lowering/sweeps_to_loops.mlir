// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops --split-input-file | FileCheck %s

// The order of a sum is free, so its addition alone may be reassociated; the result lands in the caller's buffer.
// CHECK-LABEL: func.func @total
// CHECK-SAME:    %[[X:.*]]: memref<1024xf64> {llvm.readonly}, %[[OUT:.*]]: memref<f64>
// CHECK:         %[[S:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64)
// CHECK:           arith.addf %[[ACC]], %{{.*}} fastmath<reassoc,contract>
// CHECK:         memref.store %[[S]], %[[OUT]][]
func.func @total(%x: tensor<1024xf64>) -> f64 {
  %z = array.sum %x : (tensor<1024xf64>) -> f64
  return %z : f64
}

// -----

// A fold is strictly in order: nothing may be reassociated, and a product that it adds may be rounded once.
// CHECK-LABEL: func.func @in_order
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           arith.mulf %{{.*}} fastmath<contract>
// CHECK-NOT:       reassoc
// CHECK:           arith.addf %{{.*}} fastmath<contract>
// CHECK-NOT:       reassoc
// CHECK:           scf.yield
func.func @in_order(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
    %e = array.get %x[%i] : tensor<?xf64> -> f64
    %p = arith.mulf %e, %e : f64
    %b = arith.addf %a, %p : f64
    array.yield %b : f64
  }
  return %s : f64
}

// -----

// A product that is also a result is rounded as it stands.
// CHECK-LABEL: func.func @rounded
// CHECK:           arith.mulf %{{[^ ]*}}, %{{[^ ]*}} : f64
// CHECK:           arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f64
func.func @rounded(%a: f64, %b: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %s = arith.addf %p, %b : f64
  return %p, %s : f64, f64
}
