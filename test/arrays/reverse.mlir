// Reverse mode: all directions at once. The transpose of a gather is a scatter; loops run
// backwards over their residuals; a value that is not selected has the cotangent zero, not zero times infinity.

// RUN: mlopt %s --bulk-operations --differentiate --canonicalize --cse | FileCheck %s
// RUN: mlopt run %s --entry @embedding_gradient --arg '[[1, 2], [3, 4], [5, 6]]' --arg '[2, 0, 2, 7]' | FileCheck %s --check-prefix=EMBEDDING
// RUN: mlopt run %s --entry @embedding_gradient --arg '[[1, 2], [3, 4], [5, 6]]' --arg '[2, 0, 2, 7]' --interpret | FileCheck %s --check-prefix=EMBEDDING
// RUN: mlopt run %s --entry @sinc_gradient --arg '[0, 1, -2]' | FileCheck %s --check-prefix=SINC
// RUN: mlopt run %s --entry @sinc_gradient --arg '[0, 1, -2]' --interpret | FileCheck %s --check-prefix=SINC
// RUN: mlopt run %s --entry @chain_gradient --arg 3 | FileCheck %s --check-prefix=CHAIN
// RUN: mlopt run %s --entry @chain_gradient --arg 3 --interpret | FileCheck %s --check-prefix=CHAIN
// RUN: mlopt run %s --entry @product_gradient --arg '[2, 0, 5]' | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @product_gradient --arg '[2, 0, 5]' --interpret | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @recurrence_gradient --arg 1 --arg '[3, 4, 5]' | FileCheck %s --check-prefix=LOOP
// RUN: mlopt run %s --entry @recurrence_gradient --arg 1 --arg '[3, 4, 5]' --interpret | FileCheck %s --check-prefix=LOOP
// RUN: mlopt run %s --entry @self_convolution_gradient --arg '[1, 2, 3, 4]' | FileCheck %s --check-prefix=SELF
// RUN: mlopt run %s --entry @self_convolution_gradient --arg '[1, 2, 3, 4]' --interpret | FileCheck %s --check-prefix=SELF
// RUN: mlopt run %s --entry @polar_vjp --arg 2 --arg 0.5 --arg '[1, 10]' | FileCheck %s --check-prefix=POLAR
// RUN: mlopt run %s --entry @polar_vjp --arg 2 --arg 0.5 --arg '[1, 10]' --interpret | FileCheck %s --check-prefix=POLAR
// RUN: mlopt run %s --entry @stretching_gradient --arg 1 | FileCheck %s --check-prefix=STRETCH
// RUN: mlopt run %s --entry @stretching_gradient --arg 1 --interpret | FileCheck %s --check-prefix=STRETCH
// RUN: mlopt check-grad %s --entry @column_products --size m.0=0 --size m.1=2 | FileCheck %s --check-prefix=NO-ROWS

//===-- Squares of rows of a table, by token. A row that is read twice is added to twice; token 7 adds nothing. ----===//

