// RUN: mlopt run %s --arg 3.0 --arg 1000000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --arg 3.0 --arg 1000000000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --arg 3.0 --arg 0 | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --interpret --arg 3.0 --arg 1000 | FileCheck %s --check-prefix=ONE
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// A loop that adds one, however often, has derivative one. J makes a stack of ways back, each of which is the identity: nothing of the
// loop is read on the way back, so both loops go, and what is left is a number. A billion iterations take no time.

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
