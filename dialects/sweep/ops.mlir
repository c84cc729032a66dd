// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// Both forms of a nest, and every kind of result, are preserved by printing and parsing.

// CHECK-LABEL: func.func @on_values
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[N:.*]]: index, %[[A0:.*]]: f64
func.func @on_values(%x: tensor<?xf64>, %n: index, %a0: f64) -> (tensor<?xf64>, f64, f64) {
  // CHECK: %[[R:.*]]:3 = sweep.nest (%[[I:.*]] < %[[N]]) fold(%[[A:.*]] = %[[A0]]) -> (map tensor<?xf64>, sum f64, fold f64) {
  // CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[I]]]
  // CHECK:   %[[B:.*]] = arith.mulf %[[A]], %[[E]]
  // CHECK:   sweep.yield %[[E]], %[[E]], %[[B]] : f64, f64, f64
  %c, %s, %f = sweep.nest (%i < %n) fold(%a = %a0) -> (map tensor<?xf64>, sum f64, fold f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %b = arith.mulf %a, %e : f64
    sweep.yield %e, %e, %b : f64, f64, f64
  }
  return %c, %s, %f : tensor<?xf64>, f64, f64
}

// An inner nest computes a row; an array may be carried.
// CHECK-LABEL: func.func @rows
func.func @rows(%m: index, %n: index, %w0: tensor<?xindex>) -> (tensor<?x?xindex>, tensor<?xindex>) {
  // CHECK: sweep.nest (%{{.*}} < %{{.*}}) fold(%{{.*}} = %{{.*}}) -> (map tensor<?x?xindex>, fold tensor<?xindex>) {
  %z, %w1 = sweep.nest (%i < %m) fold(%w = %w0) -> (map tensor<?x?xindex>, fold tensor<?xindex>) {
    // CHECK: sweep.nest (%{{.*}} < %{{.*}}) -> (map tensor<?xindex>) {
    %row = sweep.nest (%j < %n) -> (map tensor<?xindex>) {
      %s = arith.addi %i, %j : index
      sweep.yield %s : index
    }
    sweep.yield %row, %row : tensor<?xindex>, tensor<?xindex>
  }
  return %z, %w1 : tensor<?x?xindex>, tensor<?xindex>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<?xf64>, %n: index) -> (f64, f64, f64) {
  // CHECK: sweep.nest (%{{.*}} < %{{.*}}) -> (prod f64, max f64, min f64) {
  // CHECK: } {fastmath = #arith.fastmath<reassoc>}
  %p, %a, %b = sweep.nest (%i < %n) -> (prod f64, max f64, min f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    sweep.yield %e, %e, %e : f64, f64, f64
  } {fastmath = #arith.fastmath<reassoc>}
  return %p, %a, %b : f64, f64, f64
}

// CHECK-LABEL: func.func @added
func.func @added(%x: tensor<?xf64>, %m: memref<?xf64>, %v: f64, %i: index) -> tensor<?xf64> {
  // CHECK: sweep.add %{{.*}}, %{{.*}}[%{{.*}}] : f64, tensor<?xf64> -> tensor<?xf64>
  %z = sweep.add %v, %x[%i] : f64, tensor<?xf64> -> tensor<?xf64>
  // CHECK: sweep.put %{{.*}}, %{{.*}}[%{{.*}}] : f64, tensor<?xf64>
  %p = sweep.put %v, %z[%i] : f64, tensor<?xf64>
  // CHECK: sweep.add %{{.*}}, %{{.*}}[%{{.*}}] : f64, memref<?xf64>
  sweep.add %v, %m[%i] : f64, memref<?xf64>
  return %z : tensor<?xf64>
}

// CHECK-LABEL: func.func @arranged
func.func @arranged(%x: tensor<?x3xf64>, %row: tensor<3xf64>, %a: f64, %n: index) -> (tensor<?xf64>, tensor<2xf64>) {
  // CHECK: sweep.join %{{.*}}, %{{.*}} sizes(%{{.*}}) : (tensor<?x3xf64>, tensor<3xf64>) -> tensor<?x3xf64>
  %z = sweep.join %x, %row sizes(%n) : (tensor<?x3xf64>, tensor<3xf64>) -> tensor<?x3xf64>
  // CHECK: sweep.reshape %{{.*}} sizes(%{{.*}}) : tensor<?x3xf64> -> tensor<?xf64>
  %f = sweep.reshape %z sizes(%n) : tensor<?x3xf64> -> tensor<?xf64>
  // CHECK: sweep.join %{{.*}}, %{{.*}} : (f64, f64) -> tensor<2xf64>
  %l = sweep.join %a, %a : (f64, f64) -> tensor<2xf64>
  return %f, %l : tensor<?xf64>, tensor<2xf64>
}

// CHECK-LABEL: func.func @on_buffers
func.func @on_buffers(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %m: index, %n: index) {
  // CHECK: sweep.nest (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) {
  // CHECK:   sweep.yield
  sweep.nest (%i < %m, %j < %n) {
    %e = memref.load %x[%i, %j] : memref<?x?xf64>
    memref.store %e, %y[%i, %j] : memref<?x?xf64>
    sweep.yield
  }
  return
}

// CHECK-LABEL: func.func @required
func.func @required(%a: index, %b: index) {
  %same = arith.cmpi eq, %a, %b : index
  // CHECK: sweep.require %{{.*}}, "sizes differ"
  sweep.require %same, "sizes differ"
  return
}

// CHECK-LABEL: func.func @contraction
func.func @contraction(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %z: memref<?x?xf64>, %p: memref<?xf64>, %n: index) {
  // CHECK: sweep.nest (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) {
  // CHECK:   sweep.scratch %{{.*}} : memref<?xf64>
  // CHECK: } {contraction}
  sweep.nest (%i < %n, %j < %n) {
    sweep.scratch %p : memref<?xf64>
    %s = sweep.nest (%k < %n) -> (sum f64) {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = memref.load %y[%k, %j] : memref<?x?xf64>
      %t = arith.mulf %a, %b : f64
      sweep.yield %t : f64
    }
    memref.store %s, %z[%i, %j] : memref<?x?xf64>
    sweep.yield
  } {contraction}
  return
}

// Memory of one iteration, in a nest whose iterations may run concurrently.
// CHECK-LABEL: func.func @private
func.func @private(%x: memref<?xf64>, %arena: memref<?xi8>, %n: index, %m: index) -> f64 {
  // CHECK: sweep.nest (%[[I:.*]] < %{{.*}}) -> (sum f64) {
  // CHECK:   sweep.private %{{.*}}[%{{.*}}] stride(%{{.*}}) copies(%{{.*}}) sizes(%{{.*}}) : memref<?xi8> -> memref<?xf64>
  // CHECK:   sweep.private %{{.*}}[%{{.*}}] stride(%{{.*}}) copies(%{{.*}}) : memref<?xi8> -> memref<4xi1>
  // CHECK: } {parallel}
  %s = sweep.nest (%i < %n) -> (sum f64) {
    %a = sweep.private %arena[%m] stride(%m) copies(%n) sizes(%m) : memref<?xi8> -> memref<?xf64>
    %b = sweep.private %arena[%m] stride(%m) copies(%n) : memref<?xi8> -> memref<4xi1>
    %e = memref.load %a[%i] : memref<?xf64>
    sweep.yield %e : f64
  } {parallel}
  return %s : f64
}
