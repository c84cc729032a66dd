// RUN: mlopt %s --lambda-to-array | FileCheck %s

// Tuples and records become several values; a value of unit type becomes none.
// CHECK-LABEL: func.func @structure
// CHECK-SAME:    (%p.u: f64, %p.v: tensor<2xf64>, %t.0: i64, %t.1.0: f64) -> (f64, f64, tensor<2xf64>)
// CHECK-SAME:    lambda.signature = (!lambda.record<"P", u: f64, v: tensor<2xf64>>, tuple<i64, tuple<f64, none>>, none)
// CHECK-NEXT:    return %t.1.0, %t.1.0, %p.v : f64, f64, tensor<2xf64>
func.func @structure(%p: !lambda.record<"P", u: f64, v: tensor<2xf64>>, %t: tuple<i64, tuple<f64, none>>, %n: none)
    -> tuple<f64, !lambda.record<"P", u: f64, v: tensor<2xf64>>, none> {
  %inner = lambda.get %t[1] : (tuple<i64, tuple<f64, none>>) -> tuple<f64, none>
  %x = lambda.get %inner[0] : (tuple<f64, none>) -> f64
  %q = lambda.with %p["u"], %x : (!lambda.record<"P", u: f64, v: tensor<2xf64>>, f64) -> !lambda.record<"P", u: f64, v: tensor<2xf64>>
  %r = lambda.tuple %x, %q, %n : (f64, !lambda.record<"P", u: f64, v: tensor<2xf64>>, none) -> tuple<f64, !lambda.record<"P", u: f64, v: tensor<2xf64>>, none>
  return %r : tuple<f64, !lambda.record<"P", u: f64, v: tensor<2xf64>>, none>
}

// Arguments and results of calls are flattened in the same way, and functions that use arrays only are unchanged.
// CHECK-LABEL: func.func @calls
// CHECK:         %{{.*}}, %[[R:.*]] = call @swapped(%t.0, %t.1) : (f64, i64) -> (i64, f64)
// CHECK:         return %[[R]] : f64
func.func @calls(%t: tuple<f64, i64>) -> f64 {
  %r = func.call @swapped(%t) : (tuple<f64, i64>) -> tuple<i64, f64>
  %x = lambda.get %r[1] : (tuple<i64, f64>) -> f64
  return %x : f64
}
func.func private @swapped(%t: tuple<f64, i64>) -> tuple<i64, f64> {
  %x = lambda.get %t[0] : (tuple<f64, i64>) -> f64
  %n = lambda.get %t[1] : (tuple<f64, i64>) -> i64
  %r = lambda.tuple %n, %x : (i64, f64) -> tuple<i64, f64>
  return %r : tuple<i64, f64>
}

// A pure loop becomes a loop of `array`, a conditional an `scf.if`.
// CHECK-LABEL: func.func @control
// CHECK:         %[[L0:.*]], %[[L1:.*]] = array.ifold (%{{.*}} < %{{.*}}) iter_args(%[[A:.*]] = %x, %[[B:.*]] = %x) -> (f64, f64) {
// CHECK:           array.yield %[[B]], %{{.*}} : f64, f64
// CHECK:         %{{.*}}, %{{.*}} = scf.if %{{.*}} -> (f64, f64) {
// CHECK:           scf.yield %[[L0]], %x : f64, f64
// CHECK:         } else {
// CHECK:           scf.yield %x, %[[L1]] : f64, f64
func.func @control(%x: f64, %n: i64) -> tuple<f64, f64> {
  %pair = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  %l = lambda.for (%i < %n) iter_args(%p = %pair) : (i64, tuple<f64, f64>) -> (tuple<f64, f64>) {
    %a = lambda.get %p[0] : (tuple<f64, f64>) -> f64
    %b = lambda.get %p[1] : (tuple<f64, f64>) -> f64
    %c = arith.addf %a, %b : f64
    %q = lambda.tuple %b, %c : (f64, f64) -> tuple<f64, f64>
    lambda.yield %q : tuple<f64, f64>
  }
  %c = arith.cmpf olt, %x, %x : f64
  %a = lambda.get %l[0] : (tuple<f64, f64>) -> f64
  %b = lambda.get %l[1] : (tuple<f64, f64>) -> f64
  %r = lambda.if %c : i1 -> tuple<f64, f64> {
    %s = lambda.tuple %a, %x : (f64, f64) -> tuple<f64, f64>
    lambda.yield %s : tuple<f64, f64>
  } else {
    %s = lambda.tuple %x, %b : (f64, f64) -> tuple<f64, f64>
    lambda.yield %s : tuple<f64, f64>
  }
  return %r : tuple<f64, f64>
}

