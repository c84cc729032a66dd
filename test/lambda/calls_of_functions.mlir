// RUN: mlopt run %s --entry @fourth --arg 1.5 | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @fourth --interpret --arg 1.5 | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @slope --arg 1.5 --arg 5 | FileCheck %s --check-prefix=SLOPE
// RUN: mlopt run %s --entry @slope --interpret --arg 1.5 --arg 5 | FileCheck %s --check-prefix=SLOPE
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// Functions of the module that are called by their names, inside of what is differentiated: their derivatives are functions of the module too, made
// once; a recursive one calls its own.

func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}

func.func private @power(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %end = arith.cmpi eq, %n, %zero : i64
  %y = lambda.if %end : i1 -> f64 {
    %one = arith.constant 1.0 : f64
    lambda.yield %one : f64
  } else {
    %step = arith.constant 1 : i64
    %m = arith.subi %n, %step : i64
    %r = func.call @power(%x, %m) : (f64, i64) -> f64
    %p = arith.mulf %x, %r : f64
    lambda.yield %p : f64
  }
  return %y : f64
}

// The second derivative of x⁴ is 12x².
// FOURTH: {{^}}27.0
// CHECK-LABEL: func.func @fourth(%x: f64) -> f64 {
// CHECK-NOT:     lambda.
// CHECK-NOT:     call
// CHECK:         %[[SQUARE:.*]] = arith.mulf %x, %x : f64
// CHECK-NOT:     lambda.
// CHECK-NOT:     call
// CHECK:         %[[TWICE:.*]] = arith.mulf %x, %{{.*}} : f64
// CHECK-NEXT:    %[[FOUR:.*]] = arith.addf %[[TWICE]], %[[TWICE]]
// CHECK-NEXT:    %[[HALF:.*]] = arith.mulf %x, %[[FOUR]]
// CHECK-NEXT:    %[[MORE:.*]] = arith.addf %{{.*}}, %[[HALF]]
// CHECK-NEXT:    %[[ALL:.*]] = arith.addf %[[MORE]], %[[HALF]]
// CHECK-NEXT:    return %[[ALL]]
func.func @fourth(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %q = func.call @square(%a) : (f64) -> f64
    %s = func.call @square(%q) : (f64) -> f64
    lambda.return %s : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %h = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %h(%x) : (f64) -> f64
  return %y : f64
}

// SLOPE: 25.3125
// CHECK-LABEL: func.func @slope(%x: f64, %n: i64) -> f64 {
// CHECK:         lambda.ref @power.J
// CHECK-LABEL: func.func private @power.J(
// CHECK:         lambda.ref @power.J
func.func @slope(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %p = func.call @power(%a, %n) : (f64, i64) -> f64
    lambda.return %p : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
