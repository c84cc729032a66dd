// RUN: mlopt run %s --entry @copies --interpret --pass-pipeline='builtin.module()' --arg '[1, 2, 3]' --arg 9.0 | FileCheck %s --check-prefix=COPIES
// RUN: mlopt run %s --entry @copies --arg '[1, 2, 3]' --arg 9.0 | FileCheck %s --check-prefix=COPIES
// RUN: mlopt run %s --entry @lists --interpret --pass-pipeline='builtin.module()' --arg '[1, 2, 3]' | FileCheck %s --check-prefix=LISTS
// RUN: mlopt run %s --entry @lists --arg '[1, 2, 3]' | FileCheck %s --check-prefix=LISTS
// RUN: mlopt run %s --entry @slices --interpret --pass-pipeline='builtin.module()' --arg '[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]' --arg 0 | FileCheck %s --check-prefix=SLICES
// RUN: mlopt run %s --entry @slices --arg '[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]' --arg 0 | FileCheck %s --check-prefix=SLICES
// RUN: not mlopt run %s --entry @slices --interpret --pass-pipeline='builtin.module()' --arg '[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]' --arg 1 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: mlopt run %s --entry @folds --interpret --pass-pipeline='builtin.module()' --arg '[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=FOLDS
// RUN: mlopt run %s --entry @walk --interpret --pass-pipeline='builtin.module()' --arg '({u: [3, 6], l: [[0, 3], [3, 6]]}, [15, 18])' --arg '({u: [1, 2], l: [[0, 1], [1, 2]]}, [5, 6])' | FileCheck %s --check-prefix=WALK
// RUN: mlopt run %s --entry @walk --arg '({u: [3, 6], l: [[0, 3], [3, 6]]}, [15, 18])' --arg '({u: [1, 2], l: [[0, 1], [1, 2]]}, [5, 6])' | FileCheck %s --check-prefix=WALK
// RUN: not mlopt run %s --entry @walk --interpret --pass-pipeline='builtin.module()' --arg '({u: [3, 6], l: [[0, 3], [3, 6]]}, [15, 18])' --arg '({u: [1, 2], l: [[0, 1]]}, [5, 6])' 2>&1 | FileCheck %s --check-prefix=LENGTHS
// RUN: mlopt run %s --entry @environments --interpret --pass-pipeline='builtin.module()' --arg 2.0 | FileCheck %s --check-prefix=ENVIRONMENTS
// RUN: mlopt run %s --entry @environments --arg 2.0 | FileCheck %s --check-prefix=ENVIRONMENTS
// RUN: mlopt run %s --entry @strong --interpret --pass-pipeline='builtin.module()' --arg inf --arg '[nan, 1]' | FileCheck %s --check-prefix=STRONG
// RUN: mlopt run %s --entry @strong --arg inf --arg '[nan, 1]' | FileCheck %s --check-prefix=STRONG
// RUN: mlopt run %s --entry @sums --interpret --pass-pipeline='builtin.module()' --arg 2.0 | FileCheck %s --check-prefix=SUMS
// RUN: mlopt run %s --entry @sums --arg 2.0 | FileCheck %s --check-prefix=SUMS
// Data are values: an update returns a changed copy and leaves the original unchanged.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!p = !lambda.record<"P", u: f64, v: f64>
!l = !lambda.list<f64>
!w = !lambda.record<"W", u: tensor<2xf64>, l: !lambda.list<tensor<2xf64>>>
!q = tuple<!w, tensor<2xf64>>

