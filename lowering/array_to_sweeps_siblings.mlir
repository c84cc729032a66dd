// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s
// Two reductions that read the same array are one nest; what both compute is computed once, and equal results are one.
// CHECK-LABEL: func.func @together
// CHECK:         %[[S:.*]]:2 = sweep.nest (%[[I:.*]] < %{{.*}}) -> (sum f64, sum f64) {
// CHECK-NEXT:      %[[E:.*]] = tensor.extract
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[E]], %[[E]] : f64
// CHECK-NEXT:      sweep.yield %[[E]], %[[P]] : f64, f64
// CHECK:         return %[[S]]#0, %[[S]]#1, %[[S]]#1
func.func @together(%x: tensor<?xf64>) -> (f64, f64, f64) {
  %p = arith.mulf %x, %x : tensor<?xf64>
  %a = array.sum %x : (tensor<?xf64>) -> f64
  %b = array.sum %p : (tensor<?xf64>) -> f64
  %q = arith.mulf %x, %x : tensor<?xf64>
  %c = array.sum %q : (tensor<?xf64>) -> f64
  return %a, %b, %c : f64, f64, f64
}

// -----

// Not if one needs the other's result,
// CHECK-LABEL: func.func @one_after_the_other
// CHECK:         %[[A:.*]] = sweep.nest (%{{.*}} < %{{.*}}) -> (sum f64) {
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (sum f64) {
func.func @one_after_the_other(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %a = array.sum %x : (tensor<?xf64>) -> f64
  %as = array.replicate %a, %n : (f64) -> tensor<?xf64>
  %d = arith.subf %x, %as : tensor<?xf64>
  %dd = arith.mulf %d, %d : tensor<?xf64>
  %b = array.sum %dd : (tensor<?xf64>) -> f64
  return %b : f64
}

// -----

// nor if one is strictly in order, which the other need not be.
// CHECK-LABEL: func.func @in_order
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (sum f64) {
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%{{.*}} = %{{.*}}) -> (fold f64) {
func.func @in_order(%x: tensor<?xf64>, %c: f64) -> (f64, f64) {
  %a = array.sum %x : (tensor<?xf64>) -> f64
  %b = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %c) -> (f64) {
    %p = arith.mulf %s, %c : f64
    %t = arith.addf %p, %e : f64
    array.yield %t : f64
  }
  return %a, %b : f64, f64
}
