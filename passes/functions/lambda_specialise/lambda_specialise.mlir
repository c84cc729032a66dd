// RUN: mlopt %s --lambda-specialise | FileCheck %s
// RUN: mlopt %s --lambda-specialise=report=true 2>&1 | FileCheck %s --check-prefix=REPORT

// A name that is bound to a function is polymorphic: it has a type for each use.
// CHECK-LABEL: func.func @twice(%{{.*}}: f64) -> f64 {
// CHECK:         lambda.lambda (%{{.*}}: ((f64) -> f64) -> ((f64) -> f64)) -> ((f64) -> f64) -> ((f64) -> f64) {
// CHECK:         lambda.lambda (%{{.*}}: (f64) -> f64) -> (f64) -> f64 {
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK:         arith.mulf %{{.*}}, %[[TWO]] : f64
// REPORT:      remark: copies made for (((f64) -> f64) -> ((f64) -> f64)) -> (((f64) -> f64) -> ((f64) -> f64)) and for ((f64) -> f64) -> ((f64) -> f64)
func.func @twice(%x: f64) -> !lambda.any {
  %twice = lambda.lambda (%f: !lambda.any) -> !lambda.any {
    %g = lambda.lambda (%y: !lambda.any) -> !lambda.any {
      %a = lambda.apply %f(%y) : !lambda.any (!lambda.any) -> !lambda.any
      %b = lambda.apply %f(%a) : !lambda.any (!lambda.any) -> !lambda.any
      lambda.return %b : !lambda.any
    }
    lambda.return %g : (!lambda.any) -> !lambda.any
  }
  %two = lambda.literal 2.0 : f64 -> !lambda.any
  %double = lambda.lambda (%y: !lambda.any) -> !lambda.any {
    %a = lambda.prim "*"(%y, %two) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %a : !lambda.any
  }
  %tt = lambda.apply %twice(%twice) : (!lambda.any) -> !lambda.any ((!lambda.any) -> !lambda.any) -> !lambda.any
  %t4 = lambda.apply %tt(%double) : !lambda.any ((!lambda.any) -> !lambda.any) -> !lambda.any
  %r = lambda.apply %t4(%x) : !lambda.any (f64) -> !lambda.any
  return %r : !lambda.any
}
// Within a recursion a parameter of function type is monomorphic.
// CHECK-LABEL: func.func @capture_each
// CHECK:         lambda.letrec
// CHECK-NEXT:      lambda.lambda (%{{.*}}: i64, %{{.*}}: (f64) -> f64) -> f64 {
// CHECK:         } : (i64, (f64) -> f64) -> f64
func.func @capture_each(%x: f64) -> !lambda.any {
  %f = lambda.letrec {
    %f0 = lambda.lambda (%n: !lambda.any, %g: !lambda.any) -> !lambda.any {
      %z = lambda.literal 0 : i64 -> !lambda.any
      %c = lambda.prim "i="(%n, %z) : (!lambda.any, !lambda.any) -> !lambda.any
      %y = lambda.if %c : !lambda.any -> !lambda.any {
        %a = lambda.apply %g(%x) : !lambda.any (f64) -> !lambda.any
        lambda.yield %a : !lambda.any
      } else {
        %one = lambda.literal 1 : i64 -> !lambda.any
        %m = lambda.prim "i-"(%n, %one) : (!lambda.any, !lambda.any) -> !lambda.any
        %h = lambda.lambda (%u: !lambda.any) -> !lambda.any {
          %a = lambda.apply %g(%u) : !lambda.any (!lambda.any) -> !lambda.any
          %b = lambda.prim "*"(%x, %a) : (f64, !lambda.any) -> !lambda.any
          lambda.return %b : !lambda.any
        }
        %r = lambda.apply %f0(%m, %h) : (!lambda.any, !lambda.any) -> !lambda.any (!lambda.any, (!lambda.any) -> !lambda.any) -> !lambda.any
        lambda.yield %r : !lambda.any
      }
      lambda.return %y : !lambda.any
    }
    lambda.yield %f0 : (!lambda.any, !lambda.any) -> !lambda.any
  } : (!lambda.any, !lambda.any) -> !lambda.any
  %sq = lambda.lambda (%u: !lambda.any) -> !lambda.any {
    %b = lambda.prim "*"(%u, %u) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %b : !lambda.any
  }
  %three = lambda.literal 3 : i64 -> !lambda.any
  %r = lambda.apply %f(%three, %sq) : (!lambda.any, !lambda.any) -> !lambda.any (!lambda.any, (!lambda.any) -> !lambda.any) -> !lambda.any
  return %r : !lambda.any
}
// A gradient is an ordinary function.
// CHECK-LABEL: func.func @grad2
// CHECK:         lambda.grad %{{.*}} : ((f64) -> f64) -> ((f64) -> f64)
func.func @grad2(%x: f64) -> !lambda.any {
  %d = lambda.lambda (%f: !lambda.any) -> !lambda.any {
    %g = lambda.lambda (%u: !lambda.any) -> !lambda.any {
      %df = lambda.grad %f : (!lambda.any) -> !lambda.any
      %a = lambda.apply %df(%u) : !lambda.any (!lambda.any) -> !lambda.any
      lambda.return %a : !lambda.any
    }
    lambda.return %g : (!lambda.any) -> !lambda.any
  }
  %s = lambda.lambda (%z: !lambda.any) -> !lambda.any {
    %b = lambda.prim "*"(%z, %z) : (!lambda.any, !lambda.any) -> !lambda.any
    %c = lambda.prim "sin"(%b) : (!lambda.any) -> !lambda.any
    lambda.return %c : !lambda.any
  }
  %ds = lambda.apply %d(%s) : (!lambda.any) -> !lambda.any ((!lambda.any) -> !lambda.any) -> !lambda.any
  %dds = lambda.apply %d(%ds) : (!lambda.any) -> !lambda.any (!lambda.any) -> !lambda.any
  %r = lambda.apply %dds(%x) : !lambda.any (f64) -> !lambda.any
  return %r : !lambda.any
}

