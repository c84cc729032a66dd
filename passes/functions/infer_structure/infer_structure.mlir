// RUN: mlopt %s --infer-structure="report=true rewrite=false" --verify-diagnostics -o %t
// RUN: mlopt %s --infer-structure | FileCheck %s
// The structure of matrices, op by op, and the operations that it saves.

!diagonal = tensor<4x4xf64, #lambda.matrix<bands = [1, 1]>>
!upper = tensor<4x4xf64, #lambda.matrix<bands = [1, -1]>>
!symmetric = tensor<4x4xf64, #lambda.matrix<bands = [-1, -1], symmetric>>

// The transpose of a symmetric matrix is the matrix; sin 0 = 0, and elementwise functions preserve symmetry.
// CHECK-LABEL: func.func @symmetric(%s: tensor<4x4xf64>) -> tensor<4x4xf64> {
// CHECK-NEXT:    %[[Y:.*]] = math.cos %s
// CHECK-NEXT:    return %[[Y]]
func.func @symmetric(%s: !symmetric) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %x = tensor.cast %s : !symmetric to tensor<4x4xf64>
  // expected-remark @+1 {{'array.transpose' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %t = array.transpose %x [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-remark @+1 {{'math.cos' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %y = math.cos %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %d: tensor<4x4xf64>, %u: tensor<4x4xf64>, %c: f64)
// CHECK-NEXT:    %s = arith.addf %d, %u
// CHECK-NEXT:    %p = arith.mulf %d, %s
// CHECK-NEXT:    %e = math.exp %p
// CHECK-NEXT:    %q = math.sin %s
// CHECK:         %h = arith.divf %q, %{{.*}}
// CHECK-NEXT:    %n = arith.divf %h, %e
// CHECK-NEXT:    %t = array.transpose %n [1, 0]
// CHECK-NEXT:    %y = arith.addf %n, %t
// CHECK-NEXT:    return %y
func.func @elementwise(%d: !diagonal, %u: !upper, %c: f64) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' returns a matrix of structure #lambda.matrix<bands = [1, 1], symmetric>}}
  %a = tensor.cast %d : !diagonal to tensor<4x4xf64>
  // expected-remark @+1 {{'tensor.cast' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %b = tensor.cast %u : !upper to tensor<4x4xf64>
  // expected-remark @+1 {{'arith.addf' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %s = arith.addf %a, %b : tensor<4x4xf64>
  // expected-remark @+1 {{'arith.mulf' returns a matrix of structure #lambda.matrix<bands = [1, 1], symmetric>}}
  %p = arith.mulf %a, %s : tensor<4x4xf64>
  // No structure: e⁰ is 1.
  // expected-remark @+1 {{'math.exp' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %e = math.exp %p : tensor<4x4xf64>
  // expected-remark @+1 {{'math.sin' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %q = math.sin %s : tensor<4x4xf64>
  // A quotient keeps zeros if no zero is divided by zero.
  // expected-remark @+1 {{'arith.constant' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %two = arith.constant dense<2.0> : tensor<4x4xf64>
  // expected-remark @+1 {{'arith.divf' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %h = arith.divf %q, %two : tensor<4x4xf64>
  %n = arith.divf %h, %e : tensor<4x4xf64>
  // A matrix plus its transpose is symmetric.
  %t = array.transpose %n [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-remark @+1 {{'arith.addf' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %y = arith.addf %n, %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// A·Aᵀ is symmetric, so its transpose is removed; the identity is diagonal.
// CHECK-LABEL: func.func @gram(
// CHECK:         %g = array.build (%i < 4, %j < 4)
// CHECK:           array.get %a[%i]
// CHECK-NEXT:      array.get %a[%j]
// CHECK-NOT:     array.transpose
// CHECK:         %identity = array.build (%i < 4, %j < 4)
// CHECK-NOT:     array.transpose
// CHECK:         return %g, %identity
func.func @gram(%a: tensor<4x3xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>) {
  // expected-remark @+1 {{'array.build' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %g = array.build (%i < 4, %j < 4) -> (tensor<4x4xf64>) {
    %x = array.get %a[%i] : (tensor<4x3xf64>) -> tensor<3xf64>
    %y = array.get %a[%j] : (tensor<4x3xf64>) -> tensor<3xf64>
    %p = arith.mulf %x, %y : tensor<3xf64>
    %s = array.sum %p : (tensor<3xf64>) -> f64
    array.yield %s : f64
  }
  // expected-remark @+1 {{'array.transpose' returns a matrix of structure #lambda.matrix<bands = [-1, -1], symmetric>}}
  %t = array.transpose %g [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-remark @+1 {{'array.build' returns a matrix of structure #lambda.matrix<bands = [1, 1], symmetric>}}
  %identity = array.build (%i < 4, %j < 4) -> (tensor<4x4xf64>) {
    %one = arith.constant 1.0 : f64
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpi eq, %i, %j : index
    %e = arith.select %c, %one, %zero : f64
    array.yield %e : f64
  }
  return %t, %identity : tensor<4x4xf64>, tensor<4x4xf64>
}

// The sum of a row runs over the elements between the bands.
// CHECK-LABEL: func.func @times_vector(
// CHECK:         array.build (%[[I:.*]] < 4)
// CHECK-DAG:       %[[LOW:.*]] = arith.maxsi
// CHECK-DAG:       %[[COUNT:.*]] = arith.subi %{{.*}}, %[[LOW]] : index
// CHECK:           array.ifold
// CHECK:             %[[K:.*]] = arith.addi %[[LOW]], %{{.*}} : index
// CHECK:             array.get %u[%[[I]], %[[K]]]
func.func @times_vector(%u: !upper, %v: tensor<4xf64>) -> tensor<4xf64> {
  // expected-remark @+1 {{'tensor.cast' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %m = tensor.cast %u : !upper to tensor<4x4xf64>
  %y = array.build (%i < 4) -> (tensor<4xf64>) {
    %row = array.get %m[%i] : (tensor<4x4xf64>) -> tensor<4xf64>
    %p = arith.mulf %row, %v : tensor<4xf64>
    %s = array.sum %p : (tensor<4xf64>) -> f64
    array.yield %s : f64
  }
  return %y : tensor<4xf64>
}

// A transpose swaps the bands, and a band that is declared for one side of a symmetric matrix holds for both.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT:    %t = array.transpose %u [1, 0]
// CHECK-NEXT:    %y = arith.mulf %u, %t
// CHECK-NEXT:    return %y
func.func @transposed(%u: !upper) -> tensor<4x4xf64> {
  // expected-remark @+1 {{'tensor.cast' returns a matrix of structure #lambda.matrix<bands = [1, -1]>}}
  %m = tensor.cast %u : !upper to tensor<4x4xf64>
  // expected-remark @+1 {{'array.transpose' returns a matrix of structure #lambda.matrix<bands = [-1, 1]>}}
  %t = array.transpose %m [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  // expected-remark @+1 {{'arith.mulf' returns a matrix of structure #lambda.matrix<bands = [1, 1], symmetric>}}
  %y = arith.mulf %m, %t : tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}

// A matrix minus its transpose is not symmetric: its own transpose is kept.
// CHECK-LABEL: func.func @difference(
// CHECK:         array.transpose
// CHECK:         arith.subf
// CHECK:         array.transpose
func.func @difference(%m: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %t = array.transpose %m [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %d = arith.subf %m, %t : tensor<4x4xf64>
  %y = array.transpose %d [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  return %y : tensor<4x4xf64>
}
