// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// Functions, groups of them, calls, conditionals and loops survive printing and parsing.

// CHECK-LABEL: func.func @power(
func.func @power(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %power = lambda.letrec {
    %go = lambda.lambda (%k: i64) -> f64 {
      %end = arith.cmpi eq, %k, %zero : i64
      %y = lambda.if %end : i1 -> f64 {
        lambda.yield %one : f64
      } else {
        %l = arith.subi %k, %step : i64
        %r = lambda.apply %go(%l) : (i64) -> f64
        %p = arith.mulf %x, %r : f64
        lambda.yield %p : f64
      }
      lambda.return %y : f64
    }
    lambda.yield %go : (i64) -> f64
  } : (i64) -> f64
  %y = lambda.apply %power(%n) : (i64) -> f64
  %f = lambda.lambda (%a: f64) -> (f64) -> f64 {
    %g = lambda.lambda (%b: f64) -> f64 {
      %c = arith.addf %a, %b : f64
      lambda.return %c : f64
    }
    lambda.return %g : (f64) -> f64
  }
  %i = lambda.apply %f(%x) : (f64) -> ((f64) -> f64)
  %l = lambda.apply %i(%y) : (f64) -> f64
  %w = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
    %c = arith.cmpf olt, %a, %l : f64
    lambda.yield %c : i1
  } do (%b) {
    %d = arith.mulf %b, %b : f64
    lambda.yield %d : f64
  }
  %z = lambda.for (%j < %n) iter_args(%a = %w) : (i64, f64) -> (f64) {
    %b = arith.addf %a, %one : f64
    lambda.yield %b : f64
  }
  %r = lambda.record %z, %z : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
  %u = lambda.field %r["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  %lit = lambda.literal 2.0 : f64 -> !lambda.any
  %q = lambda.prim "+"(%lit, %u) : (!lambda.any, f64) -> !lambda.any
  %an = lambda.ref @power : !lambda.any
  %ap = lambda.apply %an(%q, %n) : !lambda.any (!lambda.any, i64) -> f64
  // The type of a call may say more than that of the callee.
  %open = lambda.lambda (%a: !lambda.any) -> !lambda.any {
    lambda.return %a : !lambda.any
  }
  // CHECK: lambda.apply %{{.*}}(%{{.*}}) : (!lambda.any) -> !lambda.any (f64) -> f64
  %closed = lambda.apply %open(%ap) : (!lambda.any) -> !lambda.any (f64) -> f64
  return %closed : f64
}
func.func @m(%x: tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>> {
  %y = lambda.the %x {type = tensor<3x3xf64>} : (tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>>
  return %y :  tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>>
}
