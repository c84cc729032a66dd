// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// Every op is preserved by printing and parsing.

// CHECK-LABEL: func.func @power(
func.func @power(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  // CHECK: lambda.letrec {
  // CHECK-NEXT: lambda.lambda (%{{.*}}: i64) -> f64 {
  // CHECK: lambda.if %{{.*}} : i1 -> f64 {
  // CHECK-NEXT: lambda.yield %{{.*}} : f64
  // CHECK-NEXT: } else {
  // CHECK: lambda.apply %{{.*}}(%{{.*}}) : (i64) -> f64
  // CHECK: lambda.return %{{.*}} : f64
  // CHECK: lambda.yield %{{.*}} : (i64) -> f64
  // CHECK-NEXT: } : (i64) -> f64
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
  // CHECK: lambda.lambda (%{{.*}}: f64) -> (f64) -> f64 {
  // CHECK-NEXT: lambda.lambda (%{{.*}}: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> (f64) -> f64 {
    %g = lambda.lambda (%b: f64) -> f64 {
      %c = arith.addf %a, %b : f64
      lambda.return %c : f64
    }
    lambda.return %g : (f64) -> f64
  }
  // CHECK: lambda.apply %{{.*}}(%{{.*}}) : (f64) -> ((f64) -> f64)
  %i = lambda.apply %f(%x) : (f64) -> ((f64) -> f64)
  %l = lambda.apply %i(%y) : (f64) -> f64
  // CHECK: lambda.switch %{{.*}}, %{{.*}}, %{{.*}} : (i1, f64, f64) -> f64
  %true = arith.constant true
  %sw = lambda.switch %true, %x, %y : (i1, f64, f64) -> f64
  // CHECK: lambda.while iter_args(%{{.*}} = %{{.*}}) : (f64) -> (f64) {
  // CHECK: } do (%{{.*}}) {
  %w = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
    %c = arith.cmpf olt, %a, %l : f64
    lambda.yield %c : i1
  } do (%b) {
    %d = arith.mulf %b, %b : f64
    lambda.yield %d : f64
  }
  // CHECK: lambda.for (%{{.*}} < %{{.*}}) iter_args(%{{.*}} = %{{.*}}) : (i64, f64) -> (f64) {
  %z = lambda.for (%j < %n) iter_args(%a = %w) : (i64, f64) -> (f64) {
    %b = arith.addf %a, %one : f64
    lambda.yield %b : f64
  }
  %r = lambda.record %z, %z : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
  %u = lambda.field %r["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  %lit = lambda.literal 2.0 : f64 -> !lambda.any
  %q = lambda.prim "+"(%lit, %u) : (!lambda.any, f64) -> !lambda.any
  // CHECK: lambda.ref @power : !lambda.any
  // CHECK-NEXT: lambda.apply %{{.*}}(%{{.*}}, %{{.*}}) : !lambda.any (!lambda.any, i64) -> f64
  %an = lambda.ref @power : !lambda.any
  %ap = lambda.apply %an(%q, %n) : !lambda.any (!lambda.any, i64) -> f64
  // The type of a call may be more specific than that of the callee.
  %open = lambda.lambda (%a: !lambda.any) -> !lambda.any {
    lambda.return %a : !lambda.any
  }
  // CHECK: lambda.apply %{{.*}}(%{{.*}}) : (!lambda.any) -> !lambda.any (f64) -> f64
  %closed = lambda.apply %open(%ap) : (!lambda.any) -> !lambda.any (f64) -> f64
  return %closed : f64
}
func.func @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
// CHECK-LABEL: func.func @data(
func.func @data(%x: f64, %n: i64) {
  // CHECK: lambda.unit
  %u = lambda.unit
  // CHECK: lambda.literal 2.000000e+00 : f64 -> !lambda.any
  %open = lambda.literal 2.000000e+00 : f64 -> !lambda.any
  // CHECK: lambda.literal "text" -> !lambda.str
  %text = lambda.literal "text" -> !lambda.str
  // CHECK: lambda.the %{{.*}} {type = f64} : (!lambda.any) -> !lambda.any
  %y = lambda.the %open {type = f64} : (!lambda.any) -> !lambda.any
  // CHECK: lambda.tuple %{{.*}}, %{{.*}} : (f64, i64) -> tuple<f64, i64>
  %t = lambda.tuple %x, %n : (f64, i64) -> tuple<f64, i64>
  // CHECK: lambda.get %{{.*}}[0] : (tuple<f64, i64>) -> f64
  %a = lambda.get %t[0] : (tuple<f64, i64>) -> f64
  // CHECK: lambda.tset %{{.*}}[0], %{{.*}} : (tuple<f64, i64>, f64) -> tuple<f64, i64>
  %s = lambda.tset %t[0], %a : (tuple<f64, i64>, f64) -> tuple<f64, i64>
  // CHECK: lambda.record %{{.*}}, %{{.*}} : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
  %r = lambda.record %x, %a : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
  // CHECK: lambda.record %{{.*}}, %{{.*}} {fields = ["u", "v"], name = "P"} : (f64, f64) -> !lambda.any
  %o = lambda.record %x, %a {fields = ["u", "v"], name = "P"} : (f64, f64) -> !lambda.any
  // CHECK: lambda.field %{{.*}}["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  %v = lambda.field %r["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  // CHECK: lambda.with %{{.*}}["u"], %{{.*}} : (!lambda.record<"P", u: f64, v: f64>, f64) -> !lambda.record<"P", u: f64, v: f64>
  %w = lambda.with %r["u"], %a : (!lambda.record<"P", u: f64, v: f64>, f64) -> !lambda.record<"P", u: f64, v: f64>
  return
}
// CHECK-LABEL: func.func @lists(
func.func @lists(%x: f64, %v: tensor<3xf64>) {
  // CHECK: lambda.nil : () -> !lambda.list<f64>
  %n = lambda.nil : () -> !lambda.list<f64>
  // CHECK: lambda.cons %{{.*}}, %{{.*}} : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %l = lambda.cons %x, %n : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  // CHECK: lambda.head %{{.*}} : (!lambda.list<f64>) -> f64
  %h = lambda.head %l : (!lambda.list<f64>) -> f64
  // CHECK: lambda.tail %{{.*}} : (!lambda.list<f64>) -> !lambda.list<f64>
  %t = lambda.tail %l : (!lambda.list<f64>) -> !lambda.list<f64>
  // CHECK: lambda.is_empty %{{.*}} : (!lambda.list<f64>) -> i1
  %e = lambda.is_empty %l : (!lambda.list<f64>) -> i1
  // CHECK: lambda.length %{{.*}} : (!lambda.list<f64>) -> i64
  %k = lambda.length %l : (!lambda.list<f64>) -> i64
  // CHECK: lambda.concat %{{.*}}, %{{.*}} : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  %c = lambda.concat %l, %t : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  // CHECK: lambda.to_list %{{.*}} : (tensor<3xf64>) -> !lambda.list<f64>
  %m = lambda.to_list %v : (tensor<3xf64>) -> !lambda.list<f64>
  // CHECK: lambda.to_array %{{.*}} : (!lambda.list<f64>) -> tensor<?xf64>
  %a = lambda.to_array %m : (!lambda.list<f64>) -> tensor<?xf64>
  return
}
// CHECK-LABEL: func.func @higher_order(
func.func @higher_order(%f: (f64, f64) -> f64, %z: f64, %x: tensor<2x3xf64>, %l: !lambda.list<f64>, %p: !lambda.record<"P", u: f64, v: f64>) {
  // CHECK: lambda.map %{{.*}}, %{{.*}}, %{{.*}} : ((f64, f64) -> f64, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %a = lambda.map %f, %x, %x : ((f64, f64) -> f64, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  // CHECK: lambda.map %{{.*}}, %{{.*}}, %{{.*}} : ((f64, f64) -> f64, !lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  %b = lambda.map %f, %l, %l : ((f64, f64) -> f64, !lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  // CHECK: lambda.reduce %{{.*}}, %{{.*}}, %{{.*}} {assoc, dims = array<i64: 0, 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> f64
  %c = lambda.reduce %f, %z, %x {assoc, dims = array<i64: 0, 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> f64
  // CHECK: lambda.fold %{{.*}}, %{{.*}}, %{{.*}} : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> f64
  %d = lambda.fold %f, %z, %l : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> f64
  // CHECK: lambda.scan %{{.*}}, %{{.*}}, %{{.*}} : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> !lambda.list<f64>
  %e = lambda.scan %f, %z, %l : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> !lambda.list<f64>
  // CHECK: lambda.walk %{{.*}}, %{{.*}}, %{{.*}} : ((f64, f64) -> f64, !lambda.record<"P", u: f64, v: f64>, !lambda.record<"P", u: f64, v: f64>) -> !lambda.record<"P", u: f64, v: f64>
  %q = lambda.walk %f, %p, %p : ((f64, f64) -> f64, !lambda.record<"P", u: f64, v: f64>, !lambda.record<"P", u: f64, v: f64>) -> !lambda.record<"P", u: f64, v: f64>
  return
}
// CHECK-LABEL: func.func @arrays(
func.func @arrays(%a: tensor<8xf64>, %i: i64, %x: f64) {
  // CHECK: lambda.aget %{{.*}}[%{{.*}}] : (tensor<8xf64>, i64) -> f64
  %b = lambda.aget %a[%i] : (tensor<8xf64>, i64) -> f64
  // CHECK: lambda.aset %{{.*}}[%{{.*}}], %{{.*}} : (tensor<8xf64>, i64, f64) -> tensor<8xf64>
  %c = lambda.aset %a[%i], %x : (tensor<8xf64>, i64, f64) -> tensor<8xf64>
  // CHECK: lambda.slice_get %{{.*}}[%{{.*}}] {strides = array<i64: 2>} : (tensor<8xf64>, i64) -> tensor<3xf64>
  %d = lambda.slice_get %a[%i] {strides = array<i64: 2>} : (tensor<8xf64>, i64) -> tensor<3xf64>
  // CHECK: lambda.slice_set %{{.*}}[%{{.*}}], %{{.*}} {strides = array<i64: 2>} : (tensor<8xf64>, i64, tensor<3xf64>) -> tensor<8xf64>
  %e = lambda.slice_set %a[%i], %d {strides = array<i64: 2>} : (tensor<8xf64>, i64, tensor<3xf64>) -> tensor<8xf64>
  // CHECK: lambda.prim "+"(%{{.*}}, %{{.*}}) : (f64, f64) -> !lambda.any
  %p = lambda.prim "+"(%x, %x) : (f64, f64) -> !lambda.any
  // CHECK: lambda.opaque %{{.*}} : (f64) -> f64
  %o = lambda.opaque %x : (f64) -> f64
  %ok = arith.constant true
  // CHECK: lambda.check %{{.*}}, %{{.*}} {code = "assertion", text = "x"} : (i1, f64) -> f64
  %q = lambda.check %ok, %x {code = "assertion", text = "x"} : (i1, f64) -> f64
  return
}
// CHECK-LABEL: func.func @derivatives(
func.func @derivatives(%f: (f64) -> f64, %t: tuple<f64, i64>, %x: f64) {
  // CHECK: lambda.J %{{.*}} {level = 0 : i64} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %g = lambda.J %f {level = 0 : i64} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  // CHECK: lambda.Jinv %{{.*}} : ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> ((f64) -> f64)
  %h = lambda.Jinv %g : ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> ((f64) -> f64)
  // CHECK: lambda.grad %{{.*}} : ((f64) -> f64) -> ((f64) -> f64)
  %d = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  // CHECK: lambda.grad %{{.*}} {value} : ((f64) -> f64) -> ((f64) -> tuple<f64, f64>)
  %dv = lambda.grad %f {value} : ((f64) -> f64) -> ((f64) -> tuple<f64, f64>)
  // CHECK: lambda.vjp %{{.*}} {wrt = array<i64: 0>} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  %v = lambda.vjp %f {wrt = array<i64: 0>} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  // CHECK: lambda.jvp %{{.*}} : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  %j = lambda.jvp %f : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  // CHECK: lambda.hvp %{{.*}} : ((f64) -> f64) -> ((f64, f64) -> f64)
  %k = lambda.hvp %f : ((f64) -> f64) -> ((f64, f64) -> f64)
  // CHECK: lambda.zeros_like %{{.*}} : (tuple<f64, i64>) -> tuple<f64, none>
  %z = lambda.zeros_like %t : (tuple<f64, i64>) -> tuple<f64, none>
  // CHECK: lambda.gadd %{{.*}}, %{{.*}} : (tuple<f64, none>, tuple<f64, none>) -> tuple<f64, none>
  %s = lambda.gadd %z, %z : (tuple<f64, none>, tuple<f64, none>) -> tuple<f64, none>
  // CHECK: lambda.env.empty : () -> !lambda.env
  %e = lambda.env.empty : () -> !lambda.env
  // CHECK: lambda.env.set %{{.*}}["x"], %{{.*}} : (!lambda.env, f64) -> !lambda.env
  %e1 = lambda.env.set %e["x"], %x : (!lambda.env, f64) -> !lambda.env
  // CHECK: lambda.env.get %{{.*}}["x"], %{{.*}} : (!lambda.env, f64) -> f64
  %y = lambda.env.get %e1["x"], %x : (!lambda.env, f64) -> f64
  // CHECK: lambda.env.add %{{.*}}, %{{.*}} : (!lambda.env, !lambda.env) -> !lambda.env
  %e2 = lambda.env.add %e, %e1 : (!lambda.env, !lambda.env) -> !lambda.env
  // CHECK: lambda.stop_gradient %{{.*}} : (tuple<f64, i64>) -> tuple<f64, i64>
  %c = lambda.stop_gradient %t : (tuple<f64, i64>) -> tuple<f64, i64>
  return
}
// CHECK-LABEL: func.func @pullbacks(
func.func @pullbacks(%form: (f64) -> !lambda.dual<f64>, %w: !lambda.dual<f64>, %x: f64) {
  // CHECK: lambda.pullback %{{.*}} (%{{.*}}: f64) {
  %p = lambda.pullback %form (%a: f64) {
    %b = arith.mulf %a, %a : f64
    lambda.yield %b : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  // CHECK: lambda.dual %{{.*}} (%{{.*}}: f64) {
  %d = lambda.dual %w (%v: f64) {
    %b = arith.mulf %v, %x : f64
    lambda.yield %b : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  // CHECK: lambda.jacobian @square, %{{.*}} : (f64) -> ((f64) -> f64)
  %j = lambda.jacobian @square, %x : (f64) -> ((f64) -> f64)
  // CHECK: lambda.covector %{{.*}} : (f64) -> !lambda.dual<f64>
  %c = lambda.covector %x : (f64) -> !lambda.dual<f64>
  // CHECK: lambda.pair_with %{{.*}}, %{{.*}} : (!lambda.dual<f64>, f64) -> f64
  %y = lambda.pair_with %c, %x : (!lambda.dual<f64>, f64) -> f64
  return
}
// CHECK-LABEL: func.func @random(
func.func @random(%seed: i64) {
  // CHECK: lambda.rng.seed %{{.*}} : (i64) -> !lambda.rng
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  // CHECK: lambda.rng.uniform %{{.*}} : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %u = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  // CHECK: lambda.rng.normal %{{.*}} : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %n = lambda.rng.normal %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  // CHECK: lambda.rng.split %{{.*}} : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
  %s = lambda.rng.split %r : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
  return
}
// CHECK-LABEL: func.func @effects(
func.func @effects(%x: f64, %f: (!lambda.token, f64) -> f64, %c: !lambda.chan<f64>, %k: !lambda.task<f64>) {
  // CHECK: lambda.token : () -> !lambda.token
  %t = lambda.token : () -> !lambda.token
  // CHECK: lambda.print %{{.*}}, %{{.*}}, %{{.*}} : (!lambda.token, f64, f64) -> !lambda.token
  %p = lambda.print %t, %x, %x : (!lambda.token, f64, f64) -> !lambda.token
  // CHECK: lambda.read %{{.*}} : (!lambda.token) -> tuple<f64, !lambda.token>
  %r = lambda.read %p : (!lambda.token) -> tuple<f64, !lambda.token>
  // CHECK: lambda.join_tokens %{{.*}}, %{{.*}} : (!lambda.token, !lambda.token) -> !lambda.token
  %j = lambda.join_tokens %t, %p : (!lambda.token, !lambda.token) -> !lambda.token
  // CHECK: lambda.channel %{{.*}} {buffer = 2 : i64, dest = "cpu:1"} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  %d = lambda.channel %j {buffer = 2 : i64, dest = "cpu:1"} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  // CHECK: lambda.send %{{.*}}, %{{.*}}, %{{.*}} : (!lambda.token, !lambda.chan<f64>, f64) -> !lambda.token
  %s = lambda.send %j, %c, %x : (!lambda.token, !lambda.chan<f64>, f64) -> !lambda.token
  // CHECK: lambda.recv %{{.*}}, %{{.*}} : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
  %v = lambda.recv %s, %c : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
  // CHECK: lambda.close %{{.*}}, %{{.*}} : (!lambda.token, !lambda.chan<f64>) -> !lambda.token
  %e = lambda.close %s, %c : (!lambda.token, !lambda.chan<f64>) -> !lambda.token
  // CHECK: lambda.spawn %{{.*}}, %{{.*}}, %{{.*}} {device = "cpu:1", nocopy} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  %h = lambda.spawn %e, %f, %x {device = "cpu:1", nocopy} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  // CHECK: lambda.join %{{.*}}, %{{.*}} : (!lambda.token, !lambda.task<f64>) -> tuple<f64, !lambda.token>
  %w = lambda.join %e, %k : (!lambda.token, !lambda.task<f64>) -> tuple<f64, !lambda.token>
  // CHECK: lambda.transfer %{{.*}} {device = "gpu:0"} : (f64) -> f64
  %y = lambda.transfer %x {device = "gpu:0"} : (f64) -> f64
  return
}
// The structure of a matrix is part of its type.
// CHECK-LABEL: func.func @matrices(
// CHECK-SAME: tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>>
func.func @matrices(%x: tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>> {
  // CHECK: lambda.the %{{.*}} {type = tensor<3x3xf64>}
  %y = lambda.the %x {type = tensor<3x3xf64>} : (tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>>
  return %y : tensor<3x3xf64, #lambda.matrix<bands = [1, 1], symmetric>>
}
// A function of a partly open type, called with arguments of closed types.
// CHECK-LABEL: func.func @open_calls(
func.func @open_calls(%f: (!lambda.any) -> f64, %x: f64) -> f64 {
  // CHECK: lambda.apply %{{.*}}(%{{.*}}) : (!lambda.any) -> f64 (f64) -> f64
  %y = lambda.apply %f(%x) : (!lambda.any) -> f64 (f64) -> f64
  return %y : f64
}
// CHECK: lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
// CHECK: lambda.data @nothing {}
lambda.data @nothing {}
// CHECK: lambda.data @"odd name" {"odd alternative"()}
lambda.data @"odd name" {"odd alternative"()}
// CHECK-LABEL: func.func @alternatives(
func.func @alternatives(%x: f64, %n: !lambda.data<@nothing>, %o: !lambda.data<@"odd name">) -> f64 {
  // CHECK: %[[LEAF:.*]] = lambda.make leaf(%{{.*}}) : (f64) -> !lambda.data<@tree>
  %l = lambda.make leaf(%x) : (f64) -> !lambda.data<@tree>
  // CHECK: lambda.make node(%[[LEAF]], %[[LEAF]]) : (!lambda.data<@tree>, !lambda.data<@tree>) -> !lambda.data<@tree>
  %t = lambda.make node(%l, %l) : (!lambda.data<@tree>, !lambda.data<@tree>) -> !lambda.data<@tree>
  // CHECK: lambda.make "odd alternative"() : () -> !lambda.data<@"odd name">
  %p = lambda.make "odd alternative"() : () -> !lambda.data<@"odd name">
  // CHECK: lambda.case %{{.*}} : !lambda.data<@tree> -> f64, i1 {
  // CHECK-NEXT: leaf(%{{.*}}: f64) {
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: lambda.yield %{{.*}}, %{{.*}} : f64, i1
  // CHECK-NEXT: }
  // CHECK-NEXT: node(%{{.*}}: !lambda.data<@tree>, %{{.*}}: !lambda.data<@tree>) {
  %y, %is_leaf = lambda.case %t : !lambda.data<@tree> -> f64, i1 {
    leaf(%a: f64) {
      %true = arith.constant true
      lambda.yield %a, %true : f64, i1
    }
    node(%a: !lambda.data<@tree>, %b: !lambda.data<@tree>) {
      %false = arith.constant false
      lambda.yield %x, %false : f64, i1
    }
  }
  // CHECK: lambda.case %{{.*}} : !lambda.data<@nothing> -> f64 {}
  %z = lambda.case %n : !lambda.data<@nothing> -> f64 {}
  // CHECK: lambda.case %{{.*}} : !lambda.data<@"odd name"> -> f64 {
  // CHECK-NEXT: "odd alternative"() {
  %w = lambda.case %o : !lambda.data<@"odd name"> -> f64 {
    "odd alternative"() {
      // CHECK: lambda.unreachable : () -> f64
      %u = lambda.unreachable : () -> f64
      lambda.yield %u : f64
    }
  }
  return %y : f64
}
// CHECK-LABEL: func.func @work(
// CHECK-SAME:    %{{.*}}: !lambda.token, %[[X:.*]]: f64) -> f64 {
// CHECK-NEXT:    return %[[X]] : f64
func.func @work(%t: !lambda.token, %x: f64) -> f64 {
  return %x : f64
}
// CHECK-LABEL: func.func @task_of_the_module(
func.func @task_of_the_module(%t: !lambda.token, %x: f64) {
  // CHECK: lambda.spawn %{{.*}}, %{{.*}} {callee = @work, device = "cpu:1"} : (!lambda.token, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  %h = lambda.spawn %t, %x {callee = @work, device = "cpu:1"} : (!lambda.token, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}
