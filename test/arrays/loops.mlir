// Sequential loops: `ifold` with one carried value, with two, with an array; and their derivatives in forward mode.

// RUN: mlopt %s --jvp --egg-optimize | FileCheck %s
// RUN: mlopt run %s --entry @dot_and_gradient --arg '[1, 2, 3]' --arg '[4, 5, -6]' | FileCheck %s --check-prefix=DOT
// RUN: mlopt run %s --entry @dot_and_gradient --arg '[1, 2, 3]' --arg '[4, 5, -6]' --interpret | FileCheck %s --check-prefix=DOT
// RUN: mlopt run %s --entry @norm_and_gradient --arg '[2, -3, 6]' | FileCheck %s --check-prefix=NORM
// RUN: mlopt run %s --entry @norm_and_gradient --arg '[2, -3, 6]' --interpret | FileCheck %s --check-prefix=NORM
// RUN: mlopt run %s --entry @horner_and_slope --arg '[2, 0, -1, 5]' --arg 3 | FileCheck %s --check-prefix=HORNER
// RUN: mlopt run %s --entry @horner_and_slope --arg '[2, 0, -1, 5]' --arg 3 --interpret | FileCheck %s --check-prefix=HORNER
// RUN: mlopt run %s --entry @largest_and_gradient --arg '[3, 7, -1, 7, 2]' | FileCheck %s --check-prefix=LARGEST
// RUN: mlopt run %s --entry @largest_and_gradient --arg '[3, 7, -1, 7, 2]' --interpret | FileCheck %s --check-prefix=LARGEST
// RUN: mlopt run %s --entry @sum_times_product_and_gradient --arg '[1, 2, 3]' --arg '[1, 0.5, 3]' | FileCheck %s --check-prefix=FISSION
// RUN: mlopt run %s --entry @sum_times_product_and_gradient --arg '[1, 2, 3]' --arg '[1, 0.5, 3]' --interpret | FileCheck %s --check-prefix=FISSION
// RUN: mlopt run %s --entry @rotation_and_jacobian --arg '[1, 0]' --arg 0.5 --arg 2 | FileCheck %s --check-prefix=EULER
// RUN: mlopt run %s --entry @rotation_and_jacobian --arg '[1, 0]' --arg 0.5 --arg 2 --interpret | FileCheck %s --check-prefix=EULER

//===-- Σ aᵢ bᵢ as a loop: the gradient in a is b; no loop remains. ---------------------------------------------===//

