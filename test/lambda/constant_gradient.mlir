// RUN: mlopt run %s --arg 3.0 --arg 1000000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --arg 3.0 --arg 1000000000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --arg 3.0 --arg 0 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --interpret --arg 3.0 --arg 1000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// The derivative of repeated addition of one is one. J creates a stack of backpropagators that are identities and read no residuals
// of the loop, so both loops are removed, and a constant remains. A billion iterations take no time.

// CHECK:      func.func @slope(%x: f64, %n: i64) -> f64 {
// CHECK-NEXT:   %[[C:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:   return %[[C]] : f64
// CHECK-NEXT: }
// ONE: {{^}}1.0{{$}}

func.func @slope(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %one = arith.constant 1.0 : f64
    %y = lambda.for (%i < %n) iter_args(%b = %a) : (i64, f64) -> (f64) {
      %c = arith.addf %b, %one : f64
      lambda.yield %c : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
