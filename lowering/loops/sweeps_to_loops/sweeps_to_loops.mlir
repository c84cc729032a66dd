// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops --split-input-file | FileCheck %s

// The order of a sum is unspecified, so only its addition may be reassociated. The result is in the caller's buffer.
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

// A fold is strictly in order: nothing is reassociated, but a product and its addition may be fused.
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
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %e, %e : f64
    %b = arith.addf %a, %p : f64
    array.yield %b : f64
  }
  return %s : f64
}

// -----

// A product that is also a result is not fused.
// CHECK-LABEL: func.func @rounded
// CHECK:           arith.mulf %{{[^ ]*}}, %{{[^ ]*}} : f64
// CHECK:           arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f64
func.func @rounded(%a: f64, %b: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %s = arith.addf %p, %b : f64
  return %p, %s : f64, f64
}

// -----

// Maxima have no requirements on NaN and signed zeros; products may be reassociated; integers have no flags. Flags of the
// user are added.
// CHECK-LABEL: func.func @reductions
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f64)
// CHECK:           arith.maxnumf %[[A]], %{{.*}} fastmath<nnan,nsz>
// CHECK:         scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}) -> (f64)
// CHECK:           arith.mulf %[[B]], %{{.*}} fastmath<reassoc>
// CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}) -> (i64)
// CHECK:           arith.minsi %[[C]], %{{[^ ]*}} : i64
// CHECK:         scf.for {{.*}} iter_args(%[[D:.*]] = %{{.*}}) -> (f64)
// CHECK:           arith.addf %[[D]], %{{.*}} fastmath<reassoc,ninf,contract>
func.func @reductions(%x: tensor<?xf64>, %y: tensor<?xf64>, %k: tensor<?xi64>) -> (f64, f64, i64, f64) {
  %a = array.max %x : (tensor<?xf64>) -> f64
  %b = array.prod %y : (tensor<?xf64>) -> f64
  %c = array.min %k : (tensor<?xi64>) -> i64
  %d = array.sum %x fastmath<ninf> : (tensor<?xf64>) -> f64
  return %a, %b, %c, %d : f64, f64, i64, f64
}

// -----

// An addition to an element is a load and a store; a product and its addition may be fused.
// CHECK-LABEL: func.func @added
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[P:.*]] = arith.mulf %{{.*}} fastmath<contract>
// CHECK-NEXT:      %[[OLD:.*]] = memref.load %[[OUT:.*]][%[[I]]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %[[P]] fastmath<contract>
// CHECK-NEXT:      memref.store %[[NEW]], %[[OUT]][%[[I]]]
func.func @added(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %p = arith.mulf %x, %x : tensor<3xf64>
  %z = array.scatter %p into %y : tensor<3xf64> into tensor<3xf64> (%i) {
    array.yield %i : index
  }
  return %z : tensor<3xf64>
}

// -----

// A read that depends on the outer index only is hoisted to the outer loop if the inner loop runs and does not write it.
// CHECK-LABEL: func.func @rows
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[A:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:           scf.for %[[J:.*]] =
// CHECK-NOT:         memref.load %{{.*}}[%[[I]]]
// CHECK:             arith.addf %{{.*}}, %[[A]]
func.func @rows(%x: tensor<4x3xf64>, %a: tensor<4xf64>) -> tensor<4x3xf64> {
  %z = array.build (%i < 4, %j < 3) -> (tensor<4x3xf64>) {
    %e = array.get %x[%i, %j] : (tensor<4x3xf64>) -> f64
    %b = array.get %a[%i] : (tensor<4xf64>) -> f64
    %s = arith.addf %e, %b : f64
    array.yield %s : f64
  }
  return %z : tensor<4x3xf64>
}
// CHECK-LABEL: func.func @perhaps_no_rows
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK:             memref.load
// CHECK:             memref.load
func.func @perhaps_no_rows(%x: tensor<4x?xf64>, %a: tensor<4xf64>) -> tensor<4x?xf64> {
  %c1 = arith.constant 1 : index
  %n = array.length %x axis 1 : tensor<4x?xf64>
  %z = array.build (%i < 4, %j < %n) -> (tensor<4x?xf64>) {
    %e = array.get %x[%i, %j] : (tensor<4x?xf64>) -> f64
    %b = array.get %a[%i] : (tensor<4xf64>) -> f64
    %s = arith.addf %e, %b : f64
    array.yield %s : f64
  }
  return %z : tensor<4x?xf64>
}
