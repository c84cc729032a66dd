// RUN: mlopt %s --lambda-to-llvm | FileCheck %s
// RUN: mlopt %s --lambda-to-llvm="report=true" 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT --implicit-check-not=remark
// The updates that copy their arrays, and the memory that is freed before the call ends.

// The loop owns its carried array after one copy of the caller's array.
// CHECK-LABEL: llvm.func internal @counts.code(
// CHECK:         llvm.intr.memcpy
// CHECK-NOT:     llvm.intr.memcpy
// CHECK:         llvm.return
func.func @counts(%l: !lambda.list<i64>, %n: tensor<4xf64>) -> tensor<4xf64> {
  %a, %rest = lambda.while iter_args(%a = %n, %k = %l) : (tensor<4xf64>, !lambda.list<i64>) -> (tensor<4xf64>, !lambda.list<i64>) {
    %true = arith.constant true
    %empty = lambda.is_empty %k : (!lambda.list<i64>) -> i1
    %more = arith.xori %empty, %true : i1
    lambda.yield %more : i1
  } do (%a, %k) {
    %one = arith.constant 1.0 : f64
    %i = lambda.head %k : (!lambda.list<i64>) -> i64
    %tail = lambda.tail %k : (!lambda.list<i64>) -> !lambda.list<i64>
    %x = lambda.aget %a[%i] : (tensor<4xf64>, i64) -> f64
    %y = arith.addf %x, %one : f64
    %b = lambda.aset %a[%i], %y : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
    lambda.yield %b, %tail : tensor<4xf64>, !lambda.list<i64>
  }
  return %a : tensor<4xf64>
}

// A value in a list may also be in another list.
// CHECK-LABEL: llvm.func internal @listed.code(
// CHECK-COUNT-2: llvm.intr.memcpy
func.func @listed(%l: !lambda.list<tensor<4xf64>>) -> !lambda.list<tensor<4xf64>> {
  %zero = arith.constant 0 : i64
  %half = arith.constant 0.5 : f64
  %a = lambda.head %l : (!lambda.list<tensor<4xf64>>) -> tensor<4xf64>
  // REPORT: remark: this update copies its array: the array comes from `lambda.head`
  %b = lambda.aset %a[%zero], %half : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
  %m = lambda.cons %b, %l : (tensor<4xf64>, !lambda.list<tensor<4xf64>>) -> !lambda.list<tensor<4xf64>>
  // REPORT: remark: this update copies its array: `lambda.cons` keeps the array
  %c = lambda.aset %b[%zero], %half : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
  %n = lambda.cons %c, %m : (tensor<4xf64>, !lambda.list<tensor<4xf64>>) -> !lambda.list<tensor<4xf64>>
  return %n : !lambda.list<tensor<4xf64>>
}

// A function that returns its parameter owns it if all callers own it; a function that only reads it borrows it.
// CHECK-LABEL: llvm.func internal @rounds.code(
// CHECK-COUNT-1: llvm.intr.memcpy
// CHECK-NOT:     llvm.intr.memcpy
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func internal @round.code(
// CHECK-NOT:     llvm.intr.memcpy
// CHECK:         llvm.return
func.func @rounds(%l: !lambda.list<f64>, %k: i64) -> tensor<4xf64> {
  %zero = arith.constant 0 : i64
  %ones = arith.constant 1.0 : f64
  %a = lambda.to_array %l : (!lambda.list<f64>) -> tensor<4xf64>
  %s = func.call @first(%a) : (tensor<4xf64>) -> f64
  // REPORT: memory.mlir:[[#@LINE+1]]:{{.*}} remark: this update copies its array: the old array is read afterwards
  %b = lambda.aset %a[%zero], %ones : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
  %t = func.call @first(%a) : (tensor<4xf64>) -> f64
  %c = func.call @round(%b, %k) : (tensor<4xf64>, i64) -> tensor<4xf64>
  return %c : tensor<4xf64>
}
func.func private @first(%a: tensor<4xf64>) -> f64 {
  %zero = arith.constant 0 : i64
  %x = lambda.aget %a[%zero] : (tensor<4xf64>, i64) -> f64
  return %x : f64
}
func.func private @round(%a: tensor<4xf64>, %k: i64) -> tensor<4xf64> {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %half = arith.constant 0.5 : f64
  %ends = arith.cmpi slt, %k, %one : i64
  %z = lambda.if %ends : i1 -> tensor<4xf64> {
    lambda.yield %a : tensor<4xf64>
  } else {
    %less = arith.subi %k, %one : i64
    %b = lambda.aset %a[%zero], %half : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
    %c = func.call @round(%b, %less) : (tensor<4xf64>, i64) -> tensor<4xf64>
    %d = lambda.aset %c[%one], %half : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
    lambda.yield %d : tensor<4xf64>
  }
  return %z : tensor<4xf64>
}

// Iterations and functions whose results are numbers free their cells; a function that returns a list does not.
// CHECK-LABEL: llvm.func internal @numbers.code(
// CHECK:         llvm.call @made.code
// CHECK:         llvm.call @mlopt.back
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func internal @made.code(
// CHECK-NOT:     @mlopt.back
// CHECK:         llvm.return
func.func @numbers(%k: i64, %x: f64) -> f64 {
  %y = lambda.for (%i < %k) iter_args(%a = %x) : (i64, f64) -> (f64) {
    %l = func.call @made(%i, %a) : (i64, f64) -> !lambda.list<f64>
    %b = lambda.head %l : (!lambda.list<f64>) -> f64
    lambda.yield %b : f64
  }
  return %y : f64
}
func.func private @made(%k: i64, %x: f64) -> !lambda.list<f64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ends = arith.cmpi slt, %k, %zero : i64
  %z = lambda.if %ends : i1 -> !lambda.list<f64> {
    %l = lambda.nil : () -> !lambda.list<f64>
    lambda.yield %l : !lambda.list<f64>
  } else {
    %less = arith.subi %k, %one : i64
    %l = func.call @made(%less, %x) : (i64, f64) -> !lambda.list<f64>
    %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.yield %m : !lambda.list<f64>
  }
  return %z : !lambda.list<f64>
}
