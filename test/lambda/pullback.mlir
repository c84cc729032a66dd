// RUN: mlopt run %s --entry @row --arg 1.0 --arg 3.0 | FileCheck %s --check-prefix=ROW
// RUN: mlopt run %s --entry @row --interpret --arg 1.0 --arg 3.0 | FileCheck %s --check-prefix=ROW
// RUN: mlopt run %s --entry @second | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --interpret | FileCheck %s --check-prefix=SECOND
// RUN: mlopt %s --pullback-reduce="trace=true" 2>&1 >/dev/null | FileCheck %s --check-prefix=STEPS
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// A 1-form gives a functional at each point; its pullback along a function is a 1-form on the arguments. With a constant form, a pullback is
// a row of the Jacobian, which is reverse mode. Pullbacks of pullbacks are higher derivatives.

// f(x, y) = ((x + 1)(2x + y²))² at (1, 3), as in spec/functional.md C.8.
// ROW: (660.0, 528.0)
func.func @row(%x: f64, %y: f64) -> tuple<f64, f64> {
  %form = lambda.lambda (%z: f64) -> !lambda.dual<f64> {
    %one = arith.constant 1.0 : f64
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%p: tuple<f64, f64>) {
    %one = arith.constant 1.0 : f64
    %a = lambda.get %p[0] : (tuple<f64, f64>) -> f64
    %b = lambda.get %p[1] : (tuple<f64, f64>) -> f64
    %left = arith.addf %a, %one : f64
    %aa = arith.addf %a, %a : f64
    %bb = arith.mulf %b, %b : f64
    %right = arith.addf %aa, %bb : f64
    %m = arith.mulf %left, %right : f64
    %q = arith.mulf %m, %m : f64
    lambda.yield %q : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((tuple<f64, f64>) -> !lambda.dual<tuple<f64, f64>>)
  %at = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  %functional = lambda.apply %w(%at) : (tuple<f64, f64>) -> !lambda.dual<tuple<f64, f64>>
  %one = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %first = lambda.tuple %one, %none : (f64, f64) -> tuple<f64, f64>
  %second = lambda.tuple %none, %one : (f64, f64) -> tuple<f64, f64>
  %dx = lambda.pair_with %functional, %first : (!lambda.dual<tuple<f64, f64>>, tuple<f64, f64>) -> f64
  %dy = lambda.pair_with %functional, %second : (!lambda.dual<tuple<f64, f64>>, tuple<f64, f64>) -> f64
  %r = lambda.tuple %dx, %dy : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// The second derivative of x³ at 2, by two nested pullbacks. The pullback language reduces them without J.
// SECOND: 12.0
// STEPS:  {{^}}@second = 12
// CHECK-LABEL: func.func @second() -> f64 {
// CHECK-NEXT:    %[[C:.*]] = arith.constant 1.200000e+01 : f64
// CHECK-NEXT:    return %[[C]] : f64
func.func @second() -> f64 {
  %one = arith.constant 1.0 : f64
  %form = lambda.lambda (%z: f64) -> !lambda.dual<f64> {
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%s: f64) {
    %inner = lambda.pullback %form (%x: f64) {
      %q = arith.mulf %x, %x : f64
      %k = arith.mulf %x, %q : f64
      lambda.yield %k : f64
    } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
    %functional = lambda.apply %inner(%s) : (f64) -> !lambda.dual<f64>
    %slope = lambda.pair_with %functional, %one : (!lambda.dual<f64>, f64) -> f64
    lambda.yield %slope : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  %two = arith.constant 2.0 : f64
  %functional = lambda.apply %w(%two) : (f64) -> !lambda.dual<f64>
  %y = lambda.pair_with %functional, %one : (!lambda.dual<f64>, f64) -> f64
  return %y : f64
}