// An index that is certainly in range is not checked; any other is checked once, at its use.
// CHECK-LABEL: func.func @indices
// CHECK:         array.ifold
// CHECK-NOT:       array.check
// CHECK:           tensor.insert
// CHECK:         %[[I:.*]] = arith.index_cast %k : i64 to index
// CHECK-NEXT:    %{{.*}} = scf.if
// CHECK-NEXT:      %[[N:.*]] = arith.constant 4 : index
// CHECK-NEXT:      %[[OK:.*]] = arith.cmpi ult, %[[I]], %[[N]] : index
// CHECK-NEXT:      array.check %[[OK]], "index-out-of-bounds", "index {} must be at least 0 and below {}"(%[[I]], %[[N]] : index, index)
// CHECK-NEXT:      array.get
// CHECK-NOT:       array.check
// CHECK:         return
func.func @indices(%a: tensor<4xf64>, %k: i64, %c: i1) -> f64 {
  %n = arith.constant 3 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %s = lambda.for (%i < %n) iter_args(%b = %a) : (i64, tensor<4xf64>) -> (tensor<4xf64>) {
    %j = arith.addi %i, %one : i64
    %x = lambda.aget %b[%i] : (tensor<4xf64>, i64) -> f64
    %d = lambda.aset %b[%j], %x : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
    lambda.yield %d : tensor<4xf64>
  }
  %r = lambda.if %c : i1 -> f64 {
    %x = lambda.aget %s[%k] : (tensor<4xf64>, i64) -> f64
    %d = lambda.aset %s[%k], %zero : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
    %t = array.sum %d : (tensor<4xf64>) -> f64
    %y = arith.addf %x, %t : f64
    lambda.yield %y : f64
  } else {
    lambda.yield %zero : f64
  }
  return %r : f64
}

// The residuals of a loop are an array with a row for each iteration: no list, no length, no check.
// CHECK-LABEL: func.func @kept
// CHECK:         array.ifold (%{{.*}} < %{{.*}}) iter_args(%{{.*}} = %x, %[[KEPT:.*]] = %{{.*}}) -> (f64, tensor<?xf64>)
// CHECK:           tensor.insert %{{.*}} into %[[KEPT]][%{{.*}}] : tensor<?xf64>
// CHECK:         array.ifold (%{{.*}} < %{{.*}}) iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK-NOT:       array.check
// CHECK:           array.get
// CHECK:         return
func.func @kept(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %nil = lambda.nil : () -> !lambda.list<f64>
  %y, %kept = lambda.for (%i < %n) iter_args(%a = %x, %l = %nil) : (i64, f64, !lambda.list<f64>) -> (f64, !lambda.list<f64>) {
    %b = math.sin %a : f64
    %m = lambda.cons %a, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.yield %b, %m : f64, !lambda.list<f64>
  }
  %z, %rest = lambda.for (%i < %n) iter_args(%a = %one, %l = %kept) : (i64, f64, !lambda.list<f64>) -> (f64, !lambda.list<f64>) {
    %b = lambda.head %l : (!lambda.list<f64>) -> f64
    %m = lambda.tail %l : (!lambda.list<f64>) -> !lambda.list<f64>
    %c = math.cos %b : f64
    %d = arith.mulf %a, %c : f64
    lambda.yield %d, %m : f64, !lambda.list<f64>
  }
  return %z : f64
}

