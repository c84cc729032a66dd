// RUN: mlopt %s --closure-convert | FileCheck %s
// RUN: mlopt %s --closure-convert --verify-first-order | FileCheck %s

// A function that is only called becomes a function of the module. Its captures come first, in the order of first use; constants are cloned.
// CHECK-LABEL: func.func @lifted(%x: f64, %y: f64) -> f64 {
// CHECK-NEXT:    %[[A:.*]] = call @lifted.f(%y, %x, %x) : (f64, f64, f64) -> f64
// CHECK-NEXT:    return %[[A]]
// CHECK:       func.func private @lifted.f(%y: f64, %x: f64, %a: f64) -> f64 {
// CHECK-DAG:     arith.constant 2.0
// CHECK-DAG:     arith.mulf %y, %a
// CHECK-DAG:     arith.addf %{{.*}}, %x
func.func @lifted(%x: f64, %y: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %y, %a : f64
    %c = arith.addf %b, %x : f64
    %d = arith.mulf %c, %two : f64
    lambda.return %d : f64
  }
  %r = lambda.apply %f(%x) : (f64) -> f64
  return %r : f64
}

// A function also takes the captures of the functions that it calls.
// CHECK-LABEL: func.func @calls_another(
// CHECK:         call @calls_another.outer(%y, %x) : (f64, f64) -> f64
// CHECK:       func.func private @calls_another.outer(%y: f64, %{{.*}}: f64) -> f64 {
// CHECK-NEXT:    call @calls_another.inner(%y, %{{.*}}) : (f64, f64) -> f64
func.func @calls_another(%x: f64, %y: f64) -> f64 {
  %inner = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %y, %a : f64
    lambda.return %b : f64
  }
  %outer = lambda.lambda (%a: f64) -> f64 {
    %b = lambda.apply %inner(%a) : (f64) -> f64
    lambda.return %b : f64
  }
  %r = lambda.apply %outer(%x) : (f64) -> f64
  return %r : f64
}

// All functions of a group take the captures of the group, and call each other directly.
// CHECK-LABEL: func.func @grouped(
// CHECK:         call @grouped.even(%x, %y, %n) : (f64, f64, i64) -> f64
// CHECK:       func.func private @grouped.even(%x: f64, %y: f64, %k: i64) -> f64 {
// CHECK:         call @grouped.odd(%x, %y, %{{.*}}) : (f64, f64, i64) -> f64
// CHECK:       func.func private @grouped.odd(%x: f64, %y: f64, %k: i64) -> f64 {
// CHECK:         call @grouped.even(%x, %y, %{{.*}}) : (f64, f64, i64) -> f64
func.func @grouped(%x: f64, %y: f64, %n: i64) -> f64 {
  %even, %odd = lambda.letrec {
    %ev = lambda.lambda (%k: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %r = lambda.if %end : i1 -> f64 {
        lambda.yield %x : f64
      } else {
        %one = arith.constant 1 : i64
        %l = arith.subi %k, %one : i64
        %s = lambda.apply %od(%l) : (i64) -> f64
        %t = arith.mulf %s, %x : f64
        lambda.yield %t : f64
      }
      lambda.return %r : f64
    }
    %od = lambda.lambda (%k: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %r = lambda.if %end : i1 -> f64 {
        lambda.yield %y : f64
      } else {
        %one = arith.constant 1 : i64
        %l = arith.subi %k, %one : i64
        %s = lambda.apply %ev(%l) : (i64) -> f64
        %t = arith.addf %s, %y : f64
        lambda.yield %t : f64
      }
      lambda.return %r : f64
    }
    lambda.yield %ev, %od : (i64) -> f64, (i64) -> f64
  } : (i64) -> f64, (i64) -> f64
  %r = lambda.apply %even(%n) : (i64) -> f64
  return %r : f64
}

