// RUN: mlopt run %s --entry @slope --arg -1.0 | FileCheck %s --check-prefix=LEFT
// RUN: mlopt run %s --entry @slope --interpret --arg -1.0 | FileCheck %s --check-prefix=LEFT
// RUN: mlopt run %s --entry @slope --arg 4.0 | FileCheck %s --check-prefix=RIGHT
// RUN: mlopt run %s --entry @read --arg '[1.0, 2.0]' --arg 7 | FileCheck %s --check-prefix=OUTSIDE
// RUN: mlopt run %s --entry @read --interpret --arg '[1.0, 2.0]' --arg 7 | FileCheck %s --check-prefix=OUTSIDE
// RUN: mlopt run %s --entry @read --arg '[1.0, 2.0]' --arg 1 | FileCheck %s --check-prefix=INSIDE
// The branch that is not taken is not evaluated, neither in a function nor in its derivative: it would stop the program, or compute
// a NaN.

// sqrt x, or 2x where that is not real.
// LEFT:  {{^}}2.0
// RIGHT: {{^}}0.25
func.func @slope(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf ogt, %a, %zero : f64
    %y = lambda.if %c : i1 -> f64 {
      %r = math.sqrt %a : f64
      lambda.yield %r : f64
    } else {
      %d = arith.addf %a, %a : f64
      lambda.yield %d : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// OUTSIDE: [0. 0.]
// INSIDE:  [0. 4.]
func.func @read(%v: tensor<2xf64>, %i: i64) -> tensor<2xf64> {
  %f = lambda.lambda (%a: tensor<2xf64>) -> f64 {
    %two = arith.constant 2 : i64
    %c = arith.cmpi slt, %i, %two : i64
    %y = lambda.if %c : i1 -> f64 {
      %x = lambda.aget %a[%i] : (tensor<2xf64>, i64) -> f64
      %q = arith.mulf %x, %x : f64
      lambda.yield %q : f64
    } else {
      %none = arith.constant 0.0 : f64
      lambda.yield %none : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((tensor<2xf64>) -> f64) -> ((tensor<2xf64>) -> tensor<2xf64>)
  %y = lambda.apply %g(%v) : (tensor<2xf64>) -> tensor<2xf64>
  return %y : tensor<2xf64>
}
