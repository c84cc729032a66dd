// RUN: mlopt run %s --entry @random --interpret --pass-pipeline='builtin.module()' --arg 1 | FileCheck %s --check-prefix=RANDOM
// RUN: mlopt run %s --entry @random --arg 1 | FileCheck %s --check-prefix=RANDOM
// RUN: mlopt run %s --entry @once --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=ONCE
// RUN: mlopt run %s --entry @once --arg 3.0 | FileCheck %s --check-prefix=ONCE
// RUN: echo 2.5 | mlopt run %s --entry @order --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=ORDER
// RUN: echo 2.5 | mlopt run %s --entry @order --arg 1.0 | FileCheck %s --check-prefix=ORDER
// RUN: not mlopt run %s --entry @order --interpret --pass-pipeline='builtin.module()' --arg 1.0 < /dev/null 2>&1 | FileCheck %s --check-prefix=END
// Random numbers are values; output and input are in the order of tokens.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!t = !lambda.token
!u = tuple<tensor<4xf64>, !lambda.rng>
!s = tuple<tensor<3xf64>, !lambda.rng>

// The numbers of `R01.philox` for seed 1: uniform, uniform from there, and normal from the start.
// RANDOM: {{^}}(True, True, True){{$}}
func.func @random(%seed: i64) -> tuple<i1, i1, i1> {
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %t = lambda.rng.uniform %r : (!lambda.rng) -> !u
  %x = lambda.get %t[0] : (!u) -> tensor<4xf64>
  %r1 = lambda.get %t[1] : (!u) -> !lambda.rng
  %t1 = lambda.rng.uniform %r1 : (!lambda.rng) -> !s
  %y = lambda.get %t1[0] : (!s) -> tensor<3xf64>
  %t2 = lambda.rng.normal %r : (!lambda.rng) -> !u
  %z = lambda.get %t2[0] : (!u) -> tensor<4xf64>
  %tolerance = arith.constant 1.0e-14 : f64
  %x_want = arith.constant dense<[0.8946847163350924, 0.7112680765766943, 0.8741119351871307, 0.6561031684921107]> : tensor<4xf64>
  %x_difference = arith.subf %x, %x_want : tensor<4xf64>
  %x_errors = math.absf %x_difference : tensor<4xf64>
  %x_error = array.max %x_errors : (tensor<4xf64>) -> f64
  %x_ok = arith.cmpf olt, %x_error, %tolerance : f64
  %y_want = arith.constant dense<[0.5565002330689228, 0.9215883292986847, 0.036543809985189246]> : tensor<3xf64>
  %y_difference = arith.subf %y, %y_want : tensor<3xf64>
  %y_errors = math.absf %y_difference : tensor<3xf64>
  %y_error = array.max %y_errors : (tensor<3xf64>) -> f64
  %y_ok = arith.cmpf olt, %y_error, %tolerance : f64
  %z_want = arith.constant dense<[-0.5112540909508035, -2.0591776774243638, -1.1326241915725068, -1.691711182029927]> : tensor<4xf64>
  %z_difference = arith.subf %z, %z_want : tensor<4xf64>
  %z_errors = math.absf %z_difference : tensor<4xf64>
  %z_error = array.max %z_errors : (tensor<4xf64>) -> f64
  %z_ok = arith.cmpf olt, %z_error, %tolerance : f64
  %all = lambda.tuple %x_ok, %y_ok, %z_ok : (i1, i1, i1) -> tuple<i1, i1, i1>
  return %all : tuple<i1, i1, i1>
}

// The output of a function that is differentiated is printed once.
// ONCE: {{^}}9.0{{$}}
// ONCE-NEXT: {{^}}6.0{{$}}
func.func @once(%at: f64) -> f64 {
  %t0 = lambda.token : () -> !t
  %g = lambda.lambda (%x: f64) -> f64 {
    %y = arith.mulf %x, %x : f64
    %t1 = lambda.print %t0, %y : (!t, f64) -> !t
    lambda.return %y : f64
  }
  %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d(%at) : (f64) -> f64
  return %y : f64
}

// ORDER: {{^}}1.0{{$}}
// ORDER-NEXT: {{^}}2.5 1.0{{$}}
// ORDER-NEXT: {{^}}(2.5, <a token>){{$}}
// END: error: {{.*}}expected a line of input, found the end of the input
func.func @order(%x: f64) -> tuple<f64, !lambda.token> {
  %t0 = lambda.token : () -> !lambda.token
  %t1 = lambda.print %t0, %x : (!lambda.token, f64) -> !lambda.token
  %r = lambda.read %t1 : (!lambda.token) -> tuple<f64, !lambda.token>
  %y = lambda.get %r[0] : (tuple<f64, !lambda.token>) -> f64
  %t2 = lambda.get %r[1] : (tuple<f64, !lambda.token>) -> !lambda.token
  %t3 = lambda.print %t2, %y, %x : (!lambda.token, f64, f64) -> !lambda.token
  %e = lambda.tuple %y, %t3 : (f64, !lambda.token) -> tuple<f64, !lambda.token>
  return %e : tuple<f64, !lambda.token>
}
