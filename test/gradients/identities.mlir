// (Mᵀ)ᵀ = M, ∂(v1·v2)/∂v1 = v2 and v·I = v come out as themselves (spec/arrays.md H.1), and compiled code agrees with
// the evaluator on their values.

// RUN: mlopt %s --jvp --egg-optimize | FileCheck %s
// RUN: mlopt run %s --entry @transpose_twice --arg '[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=MATRIX
// RUN: mlopt run %s --entry @transpose_twice --arg '[[1, 2, 3], [4, 5, 6]]' --interpret | FileCheck %s --check-prefix=MATRIX
// MATRIX:      {{\[\[}}1. 2. 3.]
// MATRIX-NEXT:  [4. 5. 6.]]
// RUN: mlopt run %s --entry @gradient --arg '[1, 2, 3]' --arg '[4, 5, -6]' | FileCheck %s --check-prefix=VECTOR
// RUN: mlopt run %s --entry @gradient --arg '[1, 2, 3]' --arg '[4, 5, -6]' --interpret | FileCheck %s --check-prefix=VECTOR
// RUN: mlopt run %s --entry @times_identity --arg '[4, 5, -6]' | FileCheck %s --check-prefix=VECTOR
// RUN: mlopt run %s --entry @times_identity_strict --arg '[4, 5, -6]' | FileCheck %s --check-prefix=VECTOR
// RUN: mlopt run %s --entry @times_identity_strict --arg '[4, 5, -6]' --interpret | FileCheck %s --check-prefix=VECTOR
// VECTOR: [ 4.  5. -6.]
// The strict form must preserve 0·inf.
// RUN: mlopt run %s --entry @times_identity_strict --arg '[4, inf, -6]' | FileCheck %s --check-prefix=NAN
// RUN: mlopt run %s --entry @times_identity_strict --arg '[4, inf, -6]' --interpret | FileCheck %s --check-prefix=NAN
// NAN: [nan inf nan]

// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME:    %[[M:.*]]: tensor<?x3xf64>
// CHECK-NEXT:  return %[[M]]
func.func @transpose_twice(%m: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %t = array.transpose %m [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>
  %u = array.transpose %t [1, 0] : (tensor<3x?xf64>) -> tensor<?x3xf64>
  return %u : tensor<?x3xf64>
}

func.func @dot(%v1: tensor<3xf64>, %v2: tensor<3xf64>) -> f64 {
  %p = arith.mulf %v1, %v2 : tensor<3xf64>
  %s = array.sum %p : (tensor<3xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @gradient
// CHECK-SAME:    %{{.*}}: tensor<3xf64>, %[[V2:.*]]: tensor<3xf64>
// CHECK-NEXT:  return %[[V2]]
func.func @gradient(%v1: tensor<3xf64>, %v2: tensor<3xf64>) -> tensor<3xf64> {
  %g = dual.grad @dot(%v1, %v2) wrt [0] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}

// The zeros of I are the user's: they absorb under `nnan,ninf,nsz` only (E.0).
// CHECK-LABEL: func.func @times_identity(
// CHECK-SAME:    %[[V:.*]]: tensor<3xf64>
// CHECK-NEXT:  return %[[V]]
func.func @times_identity(%v: tensor<3xf64>) -> tensor<3xf64> {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %eye = array.build (%i < 3, %j < 3) -> (tensor<3x3xf64>) {
    %diagonal = arith.cmpi eq, %i, %j : index
    %e = arith.select %diagonal, %one, %zero : f64
    array.yield %e : f64
  }
  %r = array.build (%j < 3) -> (tensor<3xf64>) {
    %s = array.ifold (%i < %c3) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : (tensor<3xf64>) -> f64
      %e = array.get %eye[%i, %j] : (tensor<3x3xf64>) -> f64
      %p = arith.mulf %x, %e fastmath<nnan,ninf,nsz> : f64
      %b = arith.addf %a, %p fastmath<nnan,ninf,nsz> : f64
      array.yield %b : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<3xf64>
}

// Without them every product with a zero is still computed, and added.
// CHECK-LABEL: func.func @times_identity_strict
// CHECK:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:       arith.mulf %{{.*}}, %[[ZERO]]
// CHECK:       arith.addf
func.func @times_identity_strict(%v: tensor<3xf64>) -> tensor<3xf64> {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %eye = array.build (%i < 3, %j < 3) -> (tensor<3x3xf64>) {
    %diagonal = arith.cmpi eq, %i, %j : index
    %e = arith.select %diagonal, %one, %zero : f64
    array.yield %e : f64
  }
  %r = array.build (%j < 3) -> (tensor<3xf64>) {
    %s = array.ifold (%i < %c3) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : (tensor<3xf64>) -> f64
      %e = array.get %eye[%i, %j] : (tensor<3x3xf64>) -> f64
      %p = arith.mulf %x, %e : f64
      %b = arith.addf %a, %p : f64
      array.yield %b : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<3xf64>
}