// The list contains one function only: its elements are the captures. A capture of unit type is not stored.
// CHECK-LABEL: func.func @one_function(%x: f64, %u: none) -> f64 {
// CHECK:         %[[NIL:.*]] = lambda.nil : () -> !lambda.list<f64>
// CHECK:         lambda.cons %x, %[[NIL]] : (f64, !lambda.list<f64>) -> !lambda.list<f64>
// CHECK:         %[[H:.*]] = lambda.head %{{.*}} : (!lambda.list<f64>) -> f64
// CHECK:         %[[U:.*]] = lambda.unit
// CHECK:         call @one_function.f(%[[U]], %[[H]], %x) : (none, f64, f64) -> f64
func.func @one_function(%x: f64, %u: none) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %t = lambda.tuple %u, %x : (none, f64) -> tuple<none, f64>
    %s = lambda.get %t[1] : (tuple<none, f64>) -> f64
    %b = arith.mulf %a, %s : f64
    lambda.return %b : f64
  }
  %nil = lambda.nil : () -> !lambda.list<(f64) -> f64>
  %l = lambda.cons %f, %nil : ((f64) -> f64, !lambda.list<(f64) -> f64>) -> !lambda.list<(f64) -> f64>
  %g = lambda.head %l : (!lambda.list<(f64) -> f64>) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// A chain of closures: a function whose captures contain its own class is a variant, even if it is the only one.
