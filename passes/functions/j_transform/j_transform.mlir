// RUN: mlopt %s --j-transform | FileCheck %s
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s --check-prefix=SMALL

// The image of a function returns its result and the backpropagator, which reads the residuals of the forward part.
// CHECK-LABEL: func.func @composition
// CHECK:         lambda.lambda (%[[A:.*]]: f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>> {
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[A]]
// CHECK-NEXT:      %[[T:.*]] = math.tanh %[[E]]
// CHECK-NEXT:      lambda.lambda (%[[D:.*]]: f64) -> tuple<!lambda.env, f64> {
// CHECK-NOT:         math.exp
// CHECK:             arith.mulf %[[E]], %{{.*}}
// SMALL-LABEL: func.func @composition(%x: f64) -> f64 {
// SMALL-NOT:     lambda.
// SMALL:         math.exp
// SMALL-NOT:     math.exp
// SMALL:         return
func.func @composition(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = math.exp %a : f64
    %c = math.tanh %b : f64
    lambda.return %c : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// Cotangents of captures are in the environment that comes first; they are read where the function is created, by the same key.
// CHECK-LABEL: func.func @captured
// CHECK:         lambda.env.set %{{.*}}["[[KEY:.*]]"], %{{.*}} : (!lambda.env, f64) -> !lambda.env
// CHECK:         lambda.env.get %{{.*}}["[[KEY]]"], %{{.*}} : (!lambda.env, f64) -> f64
// SMALL-LABEL: func.func @captured
// SMALL:         %[[ONE:.*]] = arith.constant 1.0
// SMALL-NEXT:    return %[[ONE]]
func.func @captured(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %make = lambda.lambda (%b: f64) -> (f64) -> f64 {
      %g = lambda.lambda (%c: f64) -> f64 {
        lambda.return %b : f64
      }
      lambda.return %g : (f64) -> f64
    }
    %h = lambda.apply %make(%a) : (f64) -> ((f64) -> f64)
    %y = lambda.apply %h(%a) : (f64) -> f64
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// A loop keeps the residuals of each iteration, and none if none is needed: repeated addition of 1 has the
// gradient 1, and the derivative of repeated multiplication by 2 needs no residuals.
// CHECK-LABEL: func.func @adds
// CHECK:         %[[J:.*]] = lambda.lambda (%a: f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>> {
// CHECK-NEXT:      %[[Y:.*]] = lambda.for (%i < %n) iter_args(%b = %a) : (i64, f64) -> (f64) {
// CHECK-NOT:       lambda.cons
// CHECK:           %[[BACK:.*]] = lambda.lambda (%[[D:.*]]: f64) -> tuple<!lambda.env, f64> {
// CHECK-NEXT:        lambda.for (%{{.*}} < %n) iter_args(%[[CT:.*]] = %[[D]]) : (i64, f64) -> (f64) {
// CHECK:               lambda.yield %[[CT]] : f64
// CHECK:           lambda.tuple %[[Y]], %[[BACK]]
// SMALL-LABEL: func.func @adds(
// SMALL-NEXT:    %[[ONE:.*]] = arith.constant 1.0
// SMALL-NEXT:    return %[[ONE]]
func.func @adds(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %y = lambda.for (%i < %n) iter_args(%b = %a) : (i64, f64) -> (f64) {
      %one = arith.constant 1.0 : f64
      %c = arith.addf %b, %one : f64
      lambda.yield %c : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
// SMALL-LABEL: func.func @doubles(
// SMALL:         lambda.for {{.*}} : (i64, f64) -> (f64) {
// SMALL-NOT:     lambda.for
// SMALL-NOT:     lambda.cons
// SMALL:         return
func.func @doubles(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %y = lambda.for (%i < %n) iter_args(%b = %a) : (i64, f64) -> (f64) {
      %two = arith.constant 2.0 : f64
      %c = arith.mulf %b, %two : f64
      lambda.yield %c : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// The backward part of a recursion is a group of functions; the environment of the group has the cotangents of captures, keys first.
// CHECK-LABEL: func.func @power
// CHECK:         lambda.letrec
// CHECK:         lambda.env.set
// CHECK:         lambda.env.add
// CHECK-NOT:     lambda.env.set
// CHECK:         lambda.yield
func.func @power(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %f = lambda.lambda (%a: f64) -> f64 {
    %power = lambda.letrec {
      %go = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
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
    %y = lambda.apply %power(%n) : (i64) -> f64
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// Nested gradients: the inner one first.
// CHECK-LABEL: func.func @second
// CHECK-NEXT:    lambda.lambda (%[[A:.*]]: f64) -> f64 {
// CHECK:           lambda.if
// CHECK-NEXT:        arith.addf %[[A]], %[[A]]
// CHECK:           } else {
// CHECK-NEXT:        math.cos %[[A]]
// CHECK:         lambda.lambda (%[[B:.*]]: f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>> {
// CHECK:           lambda.lambda (%[[D:.*]]: f64) -> tuple<!lambda.env, f64> {
// CHECK-NEXT:        lambda.if
// CHECK-NEXT:          arith.addf %[[D]], %[[D]]
// CHECK:             } else {
// CHECK-NEXT:          %[[S:.*]] = math.sin %[[B]]
// CHECK-NEXT:          %[[N:.*]] = arith.negf %[[S]]
// CHECK-NEXT:          arith.mulf %[[N]], %[[D]]
// SMALL-LABEL: func.func @second(
// SMALL-NOT:     lambda.lambda
// SMALL:         lambda.if
// SMALL:         return
func.func @second(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf olt, %a, %zero : f64
    %y = lambda.if %c : i1 -> f64 {
      %b = arith.mulf %a, %a : f64
      lambda.yield %b : f64
    } else {
      %b = math.sin %a : f64
      lambda.yield %b : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %h = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %h(%x) : (f64) -> f64
  return %y : f64
}

// The value is returned with the gradient, and the backpropagator may be called any number of times.
// CHECK-LABEL: func.func @pullback
// CHECK:         %[[J:.*]] = lambda.lambda (%a: f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>> {
// CHECK-NEXT:      %[[E:.*]] = math.exp %a
// CHECK-NEXT:      lambda.lambda (%[[D:.*]]: f64) -> tuple<!lambda.env, f64> {
// CHECK-NEXT:        arith.mulf %[[E]], %[[D]]
// CHECK:         %v = lambda.lambda (%[[X:.*]]: f64) -> tuple<f64, (f64) -> f64> {
// CHECK-NEXT:      lambda.apply %[[J]](%[[X]])
// CHECK:         %t = lambda.apply %v(%x)
// CHECK-NEXT:    return %t
// SMALL-LABEL: func.func @pullback(
// SMALL:         %[[E:.*]] = math.exp %x : f64
// SMALL-NEXT:    %[[B:.*]] = lambda.lambda (%[[D:.*]]: f64) -> f64 {
// SMALL-NEXT:      %[[P:.*]] = arith.mulf %[[E]], %[[D]] : f64
// SMALL-NEXT:      lambda.return %[[P]]
func.func @pullback(%x: f64) -> tuple<f64, (f64) -> f64> {
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = math.exp %a : f64
    lambda.return %b : f64
  }
  %v = lambda.vjp %f : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  %t = lambda.apply %v(%x) : (f64) -> tuple<f64, (f64) -> f64>
  return %t : tuple<f64, (f64) -> f64>
}

// Forward mode: a backpropagator is linear, so its derivative is forward mode, and no backpropagator remains.
// SMALL-LABEL: func.func @along(
// SMALL-NEXT:    %[[S:.*]] = math.sin %x : f64
// SMALL-NEXT:    %[[C:.*]] = math.cos %x : f64
// SMALL-NEXT:    %[[T:.*]] = arith.mulf %[[C]], %v : f64
// SMALL-NEXT:    %[[R:.*]] = lambda.tuple %[[S]], %[[T]]
// SMALL-NEXT:    return %[[R]]
func.func @along(%x: f64, %v: f64) -> tuple<f64, f64> {
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = math.sin %a : f64
    lambda.return %b : f64
  }
  %g = lambda.jvp %f : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  %t = lambda.apply %g(%x, %v) : (f64, f64) -> tuple<f64, f64>
  return %t : tuple<f64, f64>
}

// The backpropagator of a loop keeps only `%a` of each iteration: the number of the iteration is known, and cheap operations on both are
// recomputed. Values that only the derivatives of constants would read are not kept.
// SMALL-LABEL: func.func @kept_little(
// SMALL:         lambda.for (%{{.*}} < %n) iter_args({{.*}}) : (i64, f64, !lambda.list<f64>) -> (f64, !lambda.list<f64>)
// SMALL:         lambda.for (%[[K:.*]] < %n)
// SMALL-DAG:       %[[LEFT:.*]] = arith.subi %n, %[[K]] : i64
// SMALL-DAG:       %[[I:.*]] = arith.subi %[[LEFT]], %{{.*}} : i64
// SMALL:           lambda.aget %x[%[[I]]]
func.func @kept_little(%x: tensor<?xf64>, %n: i64) -> tensor<?xf64> {
  %f = lambda.lambda (%v: tensor<?xf64>, %m: i64) -> f64 {
    %one = arith.constant 1.0 : f64
    %half = arith.constant 0.5 : f64
    %y = lambda.for (%i < %m) iter_args(%a = %one) : (i64, f64) -> (f64) {
      %e = lambda.aget %v[%i] : (tensor<?xf64>, i64) -> f64
      %b = arith.addf %e, %half : f64
      %c = arith.mulf %a, %b : f64
      %d = arith.mulf %c, %half : f64
      lambda.yield %d : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f {wrt = array<i64: 0>} : ((tensor<?xf64>, i64) -> f64) -> ((tensor<?xf64>, i64) -> tensor<?xf64>)
  %y = lambda.apply %g(%x, %n) : (tensor<?xf64>, i64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The backpropagator of a branch repeats the constants of the branch, so that the conditional has one result.
// CHECK-LABEL: func.func @constant_inside(
// CHECK-COUNT-3: lambda.if %c : i1 -> f64 {
// CHECK:         return
func.func @constant_inside(%x: f64, %c: i1) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %y = lambda.if %c : i1 -> f64 {
      %two = arith.constant 2.0 : f64
      %b = arith.mulf %a, %two : f64
      lambda.yield %b : f64
    } else {
      lambda.yield %a : f64
    }
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// A check remains in the forward part, and passes the cotangent to the value that it returns.
// CHECK-LABEL: func.func @checked
// CHECK:         lambda.lambda (%[[A:.*]]: f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>> {
// CHECK:           %[[B:.*]] = lambda.check %{{.*}}, %[[A]] {code = "assertion", text = "x must be positive"} : (i1, f64) -> f64
// CHECK:           lambda.lambda (%[[D:.*]]: f64) -> tuple<!lambda.env, f64> {
// CHECK-NOT:         lambda.check
// CHECK:             %[[X:.*]] = arith.mulf %[[B]], %[[D]]
// CHECK:             arith.addf %[[X]], %{{.*}}
// SMALL-LABEL: func.func @checked
// SMALL:         %[[B:.*]] = lambda.check %{{.*}}, %x
// SMALL-NEXT:    %[[Z:.*]] = arith.addf %[[B]], %[[B]] : f64
// SMALL-NEXT:    return %[[Z]]
func.func @checked(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %zero = arith.constant 0.0 : f64
    %ok = arith.cmpf ogt, %a, %zero : f64
    %b = lambda.check %ok, %a {code = "assertion", text = "x must be positive"} : (i1, f64) -> f64
    %c = arith.mulf %b, %b : f64
    lambda.return %c : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
