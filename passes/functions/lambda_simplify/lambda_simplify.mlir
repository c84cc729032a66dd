// RUN: mlopt %s --lambda-simplify | FileCheck %s

// A function with a recursive tail call is a loop, in whichever branch the call is.
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

// A function that uses the result of the recursive call is not a loop.
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

// An elementwise function of arrays is an `array.build`; selected functions are called in the branch that selects them.
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

// An unused loop that may not terminate is kept; an unused loop that terminates is removed.
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

// A match on a known variant becomes its region; unused results of a match are removed.
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

// A function of the module with a recursive tail call is a loop too; a counted one has a known number of iterations.
// CHECK-LABEL: func.func @sum_below(
// CHECK:         %[[GOES:.*]] = arith.cmpi slt, %i, %n : i64
// CHECK:         %[[COUNT:.*]] = arith.select %[[GOES]], %{{.*}}, %{{.*}} : i64
// CHECK:         %[[Y:.*]] = lambda.for (%[[K:.*]] < %[[COUNT]]) iter_args(%[[A:.*]] = %a)
// CHECK:           %[[I:.*]] = arith.addi %i, %[[K]] : i64
// CHECK:           lambda.aget %x[%[[I]]]
// CHECK-NOT:     lambda.apply
// CHECK:         return %[[Y]]
func.func @sum_below(%i: i64, %n: i64, %x: tensor<?xf64>, %a: f64) -> f64 {
  %one = arith.constant 1 : i64
  %goes = arith.cmpi sgt, %n, %i : i64
  %y = lambda.if %goes : i1 -> f64 {
    %e = lambda.aget %x[%i] : (tensor<?xf64>, i64) -> f64
    %b = arith.addf %a, %e : f64
    %j = arith.addi %i, %one : i64
    %f = lambda.ref @sum_below : (i64, i64, tensor<?xf64>, f64) -> f64
    %z = lambda.apply %f(%j, %n, %x, %b) : (i64, i64, tensor<?xf64>, f64) -> f64
    lambda.yield %z : f64
  } else {
    lambda.yield %a : f64
  }
  return %y : f64
}

// Counted down to a bound in the condition, inclusive; the counter is used after the loop.
// CHECK-LABEL: func.func @down(
// CHECK:         %[[THREE:.*]] = arith.constant 3 : i64
// CHECK:         %[[D:.*]] = arith.subi %n, %[[THREE]] : i64
// CHECK:         %[[E:.*]] = arith.addi %[[D]], %{{.*}} : i64
// CHECK:         arith.cmpi sle, %[[THREE]], %n : i64
// CHECK:         %[[COUNT:.*]] = arith.select
// CHECK:         %[[LAST:.*]] = arith.subi %n, %[[COUNT]] : i64
// CHECK:         lambda.for (%{{.*}} < %[[COUNT]])
// CHECK:         lambda.tuple %[[LAST]], %
func.func @down(%n: i64, %x: f64) -> tuple<i64, f64> {
  %k, %y = lambda.while iter_args(%i = %n, %a = %x) : (i64, f64) -> (i64, f64) {
    %three = arith.constant 3 : i64
    %c = arith.cmpi sge, %i, %three : i64
    lambda.yield %c : i1
  } do (%i, %a) {
    %one = arith.constant 1 : i64
    %j = arith.subi %i, %one : i64
    %b = arith.mulf %a, %a : f64
    lambda.yield %j, %b : i64, f64
  }
  %t = lambda.tuple %k, %y : (i64, f64) -> tuple<i64, f64>
  return %t : tuple<i64, f64>
}

