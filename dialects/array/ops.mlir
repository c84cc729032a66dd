// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// RUN: mlopt %s --emit-bytecode | mlopt | FileCheck %s
// Every op of `array` in each of its spellings survives printing, the generic form and bytecode.

// Integers where the result type is static, operands where it is `?`; several arrays at once; array elements.
// CHECK-LABEL: func.func @build
// CHECK-SAME:    %[[N:.*]]: index
func.func @build(%n: index, %row: tensor<3xf32>) -> (tensor<4x?xindex>, tensor<?xf64>, tensor<?xi1>, tensor<2x3xf32>) {
  // CHECK: array.build (%{{.*}} < 4, %{{.*}} < %[[N]]) -> (tensor<4x?xindex>) {
  // CHECK:   array.yield %{{.*}} : index
  %a = array.build (%i < 4, %j < %n) -> (tensor<4x?xindex>) {
    %s = arith.addi %i, %j : index
    array.yield %s : index
  }
  // CHECK: %{{.*}}:2 = array.build (%{{.*}} < %[[N]]) -> (tensor<?xf64>, tensor<?xi1>) {
  // CHECK:   array.yield %{{.*}}, %{{.*}} : f64, i1
  %b, %c = array.build (%i < %n) -> (tensor<?xf64>, tensor<?xi1>) {
    %x = dual.one : f64
    %p = arith.cmpi eq, %i, %n : index
    array.yield %x, %p : f64, i1
  }
  // CHECK: array.build (%{{.*}} < 2) -> (tensor<2x3xf32>) {
  // CHECK:   array.yield %{{.*}} : tensor<3xf32>
  %d = array.build (%i < 2) -> (tensor<2x3xf32>) {
    array.yield %row : tensor<3xf32>
  }
  return %a, %b, %c, %d : tensor<4x?xindex>, tensor<?xf64>, tensor<?xi1>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @ifold
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: f64, %[[Y:.*]]: tensor<?xi32>
func.func @ifold(%n: index, %x: f64, %y: tensor<?xi32>) -> (f64, tensor<?xi32>) {
  // CHECK: array.ifold (%{{.*}} < %[[N]]) iter_args(%[[S:.*]] = %[[X]], %[[T:.*]] = %[[Y]]) -> (f64, tensor<?xi32>) {
  // CHECK:   array.yield %[[S]], %[[T]] : f64, tensor<?xi32>
  %s:2 = array.ifold (%i < %n) iter_args(%a = %x, %b = %y) -> (f64, tensor<?xi32>) {
    array.yield %a, %b : f64, tensor<?xi32>
  }
  return %s#0, %s#1 : f64, tensor<?xi32>
}

// CHECK-LABEL: func.func @bulk
func.func @bulk(%x: tensor<4x?x3xf64>, %i: index) -> index {
  // CHECK: array.get %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x?x3xf64> -> tensor<3xf64>
  %a = array.get %x[%i, %i] : tensor<4x?x3xf64> -> tensor<3xf64>
  // CHECK: array.get %{{.*}}[%{{.*}}] : tensor<3xf64> -> f64
  %b = array.get %a[%i] : tensor<3xf64> -> f64
  // CHECK: array.length %{{.*}} axis 1 : tensor<4x?x3xf64>
  %n = array.length %x axis 1 : tensor<4x?x3xf64>
  // CHECK: array.length %{{.*}} : tensor<4x?x3xf64>
  %m = array.length %x : tensor<4x?x3xf64>
  // CHECK: array.sum %{{.*}} : (tensor<4x?x3xf64>) -> tensor<?x3xf64>
  %s = array.sum %x : (tensor<4x?x3xf64>) -> tensor<?x3xf64>
  // CHECK: array.replicate %{{.*}} : (f64) -> tensor<5xf64>
  %r = array.replicate %b : (f64) -> tensor<5xf64>
  // CHECK: array.replicate %{{.*}}, %{{.*}} : (tensor<3xf64>) -> tensor<?x3xf64>
  %q = array.replicate %a, %n : (tensor<3xf64>) -> tensor<?x3xf64>
  // CHECK: array.transpose %{{.*}} [2, 0, 1] : tensor<4x?x3xf64> -> tensor<3x4x?xf64>
  %t = array.transpose %x [2, 0, 1] : tensor<4x?x3xf64> -> tensor<3x4x?xf64>
  return %m : index
}
