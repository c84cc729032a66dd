// Derivatives of derivatives: no perturbation confusion (spec/arrays.md D.3), Hessians are Jacobians of gradients.

// RUN: mlopt %s --jvp --egg-optimize | FileCheck %s
// RUN: mlopt run %s --entry @confusion --arg 3 --arg 4 | FileCheck %s --check-prefix=CONFUSION
// RUN: mlopt run %s --entry @confusion --arg 3 --arg 4 --interpret | FileCheck %s --check-prefix=CONFUSION
// RUN: mlopt run %s --entry @fourth --arg 0.5 | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @fourth --arg 0.5 --interpret | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @curvature --arg '[1, 1, 1]' --arg '[1, 0, 0]' | FileCheck %s --check-prefix=ROSENBROCK
// RUN: mlopt run %s --entry @curvature --arg '[1, 1, 1]' --arg '[1, 0, 0]' --interpret | FileCheck %s --check-prefix=ROSENBROCK
// RUN: mlopt run %s --entry @quadratic_hessian --arg '[[1, 2], [4, 3]]' --arg '[5, 6]' | FileCheck %s --check-prefix=QUADRATIC
// RUN: mlopt run %s --entry @quadratic_hessian --arg '[[1, 2], [4, 3]]' --arg '[5, 6]' --interpret | FileCheck %s --check-prefix=QUADRATIC
// RUN: mlopt run %s --entry @root_and_slope --arg 2 --arg 6 | FileCheck %s --check-prefix=NEWTON
// RUN: mlopt run %s --entry @root_and_slope --arg 2 --arg 6 --interpret | FileCheck %s --check-prefix=NEWTON

//===-- d/dx (x · d/dy (x + y)) is 1; a system that mistakes the inner tangent for the outer says 2. ---------------===//

func.func @add(%x: f64, %y: f64) -> f64 {
  %z = arith.addf %x, %y : f64
  return %z : f64
}
func.func @times_inner(%x: f64, %y: f64) -> f64 {
  %inner = dual.grad @add(%x, %y) wrt [1] : (f64, f64) -> f64
  %z = arith.mulf %x, %inner : f64
  return %z : f64
}
// CONFUSION: 1.0
// CHECK-LABEL: func.func @confusion
// CHECK-NEXT:    %[[ONE:.*]] = dual.one : f64
// CHECK-NEXT:    return %[[ONE]]
func.func @confusion(%x: f64, %y: f64) -> f64 {
  %d = dual.grad @times_inner(%x, %y) wrt [0] : (f64, f64) -> f64
  return %d : f64
}

//===-- Four derivatives of sin are sin. --------------------------------------------------------------------------===//

func.func @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func @first(%x: f64) -> f64 {
  %y = dual.grad @sine(%x) : (f64) -> f64
  return %y : f64
}
func.func @second(%x: f64) -> f64 {
  %y = dual.grad @first(%x) : (f64) -> f64
  return %y : f64
}
func.func @third(%x: f64) -> f64 {
  %y = dual.grad @second(%x) : (f64) -> f64
  return %y : f64
}
// sin 0.5
// FOURTH: 0.47942553{{[0-9]*}}
func.func @fourth(%x: f64) -> f64 {
  %y = dual.grad @third(%x) : (f64) -> f64
  return %y : f64
}

//===-- Σ 100 (x₍ᵢ₊₁₎ - xᵢ²)² + (1 - xᵢ)², at its minimum. ----------------------------------------------------===//

