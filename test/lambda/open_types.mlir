// RUN: mlopt run %s --arg '[1.0, 2.0]' --arg 3.0 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %s --interpret --arg '[1.0, 2.0]' --arg 3.0 | FileCheck %s --check-prefix=VALUE
// RUN: mlopt %s --lambda-specialise | FileCheck %s
// One function at two types. The program leaves types open; `lambda-specialise` creates a copy of a function for each
// combination of argument types, and overloaded ops become ops of those types.

// VALUE: ([1. 4.], 9.0)

// CHECK:      %[[ARRAYS:.*]] = lambda.lambda (%{{.*}}: tensor<2xf64>) -> tensor<2xf64> {
// CHECK-NEXT:   arith.mulf %{{.*}}, %{{.*}} : tensor<2xf64>
// CHECK:      %[[NUMBERS:.*]] = lambda.lambda (%{{.*}}: f64) -> f64 {
// CHECK-NEXT:   arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK-NOT:  lambda.any

func.func @main(%v: tensor<2xf64>, %x: f64) -> !lambda.any {
  %square = lambda.lambda (%y: !lambda.any) -> !lambda.any {
    %q = lambda.prim "*"(%y, %y) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %q : !lambda.any
  }
  %a = lambda.apply %square(%v) : (!lambda.any) -> !lambda.any (tensor<2xf64>) -> !lambda.any
  %b = lambda.apply %square(%x) : (!lambda.any) -> !lambda.any (f64) -> !lambda.any
  %t = lambda.tuple %a, %b : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}
