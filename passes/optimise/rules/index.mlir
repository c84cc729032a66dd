// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=normalise}))' | FileCheck %s
// Index algebra and bounds. Conditions answer yes only when they know: each law has a case that its condition stops.

// (n - 1) - ((n - 1) - i) = i: twice backwards is forwards.
// CHECK-LABEL: func.func @reverse_twice
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<7xf64>
// CHECK-NEXT:    return %[[V]]
func.func @reverse_twice(%v: tensor<7xf64>) -> tensor<7xf64> {
  %six = arith.constant 6 : index
  %r = array.build (%i < 7) -> (tensor<7xf64>) {
    %j = arith.subi %six, %i : index
    %e = array.get %v[%j] : (tensor<7xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.build (%i < 7) -> (tensor<7xf64>) {
    %j = arith.subi %six, %i : index
    %e = array.get %r[%j] : (tensor<7xf64>) -> f64
    array.yield %e : f64
  }
  return %s : tensor<7xf64>
}

// i < 7 always, i < 6 not.
// CHECK-LABEL: func.func @decided
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<7xf64>
// CHECK-NEXT:    return %[[V]]
func.func @decided(%v: tensor<7xf64>, %w: tensor<7xf64>) -> tensor<7xf64> {
  %seven = arith.constant 7 : index
  %r = array.build (%i < 7) -> (tensor<7xf64>) {
    %c = arith.cmpi slt, %i, %seven : index
    %x = array.get %v[%i] : (tensor<7xf64>) -> f64
    %y = array.get %w[%i] : (tensor<7xf64>) -> f64
    %e = arith.select %c, %x, %y : f64
    array.yield %e : f64
  }
  return %r : tensor<7xf64>
}
// CHECK-LABEL: func.func @undecided
// CHECK:         arith.cmpi
// CHECK:         arith.select
func.func @undecided(%v: tensor<7xf64>, %w: tensor<7xf64>) -> tensor<7xf64> {
  %six = arith.constant 6 : index
  %r = array.build (%i < 7) -> (tensor<7xf64>) {
    %c = arith.cmpi slt, %i, %six : index
    %x = array.get %v[%i] : (tensor<7xf64>) -> f64
    %y = array.get %w[%i] : (tensor<7xf64>) -> f64
    %e = arith.select %c, %x, %y : f64
    array.yield %e : f64
  }
  return %r : tensor<7xf64>
}

// Comparisons of 32-bit sums are not decided, because the sums may wrap: i + 2147483647 is positive only for i = 0, and
// x + 2147483647 + 2147483647 + 2 is x.
// CHECK-LABEL: func.func @sums_that_wrap
// CHECK:         arith.cmpi slt
// CHECK:         arith.cmpi eq
func.func @sums_that_wrap(%x: i32) -> (tensor<3xi1>, i1) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %largest = arith.constant 2147483647 : i32
  %r = array.build (%i < 3) -> (tensor<3xi1>) {
    %j = arith.index_cast %i : index to i32
    %a = arith.addi %j, %largest : i32
    %c = arith.cmpi slt, %zero, %a : i32
    array.yield %c : i1
  }
  %a = arith.addi %x, %largest : i32
  %b = arith.addi %a, %largest : i32
  %d = arith.addi %b, %two : i32
  %e = arith.cmpi eq, %d, %x : i32
  return %r, %e : tensor<3xi1>, i1
}

// Division by zero is undefined: it does not leave the loop, which may be empty.
// CHECK-LABEL: func.func @division_stays
// CHECK:         array.ifold
// CHECK:           arith.divsi
func.func @division_stays(%a: i64, %b: i64, %n: index) -> i64 {
  %zero = arith.constant 0 : i64
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (i64) {
    %q = arith.divsi %a, %b : i64
    %p = arith.muli %acc, %q : i64
    %next = arith.addi %p, %q : i64
    array.yield %next : i64
  }
  return %s : i64
}
