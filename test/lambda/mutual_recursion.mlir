// RUN: mlopt run %s --entry @slope --arg 1.5 --arg 4 | FileCheck %s --check-prefix=SLOPE
// RUN: mlopt run %s --entry @slope --interpret --arg 1.5 --arg 4 | FileCheck %s --check-prefix=SLOPE
// RUN: mlopt run %s --entry @parity --arg 10000001 | FileCheck %s --check-prefix=ODD
// RUN: mlopt run %s --entry @parity --interpret --arg 100001 | FileCheck %s --check-prefix=ODD
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify --closure-convert | FileCheck %s
// Two functions that call each other. If each call is in tail position, the group is one loop, and ten million calls take no
// stack; otherwise each call keeps the residuals of the backpropagator.

// even(4) = x·odd(3), odd(3) = x + even(2), …: x³ + 2x², whose derivative at 1.5 is 12.75.
// SLOPE: 12.75
func.func @slope(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %zero = arith.constant 0 : i64
    %step = arith.constant 1 : i64
    %even, %odd = lambda.letrec {
      %ev = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          %one = arith.constant 1.0 : f64
          lambda.yield %one : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %od(%l) : (i64) -> f64
          %p = arith.mulf %a, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      %od = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          %none = arith.constant 0.0 : f64
          lambda.yield %none : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %ev(%l) : (i64) -> f64
          %p = arith.addf %a, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      lambda.yield %ev, %od : (i64) -> f64, (i64) -> f64
    } : (i64) -> f64, (i64) -> f64
    %y = lambda.apply %even(%n) : (i64) -> f64
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// ODD: 1
// CHECK-LABEL: func.func private @parity.even.loop(
// CHECK:         lambda.while
// CHECK-NOT:     call @
// CHECK:         return
func.func @parity(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %even, %odd = lambda.letrec {
    %ev = lambda.lambda (%k: i64) -> i64 {
      %end = arith.cmpi eq, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %zero : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %od(%l) : (i64) -> i64
        lambda.yield %r : i64
      }
      lambda.return %y : i64
    }
    %od = lambda.lambda (%k: i64) -> i64 {
      %end = arith.cmpi eq, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %one : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %ev(%l) : (i64) -> i64
        lambda.yield %r : i64
      }
      lambda.return %y : i64
    }
    lambda.yield %ev, %od : (i64) -> i64, (i64) -> i64
  } : (i64) -> i64, (i64) -> i64
  %y = lambda.apply %even(%n) : (i64) -> i64
  return %y : i64
}