func.func @embedding(%e: tensor<3x2xf64>, %tokens: tensor<4xindex>) -> f64 {
  %squares = array.build (%t < 4, %c < 2) -> (tensor<4x2xf64>) {
    %token = array.get %tokens[%t] : (tensor<4xindex>) -> index
    %x = array.get %e[%token, %c] : (tensor<3x2xf64>) -> f64
    %xx = arith.mulf %x, %x : f64
    array.yield %xx : f64
  }
  %s = array.sum %squares axes [0, 1] : (tensor<4x2xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @embedding_gradient
// CHECK-NOT:     array.build
// CHECK:         array.gather
// CHECK-NOT:     array.build
// CHECK:         array.scatter
// CHECK-NOT:     array.build
// CHECK:         return
// EMBEDDING:      127.0
// EMBEDDING-NEXT: {{\[\[}} 2.  4.]
// EMBEDDING-NEXT:  [ 0.  0.]
// EMBEDDING-NEXT:  [20. 24.]]
func.func @embedding_gradient(%e: tensor<3x2xf64>, %tokens: tensor<4xindex>) -> (f64, tensor<3x2xf64>) {
  %s, %g = dual.value_and_grad @embedding(%e, %tokens) wrt [0] mode reverse
    : (tensor<3x2xf64>, tensor<4xindex>) -> (f64, tensor<3x2xf64>)
  return %s, %g : f64, tensor<3x2xf64>
}

//===-- sin x / x, and 1 at 0. As a whole array the quotient is computed at 0 too; its cotangent there is none. -----===//

func.func @sinc(%x: tensor<3xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %at_zero = arith.cmpf oeq, %e, %zero : f64
    %sin = math.sin %e : f64
    %quotient = arith.divf %sin, %e : f64
    %v = arith.select %at_zero, %one, %quotient : f64
    array.yield %v : f64
  }
  %s = array.sum %y : (tensor<3xf64>) -> f64
  return %s : f64
}
// SINC: [ 0.         -0.30116868  0.43539777]
func.func @sinc_gradient(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = dual.grad @sinc(%x) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}

//===-- Eight doublings: the derivative 256 in eight additions, not in 256. ----------------------------------------===//

func.func @chain(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %a, %a : f64
  %c = arith.addf %b, %b : f64
  %d = arith.addf %c, %c : f64
  %e = arith.addf %d, %d : f64
  %f = arith.addf %e, %e : f64
  %g = arith.addf %f, %f : f64
  %h = arith.addf %g, %g : f64
  return %h : f64
}
// CHECK-LABEL:   func.func @chain_gradient
// CHECK-COUNT-8:   arith.addf
// CHECK-NOT:       arith.addf
// CHECK:           return
// CHAIN: 256.0
func.func @chain_gradient(%x: f64) -> f64 {
  %g = dual.grad @chain(%x) mode reverse : (f64) -> f64
  return %g : f64
}

//===-- A product with a zero: each partial derivative is the product of the others. -------------------------------===//

func.func @product(%x: tensor<3xf64>) -> f64 {
  %p = array.prod %x : (tensor<3xf64>) -> f64
  return %p : f64
}
// PRODUCT: [ 0. 10.  0.]
func.func @product_gradient(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = dual.grad @product(%x) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}

//===-- s ← s·s/2 + x from z: a loop that keeps its states for the way back. ------------------------------------------===//

func.func @recurrence(%z: f64, %x: tensor<?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %r = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %z) -> (f64) {
    %square = arith.mulf %s, %s : f64
    %halved = arith.mulf %half, %square : f64
    %next = arith.addf %halved, %e : f64
    array.yield %next : f64
  }
  return %r : f64
}
// States 1, 3.5, 10.125, then 56.2578125: cotangents 1, 10.125, 10.125·3.5, and for z once more.
// LOOP:      56.2578125
// LOOP-NEXT: 35.4375
// LOOP-NEXT: [35.4375 10.125   1.    ]
func.func @recurrence_gradient(%z: f64, %x: tensor<?xf64>) -> (f64, f64, tensor<?xf64>) {
  %r, %gz, %gx = dual.value_and_grad @recurrence(%z, %x) mode reverse : (f64, tensor<?xf64>) -> (f64, f64, tensor<?xf64>)
  return %r, %gz, %gx : f64, f64, tensor<?xf64>
}

//===-- Σ xᵢ x₍ₙ₋₁₋ᵢ₎: two reversals of cotangents, and no loop over directions. ---------------------------------===//

func.func @self_convolution(%x: tensor<?xf64>) -> f64 {
  %back = array.reverse %x : tensor<?xf64>
  %p = arith.mulf %x, %back : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
// SELF: [8. 6. 4. 2.]
func.func @self_convolution_gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @self_convolution(%x) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

//===-- A cotangent of an array result: (r cos φ, r sin φ) with (1, 10). ---------------------------------------------===//

func.func @polar(%r: f64, %phi: f64) -> tensor<2xf64> {
  %c = math.cos %phi : f64
  %s = math.sin %phi : f64
  %x = arith.mulf %r, %c : f64
  %y = arith.mulf %r, %s : f64
  %z = array.stack %x, %y : (f64, f64) -> tensor<2xf64>
  return %z : tensor<2xf64>
}
// cos φ + 10 sin φ, and 10 x - y.
// POLAR:      5.67183794{{[0-9]*}}
// POLAR-NEXT: 16.59280016{{[0-9]*}}
func.func @polar_vjp(%r: f64, %phi: f64, %ct: tensor<2xf64>) -> (f64, f64) {
  %z, %r_ct, %phi_ct = dual.vjp @polar(%r, %phi) cotangents(%ct) : (f64, f64, tensor<2xf64>) -> (tensor<2xf64>, f64, f64)
  return %r_ct, %phi_ct : f64, f64
}

//===-- s ← ⌊s⌋ eˢ, twice: an array whose size the carried float decides. Its rows differ, so none is kept. ------------===//

func.func @stretching(%x: f64) -> f64 {
  %n = arith.constant 2 : index
  %r = array.ifold (%i < %n) iter_args(%s = %x) -> (f64) {
    %whole = arith.fptosi %s : f64 to i64
    %m = arith.index_cast %whole : i64 to index
    %v = array.replicate %s, %m : (f64) -> tensor<?xf64>
    %e = math.exp %v : tensor<?xf64>
    %sum = array.sum %e : (tensor<?xf64>) -> f64
    array.yield %sum : f64
  }
  return %r : f64
}
// One row, then two: 2 eᵉ, and its derivative 2 e¹⁺ᵉ.
// STRETCH:      30.30852448
// STRETCH-NEXT: 82.38711134
func.func @stretching_gradient(%x: f64) -> (f64, f64) {
  %r, %g = dual.value_and_grad @stretching(%x) mode reverse : (f64) -> (f64, f64)
  return %r, %g : f64, f64
}

//===-- Products of columns without rows are ones: their gradient has no rows either, but two columns. -----------------===//

// NO-ROWS: all derivatives agree
func.func @column_products(%m: tensor<?x?xf64>) -> f64 {
  %p = array.prod %m axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