func.func @rosenbrock(%x: tensor<3xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %hundred = arith.constant 100.0 : f64
  %c1 = arith.constant 1 : index
  %terms = array.build (%i < 2) -> (tensor<2xf64>) {
    %k = arith.addi %i, %c1 : index
    %a = array.get %x[%i] : (tensor<3xf64>) -> f64
    %b = array.get %x[%k] : (tensor<3xf64>) -> f64
    %aa = arith.mulf %a, %a : f64
    %d = arith.subf %b, %aa : f64
    %dd = arith.mulf %d, %d : f64
    %u = arith.mulf %hundred, %dd : f64
    %e = arith.subf %one, %a : f64
    %ee = arith.mulf %e, %e : f64
    %t = arith.addf %u, %ee : f64
    array.yield %t : f64
  }
  %s = array.sum %terms : (tensor<2xf64>) -> f64
  return %s : f64
}
func.func @slope(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = dual.grad @rosenbrock(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}
// The slope is zero; the Hessian has 802, 1002, 200 on its diagonal and -400 beside it.
// ROSENBROCK:      {{\[\[}} 802. -400.    0.]
// ROSENBROCK-NEXT:  [-400. 1002. -400.]
// ROSENBROCK-NEXT:  [   0. -400.  200.]]
// ROSENBROCK-NEXT: [ 802. -400.    0.]
func.func @curvature(%x: tensor<3xf64>, %direction: tensor<3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>) {
  %h = dual.jacobian @slope(%x) : (tensor<3xf64>) -> tensor<3x3xf64>
  %g, %hv = dual.jvp @slope(%x) tangents(%direction) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %h, %hv : tensor<3x3xf64>, tensor<3xf64>
}

//===-- xᵀ A x: the Hessian is A + Aᵀ, wherever x is. -----------------------------------------------------------===//

func.func @quadratic(%a: tensor<2x2xf64>, %x: tensor<2xf64>) -> f64 {
  %y = array.build (%i < 2) -> (tensor<2xf64>) {
    %row = array.get %a[%i] : (tensor<2x2xf64>) -> tensor<2xf64>
    %p = arith.mulf %row, %x : tensor<2xf64>
    %s = array.sum %p : (tensor<2xf64>) -> f64
    %xi = array.get %x[%i] : (tensor<2xf64>) -> f64
    %t = arith.mulf %xi, %s : f64
    array.yield %t : f64
  }
  %s = array.sum %y : (tensor<2xf64>) -> f64
  return %s : f64
}
func.func @quadratic_slope(%a: tensor<2x2xf64>, %x: tensor<2xf64>) -> tensor<2xf64> {
  %g = dual.grad @quadratic(%a, %x) wrt [1] : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %g : tensor<2xf64>
}
// QUADRATIC:      {{\[\[}}2. 6.]
// QUADRATIC-NEXT:  [6. 6.]]
func.func @quadratic_hessian(%a: tensor<2x2xf64>, %x: tensor<2xf64>) -> tensor<2x2xf64> {
  %h = dual.jacobian @quadratic_slope(%a, %x) wrt [1] : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  return %h : tensor<2x2xf64>
}

//===-- A square root by Newton's method, which differentiates inside its loop; then its own derivative. -----------===//

func.func @square_minus(%y: f64, %x: f64) -> f64 {
  %yy = arith.mulf %y, %y : f64
  %d = arith.subf %yy, %x : f64
  return %d : f64
}
func.func @root(%x: f64, %steps: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = array.ifold (%i < %steps) iter_args(%y = %one) -> (f64) {
    %f, %slope = dual.jvp @square_minus(%y, %x) tangents(%one) wrt [0] : (f64, f64, f64) -> (f64, f64)
    %step = arith.divf %f, %slope : f64
    %next = arith.subf %y, %step : f64
    array.yield %next : f64
  }
  return %y : f64
}
// √2, and 1/(2√2): the iteration converges with its derivative.
// NEWTON:      1.41421356{{[0-9]*}}
// NEWTON-NEXT: 0.35355339{{[0-9]*}}
func.func @root_and_slope(%x: f64, %steps: index) -> (f64, f64) {
  %y = func.call @root(%x, %steps) : (f64, index) -> f64
  %d = dual.grad @root(%x, %steps) : (f64, index) -> f64
  return %y, %d : f64, f64
}
