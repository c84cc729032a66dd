// RUN: mlopt %s --lambda-simplify | FileCheck %s

// A function that calls itself last is a loop, whichever branch it ends in.
// CHECK-LABEL: func.func @tail_call
// CHECK:         lambda.while iter_args(%[[A:.*]] = %x, %[[K:.*]] = %n) : (f64, i64) -> (f64, i64) {
// CHECK:           %[[END:.*]] = arith.cmpi eq, %[[K]], %{{.*}} : i64
// CHECK:           %[[MORE:.*]] = arith.xori %[[END]], %{{.*}} : i1
// CHECK-NEXT:      lambda.yield %[[MORE]] : i1
// CHECK-NEXT:    } do
// CHECK:           arith.subi
// CHECK:           math.sin
// CHECK-NOT:     lambda.apply
// CHECK:         return
func.func @tail_call(%x: f64, %n: i64) -> f64 {
  %f = lambda.letrec {
    %go = lambda.lambda (%a: f64, %k: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %y = lambda.if %end : i1 -> f64 {
        lambda.yield %a : f64
      } else {
        %one = arith.constant 1 : i64
        %l = arith.subi %k, %one : i64
        %b = math.sin %a : f64
        %r = lambda.apply %go(%b, %l) : (f64, i64) -> f64
        lambda.yield %r : f64
      }
      lambda.return %y : f64
    }
    lambda.yield %go : (f64, i64) -> f64
  } : (f64, i64) -> f64
  %y = lambda.apply %f(%x, %n) : (f64, i64) -> f64
  return %y : f64
}

// One that does something with what it is given back is none.
// CHECK-LABEL: func.func @no_tail_call
// CHECK-NOT:     lambda.while
// CHECK:         lambda.letrec
// CHECK:         return
func.func @no_tail_call(%x: f64, %n: i64) -> f64 {
  %f = lambda.letrec {
    %go = lambda.lambda (%k: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %y = lambda.if %end : i1 -> f64 {
        lambda.yield %x : f64
      } else {
        %one = arith.constant 1 : i64
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %go(%l) : (i64) -> f64
        %s = math.sin %r : f64
        lambda.yield %s : f64
      }
      lambda.return %y : f64
    }
    lambda.yield %go : (i64) -> f64
  } : (i64) -> f64
  %y = lambda.apply %f(%n) : (i64) -> f64
  return %y : f64
}

// A function of arrays, element by element, is an array that is built; functions that are chosen are called where they were chosen.
// CHECK-LABEL: func.func @mapped
// CHECK:         lambda.if %c : i1 -> tensor<3xf64> {
// CHECK-NEXT:      %[[B:.*]] = array.build (%[[I:.*]] < 3) -> (tensor<3xf64>) {
// CHECK-NEXT:        array.get %v[%[[I]]]
// CHECK-NEXT:        arith.mulf %x, %{{.*}} : f64
// CHECK:           lambda.yield %[[B]]
// CHECK-NOT:     lambda.map
// CHECK:         return
func.func @mapped(%x: f64, %v: tensor<3xf64>, %c: i1) -> tensor<3xf64> {
  %scale = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %x, %a : f64
    lambda.return %b : f64
  }
  %shift = lambda.lambda (%a: f64) -> f64 {
    %b = arith.addf %x, %a : f64
    lambda.return %b : f64
  }
  %all = lambda.lambda (%f: (f64) -> f64, %w: tensor<3xf64>) -> tensor<3xf64> {
    %y = lambda.map %f, %w : ((f64) -> f64, tensor<3xf64>) -> tensor<3xf64>
    lambda.return %y : tensor<3xf64>
  }
  %y = lambda.if %c : i1 -> tensor<3xf64> {
    %a = lambda.apply %all(%scale, %v) : ((f64) -> f64, tensor<3xf64>) -> tensor<3xf64>
    lambda.yield %a : tensor<3xf64>
  } else {
    %a = lambda.apply %all(%shift, %v) : ((f64) -> f64, tensor<3xf64>) -> tensor<3xf64>
    lambda.yield %a : tensor<3xf64>
  }
  return %y : tensor<3xf64>
}

// What may run for ever is waited for, though nobody reads what comes out; what ends is not.
// CHECK-LABEL: func.func @waits
// CHECK:         lambda.while
// CHECK-NOT:     lambda.for
// CHECK:         return %x
func.func @waits(%x: f64, %n: i64) -> f64 {
  %limit = arith.constant 1.0 : f64
  %w = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
    %c = arith.cmpf olt, %a, %limit : f64
    lambda.yield %c : i1
  } do (%b) {
    %d = arith.mulf %b, %b : f64
    lambda.yield %d : f64
  }
  %f = lambda.for (%i < %n) iter_args(%a = %x) : (i64, f64) -> (f64) {
    %b = arith.mulf %a, %a : f64
    lambda.yield %b : f64
  }
  return %x : f64
}

// A case of an alternative that is known is what belongs to it; what nobody reads of a case goes.
// CHECK-LABEL: func.func @known_alternative(
// CHECK-NEXT:    %[[Y:.*]] = arith.mulf %x, %x : f64
// CHECK-NEXT:    %[[Z:.*]] = lambda.case %t : !lambda.data<@tree> -> f64 {
// CHECK:         arith.addf %[[Y]], %[[Z]] : f64
lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
func.func @known_alternative(%x: f64, %t: !lambda.data<@tree>) -> f64 {
  %l = lambda.make leaf(%x) : (f64) -> !lambda.data<@tree>
  %y = lambda.case %l : !lambda.data<@tree> -> f64 {
    leaf(%a: f64) {
      %b = arith.mulf %a, %x : f64
      lambda.yield %b : f64
    }
    node(%a: !lambda.data<@tree>, %b: !lambda.data<@tree>) {
      lambda.yield %x : f64
    }
  }
  %z, %w = lambda.case %t : !lambda.data<@tree> -> f64, f64 {
    leaf(%a: f64) {
      %b = math.sin %a : f64
      lambda.yield %a, %b : f64, f64
    }
    node(%a: !lambda.data<@tree>, %b: !lambda.data<@tree>) {
      lambda.yield %x, %x : f64, f64
    }
  }
  %s = arith.addf %y, %z : f64
  return %s : f64
}
