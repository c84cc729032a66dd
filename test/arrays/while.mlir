// Loops that end depending on data, and their derivatives: alone, in a build, without an iteration.
// Reverse mode counts the iterations and keeps their states in memory of that size (decision 016).

// RUN: mlopt run %s --entry @root_and_slopes --arg 2 --arg 1 | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @root_and_slopes --arg 2 --arg 1 --interpret | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @root_and_slopes --arg 2 --arg 1 --memory-budget 0 | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @root_and_slopes --arg 4 --arg 2 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @root_and_slopes --arg 4 --arg 2 --interpret | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @roots_gradient --arg '[2, 1, 9]' | FileCheck %s --check-prefix=ROOTS
// RUN: mlopt run %s --entry @roots_gradient --arg '[2, 1, 9]' --interpret | FileCheck %s --check-prefix=ROOTS
// RUN: mlopt run %s --entry @roots_gradient --arg '[2, 1, 9]' --memory-budget 0 | FileCheck %s --check-prefix=ROOTS
// RUN: mlopt run %s --entry @halved_gradient --arg '[3, 4]' --arg 0.5 --arg 1 | FileCheck %s --check-prefix=HALVED
// RUN: mlopt run %s --entry @halved_gradient --arg '[3, 4]' --arg 0.5 --arg 1 --interpret | FileCheck %s --check-prefix=HALVED
// RUN: mlopt run %s --entry @halved_gradient --arg '[3, 4]' --arg 0.5 --arg 1 --memory-budget 0 | FileCheck %s --check-prefix=HALVED
// RUN: not mlopt compile %s --target=nvptx 2>&1 | FileCheck %s --check-prefix=PTX

// PTX: while.mlir:[[@LINE+7]]:8: error: not supported: 'sweep.nest': on a device, the sizes of an array must not depend on data

//===-- Newton's iteration for a root: the slope in a is 1/(2√a), in the start 0. --------------------------------------===//

func.func private @root(%a: f64, %start: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %small = arith.constant 1.0e-13 : f64
  %r = scf.while (%x = %start) : (f64) -> f64 {
    %square = arith.mulf %x, %x : f64
    %rest = arith.subf %square, %a : f64
    %size = math.absf %rest : f64
    %on = arith.cmpf ogt, %size, %small : f64
    scf.condition(%on) %x : f64
  } do {
  ^bb0(%x: f64):
    %quotient = arith.divf %a, %x : f64
    %sum = arith.addf %x, %quotient : f64
    %mean = arith.mulf %sum, %half : f64
    scf.yield %mean : f64
  }
  return %r : f64
}
// No iteration if the start is a root: the root is the start then.
// ROOT:      1.41421356
// ROOT-NEXT: 0.35355339
// ROOT-NEXT: {{-?[0-9.]*e-[0-9]*|-?0.0}}
// ROOT-NEXT: 0.35355339
// NONE:      2.0
// NONE-NEXT: {{-?}}0.0
// NONE-NEXT: 1.0
// NONE-NEXT: {{-?}}0.0
func.func @root_and_slopes(%a: f64, %start: f64) -> (f64, f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %v, %r:2 = dual.value_and_grad @root(%a, %start) wrt [0, 1] mode reverse : (f64, f64) -> (f64, f64, f64)
  %w, %f = dual.jvp @root(%a, %start) tangents(%one) wrt [0] : (f64, f64, f64) -> (f64, f64)
  return %v, %r#0, %r#1, %f : f64, f64, f64, f64
}

//===-- A root for each element: iterations within iterations, each as many as it needs. --------------------------===//

func.func private @roots(%a: tensor<?xf64>) -> f64 {
  %n = array.length %a : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %a[%i] : (tensor<?xf64>) -> f64
    %r = func.call @root(%e, %one) : (f64, f64) -> f64
    array.yield %r : f64
  }
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}
// 1/(2√a), except that the root of 1 is the start.
// ROOTS: [0.35355339 0. {{ *}}0.16666667]
func.func @roots_gradient(%a: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @roots(%a) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

//===-- An array that is halved until it is short: x/8 from (3, 4), whose length is 5. -----------------------------===//

func.func private @halved(%x: tensor<?xf64>, %factor: f64, %limit: f64) -> f64 {
  %r = scf.while (%v = %x) : (tensor<?xf64>) -> tensor<?xf64> {
    %squares = arith.mulf %v, %v : tensor<?xf64>
    %s = array.sum %squares : (tensor<?xf64>) -> f64
    %on = arith.cmpf ogt, %s, %limit : f64
    scf.condition(%on) %v : tensor<?xf64>
  } do {
  ^bb0(%v: tensor<?xf64>):
    %n = array.length %v : tensor<?xf64>
    %factors = array.replicate %factor, %n : (f64) -> tensor<?xf64>
    %w = arith.mulf %v, %factors : tensor<?xf64>
    scf.yield %w : tensor<?xf64>
  }
  %squares = arith.mulf %r, %r : tensor<?xf64>
  %s = array.sum %squares : (tensor<?xf64>) -> f64
  return %s : f64
}
// |x|² f⁶: 2x f⁶ and 6 |x|² f⁵.
// HALVED:      [0.09375 0.125 {{ *}}]
// HALVED-NEXT: 4.6875
func.func @halved_gradient(%x: tensor<?xf64>, %factor: f64, %limit: f64) -> (tensor<?xf64>, f64) {
  %g:2 = dual.grad @halved(%x, %factor, %limit) wrt [0, 1] mode reverse
      : (tensor<?xf64>, f64, f64) -> (tensor<?xf64>, f64)
  return %g#0, %g#1 : tensor<?xf64>, f64
}
