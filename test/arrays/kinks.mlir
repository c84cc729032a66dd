// Points where functions are not smooth or a formula is not finite: the conventions of spec/arrays.md A.4, and no NaN
// from the side that is not selected.

// RUN: mlopt run %s --entry @sinc_and_gradient --arg '[0, 1, -2]' | FileCheck %s --check-prefix=SINC
// RUN: mlopt run %s --entry @sinc_and_gradient --arg '[0, 1, -2]' --interpret | FileCheck %s --check-prefix=SINC
// RUN: mlopt run %s --entry @roots_and_gradient --arg '[4, 0, -9]' | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @roots_and_gradient --arg '[4, 0, -9]' --interpret | FileCheck %s --check-prefix=ROOT
// RUN: mlopt run %s --entry @product_and_gradient --arg '[2, 0, 5]' | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @product_and_gradient --arg '[2, 0, 5]' --interpret | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @product_and_gradient --arg '[0, 3, 0]' | FileCheck %s --check-prefix=ZEROS
// RUN: mlopt run %s --entry @product_and_gradient --arg '[0, 3, 0]' --interpret | FileCheck %s --check-prefix=ZEROS
// RUN: mlopt run %s --entry @extremes_and_gradient --arg '[3, 7, 1, 7, 1]' | FileCheck %s --check-prefix=TIES
// RUN: mlopt run %s --entry @extremes_and_gradient --arg '[3, 7, 1, 7, 1]' --interpret | FileCheck %s --check-prefix=TIES
// RUN: mlopt run %s --entry @corners_and_slopes --arg '[-2, 0, 3]' | FileCheck %s --check-prefix=CORNER
// RUN: mlopt run %s --entry @corners_and_slopes --arg '[-2, 0, 3]' --interpret | FileCheck %s --check-prefix=CORNER
// RUN: mlopt run %s --entry @cube_and_slope --arg '[-2, 0, 3]' | FileCheck %s --check-prefix=CUBE
// RUN: mlopt run %s --entry @cube_and_slope --arg '[-2, 0, 3]' --interpret | FileCheck %s --check-prefix=CUBE
// RUN: mlopt run %s --entry @decay_slopes --arg '[-1000, 1]' | FileCheck %s --check-prefix=DECAY
// RUN: mlopt run %s --entry @decay_slopes --arg '[-1000, 1]' --interpret | FileCheck %s --check-prefix=DECAY
// RUN: mlopt run %s --entry @biweight_slopes --arg '[0.5, 2, 1e160]' | FileCheck %s --check-prefix=BIWEIGHT
// RUN: mlopt run %s --entry @biweight_slopes --arg '[0.5, 2, 1e160]' --interpret | FileCheck %s --check-prefix=BIWEIGHT

//===-- Σ sin x / x, and 1 at 0, where the quotient is not a number. ----------------------------------------------===//

