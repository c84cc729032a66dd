// RUN: mlopt run %s --entry @written --arg 3.0 | FileCheck %s --check-prefix=SIX
// RUN: mlopt run %s --entry @written --interpret --arg 3.0 | FileCheck %s --check-prefix=SIX
// RUN: mlopt run %s --entry @second --arg 1.5 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --arg -1.5 | FileCheck %s --check-prefix=LEFT
// RUN: mlopt run %s --entry @second --interpret --arg 1.5 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt %s --lambda-simplify | FileCheck %s
// The cotangent of a function is an environment: cotangents of its captures, each under a key. This one is written by hand in the form of J: the
// backpropagator of a closure that captures x returns a cotangent must have the type of its value, x, and the creator of the closure reads it. A missing key, found zero.

// SIX: 6.0

// CHECK-LABEL: func.func @written(%x: f64) -> f64 {
// CHECK-NEXT:    %[[Y:.*]] = arith.addf %x, %x : f64
// CHECK-NEXT:    return %[[Y]] : f64
func.func @written(%x: f64) -> f64 {
  // f() = x·x, whose backpropagator returns the environment {x: 2·x·d}.
  %back = lambda.lambda (%d: f64) -> tuple<!lambda.env> {
    %once = arith.mulf %d, %x : f64
    %both = arith.addf %once, %once : f64
    %none = lambda.env.empty : () -> !lambda.env
    %e = lambda.env.set %none["x"], %both : (!lambda.env, f64) -> !lambda.env
    %t = lambda.tuple %e : (!lambda.env) -> tuple<!lambda.env>
    lambda.return %t : tuple<!lambda.env>
  }
  %one = arith.constant 1.0 : f64
  %t = lambda.apply %back(%one) : (f64) -> tuple<!lambda.env>
  %e = lambda.get %t[0] : (tuple<!lambda.env>) -> !lambda.env
  %zero = dual.zero : f64
  %x_ct = lambda.env.get %e["x"], %zero : (!lambda.env, f64) -> f64
  %y_ct = lambda.env.get %e["y"], %zero : (!lambda.env, f64) -> f64
  %sum = lambda.gadd %x_ct, %y_ct : (f64, f64) -> f64
  return %sum : f64
}

// Environments have derivatives themselves: the second derivative of a conditional between closures that capture x needs them.
// SECOND: {{^}}9.0
// LEFT:   {{^}}2.0
func.func @second(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf olt, %a, %zero : f64
    %square = lambda.lambda () -> f64 {
      %q = arith.mulf %a, %a : f64
      lambda.return %q : f64
    }
    %cube = lambda.lambda () -> f64 {
      %q = lambda.apply %square() : () -> f64
      %k = arith.mulf %a, %q : f64
      lambda.return %k : f64
    }
    %g = lambda.switch %c, %square, %cube : (i1, () -> f64, () -> f64) -> (() -> f64)
    %y = lambda.apply %g() : () -> f64
    lambda.return %y : f64
  }
  %df = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %ddf = lambda.grad %df : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %ddf(%x) : (f64) -> f64
  return %y : f64
}
