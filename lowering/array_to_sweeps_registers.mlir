// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s
// A small array in a loop is its elements, and the nests around it are unrolled; the row that is stored is joined.
// CHECK-LABEL: func.func @apart
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<?x3xf64>) {
// CHECK-NOT:       sweep.nest
// CHECK-COUNT-3:   arith.addf
// CHECK-NOT:       sweep
// CHECK:           %[[ROW:.*]] = sweep.join %{{.*}}, %{{.*}}, %{{.*}} : (f64, f64, f64) -> tensor<3xf64>
// CHECK-NEXT:      sweep.yield %[[ROW]] : tensor<3xf64>
func.func @apart(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %n = array.length %x : tensor<?x3xf64>
  %c1 = arith.constant 1 : index
  %z = array.build (%i < %n) -> (tensor<?x3xf64>) {
    %r = array.get %x[%i] : tensor<?x3xf64> -> tensor<3xf64>
    %s = array.sum %r : (tensor<3xf64>) -> f64
    %o = array.one_hot %s at [%c1] : f64 -> tensor<3xf64>
    %w = arith.addf %r, %o : tensor<3xf64>
    array.yield %w : tensor<3xf64>
  }
  return %z : tensor<?x3xf64>
}

// -----

// A fold carries a small array as scalars, if it only needs elements at known positions,
// CHECK-LABEL: func.func @carried
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (fold f64, fold f64) {
func.func @carried(%x: tensor<?xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %v = array.reverse %s : tensor<2xf64>
    %ee = array.replicate %e : (f64) -> tensor<2xf64>
    %t = arith.mulf %v, %ee : tensor<2xf64>
    array.yield %t : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}

// -----

// and as an array if the position comes from the data.
// CHECK-LABEL: func.func @indexed
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%{{.*}} = %{{.*}}) -> (fold tensor<2xf64>) {
func.func @indexed(%k: tensor<?xindex>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %z = array.fold (%i = %k : tensor<?xindex>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %o = array.one_hot %one at [%i] : f64 -> tensor<2xf64>
    %t = arith.addf %s, %o : tensor<2xf64>
    array.yield %t : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}