func.func @sinc(%x: tensor<3xf64>) -> f64 {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %one = arith.constant dense<1.0> : tensor<3xf64>
  %at_zero = arith.cmpf oeq, %x, %zero : tensor<3xf64>
  %sin = math.sin %x : tensor<3xf64>
  %quotient = arith.divf %sin, %x : tensor<3xf64>
  %y = arith.select %at_zero, %one, %quotient : tensor<3xi1>, tensor<3xf64>
  %s = array.sum %y : (tensor<3xf64>) -> f64
  return %s : f64
}
// 1 + sin 1 + sin 2 / 2; (x cos x - sin x)/x² elsewhere.
// SINC:      2.29611969{{[0-9]*}}
// SINC-NEXT: [ 0.         -0.30116868  0.43539777]
func.func @sinc_and_gradient(%x: tensor<3xf64>) -> (f64, tensor<3xf64>) {
  %s = func.call @sinc(%x) : (tensor<3xf64>) -> f64
  %g = dual.grad @sinc(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %s, %g : f64, tensor<3xf64>
}

//===-- Σ √x over positive x: the slope at 0 would be infinite, below it is not a number. -------------------------===//

func.func @roots(%x: tensor<3xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %positive = arith.cmpf ogt, %e, %zero : f64
    %root = math.sqrt %e : f64
    %v = arith.select %positive, %root, %zero : f64
    array.yield %v : f64
  }
  %s = array.sum %y : (tensor<3xf64>) -> f64
  return %s : f64
}
// ROOT:      2.0
// ROOT-NEXT: [0.25 0.   0.  ]
func.func @roots_and_gradient(%x: tensor<3xf64>) -> (f64, tensor<3xf64>) {
  %s = func.call @roots(%x) : (tensor<3xf64>) -> f64
  %g = dual.grad @roots(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %s, %g : f64, tensor<3xf64>
}

//===-- A product with zeros: the derivative is the product of the others, never p / x. ---------------------------===//

func.func @product(%x: tensor<3xf64>) -> f64 {
  %p = array.prod %x : (tensor<3xf64>) -> f64
  return %p : f64
}
// PRODUCT:      0.0
// PRODUCT-NEXT: [ 0. 10.  0.]
// ZEROS:      0.0
// ZEROS-NEXT: [0. 0. 0.]
func.func @product_and_gradient(%x: tensor<3xf64>) -> (f64, tensor<3xf64>) {
  %p = func.call @product(%x) : (tensor<3xf64>) -> f64
  %g = dual.grad @product(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %p, %g : f64, tensor<3xf64>
}

//===-- Reductions by max and min: the first among equals has the whole derivative. -------------------------------===//

func.func @extremes(%x: tensor<5xf64>) -> f64 {
  %a = array.max %x : (tensor<5xf64>) -> f64
  %b = array.min %x : (tensor<5xf64>) -> f64
  %r = arith.subf %a, %b : f64
  return %r : f64
}
// TIES:      6.0
// TIES-NEXT: [ 0.  1. -1.  0.  0.]
func.func @extremes_and_gradient(%x: tensor<5xf64>) -> (f64, tensor<5xf64>) {
  %r = func.call @extremes(%x) : (tensor<5xf64>) -> f64
  %g = dual.grad @extremes(%x) : (tensor<5xf64>) -> tensor<5xf64>
  return %r, %g : f64, tensor<5xf64>
}

//===-- max(0, x) with the zero first has slope 0 at 0; |x| has slope 1 there. ------------------------------------===//

func.func @corners(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %relu = arith.maximumf %zero, %x : tensor<3xf64>
  %abs = math.absf %x : tensor<3xf64>
  return %relu, %abs : tensor<3xf64>, tensor<3xf64>
}
// CORNER:      [0. 0. 3.]
// CORNER-NEXT: [2. 0. 3.]
// CORNER-NEXT: [0. 0. 1.]
// CORNER-NEXT: [-1.  1.  1.]
func.func @corners_and_slopes(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %y:4 = dual.jvp @corners(%x) tangents(%ones)
    : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

//===-- x³ by `powf`: with a constant exponent no logarithm of the base. ------------------------------------------===//

func.func @cube(%x: tensor<3xf64>) -> tensor<3xf64> {
  %three = arith.constant dense<3.0> : tensor<3xf64>
  %y = math.powf %x, %three : tensor<3xf64>
  return %y : tensor<3xf64>
}
// CUBE:      [-8.  0. 27.]
// CUBE-NEXT: [12.  0. 27.]
func.func @cube_and_slope(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %ones = arith.constant dense<1.0> : tensor<3xf64>
  %y, %y_t = dual.jvp @cube(%x) tangents(%ones) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %y, %y_t : tensor<3xf64>, tensor<3xf64>
}

//===-- What overflows in the arm that was not chosen: e⁻ˣ below zero, (1 - x²)³ far from it. ---------------------===//

func.func @decay(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %positive = arith.cmpf ogt, %e, %zero : f64
    %minus = arith.negf %e : f64
    %exp = math.exp %minus : f64
    %d = arith.select %positive, %exp, %one : f64
    array.yield %d : f64
  }
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}
// -1/e on the selected side, in both modes.
// DECAY:      [{{ *-?}}0. {{ *}}-0.36787944]
// DECAY-NEXT: [{{ *-?}}0. {{ *}}-0.36787944]
func.func @decay_slopes(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %f = dual.grad @decay(%x) mode forward : (tensor<?xf64>) -> tensor<?xf64>
  %r = dual.grad @decay(%x) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %f, %r : tensor<?xf64>, tensor<?xf64>
}

func.func @biweight(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %square = arith.mulf %e, %e : f64
    %near = arith.cmpf olt, %square, %one : f64
    %rest = arith.subf %one, %square : f64
    %rest2 = arith.mulf %rest, %rest : f64
    %rest3 = arith.mulf %rest2, %rest : f64
    %w = arith.select %near, %rest3, %zero : f64
    array.yield %w : f64
  }
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}
// -6x(1 - x²)² on the selected side.
// BIWEIGHT:      [-1.6875{{ *-?}}0. {{ *-?}}0. {{ *}}]
// BIWEIGHT-NEXT: [-1.6875{{ *-?}}0. {{ *-?}}0. {{ *}}]
func.func @biweight_slopes(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %f = dual.grad @biweight(%x) mode forward : (tensor<?xf64>) -> tensor<?xf64>
  %r = dual.grad @biweight(%x) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %f, %r : tensor<?xf64>, tensor<?xf64>
}
