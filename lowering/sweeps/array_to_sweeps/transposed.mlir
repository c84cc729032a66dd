// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s

// A matrix that a recurrence multiplies with its state is transposed before the loop, if there are many iterations.
// CHECK-LABEL: func.func @recurrence
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[W:.*]]: tensor<40x40xf64>, %{{.*}}: tensor<40xf64>)
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[FEWEST:.*]] = arith.constant 32 : index
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %[[N]], %[[FEWEST]] : index
// CHECK:         %[[ROWS:.*]] = arith.select %[[MANY]], %{{.*}}, %{{.*}} : index
// CHECK:         %[[T:.*]] = sweep.nest (%[[K:.*]] < %[[ROWS]], %[[I:.*]] < %{{.*}}) -> (map tensor<?x40xf64>) {
// CHECK-NEXT:      tensor.extract %[[W]][%[[I]], %[[K]]]
// CHECK:         sweep.nest (%{{.*}} < %[[N]]) fold
// CHECK:           scf.if %[[MANY]] -> (tensor<40xf64>) {
// CHECK:             tensor.extract %[[T]][%{{.*}}, %{{.*}}] : tensor<?x40xf64>
// CHECK:           } else {
// CHECK:             tensor.extract %[[W]][%{{.*}}, %{{.*}}] : tensor<40x40xf64>
func.func @recurrence(%x: tensor<?xf64>, %w: tensor<40x40xf64>, %h: tensor<40xf64>) -> tensor<40xf64> {
  %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %h) -> (tensor<40xf64>) {
    %p = array.build (%i < 40) -> (tensor<40xf64>) {
      %row = array.get %w[%i] : (tensor<40x40xf64>) -> tensor<40xf64>
      %q = arith.mulf %row, %s : tensor<40xf64>
      %t = array.sum %q : (tensor<40xf64>) -> f64
      %u = arith.addf %t, %e : f64
      array.yield %u : f64
    }
    array.yield %p : tensor<40xf64>
  }
  return %z : tensor<40xf64>
}

// -----

// A known large number of iterations needs no test; with two iterations nothing is transposed,
// CHECK-LABEL: func.func @counted
// CHECK:         sweep.nest {{.*}} -> (map tensor<40x40xf64>)
// CHECK-NOT:     scf.if
// CHECK-LABEL: func.func @twice
// CHECK-NOT:     tensor<40x40xf64>)
// CHECK:         fold tensor<40xf64>
func.func @counted(%w: tensor<40x40xf64>, %h: tensor<40xf64>) -> tensor<40xf64> {
  %n = arith.constant 50 : index
  %z = array.ifold (%i < %n) iter_args(%s = %h) -> (tensor<40xf64>) {
    %p = func.call @product(%w, %s) : (tensor<40x40xf64>, tensor<40xf64>) -> tensor<40xf64>
    array.yield %p : tensor<40xf64>
  }
  return %z : tensor<40xf64>
}
func.func @twice(%w: tensor<40x40xf64>, %h: tensor<40xf64>) -> tensor<40xf64> {
  %n = arith.constant 2 : index
  %z = array.ifold (%i < %n) iter_args(%s = %h) -> (tensor<40xf64>) {
    %p = func.call @product(%w, %s) : (tensor<40x40xf64>, tensor<40xf64>) -> tensor<40xf64>
    array.yield %p : tensor<40xf64>
  }
  return %z : tensor<40xf64>
}
func.func private @product(%w: tensor<40x40xf64>, %s: tensor<40xf64>) -> tensor<40xf64> {
  %p = array.build (%i < 40) -> (tensor<40xf64>) {
    %row = array.get %w[%i] : (tensor<40x40xf64>) -> tensor<40xf64>
    %q = arith.mulf %row, %s : tensor<40xf64>
    %t = array.sum %q : (tensor<40xf64>) -> f64
    array.yield %t : f64
  }
  return %p : tensor<40xf64>
}

// -----

// nor is a matrix that the loop changes.
// CHECK-LABEL: func.func @changes
// CHECK-NOT:     -> (map tensor<?x40xf64>)
// CHECK:         fold tensor<40x40xf64>
// CHECK-NOT:     scf.if
func.func @changes(%x: tensor<?xf64>, %w: tensor<40x40xf64>, %h: tensor<40xf64>) -> (tensor<40xf64>, tensor<40x40xf64>) {
  %z:2 = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %h, %v = %w) -> (tensor<40xf64>, tensor<40x40xf64>) {
    %p = array.build (%i < 40) -> (tensor<40xf64>) {
      %row = array.get %v[%i] : (tensor<40x40xf64>) -> tensor<40xf64>
      %q = arith.mulf %row, %s : tensor<40xf64>
      %t = array.sum %q : (tensor<40xf64>) -> f64
      array.yield %t : f64
    }
    %all = array.replicate %p : (tensor<40xf64>) -> tensor<40x40xf64>
    %next = arith.addf %v, %all : tensor<40x40xf64>
    array.yield %p, %next : tensor<40xf64>, tensor<40x40xf64>
  }
  return %z#0, %z#1 : tensor<40xf64>, tensor<40x40xf64>
}
