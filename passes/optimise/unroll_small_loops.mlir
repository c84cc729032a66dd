// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(unroll-small-loops))' | FileCheck %s
// Small loops that compare their index with a constant are unrolled, others are kept.

// CHECK-LABEL: func.func @compares
// CHECK-NOT:     array.ifold
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     arith.{{cmpi|select}}
// CHECK:         return
func.func @compares(%v: tensor<3xf64>, %x: f64) -> f64 {
  %n = arith.constant 3 : index
  %one = arith.constant 1 : index
  %s = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %here = arith.cmpi eq, %i, %one : index
    %y = array.get %v[%i] : (tensor<3xf64>) -> f64
    %t = arith.select %here, %y, %x : f64
    %b = arith.mulf %a, %t : f64
    array.yield %b : f64
  }
  return %s : f64
}

// CHECK-LABEL: func.func @does_not
// CHECK:         array.ifold
func.func @does_not(%v: tensor<3xf64>, %x: f64) -> f64 {
  %n = arith.constant 3 : index
  %s = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %y = array.get %v[%i] : (tensor<3xf64>) -> f64
    %b = arith.mulf %a, %y : f64
    %c = arith.addf %b, %x : f64
    array.yield %c : f64
  }
  return %s : f64
}
