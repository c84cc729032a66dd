// RUN: mlopt run %s --arg '[1.0, -2.0, 3.0]' --arg 0.5 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %s --interpret --arg '[1.0, -2.0, 3.0]' --arg 0.5 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// `lambda.aset` returns a changed copy: both versions may be read, and both contribute to the derivative. An overwritten element does not
// (spec/functional.md F.2, functional update).

// b = a with v at 0; c = b with v² at 2; s = b·b + c·c. By a: (0, 4 a1, 2 a2); by v: 4 v + 4 v³.
// VALUE: ([ 0. -8. 6.], 2.5)

// CHECK:     lambda.aset
// CHECK-NOT: lambda.env
// CHECK-NOT: lambda.apply

func.func @update(%a: tensor<3xf64>, %v: f64) -> tuple<tensor<3xf64>, f64> {
  %f = lambda.lambda (%x: tensor<3xf64>, %w: f64) -> f64 {
    %first = arith.constant 0 : i64
    %last = arith.constant 2 : i64
    %b = lambda.aset %x[%first], %w : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
    %q = arith.mulf %w, %w : f64
    %c = lambda.aset %b[%last], %q : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
    %bb = arith.mulf %b, %b : tensor<3xf64>
    %cc = arith.mulf %c, %c : tensor<3xf64>
    %s = array.sum %bb : (tensor<3xf64>) -> f64
    %t = array.sum %cc : (tensor<3xf64>) -> f64
    %y = arith.addf %s, %t : f64
    lambda.return %y : f64
  }
  %g = lambda.grad %f {wrt = array<i64: 0, 1>} : ((tensor<3xf64>, f64) -> f64) -> ((tensor<3xf64>, f64) -> tuple<tensor<3xf64>, f64>)
  %d = lambda.apply %g(%a, %v) : (tensor<3xf64>, f64) -> tuple<tensor<3xf64>, f64>
  return %d : tuple<tensor<3xf64>, f64>
}