// COPIES: {{^}}([1. 2. 3.], [1. 9. 3.], P{u: 9.0, v: 9.0}, P{u: 9.0, v: 2.0}, (2.0, 1)){{$}}
func.func @copies(%a: tensor<3xf64>, %x: f64) -> tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>> {
  %i = arith.constant 1 : i64
  %b = lambda.aset %a[%i], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
  %p = lambda.record %x, %x : (f64, f64) -> !p
  %y = lambda.aget %a[%i] : (tensor<3xf64>, i64) -> f64
  %q = lambda.with %p["v"], %y : (!p, f64) -> !p
  %t = lambda.tuple %x, %i : (f64, i64) -> tuple<f64, i64>
  %u = lambda.tset %t[0], %y : (tuple<f64, i64>, f64) -> tuple<f64, i64>
  %r = lambda.tuple %a, %b, %p, %q, %u : (tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>) -> tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>>
  return %r : tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>>
}

// LISTS: {{^}}([2. 3. 1. 2. 3.], [2.0, 3.0], 2.0, False){{$}}
func.func @lists(%v: tensor<3xf64>) -> tuple<tensor<?xf64>, !l, f64, i1> {
  %l = lambda.to_list %v : (tensor<3xf64>) -> !l
  %t = lambda.tail %l : (!l) -> !l
  %c = lambda.concat %t, %l : (!l, !l) -> !l
  %a = lambda.to_array %c : (!l) -> tensor<?xf64>
  %h = lambda.head %t : (!l) -> f64
  %e = lambda.is_empty %t : (!l) -> i1
  %r = lambda.tuple %a, %t, %h, %e : (tensor<?xf64>, !l, f64, i1) -> tuple<tensor<?xf64>, !l, f64, i1>
  return %r : tuple<tensor<?xf64>, !l, f64, i1>
}

// SLICES: {{^[(][[][[]}}5. 7. 9.]], {{[[][[]}} 0. 1. 2. 3. 4.] [-5. 6. -7. 8. -9.]]){{$}}
// PAST: eval/data.mlir:[[#@LINE+3]]:8: error: 'lambda.slice_get' op index-out-of-bounds: 
func.func @slices(%a: tensor<2x5xf64>, %i: i64) -> tuple<tensor<1x3xf64>, tensor<2x5xf64>> {
  %one = arith.constant 1 : i64
  %s = lambda.slice_get %a[%one, %i] {strides = array<i64: 1, 2>} : (tensor<2x5xf64>, i64, i64) -> tensor<1x3xf64>
  %n = arith.negf %s : tensor<1x3xf64>
  %b = lambda.slice_set %a[%one, %i], %n {strides = array<i64: 1, 2>} : (tensor<2x5xf64>, i64, i64, tensor<1x3xf64>) -> tensor<2x5xf64>
  %t = lambda.tuple %s, %b : (tensor<1x3xf64>, tensor<2x5xf64>) -> tuple<tensor<1x3xf64>, tensor<2x5xf64>>
  return %t : tuple<tensor<1x3xf64>, tensor<2x5xf64>>
}

