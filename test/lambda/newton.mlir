// RUN: mlopt run %s --entry @minimum --arg 1.5 --arg 1 | FileCheck %s --check-prefix=STEP
// RUN: mlopt run %s --entry @minimum --arg 1.5 --arg 8 | FileCheck %s --check-prefix=EIGHT
// RUN: mlopt run %s --entry @minimum --interpret --arg 1.5 --arg 8 | FileCheck %s --check-prefix=EIGHT
// RUN: mlopt run %s --entry @root --arg 2.0 | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @root --interpret --arg 2.0 | FileCheck %s --check-prefix=ROOT
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// Newton's method computes the first and the second derivative in each step; both are straight-line code in the loop. A loop of steps has a
// derivative like any other function.

// x⁴ - 3x² + x from 1.5 on.
// STEP:  1.238095238095238
// EIGHT: 1.1309011226299859
// CHECK-LABEL: func.func @minimum(%x: f64, %n: i64) -> f64 {
// CHECK-NEXT:    lambda.for
// CHECK-NOT:     lambda.lambda
// CHECK-NOT:     lambda.apply
// CHECK:         arith.divf
// CHECK:         return
func.func @minimum(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %three = arith.constant 3.0 : f64
    %q = arith.mulf %a, %a : f64
    %qq = arith.mulf %q, %q : f64
    %t = arith.mulf %three, %q : f64
    %d = arith.subf %qq, %t : f64
    %y = arith.addf %d, %a : f64
    lambda.return %y : f64
  }
  %df = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %ddf = lambda.grad %df : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.for (%i < %n) iter_args(%u = %x) : (i64, f64) -> (f64) {
    %slope = lambda.apply %df(%u) : (f64) -> f64
    %bend = lambda.apply %ddf(%u) : (f64) -> f64
    %step = arith.divf %slope, %bend : f64
    %v = arith.subf %u, %step : f64
    lambda.yield %v : f64
  }
  return %y : f64
}

// The derivative of the square root, through the six steps that compute it: 1 / (2 √2).
// ROOT: 0.353553390593273
func.func @root(%x: f64) -> f64 {
  %root = lambda.lambda (%c: f64) -> f64 {
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %six = arith.constant 6 : i64
    %y = lambda.for (%i < %six) iter_args(%u = %one) : (i64, f64) -> (f64) {
      %q = arith.mulf %u, %u : f64
      %e = arith.subf %q, %c : f64
      %uu = arith.mulf %two, %u : f64
      %s = arith.divf %e, %uu : f64
      %v = arith.subf %u, %s : f64
      lambda.yield %v : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %root : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
