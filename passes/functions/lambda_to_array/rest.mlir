// RUN: mlopt %s --lambda-to-array="rest=true" | FileCheck %s

// Recursive functions and their callers are unchanged; other functions of arrays are converted.
// CHECK-LABEL: func.func @calls_it(
// CHECK-SAME:    %p: tuple<f64, i64>) -> tuple<f64, f64>
// CHECK:         call @powers(%p) : (tuple<f64, i64>) -> tuple<f64, f64>
// CHECK-LABEL: func.func private @powers(
// CHECK-SAME:    %p: tuple<f64, i64>) -> tuple<f64, f64>
// CHECK-LABEL: func.func @alone(
// CHECK-SAME:    %p.0: f64, %p.1: i64) -> (f64, f64)
func.func @calls_it(%p: tuple<f64, i64>) -> tuple<f64, f64> {
  %y = func.call @powers(%p) : (tuple<f64, i64>) -> tuple<f64, f64>
  return %y : tuple<f64, f64>
}
func.func private @powers(%p: tuple<f64, i64>) -> tuple<f64, f64> {
  %x = lambda.get %p[0] : (tuple<f64, i64>) -> f64
  %n = lambda.get %p[1] : (tuple<f64, i64>) -> i64
  %zero = arith.constant 0 : i64
  %ends = arith.cmpi eq, %n, %zero : i64
  %r = lambda.if %ends : i1 -> tuple<f64, f64> {
    %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
    lambda.yield %t : tuple<f64, f64>
  } else {
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %q = lambda.tuple %x, %m : (f64, i64) -> tuple<f64, i64>
    %t = func.call @powers(%q) : (tuple<f64, i64>) -> tuple<f64, f64>
    %a = lambda.get %t[0] : (tuple<f64, f64>) -> f64
    %b = arith.mulf %a, %x : f64
    %u = lambda.tset %t[0], %b : (tuple<f64, f64>, f64) -> tuple<f64, f64>
    lambda.yield %u : tuple<f64, f64>
  }
  return %r : tuple<f64, f64>
}
func.func @alone(%p: tuple<f64, i64>) -> tuple<f64, f64> {
  %x = lambda.get %p[0] : (tuple<f64, i64>) -> f64
  %y = arith.mulf %x, %x : f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
