// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=normalise}))' | FileCheck %s
// Loop normalisation and fission.

// loop-single: one iteration writes. Its index is in range, so nothing is left of the loop.
// CHECK-LABEL: func.func @single_write
// CHECK-NEXT:    %[[R:.*]] = array.build (%[[Q:.*]] < 5) -> (tensor<5xf64>) {
// CHECK-NEXT:      %[[X:.*]] = array.get %arg0[%[[Q]]]
// CHECK-NEXT:      %[[B:.*]] = arith.addf %arg1, %[[X]]
// CHECK-NEXT:      array.yield %[[B]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @single_write(%v: tensor<5xf64>, %z: f64) -> tensor<5xf64> {
  %n = arith.constant 5 : index
  %r = array.build (%q < 5) -> (tensor<5xf64>) {
    %s = array.ifold (%i < %n) iter_args(%a = %z) -> (f64) {
      %x = array.get %v[%i] : (tensor<5xf64>) -> f64
      %b = arith.addf %a, %x : f64
      %here = arith.cmpi eq, %i, %q : index
      %next = arith.select %here, %b, %a : f64
      array.yield %next : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<5xf64>
}

// Every iteration up to q writes.
// CHECK-LABEL: func.func @many_writes
// CHECK:         array.ifold
func.func @many_writes(%v: tensor<5xf64>, %z: f64) -> tensor<5xf64> {
  %n = arith.constant 5 : index
  %r = array.build (%q < 5) -> (tensor<5xf64>) {
    %s = array.ifold (%i < %n) iter_args(%a = %z) -> (f64) {
      %x = array.get %v[%i] : (tensor<5xf64>) -> f64
      %b = arith.addf %a, %x : f64
      %here = arith.cmpi sle, %i, %q : index
      %next = arith.select %here, %b, %a : f64
      array.yield %next : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<5xf64>
}

// fission: an unused state is removed, unless a used one reads it.
// CHECK-LABEL: func.func @projected
// CHECK:         array.ifold ({{.*}}) iter_args({{.*}}) -> (f64) {
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @projected(%v: tensor<?xf64>, %z: f64) -> f64 {
  %n = array.length %v : tensor<?xf64>
  %s:2 = array.ifold (%i < %n) iter_args(%a = %z, %b = %z) -> (f64, f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %c = arith.addf %a, %x : f64
    %e = math.exp %b : f64
    array.yield %c, %e : f64, f64
  }
  return %s#0 : f64
}
// CHECK-LABEL: func.func @entangled
// CHECK:         array.ifold ({{.*}}) iter_args({{.*}}) -> (f64, f64) {
// CHECK:           math.exp
func.func @entangled(%v: tensor<?xf64>, %z: f64) -> f64 {
  %n = array.length %v : tensor<?xf64>
  %s:2 = array.ifold (%i < %n) iter_args(%a = %z, %b = %z) -> (f64, f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %y = arith.mulf %b, %x : f64
    %c = arith.addf %a, %y : f64
    %e = math.exp %b : f64
    array.yield %c, %e : f64, f64
  }
  return %s#0 : f64
}

// A carried array that never changes is not carried.
// CHECK-LABEL: func.func @constant_state
// CHECK:         array.ifold ({{.*}}) iter_args({{.*}}) -> (f64) {
func.func @constant_state(%v: tensor<4xf64>, %z: f64, %n: index) -> f64 {
  %s:2 = array.ifold (%i < %n) iter_args(%a = %z, %w = %v) -> (f64, tensor<4xf64>) {
    %x = array.get %w[%i] : (tensor<4xf64>) -> f64
    %t = math.tanh %a : f64
    %c = arith.addf %t, %x : f64
    array.yield %c, %w : f64, tensor<4xf64>
  }
  return %s#0 : f64
}

// A short loop that treats one iteration in its own way is written out; a comparison with another index decides nothing.
// CHECK-LABEL: func.func @unrolled
// CHECK-NOT:     arith.cmpi
// CHECK-DAG:     %[[X0:.*]] = array.get %arg0[%c0]
// CHECK-DAG:     %[[X1:.*]] = array.get %arg0[%c1]
// CHECK-DAG:     %[[X2:.*]] = array.get %arg0[%c2]
// CHECK-NOT:     arith.cmpi
// CHECK:         %[[A:.*]] = arith.addf %arg1, %[[X0]]
// CHECK-NEXT:    %[[B:.*]] = arith.mulf %[[X1]], %[[A]]
// CHECK-NEXT:    %[[C:.*]] = arith.addf %[[X2]], %[[B]]
// CHECK-NEXT:    return %[[C]]
func.func @unrolled(%v: tensor<3xf64>, %z: f64) -> f64 {
  %n = arith.constant 3 : index
  %one = arith.constant 1 : index
  %s = array.ifold (%i < %n) iter_args(%a = %z) -> (f64) {
    %x = array.get %v[%i] : (tensor<3xf64>) -> f64
    %here = arith.cmpi eq, %i, %one : index
    %p = arith.mulf %a, %x : f64
    %q = arith.addf %a, %x : f64
    %next = arith.select %here, %p, %q : f64
    array.yield %next : f64
  }
  return %s : f64
}
