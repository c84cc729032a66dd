// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,expanded code=functions}))' | FileCheck %s
// Data of functional programs. Each rule has a function of its name, which is another without the rule, and one that ends in `_stops`,
// where the rule changes nothing; `tools/cli/tests/equalities.rs` asks for that, and compares what both mean on random values.

// CHECK-LABEL: func.func @part_of_tuple(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @part_of_tuple(%x: f64, %y: f64) -> f64 {
  %t = lambda.record %x, %y : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
  %u = lambda.field %t["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  return %u : f64
}
func.func @part_of_tuple_stops(%t: tuple<f64, f64>) -> f64 {
  %u = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  return %u : f64
}

func.func @part_of_update(%t: tuple<f64, f64>, %x: f64) -> tuple<f64, f64> {
  %s = lambda.tset %t[1], %x : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  %a = lambda.get %s[0] : (tuple<f64, f64>) -> f64
  %b = lambda.get %s[1] : (tuple<f64, f64>) -> f64
  %r = lambda.tuple %b, %a : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
func.func @part_of_update_stops(%l: !lambda.list<f64>, %x: f64) -> f64 {
  %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %t = lambda.tuple %m, %x : (!lambda.list<f64>, f64) -> tuple<!lambda.list<f64>, f64>
  %a = lambda.get %t[1] : (tuple<!lambda.list<f64>, f64>) -> f64
  return %a : f64
}

func.func @update_of_tuple(%x: f64, %y: f64, %z: f64) -> tuple<f64, f64> {
  %t = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  %s = lambda.tset %t[0], %z : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  return %s : tuple<f64, f64>
}
func.func @update_of_tuple_stops(%t: tuple<f64, f64>, %z: f64) -> tuple<f64, f64> {
  %s = lambda.tset %t[0], %z : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  return %s : tuple<f64, f64>
}

func.func @update_of_update(%t: tuple<f64, f64>, %x: f64, %y: f64) -> tuple<f64, f64> {
  %s = lambda.tset %t[0], %x : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  %r = lambda.tset %s[0], %y : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
func.func @update_of_update_stops(%t: tuple<f64, f64>, %x: f64, %y: f64) -> tuple<f64, f64> {
  %s = lambda.tset %t[0], %x : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  %r = lambda.tset %s[1], %y : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// CHECK-LABEL: func.func @tuple_of_parts(
// CHECK-SAME:    %[[T:[a-z0-9]+]]: tuple<f64, f64>
// CHECK-NEXT:    return %[[T]]
func.func @tuple_of_parts(%t: tuple<f64, f64>) -> tuple<f64, f64> {
  %a = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %b = lambda.get %t[1] : (tuple<f64, f64>) -> f64
  %r = lambda.tuple %a, %b : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
// Where a form cannot be written, nothing of the block is: the last pair would stay.
func.func @tuple_of_parts_stops(%t: tuple<f64, f64>, %s: tuple<f64, f64, f64>) -> tuple<tuple<f64, f64>, tuple<f64, f64>, f64> {
  %a = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %b = lambda.get %t[1] : (tuple<f64, f64>) -> f64
  %r = lambda.tuple %b, %a : (f64, f64) -> tuple<f64, f64>
  %c = lambda.get %s[0] : (tuple<f64, f64, f64>) -> f64
  %d = lambda.get %s[1] : (tuple<f64, f64, f64>) -> f64
  %q = lambda.tuple %c, %d : (f64, f64) -> tuple<f64, f64>
  %pair = lambda.tuple %a, %c : (f64, f64) -> tuple<f64, f64>
  %e = lambda.get %pair[1] : (tuple<f64, f64>) -> f64
  %all = lambda.tuple %r, %q, %e : (tuple<f64, f64>, tuple<f64, f64>, f64) -> tuple<tuple<f64, f64>, tuple<f64, f64>, f64>
  return %all : tuple<tuple<f64, f64>, tuple<f64, f64>, f64>
}

func.func @head_of_cons(%x: f64, %l: !lambda.list<f64>) -> f64 {
  %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %h = lambda.head %m : (!lambda.list<f64>) -> f64
  return %h : f64
}
func.func @head_of_cons_stops(%l: !lambda.list<f64>) -> f64 {
  %h = lambda.head %l : (!lambda.list<f64>) -> f64
  return %h : f64
}

func.func @tail_of_cons(%x: f64, %l: !lambda.list<f64>) -> !lambda.list<f64> {
  %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %t = lambda.tail %m : (!lambda.list<f64>) -> !lambda.list<f64>
  return %t : !lambda.list<f64>
}
func.func @tail_of_cons_stops(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %t = lambda.tail %l : (!lambda.list<f64>) -> !lambda.list<f64>
  return %t : !lambda.list<f64>
}

func.func @is_empty_of_cons(%x: f64, %l: !lambda.list<f64>) -> i1 {
  %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %e = lambda.is_empty %m : (!lambda.list<f64>) -> i1
  return %e : i1
}
func.func @is_empty_of_cons_stops(%l: !lambda.list<f64>) -> i1 {
  %e = lambda.is_empty %l : (!lambda.list<f64>) -> i1
  return %e : i1
}

func.func @zeros_of_type(%t: tuple<f64, tensor<3xf64>>, %x: f64) -> tuple<f64, tensor<3xf64>> {
  %z = lambda.zeros_like %t : (tuple<f64, tensor<3xf64>>) -> tuple<f64, tensor<3xf64>>
  return %z : tuple<f64, tensor<3xf64>>
}
func.func @zeros_of_type_stops(%a: tensor<?xf64>) -> tensor<?xf64> {
  %z = lambda.zeros_like %a : (tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

func.func @sum_with_zero(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %z = lambda.zeros_like %l : (!lambda.list<f64>) -> !lambda.list<f64>
  %s = lambda.gadd %l, %z : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  return %s : !lambda.list<f64>
}
func.func @sum_with_zero_stops(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %s = lambda.gadd %l, %l : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  return %s : !lambda.list<f64>
}

// The sum is one of each part: two additions.
// CHECK-LABEL: func.func @sum_of_tuples(
// CHECK-COUNT-2: arith.addf
// CHECK-NOT:     lambda.gadd
// CHECK:         return
func.func @sum_of_tuples(%x: f64, %y: f64, %u: f64, %v: f64) -> f64 {
  %a = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  %b = lambda.tuple %u, %v : (f64, f64) -> tuple<f64, f64>
  %s = lambda.gadd %a, %b : (tuple<f64, f64>, tuple<f64, f64>) -> tuple<f64, f64>
  %p = lambda.get %s[0] : (tuple<f64, f64>) -> f64
  %q = lambda.get %s[1] : (tuple<f64, f64>) -> f64
  %r = arith.mulf %p, %q : f64
  return %r : f64
}
func.func @sum_of_tuples_stops(%a: tuple<f64, f64>, %b: tuple<f64, f64>) -> tuple<f64, f64> {
  %s = lambda.gadd %a, %b : (tuple<f64, f64>, tuple<f64, f64>) -> tuple<f64, f64>
  return %s : tuple<f64, f64>
}

// Only the lists say how large their zeros are: these stay.
func.func @sum_of_updates(%t: tuple<!lambda.list<f64>, f64, f64>, %x: f64, %y: f64) -> tuple<!lambda.list<f64>, f64, f64> {
  %z = lambda.zeros_like %t : (tuple<!lambda.list<f64>, f64, f64>) -> tuple<!lambda.list<f64>, f64, f64>
  %a = lambda.tset %z[1], %x : (tuple<!lambda.list<f64>, f64, f64>, f64) -> tuple<!lambda.list<f64>, f64, f64>
  %b = lambda.tset %z[2], %y : (tuple<!lambda.list<f64>, f64, f64>, f64) -> tuple<!lambda.list<f64>, f64, f64>
  %c = lambda.tset %z[1], %y : (tuple<!lambda.list<f64>, f64, f64>, f64) -> tuple<!lambda.list<f64>, f64, f64>
  %s = lambda.gadd %a, %b : (tuple<!lambda.list<f64>, f64, f64>, tuple<!lambda.list<f64>, f64, f64>) -> tuple<!lambda.list<f64>, f64, f64>
  %r = lambda.gadd %a, %c : (tuple<!lambda.list<f64>, f64, f64>, tuple<!lambda.list<f64>, f64, f64>) -> tuple<!lambda.list<f64>, f64, f64>
  %p = lambda.get %s[2] : (tuple<!lambda.list<f64>, f64, f64>) -> f64
  %q = lambda.tset %r[2], %p : (tuple<!lambda.list<f64>, f64, f64>, f64) -> tuple<!lambda.list<f64>, f64, f64>
  return %q : tuple<!lambda.list<f64>, f64, f64>
}
func.func @sum_of_updates_stops(%t: tuple<f64, f64>, %x: f64, %y: f64) -> tuple<f64, f64> {
  %a = lambda.tset %t[0], %x : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  %b = lambda.tset %t[1], %y : (tuple<f64, f64>, f64) -> tuple<f64, f64>
  %s = lambda.gadd %a, %b : (tuple<f64, f64>, tuple<f64, f64>) -> tuple<f64, f64>
  return %s : tuple<f64, f64>
}

// CHECK-LABEL: func.func @lookup_of_insert(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @lookup_of_insert(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %a["b"], %y : (!lambda.env, f64) -> !lambda.env
  %r = lambda.env.get %b["a"], %zero : (!lambda.env, f64) -> f64
  return %r : f64
}
func.func @lookup_of_insert_stops(%x: f64) -> f64 {
  %zero = dual.zero : f64
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %f = lambda.lambda () -> !lambda.env {
    lambda.return %a : !lambda.env
  }
  %b = lambda.apply %f() : () -> !lambda.env
  %r = lambda.env.get %b["a"], %zero : (!lambda.env, f64) -> f64
  return %r : f64
}

func.func @lookup_of_empty(%x: f64) -> f64 {
  %e = lambda.env.empty : () -> !lambda.env
  %r = lambda.env.get %e["a"], %x : (!lambda.env, f64) -> f64
  return %r : f64
}
func.func @lookup_of_empty_stops(%x: f64) -> f64 {
  %zero = dual.zero : f64
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %r = lambda.env.get %a["a"], %zero : (!lambda.env, f64) -> f64
  return %r : f64
}

// The environment is given to a function of which nothing is known here.
func.func @insert_of_insert(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %f = lambda.lambda (%e: !lambda.env) -> f64 {
    %r = lambda.env.get %e["a"], %zero : (!lambda.env, f64) -> f64
    lambda.return %r : f64
  }
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %a["a"], %y : (!lambda.env, f64) -> !lambda.env
  %r = lambda.apply %f(%b) : (!lambda.env) -> f64
  return %r : f64
}
func.func @insert_of_insert_stops(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %f = lambda.lambda (%e: !lambda.env) -> f64 {
    %r = lambda.env.get %e["a"], %zero : (!lambda.env, f64) -> f64
    lambda.return %r : f64
  }
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %a["b"], %y : (!lambda.env, f64) -> !lambda.env
  %r = lambda.apply %f(%b) : (!lambda.env) -> f64
  return %r : f64
}

func.func @insert_of_zero(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %f = lambda.lambda (%e: !lambda.env) -> f64 {
    %r = lambda.env.get %e["a"], %zero : (!lambda.env, f64) -> f64
    lambda.return %r : f64
  }
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %a["b"], %zero : (!lambda.env, f64) -> !lambda.env
  %r = lambda.apply %f(%b) : (!lambda.env) -> f64
  return %r : f64
}
// What is under the key goes: without it, the environment is another one.
func.func @insert_of_zero_stops(%x: f64) -> f64 {
  %zero = dual.zero : f64
  %g = lambda.lambda (%e: !lambda.env) -> f64 {
    %r = lambda.env.get %e["a"], %zero : (!lambda.env, f64) -> f64
    lambda.return %r : f64
  }
  %f = lambda.lambda (%e: !lambda.env) -> f64 {
    %b = lambda.env.set %e["a"], %zero : (!lambda.env, f64) -> !lambda.env
    %r = lambda.apply %g(%b) : (!lambda.env) -> f64
    lambda.return %r : f64
  }
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %r = lambda.apply %f(%a) : (!lambda.env) -> f64
  return %r : f64
}

func.func @transform_of_inverse(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %g = lambda.J %f : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %h = lambda.Jinv %g : ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> ((f64) -> f64)
  %r = lambda.apply %h(%x) : (f64) -> f64
  return %r : f64
}
// One that stands in a transform is another.
func.func @transform_of_inverse_stops(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %g = lambda.J %f {level = 1 : i64} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %h = lambda.Jinv %g : ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> ((f64) -> f64)
  %r = lambda.apply %h(%x) : (f64) -> f64
  return %r : f64
}

func.func @transform_of_data(%x: f64) -> f64 {
  %y = lambda.J %x : (f64) -> f64
  return %y : f64
}
// Where a form cannot be written, nothing of the block is: the tuple would stay.
func.func @transform_of_data_stops(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %u = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  %g = lambda.J %f : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %r = lambda.apply %g(%u) : (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>
  %y = lambda.get %r[0] : (tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> f64
  return %y : f64
}

// With the function beside it, the number of the tuple needs no transform.
func.func @transform_of_tuple(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %t = lambda.tuple %x, %f : (f64, (f64) -> f64) -> tuple<f64, (f64) -> f64>
  %g = lambda.J %t : (tuple<f64, (f64) -> f64>) -> tuple<f64, (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>>
  %y = lambda.get %g[0] : (tuple<f64, (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>>) -> f64
  return %y : f64
}
func.func @transform_of_tuple_stops(%x: f64, %t: tuple<f64, f64>) -> f64 {
  %g = lambda.J %t : (tuple<f64, f64>) -> tuple<f64, f64>
  %y = lambda.get %g[0] : (tuple<f64, f64>) -> f64
  return %y : f64
}

func.func @linear_of_zero(%x: tensor<3xf64>) -> f64 {
  %zero = dual.zero : tensor<3xf64>
  %s = array.sum %zero : (tensor<3xf64>) -> f64
  %u = lambda.unit
  return %s : f64
}
func.func @linear_of_zero_stops(%x: tensor<3xf64>) -> f64 {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %s = array.sum %zero : (tensor<3xf64>) -> f64
  %u = lambda.unit
  return %s : f64
}

// CHECK-LABEL: func.func @read_of_write(
// CHECK-COUNT-1: lambda.aget
// CHECK-NOT:     lambda.aget
// CHECK:         return
func.func @read_of_write(%a: tensor<3xf64>, %x: f64) -> f64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  %y = lambda.aget %b[%c1] : (tensor<3xf64>, i64) -> f64
  %z = lambda.aget %b[%c2] : (tensor<3xf64>, i64) -> f64
  %s = arith.addf %y, %z : f64
  return %s : f64
}
func.func @read_of_write_stops(%a: tensor<3xf64>, %x: f64, %t: tuple<i64, i64>) -> f64 {
  %c1 = arith.constant 1 : i64
  %i = lambda.get %t[0] : (tuple<i64, i64>) -> i64
  %j = arith.remui %i, %c1 : i64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  %z = lambda.aget %b[%j] : (tensor<3xf64>, i64) -> f64
  return %z : f64
}

func.func @write_of_write(%a: tensor<3xf64>, %x: f64, %y: f64) -> tensor<3xf64> {
  %c1 = arith.constant 1 : i64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  %c = lambda.aset %b[%c1], %y : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  return %c : tensor<3xf64>
}
func.func @write_of_write_stops(%a: tensor<3xf64>, %x: f64, %y: f64) -> tensor<3xf64> {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  %c = lambda.aset %b[%c2], %y : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  return %c : tensor<3xf64>
}

func.func @write_of_read(%a: tensor<3xf64>) -> tensor<3xf64> {
  %c1 = arith.constant 1 : i64
  %x = lambda.aget %a[%c1] : (tensor<3xf64>, i64) -> f64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  return %b : tensor<3xf64>
}
func.func @write_of_read_stops(%a: tensor<3xf64>) -> tensor<3xf64> {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %x = lambda.aget %a[%c2] : (tensor<3xf64>, i64) -> f64
  %b = lambda.aset %a[%c1], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  return %b : tensor<3xf64>
}

func.func @part_of_choice(%c: i1, %x: f64, %y: f64, %z: f64) -> f64 {
  %a = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  %b = lambda.tuple %x, %z : (f64, f64) -> tuple<f64, f64>
  %t = lambda.switch %c, %a, %b : (i1, tuple<f64, f64>, tuple<f64, f64>) -> tuple<f64, f64>
  %r = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  return %r : f64
}
func.func @part_of_choice_stops(%c: i1, %a: tuple<f64, f64>, %b: tuple<f64, f64>) -> f64 {
  %t = lambda.switch %c, %a, %b : (i1, tuple<f64, f64>, tuple<f64, f64>) -> tuple<f64, f64>
  %r = lambda.get %t[0] : (tuple<f64, f64>) -> f64
  return %r : f64
}

func.func @sum_of_choices(%c: i1, %l: !lambda.list<f64>, %m: !lambda.list<f64>) -> !lambda.list<f64> {
  %z = lambda.zeros_like %l : (!lambda.list<f64>) -> !lambda.list<f64>
  %w = lambda.zeros_like %m : (!lambda.list<f64>) -> !lambda.list<f64>
  %a = lambda.switch %c, %l, %w : (i1, !lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  %b = lambda.switch %c, %z, %m : (i1, !lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  %s = lambda.gadd %a, %b : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  return %s : !lambda.list<f64>
}
func.func @sum_of_choices_stops(%c: i1, %d: i1, %l: tuple<f64, !lambda.list<f64>>) -> tuple<f64, !lambda.list<f64>> {
  %z = lambda.zeros_like %l : (tuple<f64, !lambda.list<f64>>) -> tuple<f64, !lambda.list<f64>>
  %a = lambda.switch %c, %l, %z : (i1, tuple<f64, !lambda.list<f64>>, tuple<f64, !lambda.list<f64>>) -> tuple<f64, !lambda.list<f64>>
  %b = lambda.switch %d, %z, %l : (i1, tuple<f64, !lambda.list<f64>>, tuple<f64, !lambda.list<f64>>) -> tuple<f64, !lambda.list<f64>>
  %s = lambda.gadd %a, %b : (tuple<f64, !lambda.list<f64>>, tuple<f64, !lambda.list<f64>>) -> tuple<f64, !lambda.list<f64>>
  return %s : tuple<f64, !lambda.list<f64>>
}

func.func @lookup_of_sum(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %e["a"], %y : (!lambda.env, f64) -> !lambda.env
  %s = lambda.env.add %a, %b : (!lambda.env, !lambda.env) -> !lambda.env
  %r = lambda.env.get %s["a"], %zero : (!lambda.env, f64) -> f64
  return %r : f64
}
// Where nothing is under the key, what is there instead would count twice.
func.func @lookup_of_sum_stops(%x: f64, %y: f64) -> f64 {
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %e["b"], %y : (!lambda.env, f64) -> !lambda.env
  %s = lambda.env.add %a, %b : (!lambda.env, !lambda.env) -> !lambda.env
  %r = lambda.env.get %s["c"], %x : (!lambda.env, f64) -> f64
  return %r : f64
}

func.func @lookup_of_choice(%c: i1, %x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %a["b"], %y : (!lambda.env, f64) -> !lambda.env
  %s = lambda.switch %c, %a, %b : (i1, !lambda.env, !lambda.env) -> !lambda.env
  %r = lambda.env.get %s["a"], %zero : (!lambda.env, f64) -> f64
  return %r : f64
}
func.func @lookup_of_choice_stops(%c: i1, %x: f64) -> f64 {
  %zero = dual.zero : f64
  %f = lambda.lambda (%e: !lambda.env, %d: !lambda.env) -> f64 {
    %s = lambda.switch %c, %e, %d : (i1, !lambda.env, !lambda.env) -> !lambda.env
    %r = lambda.env.get %s["a"], %zero : (!lambda.env, f64) -> f64
    lambda.return %r : f64
  }
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["a"], %x : (!lambda.env, f64) -> !lambda.env
  %r = lambda.apply %f(%e, %a) : (!lambda.env, !lambda.env) -> f64
  return %r : f64
}

func.func @stop_gradient(%x: f64) -> f64 {
  %y = lambda.stop_gradient %x : (f64) -> f64
  return %y : f64
}
func.func @stop_gradient_stops(%x: f64) -> f64 {
  %u = lambda.unit
  return %x : f64
}
