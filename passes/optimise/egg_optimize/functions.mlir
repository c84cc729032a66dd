// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{code=functions}))' | FileCheck %s
// Functional code other than data: functions, conditionals, effects, ops that may stop. `rules/data.mlir` has the laws of data.

// Functions that are equal up to the names of parameters, with equal captures, are merged; others are not.
// CHECK-LABEL: func.func @equal_functions
// CHECK-COUNT-2: lambda.lambda
// CHECK-NOT:     lambda.lambda
// CHECK:         return
// CHECK-LABEL: func.func @different_functions
// CHECK-COUNT-2: lambda.lambda
// CHECK-NOT:     lambda.lambda
// CHECK:         return
func.func @equal_functions(%x: f64, %z: f64) -> tuple<(f64) -> f64, (f64) -> f64, (f64) -> f64> {
  %f = lambda.lambda (%y: f64) -> f64 {
    %a = arith.mulf %x, %y : f64
    lambda.return %a : f64
  }
  %g = lambda.lambda (%u: f64) -> f64 {
    %b = arith.mulf %x, %u : f64
    lambda.return %b : f64
  }
  %h = lambda.lambda (%u: f64) -> f64 {
    %b = arith.mulf %z, %u : f64
    lambda.return %b : f64
  }
  %t = lambda.tuple %f, %g, %h : ((f64) -> f64, (f64) -> f64, (f64) -> f64) -> tuple<(f64) -> f64, (f64) -> f64, (f64) -> f64>
  return %t : tuple<(f64) -> f64, (f64) -> f64, (f64) -> f64>
}

func.func @different_functions(%x: f64) -> tuple<(f64, f64) -> f64, (f64, f64) -> f64, f64> {
  %f = lambda.lambda (%y: f64, %u: f64) -> f64 {
    %a = arith.subf %y, %u : f64
    lambda.return %a : f64
  }
  %g = lambda.lambda (%y: f64, %u: f64) -> f64 {
    %a = arith.subf %u, %y : f64
    lambda.return %a : f64
  }
  %p = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %q = lambda.get %p[0] : (tuple<f64, f64>) -> f64
  %t = lambda.tuple %f, %g, %q : ((f64, f64) -> f64, (f64, f64) -> f64, f64) -> tuple<(f64, f64) -> f64, (f64, f64) -> f64, f64>
  return %t : tuple<(f64, f64) -> f64, (f64, f64) -> f64, f64>
}

// Functions of a group refer to each other: they are unchanged, even if they are equal.
// CHECK-LABEL: func.func @group
// CHECK:         %{{.*}}:2 = lambda.letrec
// CHECK-COUNT-2: lambda.lambda
// CHECK:         lambda.yield
func.func @group(%x: f64) -> f64 {
  %f, %g = lambda.letrec {
    %a = lambda.lambda (%y: f64) -> f64 {
      %t = lambda.tuple %y, %x : (f64, f64) -> tuple<f64, f64>
      %u = lambda.get %t[0] : (tuple<f64, f64>) -> f64
      %z = lambda.apply %a(%u) : (f64) -> f64
      lambda.return %z : f64
    }
    %b = lambda.lambda (%y: f64) -> f64 {
      %z = lambda.apply %a(%y) : (f64) -> f64
      lambda.return %z : f64
    }
    lambda.yield %a, %b : (f64) -> f64, (f64) -> f64
  } : (f64) -> f64, (f64) -> f64
  %p = lambda.apply %f(%x) : (f64) -> f64
  %q = lambda.apply %g(%x) : (f64) -> f64
  %r = arith.addf %p, %q : f64
  return %r : f64
}

// Calls with equal arguments are merged; an unused call is kept.
// CHECK-LABEL: func.func @calls
// CHECK-SAME:    %[[F:[a-z0-9]+]]: (f64) -> f64, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64
// CHECK-NEXT:    %[[A:.*]] = lambda.apply %[[F]](%[[X]])
// CHECK-NEXT:    lambda.apply %[[F]](%[[Y]])
// CHECK-NEXT:    %[[R:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT:    return %[[R]]
func.func @calls(%f: (f64) -> f64, %x: f64, %y: f64) -> f64 {
  %a = lambda.apply %f(%x) : (f64) -> f64
  %u = lambda.apply %f(%y) : (f64) -> f64
  %b = lambda.apply %f(%x) : (f64) -> f64
  %r = arith.addf %a, %b : f64
  return %r : f64
}

// A call is executed for both values of a condition: knowledge about the condition is not used in its arguments.
// CHECK-LABEL: func.func @call_of_condition
// CHECK-SAME:    %[[F:[a-z0-9]+]]: (i1) -> f64, %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    %[[A:.*]] = lambda.apply %[[F]](%[[C]])
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[C]], %[[A]], %[[X]]
// CHECK-NEXT:    return %[[R]]
func.func @call_of_condition(%f: (i1) -> f64, %c: i1, %x: f64) -> f64 {
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %a = lambda.apply %f(%c) : (i1) -> f64
  %r = lambda.switch %c, %a, %y : (i1, f64, f64) -> f64
  return %r : f64
}

// Ops with a token keep their order, and are not merged with equal ones.
// CHECK-LABEL: func.func @effects
// CHECK:         lambda.print
// CHECK:         lambda.print
// CHECK:         return
func.func @effects(%token: !lambda.token, %x: f64) -> tuple<f64, !lambda.token> {
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %a = lambda.print %token, %y : (!lambda.token, f64) -> !lambda.token
  %b = lambda.print %a, %x : (!lambda.token, f64) -> !lambda.token
  %r = lambda.tuple %x, %b : (f64, !lambda.token) -> tuple<f64, !lambda.token>
  return %r : tuple<f64, !lambda.token>
}

