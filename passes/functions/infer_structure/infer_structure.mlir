// RUN: mlopt %s --infer-structure="report=true rewrite=false" --verify-diagnostics -o %t
// RUN: mlopt %s --infer-structure | FileCheck %s
// What is known of matrices, op by op, and what it saves.

!diagonal = tensor<4x4xf64, #lambda.matrix<bands = [1, 1]>>
!upper = tensor<4x4xf64, #lambda.matrix<bands = [1, -1]>>
!symmetric = tensor<4x4xf64, #lambda.matrix<bands = [-1, -1], symmetric>>

// The transpose of a symmetric matrix is the matrix; sines are zero at zero, and what is symmetric stays so.
// CHECK-LABEL: func.func @symmetric(%s: tensor<4x4xf64>) -> tensor<4x4xf64> {
// CHECK-NEXT:    %[[Y:.*]] = math.cos %s
// CHECK-NEXT:    return %[[Y]]
func.func @symmetric(%s: !symmetric) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' gives a matrix of bands [-1, -1], symmetric}}
  %x = tensor.cast %s : !symmetric to tensor<4x4xf64>
  // expected-remark @+1 {{'array.transpose' gives a matrix of bands [-1, -1], symmetric}}
  %t = array.transpose %x [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  // expected-remark @+1 {{'math.cos' gives a matrix of bands [-1, -1], symmetric}}
  %y = math.cos %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// CHECK-LABEL: func.func @elementwise(
func.func @elementwise(%d: !diagonal, %u: !upper, %c: f64) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' gives a matrix of bands [1, 1], symmetric}}
  %a = tensor.cast %d : !diagonal to tensor<4x4xf64>
  // expected-remark @+1 {{'tensor.cast' gives a matrix of bands [1, -1]}}
  %b = tensor.cast %u : !upper to tensor<4x4xf64>
  // expected-remark @+1 {{'arith.addf' gives a matrix of bands [1, -1]}}
  %s = arith.addf %a, %b : tensor<4x4xf64>
  // expected-remark @+1 {{'arith.mulf' gives a matrix of bands [1, 1], symmetric}}
  %p = arith.mulf %a, %s : tensor<4x4xf64>
  // Nothing is known of it: e⁰ is 1.
  // expected-remark @+1 {{'math.exp' gives a matrix of bands [-1, -1], symmetric}}
  %e = math.exp %p : tensor<4x4xf64>
  // expected-remark @+1 {{'math.sin' gives a matrix of bands [1, -1]}}
  %q = math.sin %s : tensor<4x4xf64>
  // A quotient keeps zeros where nothing is divided by zero.
  // expected-remark @+1 {{'arith.constant' gives a matrix of bands [-1, -1], symmetric}}
  %two = arith.constant dense<2.0> : tensor<4x4xf64>
  // expected-remark @+1 {{'arith.divf' gives a matrix of bands [1, -1]}}
  %h = arith.divf %q, %two : tensor<4x4xf64>
  %n = arith.divf %h, %e : tensor<4x4xf64>
  // A matrix plus its transpose is symmetric.
  %t = array.transpose %n [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  // expected-remark @+1 {{'arith.addf' gives a matrix of bands [-1, -1], symmetric}}
  %y = arith.addf %n, %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// A·Aᵀ is symmetric, so its transpose goes; the identity is diagonal.
// CHECK-LABEL: func.func @gram(
// CHECK-NOT:     array.transpose
// CHECK:         return
func.func @gram(%a: tensor<4x3xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  // expected-remark @+1 {{'array.build' gives a matrix of bands [-1, -1], symmetric}}
  %g = array.build (%i < 4, %j < 4) -> (tensor<4x4xf64>) {
    %x = array.get %a[%i] : tensor<4x3xf64> -> tensor<3xf64>
    %y = array.get %a[%j] : tensor<4x3xf64> -> tensor<3xf64>
    %p = arith.mulf %x, %y : tensor<3xf64>
    %s = array.sum %p : (tensor<3xf64>) -> f64
    array.yield %s : f64
  }
  // expected-remark @+1 {{'array.transpose' gives a matrix of bands [-1, -1], symmetric}}
  %t = array.transpose %g [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  // expected-remark @+1 {{'array.build' gives a matrix of bands [1, 1], symmetric}}
  %identity = array.build (%i < 4, %j < 4) -> (tensor<4x4xf64>) {
    %one = arith.constant 1.0 : f64
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpi eq, %i, %j : index
    %e = arith.select %c, %one, %zero : f64
    array.yield %e : f64
  }
  return %t, %identity : tensor<4x4xf64>, tensor<4x4xf64>
}

// The sum of a row runs between the bands.
// CHECK-LABEL: func.func @times_vector(
// CHECK:         array.build (%[[I:.*]] < 4)
// CHECK-DAG:       %[[LOW:.*]] = arith.maxsi
// CHECK-DAG:       %[[COUNT:.*]] = arith.subi %{{.*}}, %[[LOW]] : index
// CHECK:           array.ifold
// CHECK:             %[[K:.*]] = arith.addi %[[LOW]], %{{.*}} : index
// CHECK:             array.get %u[%[[I]], %[[K]]]
func.func @times_vector(%u: !upper, %v: tensor<4xf64>) -> tensor<4xf64> {
  // expected-remark @+1 {{'tensor.cast' gives a matrix of bands [1, -1]}}
  %m = tensor.cast %u : !upper to tensor<4x4xf64>
  %y = array.build (%i < 4) -> (tensor<4xf64>) {
    %row = array.get %m[%i] : tensor<4x4xf64> -> tensor<4xf64>
    %p = arith.mulf %row, %v : tensor<4xf64>
    %s = array.sum %p : (tensor<4xf64>) -> f64
    array.yield %s : f64
  }
  return %y : tensor<4xf64>
}

// A transpose exchanges the bands, and what is declared of a symmetric band holds on both sides.
// CHECK-LABEL: func.func @transposed(
func.func @transposed(%u: !upper) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' gives a matrix of bands [1, -1]}}
  %m = tensor.cast %u : !upper to tensor<4x4xf64>
  // expected-remark @+1 {{'array.transpose' gives a matrix of bands [-1, 1]}}
  %t = array.transpose %m [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  // expected-remark @+1 {{'arith.mulf' gives a matrix of bands [1, 1], symmetric}}
  %y = arith.mulf %m, %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// A matrix minus its transpose is not symmetric: its own transpose stays.
// CHECK-LABEL: func.func @difference(
// CHECK:         array.transpose
// CHECK:         arith.subf
// CHECK:         array.transpose
func.func @difference(%m: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %t = array.transpose %m [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  %d = arith.subf %m, %t : tensor<4x4xf64>
  %y = array.transpose %d [1, 0] : tensor<4x4xf64> -> tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}