// FOLDS: {{^[(][[][[]}} 3. 6. 9.] [12. 15. 18.]], [11. 32.], 120.0, {{[[][[]}}1. 2. 3.] [5. 7. 9.]], [54. 54.]){{$}}
func.func @folds(%a: tensor<2x3xf64>) -> tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>> {
  %zero = arith.constant 0.0 : f64
  %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
    %two = arith.constant 2.0 : f64
    %z = arith.mulf %two, %x : f64
    %w = arith.addf %z, %y : f64
    lambda.return %w : f64
  }
  %m = lambda.map %g, %a, %a : ((f64, f64) -> f64, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %r = lambda.reduce %g, %zero, %a {dims = array<i64: 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> tensor<2xf64>
  %s = lambda.reduce %g, %zero, %a {dims = array<i64: 0, 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> f64
  %row = arith.constant dense<0.0> : tensor<3xf64>
  %h = lambda.lambda (%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
    %z = arith.addf %x, %y : tensor<3xf64>
    lambda.return %z : tensor<3xf64>
  }
  %c = lambda.scan %h, %row, %a : ((tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>, tensor<3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %e = lambda.fold %g, %zero, %r : ((f64, f64) -> f64, f64, tensor<2xf64>) -> f64
  %p = tensor.from_elements %e, %e : tensor<2xf64>
  %t = lambda.tuple %m, %r, %s, %c, %p : (tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>) -> tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>>
  return %t : tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>>
}

// The leaves of records are arrays and scalars, in lists too.
// WALK: {{^}}(W{u: [2. 4.], l: {{[[][[]}}0. 2.], [2. 4.]]}, [10. 12.]){{$}}
// LENGTHS: eval/data.mlir:[[#@LINE+6]]:8: error: 'lambda.walk' op shape-mismatch: expected records of the same structure, but `record[0].l` is a list of 2 elements in one and a list of 1 element in the other
func.func @walk(%p: !q, %g: !q) -> !q {
  %step = lambda.lambda (%a: tensor<2xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {
    %c = arith.subf %a, %b : tensor<2xf64>
    lambda.return %c : tensor<2xf64>
  }
  %r = lambda.walk %step, %p, %g : ((tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>, !q, !q) -> !q
  return %r : !q
}

// Environments are added key by key; a missing key reads as the given zero.
// ENVIRONMENTS: {{^}}(6.0, 4.0, 2.0){{$}}
func.func @environments(%x: f64) -> tuple<f64, f64, f64> {
  %e0 = lambda.env.empty : () -> !lambda.env
  %e1 = lambda.env.set %e0["a"], %x : (!lambda.env, f64) -> !lambda.env
  %e2 = lambda.env.set %e1["b"], %x : (!lambda.env, f64) -> !lambda.env
  %e3 = lambda.env.add %e1, %e2 : (!lambda.env, !lambda.env) -> !lambda.env
  %z = lambda.zeros_like %x : (f64) -> f64
  %a = lambda.env.get %e3["a"], %z : (!lambda.env, f64) -> f64
  %b = lambda.env.get %e3["b"], %z : (!lambda.env, f64) -> f64
  %c = lambda.env.get %e3["c"], %z : (!lambda.env, f64) -> f64
  %t = lambda.tuple %a, %b, %c : (f64, f64, f64) -> tuple<f64, f64, f64>
  %u = lambda.tuple %x, %x, %x : (f64, f64, f64) -> tuple<f64, f64, f64>
  %s = lambda.gadd %t, %u : (tuple<f64, f64, f64>, tuple<f64, f64, f64>) -> tuple<f64, f64, f64>
  return %s : tuple<f64, f64, f64>
}

// A product with a strong zero is zero; a product with an ordinary zero is not.
// STRONG: {{^}}(0.0, nan, [0. 0.]){{$}}
func.func @strong(%x: f64, %a: tensor<2xf64>) -> tuple<f64, f64, tensor<2xf64>> {
  %z = dual.zero : f64
  %o = arith.constant 0.0 : f64
  %p = arith.mulf %z, %x : f64
  %q = arith.mulf %o, %x : f64
  %s = lambda.zeros_like %a : (tensor<2xf64>) -> tensor<2xf64>
  %t = arith.mulf %a, %s : tensor<2xf64>
  %r = lambda.tuple %p, %q, %t : (f64, f64, tensor<2xf64>) -> tuple<f64, f64, tensor<2xf64>>
  return %r : tuple<f64, f64, tensor<2xf64>>
}

// In sums it is neutral; as a numerator it gives zero, for any divisor.
// SUMS: {{^}}(2.0, 2.0, -2.0, 0.0, 1.0){{$}}
func.func @sums(%x: f64) -> tuple<f64, f64, f64, f64, f64> {
  %z = dual.zero : f64
  %n = arith.constant 0.0 : f64
  %a = arith.addf %z, %x : f64
  %b = arith.subf %x, %z : f64
  %c = arith.subf %z, %x : f64
  %d = arith.divf %z, %n : f64
  %e = math.exp %z : f64
  %r = lambda.tuple %a, %b, %c, %d, %e : (f64, f64, f64, f64, f64) -> tuple<f64, f64, f64, f64, f64>
  return %r : tuple<f64, f64, f64, f64, f64>
}