// CHECK-LABEL: func.func @chain(
// CHECK:         lambda.while iter_args(%{{.*}} = %{{.*}}, %[[G:.*]] = %{{.*}}) : (i64, !lambda.data<@[[CHAIN:closure[.0-9]*]]>)
// CHECK:         } do
// CHECK:           %[[NEXT:.*]] = lambda.make chain.next(%{{.*}}, %x) : (!lambda.data<@[[CHAIN]]>, f64) -> !lambda.data<@[[CHAIN]]>
// CHECK:         lambda.case %{{.*}} : !lambda.data<@[[CHAIN]]> -> f64
// CHECK-NEXT:      chain.first() {
// CHECK-NEXT:        call @chain.first(%x) : (f64) -> f64
// CHECK:           chain.next(%[[H:.*]]: !lambda.data<@[[CHAIN]]>, %[[C:.*]]: f64) {
// CHECK-NEXT:        call @chain.next(%[[H]], %[[C]], %x) : (!lambda.data<@[[CHAIN]]>, f64, f64) -> f64
// CHECK:       func.func private @chain.next(
// CHECK:         lambda.case %{{.*}} : !lambda.data<@[[CHAIN]]> -> f64
func.func @chain(%x: f64, %n: i64) -> f64 {
  %first = lambda.lambda (%u: f64) -> f64 {
    %v = arith.mulf %u, %u : f64
    lambda.return %v : f64
  }
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m, %g = lambda.while iter_args(%k = %n, %h = %first) : (i64, (f64) -> f64) -> (i64, (f64) -> f64) {
    %c = arith.cmpi sgt, %k, %zero : i64
    lambda.yield %c : i1
  } do (%k, %h) {
    %next = lambda.lambda (%u: f64) -> f64 {
      %v = lambda.apply %h(%u) : (f64) -> f64
      %w = arith.mulf %x, %v : f64
      lambda.return %w : f64
    }
    %l = arith.subi %k, %one : i64
    lambda.yield %l, %next : i64, (f64) -> f64
  }
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// A function of a group that is a value in the group is constructed there from the captures of the group: no closure contains itself.
// CHECK-LABEL: func.func @itself(
// CHECK:         %[[T:.*]] = call @itself.f(%x, %n) : (f64, i64) -> tuple<f64, !lambda.list<f64>>
// CHECK:         %[[G:.*]] = lambda.head %{{.*}} : (!lambda.list<f64>) -> f64
// CHECK:         call @itself.first(%[[G]], %n) : (f64, i64) -> f64
// CHECK:       func.func private @itself.f(%x: f64, %k: i64) -> tuple<f64, !lambda.list<f64>>
// CHECK:         lambda.cons %x, %{{.*}} : (f64, !lambda.list<f64>) -> !lambda.list<f64>
// CHECK:         call @itself.f(%x, %{{.*}}) : (f64, i64) -> tuple<f64, !lambda.list<f64>>
func.func @itself(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1 : i64
  %f = lambda.letrec {
    %go = lambda.lambda (%k: i64) -> tuple<f64, !lambda.list<(i64) -> f64>> {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %r = lambda.if %end : i1 -> tuple<f64, !lambda.list<(i64) -> f64>> {
        %first = lambda.lambda (%j: i64) -> f64 {
          %s = lambda.apply %go(%j) : (i64) -> tuple<f64, !lambda.list<(i64) -> f64>>
          %y = lambda.get %s[0] : (tuple<f64, !lambda.list<(i64) -> f64>>) -> f64
          lambda.return %y : f64
        }
        %nil = lambda.nil : () -> !lambda.list<(i64) -> f64>
        %l = lambda.cons %first, %nil : ((i64) -> f64, !lambda.list<(i64) -> f64>) -> !lambda.list<(i64) -> f64>
        %t = lambda.tuple %x, %l : (f64, !lambda.list<(i64) -> f64>) -> tuple<f64, !lambda.list<(i64) -> f64>>
        lambda.yield %t : tuple<f64, !lambda.list<(i64) -> f64>>
      } else {
        %l = arith.subi %k, %one : i64
        %s = lambda.apply %go(%l) : (i64) -> tuple<f64, !lambda.list<(i64) -> f64>>
        %g = lambda.get %s[1] : (tuple<f64, !lambda.list<(i64) -> f64>>) -> !lambda.list<(i64) -> f64>
        %t = lambda.tuple %x, %g : (f64, !lambda.list<(i64) -> f64>) -> tuple<f64, !lambda.list<(i64) -> f64>>
        lambda.yield %t : tuple<f64, !lambda.list<(i64) -> f64>>
      }
      lambda.return %r : tuple<f64, !lambda.list<(i64) -> f64>>
    }
    lambda.yield %go : (i64) -> tuple<f64, !lambda.list<(i64) -> f64>>
  } : (i64) -> tuple<f64, !lambda.list<(i64) -> f64>>
  %t = lambda.apply %f(%n) : (i64) -> tuple<f64, !lambda.list<(i64) -> f64>>
  %l = lambda.get %t[1] : (tuple<f64, !lambda.list<(i64) -> f64>>) -> !lambda.list<(i64) -> f64>
  %g = lambda.head %l : (!lambda.list<(i64) -> f64>) -> ((i64) -> f64)
  %y = lambda.apply %g(%n) : (i64) -> f64
  return %y : f64
}

// A function that passes itself to another function.
// CHECK-LABEL: func.func @hands_itself(
// CHECK:         call @hands_itself.f(%x, %n) : (f64, i64) -> f64
// CHECK:       func.func private @hands_itself.f(%x: f64, %k: i64) -> f64 {
// CHECK:         call @hands_itself.c(%x, %x, %{{.*}}) : (f64, f64, i64) -> f64
// CHECK:       func.func private @hands_itself.c(%x: f64, %h: f64, %j: i64) -> f64 {
// CHECK:         call @hands_itself.f(%h, %j) : (f64, i64) -> f64
func.func @hands_itself(%x: f64, %n: i64) -> f64 {
  %f, %c = lambda.letrec {
    %go = lambda.lambda (%k: i64) -> f64 {
      %zero = arith.constant 0 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %r = lambda.if %end : i1 -> f64 {
        lambda.yield %x : f64
      } else {
        %one = arith.constant 1 : i64
        %l = arith.subi %k, %one : i64
        %s = lambda.apply %call(%go, %l) : ((i64) -> f64, i64) -> f64
        %t = arith.mulf %x, %s : f64
        lambda.yield %t : f64
      }
      lambda.return %r : f64
    }
    %call = lambda.lambda (%h: (i64) -> f64, %j: i64) -> f64 {
      %s = lambda.apply %h(%j) : (i64) -> f64
      lambda.return %s : f64
    }
    lambda.yield %go, %call : (i64) -> f64, ((i64) -> f64, i64) -> f64
  } : (i64) -> f64, ((i64) -> f64, i64) -> f64
  %y = lambda.apply %f(%n) : (i64) -> f64
  return %y : f64
}

// No function reaches the call: the list is empty, and the call is unreachable.
// CHECK-LABEL: func.func @nothing_to_call(
// CHECK:         %[[F:.*]] = lambda.head %{{.*}} : (!lambda.list<!lambda.data<@never>>) -> !lambda.data<@never>
// CHECK:         lambda.case %[[F]] : !lambda.data<@never> -> f64
// CHECK-NEXT:    return
func.func @nothing_to_call(%x: f64) -> f64 {
  %l = lambda.nil : () -> !lambda.list<(f64) -> f64>
  %f = lambda.head %l : (!lambda.list<(f64) -> f64>) -> ((f64) -> f64)
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// Environments: a number without a value under its key is zero, an array may be absent.
// CHECK-LABEL: func.func @environments(
// CHECK:         lambda.if %c : i1 -> tuple<!lambda.data<@maybe>, f64> {
// CHECK-NEXT:      %[[NONE:.*]] = lambda.make none() : () -> !lambda.data<@maybe>
// CHECK-NEXT:      %[[P:.*]] = lambda.tuple %[[NONE]], %x
// CHECK-NEXT:      lambda.yield %[[P]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[ZERO:.*]] = dual.zero : f64
// CHECK-NEXT:      %[[SOME:.*]] = lambda.make some(%v) : (tensor<3xf64>) -> !lambda.data<@maybe>
// CHECK-NEXT:      %[[Q:.*]] = lambda.tuple %[[SOME]], %[[ZERO]]
// CHECK-NEXT:      lambda.yield %[[Q]]
// CHECK:         call @sum.maybe(
// CHECK:         lambda.case %{{.*}} : !lambda.data<@maybe> -> tensor<3xf64>
// CHECK-NEXT:      none() {
// CHECK-NEXT:        lambda.yield %v : tensor<3xf64>
// CHECK:           some(%[[V:.*]]: tensor<3xf64>) {
// CHECK-NEXT:        lambda.yield %[[V]] : tensor<3xf64>
func.func @environments(%c: i1, %x: f64, %v: tensor<3xf64>) -> tuple<f64, tensor<3xf64>> {
  %empty = lambda.env.empty : () -> !lambda.env
  %e = lambda.if %c : i1 -> !lambda.env {
    %p = lambda.env.set %empty["x"], %x : (!lambda.env, f64) -> !lambda.env
    lambda.yield %p : !lambda.env
  } else {
    %p = lambda.env.set %empty["v"], %v : (!lambda.env, tensor<3xf64>) -> !lambda.env
    lambda.yield %p : !lambda.env
  }
  %d = lambda.env.add %e, %e : (!lambda.env, !lambda.env) -> !lambda.env
  %zero = dual.zero : f64
  %a = lambda.env.get %d["x"], %zero : (!lambda.env, f64) -> f64
  %b = lambda.env.get %d["v"], %v : (!lambda.env, tensor<3xf64>) -> tensor<3xf64>
  %t = lambda.tuple %a, %b : (f64, tensor<3xf64>) -> tuple<f64, tensor<3xf64>>
  return %t : tuple<f64, tensor<3xf64>>
}

// An environment that contains another one of its class contains it as a variant.
// CHECK-LABEL: func.func @nested(
// CHECK:         lambda.for (%{{.*}} < %n) iter_args(%[[E:.*]] = %{{.*}}) : (i64, tuple<!lambda.data<@[[MAYBE:maybe[.0-9]*]]>, f64>) -> (tuple<!lambda.data<@[[MAYBE]]>, f64>) {
// CHECK:           lambda.make some(%[[E]]) : (tuple<!lambda.data<@[[MAYBE]]>, f64>) -> !lambda.data<@[[MAYBE]]>
func.func @nested(%x: f64, %n: i64) -> f64 {
  %empty = lambda.env.empty : () -> !lambda.env
  %e = lambda.for (%i < %n) iter_args(%e = %empty) : (i64, !lambda.env) -> (!lambda.env) {
    %in = lambda.env.empty : () -> !lambda.env
    %p = lambda.env.set %in["g"], %e : (!lambda.env, !lambda.env) -> !lambda.env
    %q = lambda.env.set %p["x"], %x : (!lambda.env, f64) -> !lambda.env
    lambda.yield %q : !lambda.env
  }
  %none = lambda.env.empty : () -> !lambda.env
  %g = lambda.env.get %e["g"], %none : (!lambda.env, !lambda.env) -> !lambda.env
  %both = lambda.env.add %e, %g : (!lambda.env, !lambda.env) -> !lambda.env
  %zero = dual.zero : f64
  %y = lambda.env.get %both["x"], %zero : (!lambda.env, f64) -> f64
  return %y : f64
}

// A generated function adds tangents of lists, element by element.
// CHECK-LABEL: func.func @list_sums(
// CHECK:         call @zeros.list(%a) : (!lambda.list<f64>) -> !lambda.list<f64>
// CHECK:         call @sum.list(%a, %{{.*}}) : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
// CHECK:         call @sum.list(
func.func @list_sums(%a: !lambda.list<f64>, %b: !lambda.list<f64>) -> !lambda.list<f64> {
  %z = lambda.zeros_like %a : (!lambda.list<f64>) -> !lambda.list<f64>
  %c = lambda.gadd %a, %z : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  %d = lambda.gadd %c, %b : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  return %d : !lambda.list<f64>
}

// A task runs a function of the module, whose captures come after its token.
// CHECK-LABEL: func.func @tasks(
// CHECK:         lambda.spawn %t, %x, %y {callee = @tasks.work, device = "cpu:1"} : (!lambda.token, f64, f64)
// CHECK:       func.func private @tasks.work(%{{.*}}: !lambda.token, %x: f64, %a: f64) -> f64
func.func @tasks(%t: !lambda.token, %x: f64, %y: f64) -> tuple<f64, !lambda.token> {
  %work = lambda.lambda (%s: !lambda.token, %a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %h = lambda.spawn %t, %work, %y {device = "cpu:1"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  %task = lambda.get %h[0] : (tuple<!lambda.task<f64>, !lambda.token>) -> !lambda.task<f64>
  %next = lambda.get %h[1] : (tuple<!lambda.task<f64>, !lambda.token>) -> !lambda.token
  %r = lambda.join %next, %task : (!lambda.token, !lambda.task<f64>) -> tuple<f64, !lambda.token>
  return %r : tuple<f64, !lambda.token>
}

// A task of a selected function is started in the branch that selects it.
// CHECK-LABEL: func.func @chosen_tasks(
// CHECK:         lambda.case %{{.*}} : !lambda.data<@{{closure[.0-9]*}}> -> tuple<!lambda.task<f64>, !lambda.token> {
// CHECK-NEXT:      chosen_tasks.scale(%[[X:.*]]: f64) {
// CHECK-NEXT:        lambda.spawn %t, %[[X]], %x {callee = @chosen_tasks.scale, device = "cpu:1"} : (!lambda.token, f64, f64)
// CHECK:           chosen_tasks.same() {
// CHECK-NEXT:        lambda.spawn %t, %x {callee = @chosen_tasks.same, device = "cpu:1"} : (!lambda.token, f64)
func.func @chosen_tasks(%t: !lambda.token, %x: f64, %c: i1) -> tuple<!lambda.task<f64>, !lambda.token> {
  %scale = lambda.lambda (%s: !lambda.token, %y: f64) -> f64 {
    %z = arith.mulf %x, %y : f64
    lambda.return %z : f64
  }
  %same = lambda.lambda (%s: !lambda.token, %y: f64) -> f64 {
    lambda.return %y : f64
  }
  %g = lambda.switch %c, %scale, %same : (i1, (!lambda.token, f64) -> f64, (!lambda.token, f64) -> f64) -> ((!lambda.token, f64) -> f64)
  %h = lambda.spawn %t, %g, %x {device = "cpu:1"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  return %h : tuple<!lambda.task<f64>, !lambda.token>
}

// Functions of the module as values, one of them without ops of our dialects; a fold of a selected function is a loop.
// CHECK-LABEL: func.func @references(
// CHECK:         %[[F:.*]] = lambda.switch %c, %{{.*}}, %{{.*}} : (i1, !lambda.data<@[[REF:closure[.0-9]*]]>, !lambda.data<@[[REF]]>) -> !lambda.data<@[[REF]]>
// CHECK:         lambda.while
// CHECK:         } do
// CHECK:           lambda.case %[[F]] : !lambda.data<@[[REF]]> -> f64
// CHECK-NEXT:        plus() {
// CHECK-NEXT:          call @plus(
// CHECK:             times() {
// CHECK-NEXT:          call @times(
// CHECK-NOT:     lambda.fold
func.func private @plus(%a: f64, %b: f64) -> f64 {
  %c = arith.addf %a, %b : f64
  return %c : f64
}
func.func private @times(%a: f64, %b: f64) -> f64 {
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
func.func @references(%c: i1, %l: !lambda.list<f64>, %x: f64) -> f64 {
  %plus = lambda.ref @plus : (f64, f64) -> f64
  %times = lambda.ref @times : (f64, f64) -> f64
  %f = lambda.switch %c, %plus, %times : (i1, (f64, f64) -> f64, (f64, f64) -> f64) -> ((f64, f64) -> f64)
  %y = lambda.fold %f, %x, %l : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> f64
  return %y : f64
}

// A higher-order function that is called is monomorphic: its parameter is the set of all functions passed to it.
// CHECK-LABEL: func.func private @twice(
// CHECK-SAME:    %f: !lambda.data<@[[TWICE:closure[.0-9]*]]>, %x: f64) -> f64
// CHECK:         lambda.case %f : !lambda.data<@[[TWICE]]> -> f64
func.func private @twice(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = lambda.apply %f(%x) : (f64) -> f64
  %z = lambda.apply %f(%y) : (f64) -> f64
  return %z : f64
}
// CHECK-LABEL: func.func @uses_twice(
// CHECK-NEXT:    %sin = lambda.make uses_twice.sin() : () -> !lambda.data<@[[TWICE]]>
// CHECK-NEXT:    %scale = lambda.make uses_twice.scale(%x) : (f64) -> !lambda.data<@[[TWICE]]>
// CHECK-NEXT:    %y = call @twice(%sin, %x)
// CHECK-NEXT:    %z = call @twice(%scale, %y)
// CHECK-NEXT:    return %z
func.func @uses_twice(%x: f64) -> f64 {
  %sin = lambda.lambda (%a: f64) -> f64 {
    %b = math.sin %a : f64
    lambda.return %b : f64
  }
  %scale = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %twice = lambda.ref @twice : ((f64) -> f64, f64) -> f64
  %y = func.call @twice(%sin, %x) : ((f64) -> f64, f64) -> f64
  %z = lambda.apply %twice(%scale, %y) : ((f64) -> f64, f64) -> f64
  return %z : f64
}

// Functions that are no longer called are removed.
// CHECK-NOT: @forgotten
func.func private @forgotten(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// Functions that call each other in tail position become one loop. It carries the next function, the arguments of all, and the result. Arguments that
// all pass on unchanged, here %x, stay outside.
// CHECK-LABEL: func.func @states(
// CHECK:         call @states.up(%x, %n, %x) : (f64, i64, f64) -> f64
// CHECK:       func.func private @states.up(%x: f64, %k: i64, %a: f64) -> f64 {
// CHECK-NEXT:    %[[UP:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[K:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[R:.*]] = arith.constant 0.0
// CHECK-NEXT:    %[[Y:.*]] = call @states.up.loop(%x, %[[UP]], %k, %a, %[[K]], %[[R]])
// CHECK-NEXT:    return %[[Y]]
// CHECK:       func.func private @states.down(%x: f64, %k: i64) -> f64 {
// CHECK-NEXT:    %[[DOWN:.*]] = arith.constant 1 : i64
// CHECK:         call @states.up.loop(%x, %[[DOWN]], %{{.*}}, %{{.*}}, %k, %{{.*}})
func.func @states(%x: f64, %n: i64) -> f64 {
  %up, %down = lambda.letrec {
    %up = lambda.lambda (%k: i64, %a: f64) -> f64 {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %end = arith.cmpi eq, %k, %zero : i64
      %l = arith.subi %k, %one : i64
      %r = lambda.if %end : i1 -> f64 {
        %z = arith.mulf %a, %x : f64
        lambda.yield %z : f64
      } else {
        %two = arith.constant 2 : i64
        %c = arith.cmpi slt, %k, %two : i64
        %s = lambda.if %c : i1 -> f64 {
          %t = lambda.apply %down(%l) : (i64) -> f64
          lambda.yield %t : f64
        } else {
          %b = math.sin %a : f64
          %t = lambda.apply %up(%l, %b) : (i64, f64) -> f64
          lambda.yield %t : f64
        }
        lambda.yield %s : f64
      }
      lambda.return %r : f64
    }
    %down = lambda.lambda (%k: i64) -> f64 {
      %r = lambda.apply %up(%k, %x) : (i64, f64) -> f64
      lambda.return %r : f64
    }
    lambda.yield %up, %down : (i64, f64) -> f64, (i64) -> f64
  } : (i64, f64) -> f64, (i64) -> f64
  %y = lambda.apply %up(%n, %x) : (i64, f64) -> f64
  return %y : f64
}

// A function of the module that is a loop by itself: %ten is invariant.
// CHECK-LABEL: func.func private @digits(%k: i64, %ten: i64, %sofar: i64) -> i64 {
// CHECK-NEXT:    %[[NONE:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[YES:.*]] = arith.constant true
// CHECK-NEXT:    %{{.*}}, %{{.*}}, %{{.*}}, %[[RESULT:.*]] = lambda.while iter_args(%[[MORE:.*]] = %[[YES]], %{{.*}} = %k, %{{.*}} = %sofar, %{{.*}} = %[[NONE]])
// CHECK-NEXT:      lambda.yield %[[MORE]] : i1
// CHECK-NEXT:    } do (%{{.*}}, %[[K:.*]], %[[SOFAR:.*]], %[[R:.*]]) {
// CHECK:           lambda.if %{{.*}} : i1 -> i1, i64, i64, i64 {
// CHECK-NEXT:        %[[NO:.*]] = arith.constant false
// CHECK-NEXT:        lambda.yield %[[NO]], %[[K]], %[[SOFAR]], %[[SOFAR]]
// CHECK:           } else {
// CHECK:             %[[L:.*]] = arith.divsi %[[K]], %ten
// CHECK:             %[[S:.*]] = arith.addi %[[SOFAR]]
// CHECK:             %[[AGAIN:.*]] = arith.constant true
// CHECK-NEXT:        lambda.yield %[[AGAIN]], %[[L]], %[[S]], %[[R]]
// CHECK-NOT:     call @digits(
// CHECK:         return %[[RESULT]]
func.func private @digits(%k: i64, %ten: i64, %sofar: i64) -> i64 {
  %end = arith.cmpi slt, %k, %ten : i64
  %r = lambda.if %end : i1 -> i64 {
    lambda.yield %sofar : i64
  } else {
    %l = arith.divsi %k, %ten : i64
    %one = arith.constant 1 : i64
    %s = arith.addi %sofar, %one : i64
    %f = lambda.ref @digits : (i64, i64, i64) -> i64
    %t = lambda.apply %f(%l, %ten, %s) : (i64, i64, i64) -> i64
    lambda.yield %t : i64
  }
  return %r : i64
}

// The result has a type without a placeholder value: the loop carries a variant.
// CHECK-LABEL: func.func private @halves(%n: i64, %a: tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:    %[[S:.*]] = lambda.make halves(%n, %a) : (i64, tensor<?xf64>) -> !lambda.data<@halves.state>
// CHECK-NEXT:    %[[YES:.*]] = arith.constant true
// CHECK-NEXT:    %{{.*}}, %[[END:.*]] = lambda.while iter_args(%[[MORE:.*]] = %[[YES]], %{{.*}} = %[[S]])
// CHECK-NEXT:      lambda.yield %[[MORE]] : i1
// CHECK-NEXT:    } do (%{{.*}}, %[[STATE:.*]]) {
// CHECK-NEXT:      lambda.case %[[STATE]] : !lambda.data<@halves.state> -> i1, !lambda.data<@halves.state> {
// CHECK-NEXT:        halves(%[[N:.*]]: i64, %[[A:.*]]: tensor<?xf64>) {
// CHECK:               lambda.if %{{.*}} : i1 -> i1, !lambda.data<@halves.state> {
// CHECK-NEXT:            arith.constant false
// CHECK-NEXT:            lambda.make done(%[[A]])
// CHECK:               } else {
// CHECK:                 lambda.make halves(
// CHECK:             done(%{{.*}}: tensor<?xf64>) {
// CHECK-NEXT:          lambda.unreachable{{ *}}: () -> i1
// CHECK:         lambda.case %[[END]] : !lambda.data<@halves.state> -> tensor<?xf64> {
// CHECK:           halves(
// CHECK-NEXT:        lambda.unreachable{{ *}}: () -> tensor<?xf64>
// CHECK:           done(%[[Y:.*]]: tensor<?xf64>) {
// CHECK-NEXT:        lambda.yield %[[Y]]
func.func private @halves(%n: i64, %a: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %end = arith.cmpi eq, %n, %zero : i64
  %r = lambda.if %end : i1 -> tensor<?xf64> {
    lambda.yield %a : tensor<?xf64>
  } else {
    %one = arith.constant 1 : i64
    %l = arith.subi %n, %one : i64
    %b = arith.addf %a, %a : tensor<?xf64>
    %f = lambda.ref @halves : (i64, tensor<?xf64>) -> tensor<?xf64>
    %t = lambda.apply %f(%l, %b) : (i64, tensor<?xf64>) -> tensor<?xf64>
    lambda.yield %t : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// One call has more than eight callees.
// CHECK-LABEL: func.func @many(
// CHECK-NOT:     lambda.case
// CHECK:         call @[[MANY:apply.closure[.0-9]*]](%{{.*}}, %x) : (!lambda.data<@[[DATA:closure[.0-9]*]]>, f64) -> f64
// CHECK:         call @[[MANY]](
// CHECK:       func.func private @[[MANY]](%f: !lambda.data<@[[DATA]]>, %[[A:.*]]: f64) -> f64 {
// CHECK-NEXT:    lambda.case %f : !lambda.data<@[[DATA]]> -> f64 {
// CHECK:           many.f8(%[[X:.*]]: f64) {
// CHECK-NEXT:        call @many.f8(%[[X]], %[[A]]) : (f64, f64) -> f64
func.func @many(%x: f64, %c: i1) -> f64 {
  %f0 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f1 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f2 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f3 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f4 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f5 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f6 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f7 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %f8 = lambda.lambda (%a: f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    lambda.return %b : f64
  }
  %g1 = lambda.switch %c, %f0, %f1 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g2 = lambda.switch %c, %g1, %f2 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g3 = lambda.switch %c, %g2, %f3 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g4 = lambda.switch %c, %g3, %f4 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g5 = lambda.switch %c, %g4, %f5 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g6 = lambda.switch %c, %g5, %f6 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g7 = lambda.switch %c, %g6, %f7 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %g8 = lambda.switch %c, %g7, %f8 : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g8(%x) : (f64) -> f64
  %z = lambda.apply %g1(%y) : (f64) -> f64
  return %z : f64
}