// A value that is read in the regions of an op that is kept is replaced there too.
// CHECK-LABEL: func.func @read_inside
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64) -> f64
// CHECK:         lambda.print %{{.*}}, %[[X]]
// CHECK-NEXT:    lambda.yield %[[X]]
func.func @read_inside(%token: !lambda.token, %c: i1, %d: i1, %x: f64) -> f64 {
  %r = lambda.if %c : i1 -> f64 {
    %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
    %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
    %s = lambda.if %d : i1 -> f64 {
      %p = lambda.print %token, %y : (!lambda.token, f64) -> !lambda.token
      lambda.yield %y : f64
    } else {
      lambda.yield %x : f64
    }
    lambda.yield %s : f64
  } else {
    lambda.yield %x : f64
  }
  %u = lambda.tuple %x, %r : (f64, f64) -> tuple<f64, f64>
  %v = lambda.get %u[1] : (tuple<f64, f64>) -> f64
  return %v : f64
}

// Conditionals with cheap arms are selections: the value of the condition is known in them.
// CHECK-LABEL: func.func @same_condition
// CHECK-NOT:     lambda.if
// CHECK-COUNT-1: arith.select
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @same_condition(%c: i1, %x: f64) -> f64 {
  %zero = dual.zero : f64
  %a = lambda.if %c : i1 -> f64 {
    lambda.yield %x : f64
  } else {
    lambda.yield %zero : f64
  }
  %b = lambda.if %c : i1 -> f64 {
    %u = arith.mulf %a, %x : f64
    lambda.yield %u : f64
  } else {
    lambda.yield %a : f64
  }
  return %b : f64
}

// An arm that may stop the program, or that is costly, is executed only under its condition.
// CHECK-LABEL: func.func @lazy
// CHECK-COUNT-2: lambda.if
// CHECK:         return
func.func @lazy(%c: i1, %x: f64, %l: !lambda.list<f64>) -> f64 {
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %a = lambda.if %c : i1 -> f64 {
    %h = lambda.head %l : (!lambda.list<f64>) -> f64
    lambda.yield %h : f64
  } else {
    lambda.yield %y : f64
  }
  %b = lambda.if %c : i1 -> f64 {
    %s = math.sin %x : f64
    lambda.yield %s : f64
  } else {
    lambda.yield %y : f64
  }
  %r = arith.addf %a, %b : f64
  return %r : f64
}

// Conditionals with the same code, of which one divides by a constant, and the other may divide by zero: it stays
// under its condition.
// CHECK-LABEL: func.func @may_trap
// CHECK-SAME:    (%[[C:[a-z0-9]+]]: i1,
// CHECK-COUNT-2: lambda.if %[[C]] : i1
// CHECK-NOT:     lambda.if
// CHECK:         return
func.func @may_trap(%c: i1, %x: i64, %n: i64) -> tuple<i64, i64, i64> {
  %two = arith.constant 2 : i64
  %p = lambda.if %c : i1 -> i64 {
    %a = arith.divsi %x, %two : i64
    %b = arith.divsi %a, %two : i64
    %d = arith.divsi %b, %two : i64
    lambda.yield %d : i64
  } else {
    lambda.yield %x : i64
  }
  %q = lambda.if %c : i1 -> i64 {
    %a = arith.divsi %x, %n : i64
    %b = arith.divsi %a, %n : i64
    %d = arith.divsi %b, %n : i64
    lambda.yield %d : i64
  } else {
    lambda.yield %x : i64
  }
  %r = lambda.switch %c, %q, %x : (i1, i64, i64) -> i64
  %u = lambda.tuple %r, %r : (i64, i64) -> tuple<i64, i64>
  %v = lambda.get %u[0] : (tuple<i64, i64>) -> i64
  %t = lambda.tuple %p, %v, %x : (i64, i64, i64) -> tuple<i64, i64, i64>
  return %t : tuple<i64, i64, i64>
}

// The rule that removes `lambda.stop_gradient` is used on request only.
// CHECK-LABEL: func.func @stopped
// CHECK:         lambda.stop_gradient
func.func @stopped(%x: f64) -> f64 {
  %y = lambda.stop_gradient %x : (f64) -> f64
  return %y : f64
}

// A read that may fail stays before a print.
// CHECK-LABEL: func.func @in_place
// CHECK:         lambda.aget
// CHECK:         lambda.print
// CHECK:         return
func.func @in_place(%token: !lambda.token, %a: tensor<3xf64>, %i: i64) -> tuple<f64, !lambda.token> {
  %x = lambda.aget %a[%i] : (tensor<3xf64>, i64) -> f64
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %y = lambda.get %t[1] : (tuple<f64, f64>) -> f64
  %p = lambda.print %token, %i : (!lambda.token, i64) -> !lambda.token
  %r = lambda.tuple %y, %p : (f64, !lambda.token) -> tuple<f64, !lambda.token>
  return %r : tuple<f64, !lambda.token>
}

// A loop that may not terminate is kept.
// CHECK-LABEL: func.func @endless
// CHECK:         lambda.while
// CHECK:         return
func.func @endless(%x: f64, %y: f64) -> f64 {
  %t = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  %u = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %w = lambda.while iter_args(%s = %x) : (f64) -> (f64) {
    %c = arith.cmpf olt, %s, %y : f64
    lambda.yield %c : i1
  } do (%s) {
    %n = arith.addf %s, %s : f64
    lambda.yield %n : f64
  }
  return %u : f64
}
