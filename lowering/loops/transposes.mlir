// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s
// Squares of four rows are read along one axis, and stored along the other. The last square of the first axis starts at
// 3, and overlaps the first.
// CHECK-LABEL:   func.func @known
// CHECK-SAME:      %[[X:.*]]: memref<8x7xf32>, %[[Z:.*]]: memref<7x8xf32>
// CHECK:           scf.for %[[I:.*]] = %c0{{.*}} to %c7 step %c4
// CHECK:             %[[FIRST:.*]] = arith.minsi %[[I]]
// CHECK:             scf.for %[[J:.*]] = %c0{{.*}} to %c8 step %c4
// CHECK-COUNT-4:       vector.load %[[X]][%{{.*}}, %[[FIRST]]] : memref<8x7xf32>, vector<4xf32>
// CHECK-COUNT-8:       vector.shuffle
// CHECK-COUNT-4:       vector.store %{{.*}}, %[[Z]][%{{.*}}, %[[J]]] : memref<7x8xf32>, vector<4xf32>
// CHECK-NOT:       memref.load
func.func @known(%x: memref<8x7xf32>, %z: memref<7x8xf32>) {
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  sweep.nest (%i < %c7, %j < %c8) {
    %e = memref.load %x[%j, %i] : memref<8x7xf32>
    memref.store %e, %z[%i, %j] : memref<7x8xf32>
    sweep.yield
  }
  return
}

// -----

// Sizes that are too small for a square are left to scalar loops.
// CHECK-LABEL:   func.func @dynamic
// CHECK:           %[[ROWS:.*]] = arith.cmpi sge, %arg2, %{{.*}}
// CHECK:           %[[COLUMNS:.*]] = arith.cmpi sge, %arg3, %{{.*}}
// CHECK:           %[[FITS:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK:           scf.if %[[FITS]]
// CHECK:             vector.store
// CHECK:           else
// CHECK:             memref.store
func.func @dynamic(%x: memref<?x?xf32>, %z: memref<?x?xf32>, %m: index, %n: index) {
  sweep.nest (%i < %m, %j < %n) {
    %e = memref.load %x[%j, %i] : memref<?x?xf32>
    memref.store %e, %z[%i, %j] : memref<?x?xf32>
    sweep.yield
  }
  return
}

// -----

// Computations, copies in order, bytes, and short sides are not transposed by squares.
// CHECK-LABEL:   func.func @others
// CHECK-NOT:       vector
// CHECK:           return
func.func @others(%x: memref<8x8xf32>, %y: memref<8x8xi8>, %s: memref<3x8xf32>, %z: memref<8x8xf32>, %w: memref<8x8xi8>,
                  %v: memref<8x3xf32>) {
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  sweep.nest (%i < %c8, %j < %c8) {
    %e = memref.load %x[%j, %i] : memref<8x8xf32>
    %f = math.exp %e : f32
    memref.store %f, %z[%i, %j] : memref<8x8xf32>
    sweep.yield
  }
  sweep.nest (%i < %c8, %j < %c8) {
    %e = memref.load %x[%i, %j] : memref<8x8xf32>
    memref.store %e, %z[%i, %j] : memref<8x8xf32>
    sweep.yield
  }
  sweep.nest (%i < %c8, %j < %c8) {
    %e = memref.load %y[%j, %i] : memref<8x8xi8>
    memref.store %e, %w[%i, %j] : memref<8x8xi8>
    sweep.yield
  }
  sweep.nest (%i < %c8, %j < %c3) {
    %e = memref.load %s[%j, %i] : memref<3x8xf32>
    memref.store %e, %v[%i, %j] : memref<8x3xf32>
    sweep.yield
  }
  return
}
