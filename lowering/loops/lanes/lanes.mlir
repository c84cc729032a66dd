// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s
// Records of three components, eight at a time: read as one vector and split, transposed, and stored in sequence
// (a power of two first). The remaining records, fewer than eight, are computed one by one.
// CHECK-LABEL: func.func @records
// CHECK-SAME:    %[[X:.*]]: memref<?x3xf64>, %[[Z:.*]]: memref<?x3xf64>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[WHOLE:.*]] step %{{.*}}
// CHECK:           %[[V:.*]] = vector.load %[[X]][%[[I]], %{{.*}}] : memref<?x3xf64>, vector<24xf64>
// CHECK-NEXT:      vector.shuffle %[[V]], %[[V]] [1, 4, 7, 10, 13, 16, 19, 22] : vector<24xf64>, vector<24xf64>
// CHECK:           arith.mulf %{{.*}} : vector<8xf64>
// CHECK:           vector.shuffle %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
// CHECK:           vector.store %{{.*}}, %[[Z]][%{{.*}}] : memref<?x3xf64>, vector<2xf64>
// CHECK:           vector.store %{{.*}}, %[[Z]][%{{.*}}] : memref<?x3xf64>, vector<1xf64>
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}
// CHECK-COUNT-3:   memref.store
func.func @records(%x: memref<?x3xf64>, %z: memref<?x3xf64>, %n: index, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i, %c1] : memref<?x3xf64>
    %p = arith.mulf %e, %a : f64
    memref.store %p, %z[%i, %c0] : memref<?x3xf64>
    memref.store %e, %z[%i, %c1] : memref<?x3xf64>
    memref.store %a, %z[%i, %c2] : memref<?x3xf64>
    sweep.yield
  }
  return
}

// -----

// The loop must not write the memory that it reads.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     vector
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %arg1
// CHECK-NEXT:      %[[E:.*]] = memref.load %arg0[%[[I]], %c1]
// CHECK-NEXT:      memref.store %[[E]], %arg0[%[[I]], %c0]
// CHECK-NEXT:      memref.store %[[E]], %arg0[%[[I]], %c1]
// CHECK-NEXT:      memref.store %[[E]], %arg0[%[[I]], %c2]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @in_place(%z: memref<?x3xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  sweep.nest (%i < %n) {
    %e = memref.load %z[%i, %c1] : memref<?x3xf64>
    memref.store %e, %z[%i, %c0] : memref<?x3xf64>
    memref.store %e, %z[%i, %c1] : memref<?x3xf64>
    memref.store %e, %z[%i, %c2] : memref<?x3xf64>
    sweep.yield
  }
  return
}

// -----

// A condition becomes a mask, and its read a gather.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[MASK:.*]] = arith.cmpi ult, %{{.*}} : vector<8xindex>
// CHECK:         vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %[[MASK]], %{{.*}} : memref<?xf64>, vector<8xindex>, vector<8xi1>, vector<8xf64> into vector<8xf64>
// CHECK:         arith.select %[[MASK]]
func.func @masked(%x: memref<?xf64>, %z: memref<?x3xf64>, %n: index, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  sweep.nest (%i < %n) {
    %j = arith.muli %i, %k : index
    %in = arith.cmpi ult, %j, %m : index
    %e = scf.if %in -> (f64) {
      %l = memref.load %x[%j] : memref<?xf64>
      scf.yield %l : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %e, %z[%i, %c0] : memref<?x3xf64>
    memref.store %e, %z[%i, %c1] : memref<?x3xf64>
    memref.store %e, %z[%i, %c2] : memref<?x3xf64>
    sweep.yield
  }
  return
}