// A function of the module has a copy for each type of its calls; a walk is expanded, with its function for each type of leaf.
// CHECK-LABEL: func.func @steps
// CHECK-DAG:     lambda.ref @square{{.*}} : (f64) -> f64
// CHECK-DAG:     lambda.ref @square{{.*}} : (tensor<2xf64>) -> tensor<2xf64>
// CHECK:         lambda.field %{{.*}}["u"]
// CHECK:         lambda.apply %{{.*}}(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
// CHECK:         lambda.apply %{{.*}}(%{{.*}}, %{{.*}}) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK:         lambda.record
// CHECK-DAG:   func.func private @square{{.*}}(%{{.*}}: f64) -> f64
// CHECK-DAG:   func.func private @square{{.*}}(%{{.*}}: tensor<2xf64>) -> tensor<2xf64>
func.func private @square(%x: !lambda.any) -> !lambda.any {
  %y = lambda.prim "*"(%x, %x) : (!lambda.any, !lambda.any) -> !lambda.any
  return %y : !lambda.any
}
func.func @steps(%p: !lambda.record<"P", u: f64, v: tensor<2xf64>>) -> !lambda.any {
  %square = lambda.ref @square : !lambda.any
  %f = lambda.lambda (%a: !lambda.any, %b: !lambda.any) -> !lambda.any {
    %c = lambda.apply %square(%a) : !lambda.any (!lambda.any) -> !lambda.any
    %d = lambda.prim "-"(%c, %b) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %d : !lambda.any
  }
  %q = lambda.walk %f, %p, %p : ((!lambda.any, !lambda.any) -> !lambda.any, !lambda.record<"P", u: f64, v: tensor<2xf64>>, !lambda.record<"P", u: f64, v: tensor<2xf64>>) -> !lambda.any
  return %q : !lambda.any
}

// A function without ops of `lambda` that is used as a value has one copy.
// CHECK-LABEL: func.func @use_of_other(
// CHECK:         lambda.ref @other : (f64) -> f64
// CHECK:       func.func private @other(
// CHECK-NOT:   @other(
func.func private @other(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func @use_of_other(%x: f64) -> f64 {
  %f = lambda.ref @other : (f64) -> f64
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}