func.func @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %a : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%sum = %zero) -> (f64) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %b[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    %next = arith.addf %sum, %p : f64
    array.yield %next : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @gradient_of_dot
// CHECK-SAME:    %[[A:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<?xf64>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG:     %[[N:.*]] = array.length %[[A]]
// CHECK-NEXT:    %[[G:.*]] = array.slice %[[B]] from %[[ZERO]] size %[[N]]
// CHECK-NEXT:    return %[[G]]
func.func @gradient_of_dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @dot(%a, %b) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// DOT:      -4.0
// DOT-NEXT: [ 4.  5. -6.]
func.func @dot_and_gradient(%a: tensor<?xf64>, %b: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %s = func.call @dot(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %g = func.call @gradient_of_dot(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %s, %g : f64, tensor<?xf64>
}

//===-- √Σ vᵢ²: the gradient is v / |v|. ------------------------------------------------------------------------===//

func.func @norm(%v: tensor<?xf64>) -> f64 {
  %s = func.call @dot(%v, %v) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %r = math.sqrt %s : f64
  return %r : f64
}
// NORM:      7.0
// NORM-NEXT: [ 0.28571429 -0.42857143  0.85714286]
func.func @norm_and_gradient(%v: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %r = func.call @norm(%v) : (tensor<?xf64>) -> f64
  %g = dual.grad @norm(%v) : (tensor<?xf64>) -> tensor<?xf64>
  return %r, %g : f64, tensor<?xf64>
}

//===-- 2x³ - x + 5 by Horner's rule: 56 and 53 at 3; the gradient in the coefficients is x³, x², x, 1. ----------===//

func.func @horner(%c: tensor<?xf64>, %x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %c : tensor<?xf64>
  %y = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
    %ci = array.get %c[%i] : (tensor<?xf64>) -> f64
    %ax = arith.mulf %a, %x : f64
    %next = arith.addf %ax, %ci : f64
    array.yield %next : f64
  }
  return %y : f64
}
// HORNER:      56.0
// HORNER-NEXT: 53.0
// HORNER-NEXT: [27.  9.  3.  1.]
func.func @horner_and_slope(%c: tensor<?xf64>, %x: f64) -> (f64, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %slope = dual.jvp @horner(%c, %x) tangents(%one) wrt [1] : (tensor<?xf64>, f64, f64) -> (f64, f64)
  %g = dual.grad @horner(%c, %x) wrt [0] : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %y, %slope, %g : f64, f64, tensor<?xf64>
}

//===-- The maximum by comparisons. Among equal numbers the last replaces the first here, and gets the derivative. -===//

func.func @largest(%v: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = array.length %v : tensor<?xf64>
  %first = array.get %v[%c0] : (tensor<?xf64>) -> f64
  %m = array.ifold (%i < %n) iter_args(%a = %first) -> (f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %keep = arith.cmpf ogt, %a, %x : f64
    %next = arith.select %keep, %a, %x : f64
    array.yield %next : f64
  }
  return %m : f64
}
// LARGEST:      7.0
// LARGEST-NEXT: [0. 0. 0. 1. 0.]
func.func @largest_and_gradient(%v: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %m = func.call @largest(%v) : (tensor<?xf64>) -> f64
  %g = dual.grad @largest(%v) : (tensor<?xf64>) -> tensor<?xf64>
  return %m, %g : f64, tensor<?xf64>
}

//===-- A sum and a product in one loop: Σx · Π(1 + y). The gradient in x needs only the product. ----------------===//

func.func @sum_times_product(%x: tensor<3xf64>, %y: tensor<3xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %c3 = arith.constant 3 : index
  %s, %p = array.ifold (%i < %c3) iter_args(%a = %zero, %b = %one) -> (f64, f64) {
    %xi = array.get %x[%i] : (tensor<3xf64>) -> f64
    %yi = array.get %y[%i] : (tensor<3xf64>) -> f64
    %sum = arith.addf %a, %xi : f64
    %factor = arith.addf %one, %yi : f64
    %product = arith.mulf %b, %factor : f64
    array.yield %sum, %product : f64, f64
  }
  %r = arith.mulf %s, %p : f64
  return %r : f64
}
// 6 · 2 · 1.5 · 4 = 72; in each x: 12; in y: 72/2, 72/1.5, 72/4.
// FISSION:      72.0
// FISSION-NEXT: [12. 12. 12.]
// FISSION-NEXT: [36. 48. 18.]
func.func @sum_times_product_and_gradient(%x: tensor<3xf64>, %y: tensor<3xf64>)
    -> (f64, tensor<3xf64>, tensor<3xf64>) {
  %r = func.call @sum_times_product(%x, %y) : (tensor<3xf64>, tensor<3xf64>) -> f64
  %gx, %gy = dual.grad @sum_times_product(%x, %y) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %r, %gx, %gy : f64, tensor<3xf64>, tensor<3xf64>
}

//===-- Euler steps of a rotation, the state an array: (1 + ih)ⁿ; for h = 0.5 and n = 2 that is 0.75 + i. ---------===//

func.func @rotation(%z: tensor<2xf64>, %h: f64, %n: index) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.ifold (%t < %n) iter_args(%s = %z) -> (tensor<2xf64>) {
    %x = array.get %s[%c0] : (tensor<2xf64>) -> f64
    %y = array.get %s[%c1] : (tensor<2xf64>) -> f64
    %minus = arith.negf %y : f64
    %slope = array.stack %minus, %x : (f64, f64) -> tensor<2xf64>
    %steps = array.replicate %h : (f64) -> tensor<2xf64>
    %d = arith.mulf %steps, %slope : tensor<2xf64>
    %next = arith.addf %s, %d : tensor<2xf64>
    array.yield %next : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}
// The Jacobian in z is multiplication by 0.75 + i; the derivative in h is 2i(1 + ih) = -1 + 2i.
// EULER:      [0.75 1.  ]
// EULER-NEXT: {{\[\[}} 0.75 -1.  ]
// EULER-NEXT:  [ 1.    0.75]]
// EULER-NEXT: [-1.  2.]
func.func @rotation_and_jacobian(%z: tensor<2xf64>, %h: f64, %n: index)
    -> (tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>) {
  %r = func.call @rotation(%z, %h, %n) : (tensor<2xf64>, f64, index) -> tensor<2xf64>
  %j = dual.jacobian @rotation(%z, %h, %n) wrt [0] : (tensor<2xf64>, f64, index) -> tensor<2x2xf64>
  %d = dual.jacobian @rotation(%z, %h, %n) wrt [1] : (tensor<2xf64>, f64, index) -> tensor<2xf64>
  return %r, %j, %d : tensor<2xf64>, tensor<2x2xf64>, tensor<2xf64>
}
