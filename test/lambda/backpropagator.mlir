// RUN: mlopt run %s --entry @both --arg 2.0 --arg 3.0 | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @both --interpret --arg 2.0 --arg 3.0 | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @twice --arg 1.5 --arg 5 | FileCheck %s --check-prefix=TWICE
// RUN: mlopt run %s --entry @twice --interpret --arg 1.5 --arg 5 | FileCheck %s --check-prefix=TWICE
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// `lambda.J` of a function gives its value and the way back: from a cotangent of the result to what the function captured, an environment, and to
// each argument. It is a value like others; it may be kept and called again.

// f(x, y) = x·exp(y): the value, the cotangent of x and that of y, for the cotangent 1.
// BOTH: (40.171073846375336, 20.085536923187668, 40.171073846375336)

// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %[[E:.*]] = math.exp %y : f64
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %x, %[[E]] : f64
// CHECK-NEXT:    %[[Q:.*]] = arith.mulf %[[E]], %x : f64
// CHECK-NEXT:    lambda.tuple %[[P]], %[[E]], %[[Q]] : (f64, f64, f64) -> tuple<f64, f64, f64>
func.func @both(%x: f64, %y: f64) -> tuple<f64, f64, f64> {
  %f = lambda.lambda (%a: f64, %b: f64) -> f64 {
    %e = math.exp %b : f64
    %p = arith.mulf %a, %e : f64
    lambda.return %p : f64
  }
  %j = lambda.J %f : ((f64, f64) -> f64) -> ((f64, f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64, f64>>)
  %t = lambda.apply %j(%x, %y) : (f64, f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64, f64>>
  %value = lambda.get %t[0] : (tuple<f64, (f64) -> tuple<!lambda.env, f64, f64>>) -> f64
  %back = lambda.get %t[1] : (tuple<f64, (f64) -> tuple<!lambda.env, f64, f64>>) -> ((f64) -> tuple<!lambda.env, f64, f64>)
  %one = arith.constant 1.0 : f64
  %s = lambda.apply %back(%one) : (f64) -> tuple<!lambda.env, f64, f64>
  %x_ct = lambda.get %s[1] : (tuple<!lambda.env, f64, f64>) -> f64
  %y_ct = lambda.get %s[2] : (tuple<!lambda.env, f64, f64>) -> f64
  %r = lambda.tuple %value, %x_ct, %y_ct : (f64, f64, f64) -> tuple<f64, f64, f64>
  return %r : tuple<f64, f64, f64>
}

// The way back of a recursive function holds that of each call inside of it. Called a second time it finds all of them as they were.
// x⁵ at 1.5, and 5 x⁴ times 1 and times -2.
// TWICE: (7.59375, 25.3125, -50.625)
func.func @twice(%x: f64, %n: i64) -> tuple<f64, f64, f64> {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %power = lambda.lambda (%a: f64) -> f64 {
    %f = lambda.letrec {
      %go = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          %one = arith.constant 1.0 : f64
          lambda.yield %one : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %go(%l) : (i64) -> f64
          %p = arith.mulf %a, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      lambda.yield %go : (i64) -> f64
    } : (i64) -> f64
    %y = lambda.apply %f(%n) : (i64) -> f64
    lambda.return %y : f64
  }
  %v = lambda.vjp %power : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  %t = lambda.apply %v(%x) : (f64) -> tuple<f64, (f64) -> f64>
  %value = lambda.get %t[0] : (tuple<f64, (f64) -> f64>) -> f64
  %back = lambda.get %t[1] : (tuple<f64, (f64) -> f64>) -> ((f64) -> f64)
  %one = arith.constant 1.0 : f64
  %minus_two = arith.constant -2.0 : f64
  %a = lambda.apply %back(%one) : (f64) -> f64
  %b = lambda.apply %back(%minus_two) : (f64) -> f64
  %r = lambda.tuple %value, %a, %b : (f64, f64, f64) -> tuple<f64, f64, f64>
  return %r : tuple<f64, f64, f64>
}
