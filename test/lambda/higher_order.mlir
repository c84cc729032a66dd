// RUN: mlopt run %s --entry @thrice --arg 2.0 --arg 0.5 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %s --entry @thrice --interpret --arg 2.0 --arg 0.5 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %s --entry @chosen --arg 3.0 --arg true | FileCheck %s --check-prefix=SQUARE
// RUN: mlopt run %s --entry @chosen --arg 3.0 --arg false | FileCheck %s --check-prefix=DOUBLE
// RUN: mlopt run %s --entry @chosen --interpret --arg 3.0 --arg false | FileCheck %s --check-prefix=DOUBLE
// RUN: mlopt %s --lambda-simplify | FileCheck %s
// Higher-order functions are free if their arguments are known statically: calls are inlined until no function is left.

// a (a (a x + 1) + 1) + 1 at a = 2, x = 0.5.
// VALUE:  11.0
// SQUARE: 9.0
// DOUBLE: 6.0

// CHECK-LABEL: func.func @thrice(%a: f64, %x: f64) -> f64 {
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %a, %x : f64
// CHECK-NEXT:    %[[Q:.*]] = arith.addf %[[P]], %[[ONE]] : f64
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %a, %[[Q]] : f64
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[R]], %[[ONE]] : f64
// CHECK-NEXT:    %[[T:.*]] = arith.mulf %a, %[[S]] : f64
// CHECK-NEXT:    %[[U:.*]] = arith.addf %[[T]], %[[ONE]] : f64
// CHECK-NEXT:    return %[[U]] : f64
func.func @thrice(%a: f64, %x: f64) -> f64 {
  // (f . g)(y) = f(g(y)), as a function of two functions.
  %compose = lambda.lambda (%f: (f64) -> f64, %g: (f64) -> f64) -> (f64) -> f64 {
    %h = lambda.lambda (%y: f64) -> f64 {
      %u = lambda.apply %g(%y) : (f64) -> f64
      %v = lambda.apply %f(%u) : (f64) -> f64
      lambda.return %v : f64
    }
    lambda.return %h : (f64) -> f64
  }
  %step = lambda.lambda (%y: f64) -> f64 {
    %one = arith.constant 1.0 : f64
    %p = arith.mulf %a, %y : f64
    %q = arith.addf %p, %one : f64
    lambda.return %q : f64
  }
  %two = lambda.apply %compose(%step, %step) : ((f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %three = lambda.apply %compose(%two, %step) : ((f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %z = lambda.apply %three(%x) : (f64) -> f64
  return %z : f64
}

// One of two functions, selected by data: a call of the selection is a selection of calls.
// CHECK-LABEL: func.func @chosen(%x: f64, %c: i1) -> f64 {
// CHECK-NOT:     lambda.lambda
// CHECK-NOT:     lambda.apply
// CHECK:         lambda.if %c : i1 -> f64 {
func.func @chosen(%x: f64, %c: i1) -> f64 {
  %square = lambda.lambda (%y: f64) -> f64 {
    %q = arith.mulf %y, %y : f64
    lambda.return %q : f64
  }
  %double = lambda.lambda (%y: f64) -> f64 {
    %d = arith.addf %y, %y : f64
    lambda.return %d : f64
  }
  %f = lambda.switch %c, %square, %double : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %z = lambda.apply %f(%x) : (f64) -> f64
  return %z : f64
}