// A step of two, a variable bound, a step away from the bound: none of these loops is counted.
// CHECK-LABEL: func.func @no_count(
// CHECK-COUNT-3: lambda.while
// CHECK-NOT:     lambda.for
func.func @no_count(%n: i64, %x: f64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %p, %a = lambda.while iter_args(%i = %zero, %s = %x) : (i64, f64) -> (i64, f64) {
    %c = arith.cmpi slt, %i, %n : i64
    lambda.yield %c : i1
  } do (%i, %s) {
    %j = arith.addi %i, %two : i64
    %t = arith.mulf %s, %s : f64
    lambda.yield %j, %t : i64, f64
  }
  %q, %e, %b = lambda.while iter_args(%i = %zero, %m = %n, %s = %a) : (i64, i64, f64) -> (i64, i64, f64) {
    %c = arith.cmpi slt, %i, %m : i64
    lambda.yield %c : i1
  } do (%i, %m, %s) {
    %j = arith.addi %i, %one : i64
    %l = arith.subi %m, %one : i64
    %t = arith.mulf %s, %s : f64
    lambda.yield %j, %l, %t : i64, i64, f64
  }
  %r, %d = lambda.while iter_args(%i = %zero, %s = %b) : (i64, f64) -> (i64, f64) {
    %c = arith.cmpi slt, %i, %n : i64
    lambda.yield %c : i1
  } do (%i, %s) {
    %j = arith.subi %i, %one : i64
    %t = arith.mulf %s, %s : f64
    lambda.yield %j, %t : i64, f64
  }
  return %d : f64
}

