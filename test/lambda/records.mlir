// RUN: mlopt run %s --arg '{slope: 1.0, shift: 0.5}' --arg 2.0 --arg 3.0 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %s --interpret --arg '{slope: 1.0, shift: 0.5}' --arg 2.0 --arg 3.0 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt %s --lambda-specialise --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// Parameters in a record, and one step of gradient descent: the gradient is a record with the same fields, and `lambda.walk` applies a function
// to each field of both. It is expanded during type inference, so neither it nor a function remains.

// (1·2 + 0.5 - 3)² has the gradient (2·2·-0.5, 2·-0.5) = (-2, -1).
// VALUE: Line{slope: 1.2, shift: 0.6}

// CHECK:     func.func @step(%p: !lambda.record<"Line", slope: f64, shift: f64>, %x: f64, %y: f64)
// CHECK-NOT: lambda.walk
// CHECK-NOT: lambda.lambda
// CHECK:     lambda.record %{{.*}}, %{{.*}} : (f64, f64) -> !lambda.record<"Line", slope: f64, shift: f64>

!line = !lambda.record<"Line", slope: f64, shift: f64>
func.func @step(%p: !line, %x: f64, %y: f64) -> !line {
  %error = lambda.lambda (%q: !line) -> f64 {
    %a = lambda.field %q["slope"] : (!line) -> f64
    %b = lambda.field %q["shift"] : (!line) -> f64
    %ax = arith.mulf %a, %x : f64
    %guess = arith.addf %ax, %b : f64
    %e = arith.subf %guess, %y : f64
    %sq = arith.mulf %e, %e : f64
    lambda.return %sq : f64
  }
  %gradient = lambda.grad %error : ((!line) -> f64) -> ((!line) -> !line)
  %g = lambda.apply %gradient(%p) : (!line) -> !line
  %down = lambda.lambda (%old: f64, %slope: f64) -> f64 {
    %rate = arith.constant 0.1 : f64
    %s = arith.mulf %rate, %slope : f64
    %new = arith.subf %old, %s : f64
    lambda.return %new : f64
  }
  %new = lambda.walk %down, %p, %g : ((f64, f64) -> f64, !line, !line) -> !line
  return %new : !line
}
