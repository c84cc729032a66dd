// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s
// Four rows at a time: a shared read of %x is done once, the last column is masked, and pairs of sums exchange halves. The
// remaining rows, fewer than four, are computed one by one.
// CHECK-LABEL: func.func @matrix_times_vector
// CHECK-SAME:    %[[W:.*]]: memref<?x9xf64>, %[[X:.*]]: memref<9xf64>, %[[Z:.*]]: memref<?xf64>
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-COUNT-1:   vector.load %[[X]]
// CHECK-NOT:       vector.load %[[X]]
// CHECK:           arith.constant dense<[true, false, false, false, false, false, false, false]> : vector<8xi1>
// CHECK:           vector.maskedload %[[X]]
// CHECK:           vector.shuffle %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
// CHECK-NEXT:      vector.shuffle %{{.*}} [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf64>, vector<8xf64>
// CHECK:           vector.shuffle %{{.*}} [0, 1, 4, 5, 8, 9, 12, 13] : vector<8xf64>, vector<8xf64>
// CHECK:           vector.shuffle %{{.*}} [0, 2, 4, 6] : vector<8xf64>, vector<8xf64>
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[Z]]
// CHECK:         scf.for
// CHECK-COUNT-4:   vector.load %[[W]][%{{.*}}] : memref<?x9xf64>, vector<2xf64>
// CHECK:           vector.load %[[W]][%{{.*}}] : memref<?x9xf64>, vector<1xf64>
func.func @matrix_times_vector(%w: memref<?x9xf64>, %x: memref<9xf64>, %z: memref<?xf64>, %n: index) {
  %c9 = arith.constant 9 : index
  sweep.nest (%i < %n) {
    %s = sweep.nest (%k < %c9) -> (sum f64) {
      %a = memref.load %w[%i, %k] : memref<?x9xf64>
      %b = memref.load %x[%k] : memref<9xf64>
      %p = arith.mulf %a, %b : f64
      sweep.yield %p : f64
    }
    memref.store %s, %z[%i] : memref<?xf64>
    sweep.yield
  }
  return
}

// -----

// The loop must not write the memory that it reads.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     vector
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %arg1
// CHECK:           %[[S:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[A:.*]] = memref.load %arg0[%[[I]], %[[K]]]
// CHECK-NEXT:        arith.addf %[[ACC]], %[[A]]
// CHECK-NOT:     vector
// CHECK:           memref.store %[[S]], %arg0[%[[I]], %c0]
func.func @in_place(%w: memref<?x9xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  sweep.nest (%i < %n) {
    %s = sweep.nest (%k < %c9) -> (sum f64) {
      %a = memref.load %w[%i, %k] : memref<?x9xf64>
      sweep.yield %a : f64
    }
    memref.store %s, %w[%i, %c0] : memref<?x9xf64>
    sweep.yield
  }
  return
}

// -----

// Products along a row are not sums.
// CHECK-LABEL: func.func @products
// CHECK-NOT:     vector
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %arg2
// CHECK:           %[[S:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[A:.*]] = memref.load %arg0[%[[I]], %[[K]]]
// CHECK-NEXT:        arith.mulf %[[ACC]], %[[A]]
// CHECK-NOT:     vector
// CHECK:           memref.store %[[S]], %arg1[%[[I]]]
func.func @products(%w: memref<?x9xf64>, %z: memref<?xf64>, %n: index) {
  %c9 = arith.constant 9 : index
  sweep.nest (%i < %n) {
    %s = sweep.nest (%k < %c9) -> (prod f64) {
      %a = memref.load %w[%i, %k] : memref<?x9xf64>
      sweep.yield %a : f64
    }
    memref.store %s, %z[%i] : memref<?xf64>
    sweep.yield
  }
  return
}