// A costly value that the condition needs is computed once per iteration: the loop carries it.
// CHECK-LABEL: func.func @costly_before(
// CHECK:         %[[FIRST:.*]] = math.sin %x : f64
// CHECK:         %[[C:.*]] = arith.cmpf olt, %[[FIRST]],
// CHECK:         lambda.while iter_args(%{{.*}} = %[[FIRST]], %{{.*}} = %[[C]])
// CHECK-NOT:       math.sin
// CHECK:         do (%[[Y:.*]], %{{.*}}) {
// CHECK:           %[[NEXT:.*]] = math.exp %[[Y]] : f64
// CHECK:           %[[AGAIN:.*]] = math.sin %[[NEXT]] : f64
// CHECK:           %[[D:.*]] = arith.cmpf olt, %[[AGAIN]],
// CHECK:           lambda.yield %[[AGAIN]], %[[D]]
// CHECK-NOT:     math.sin
func.func @costly_before(%x: f64) -> f64 {
  %g = lambda.letrec {
    %go = lambda.lambda (%a: f64) -> f64 {
      %zero = arith.constant 0.0 : f64
      %y = math.sin %a : f64
      %c = arith.cmpf olt, %y, %zero : f64
      %r = lambda.if %c : i1 -> f64 {
        lambda.yield %y : f64
      } else {
        %n = math.exp %y : f64
        %z = lambda.apply %go(%n) : (f64) -> f64
        lambda.yield %z : f64
      }
      lambda.return %r : f64
    }
    lambda.yield %go : (f64) -> f64
  } : (f64) -> f64
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// A loop over a list literal of functions is unrolled, so that its functions are known.
// CHECK-LABEL: func.func @layers(
// CHECK-NEXT:    %[[A:.*]] = math.sin %x : f64
// CHECK-NEXT:    %[[B:.*]] = math.exp %[[A]] : f64
// CHECK-NEXT:    return %[[B]] : f64
func.func @layers(%x: f64) -> f64 {
  %sin = lambda.lambda (%v: f64) -> f64 {
    %w = math.sin %v : f64
    lambda.return %w : f64
  }
  %exp = lambda.lambda (%v: f64) -> f64 {
    %w = math.exp %v : f64
    lambda.return %w : f64
  }
  %through = lambda.lambda (%v: f64, %f: (f64) -> f64) -> f64 {
    %w = lambda.apply %f(%v) : (f64) -> f64
    lambda.return %w : f64
  }
  %none = lambda.nil : () -> !lambda.list<(f64) -> f64>
  %one = lambda.cons %exp, %none : ((f64) -> f64, !lambda.list<(f64) -> f64>) -> !lambda.list<(f64) -> f64>
  %two = lambda.cons %sin, %one : ((f64) -> f64, !lambda.list<(f64) -> f64>) -> !lambda.list<(f64) -> f64>
  %y = lambda.fold %through, %x, %two : ((f64, (f64) -> f64) -> f64, f64, !lambda.list<(f64) -> f64>) -> f64
  return %y : f64
}

// A function whose only call is in another function that calls it with its own arguments. The other one is called twice.
// CHECK-LABEL: func.func @renamed(
// CHECK-NEXT:    %[[A:.*]] = math.sin %x : f64
// CHECK-NEXT:    %[[B:.*]] = math.sin %[[A]] : f64
// CHECK-NEXT:    return %[[B]] : f64
func.func @renamed(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %g = lambda.lambda (%y: f64) -> f64 {
    %z = lambda.apply %f(%y) : (f64) -> f64
    lambda.return %z : f64
  }
  %a = lambda.apply %g(%x) : (f64) -> f64
  %b = lambda.apply %g(%a) : (f64) -> f64
  return %b : f64
}

// A function whose only call is in a loop that is unrolled.
// CHECK-LABEL: func.func @called_in_unrolled_loop(
// CHECK-NEXT:    %[[A:.*]] = math.sin %x : f64
// CHECK-NEXT:    %[[B:.*]] = arith.addf %x, %[[A]] : f64
// CHECK-NEXT:    %[[C:.*]] = math.sin %y : f64
// CHECK-NEXT:    %[[D:.*]] = arith.addf %[[B]], %[[C]] : f64
// CHECK-NEXT:    return %[[D]] : f64
func.func @called_in_unrolled_loop(%x: f64, %y: f64) -> f64 {
  %f = lambda.lambda (%v: f64) -> f64 {
    %w = math.sin %v : f64
    lambda.return %w : f64
  }
  %none = lambda.nil : () -> !lambda.list<f64>
  %one = lambda.cons %y, %none : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %two = lambda.cons %x, %one : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %r:2 = lambda.while iter_args(%l = %two, %s = %x) : (!lambda.list<f64>, f64) -> (!lambda.list<f64>, f64) {
    %end = lambda.is_empty %l : (!lambda.list<f64>) -> i1
    %true = arith.constant true
    %more = arith.xori %end, %true : i1
    lambda.yield %more : i1
  } do (%m, %t) {
    %v = lambda.head %m : (!lambda.list<f64>) -> f64
    %rest = lambda.tail %m : (!lambda.list<f64>) -> !lambda.list<f64>
    %w = lambda.apply %f(%v) : (f64) -> f64
    %u = arith.addf %t, %w : f64
    lambda.yield %rest, %u : !lambda.list<f64>, f64
  }
  return %r#1 : f64
}

// A function whose only call is in a recursive function that becomes a loop, before its decision.
// CHECK-LABEL: func.func @called_before_decision(
// CHECK:         math.sin
// CHECK:         lambda.while
// CHECK:           math.exp
// CHECK:           math.sin
// CHECK-NOT:     lambda.apply
// CHECK:         return
func.func @called_before_decision(%x: f64) -> f64 {
  %f = lambda.lambda (%v: f64) -> f64 {
    %w = math.sin %v : f64
    lambda.return %w : f64
  }
  %g = lambda.letrec {
    %go = lambda.lambda (%a: f64) -> f64 {
      %zero = arith.constant 0.0 : f64
      %y = lambda.apply %f(%a) : (f64) -> f64
      %c = arith.cmpf olt, %y, %zero : f64
      %r = lambda.if %c : i1 -> f64 {
        lambda.yield %y : f64
      } else {
        %n = math.exp %y : f64
        %z = lambda.apply %go(%n) : (f64) -> f64
        lambda.yield %z : f64
      }
      lambda.return %r : f64
    }
    lambda.yield %go : (f64) -> f64
  } : (f64) -> f64
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