// A loop over all values of a list is a counted loop, and its result has the same number of values.
// CHECK-LABEL: func.func @doubled
// CHECK-SAME:    (%l: tensor<?xf64>) -> tensor<?xf64>
// CHECK:         %[[N:.*]] = array.length %l
// CHECK-NOT:     scf.while
// CHECK-NOT:     array.check
// CHECK:         array.ifold
// CHECK:         array.build
func.func @doubled(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %yes = arith.constant true
  %nil = lambda.nil : () -> !lambda.list<f64>
  %r, %rest = lambda.while iter_args(%a = %nil, %m = %l) : (!lambda.list<f64>, !lambda.list<f64>) -> (!lambda.list<f64>, !lambda.list<f64>) {
    %end = lambda.is_empty %m : (!lambda.list<f64>) -> i1
    %c = arith.xori %end, %yes : i1
    lambda.yield %c : i1
  } do (%a, %m) {
    %x = lambda.head %m : (!lambda.list<f64>) -> f64
    %t = lambda.tail %m : (!lambda.list<f64>) -> !lambda.list<f64>
    %y = arith.addf %x, %x : f64
    %b = lambda.cons %y, %a : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.yield %b, %t : !lambda.list<f64>, !lambda.list<f64>
  }
  return %r : !lambda.list<f64>
}

// A loop with another condition runs twice: first to count its iterations, then to keep its residuals.
// CHECK-LABEL: func.func @unknown_rounds
// CHECK:         %[[R:.*]]:2 = scf.while (%{{.*}} = %x, %{{.*}} = %{{.*}}) : (f64, index) -> (f64, index)
// CHECK:         array.replicate %{{.*}}, %{{.*}} : (f64) -> tensor<?xf64>
// CHECK:         scf.while
// CHECK:           tensor.insert
// CHECK:         return %[[R]]#0, %{{.*}} : f64, tensor<?xf64>
func.func @unknown_rounds(%x: f64) -> tuple<f64, !lambda.list<f64>> {
  %limit = arith.constant 1.0e2 : f64
  %nil = lambda.nil : () -> !lambda.list<f64>
  %y, %kept = lambda.while iter_args(%a = %x, %l = %nil) : (f64, !lambda.list<f64>) -> (f64, !lambda.list<f64>) {
    %c = arith.cmpf olt, %a, %limit : f64
    lambda.yield %c : i1
  } do (%a, %l) {
    %b = arith.mulf %a, %a : f64
    %m = lambda.cons %a, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.yield %b, %m : f64, !lambda.list<f64>
  }
  %r = lambda.tuple %y, %kept : (f64, !lambda.list<f64>) -> tuple<f64, !lambda.list<f64>>
  return %r : tuple<f64, !lambda.list<f64>>
}

// A state of a random number generator is four words, and drawing a number is integer arithmetic.
// CHECK-LABEL: func.func @draw
// CHECK-SAME:    (%r.0: i64, %r.1: i64, %r.2: i64, %r.3: i64) -> (tensor<3xf64>, i64, i64, i64, i64)
// CHECK:         %[[TWO:.*]] = arith.constant 2 : i64
// CHECK:         %[[NEXT:.*]] = arith.addi %r.2, %[[TWO]] : i64
// CHECK:         %[[X:.*]] = array.build (%{{.*}} < 3) -> (tensor<3xf64>)
// CHECK:         return %[[X]], %r.0, %r.1, %[[NEXT]], %r.3
func.func @draw(%r: !lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng> {
  %t = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng>
  return %t : tuple<tensor<3xf64>, !lambda.rng>
}

// A check of a structured value is one of the program: its parts are unchanged.
// CHECK-LABEL: func.func @checked
// CHECK-SAME:    (%t.0: f64, %t.1: i64, %ok: i1)
// CHECK-NEXT:    array.check %ok, "assertion", "x must be positive"
// CHECK-NEXT:    return %t.0, %t.1 : f64, i64
func.func @checked(%t: tuple<f64, i64>, %ok: i1) -> tuple<f64, i64> {
  %u = lambda.check %ok, %t {code = "assertion", text = "x must be positive"} : (i1, tuple<f64, i64>) -> tuple<f64, i64>
  return %u : tuple<f64, i64>
}
