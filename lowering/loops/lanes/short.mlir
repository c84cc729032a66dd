// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s

// A row of 14 fills three registers, and half of a fourth. What depends on the outer index only is computed once.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[X:.*]]: memref<?x14xf64>, %[[Y:.*]]: memref<?xf64>, %[[Z:.*]]: memref<?x14xf64>
// CHECK:         scf.for %[[I:.*]] = %{{.*}}
// CHECK:           %[[A:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK-COUNT-3:   vector.load %[[X]][%[[I]], %{{.*}}] : memref<?x14xf64>, vector<4xf64>
// CHECK:           %[[V:.*]] = vector.load %[[X]][%[[I]], %{{.*}}] : memref<?x14xf64>, vector<2xf64>
// CHECK-NEXT:      %[[ALL:.*]] = vector.broadcast %[[A]] : f64 to vector<2xf64>
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[V]], %[[ALL]] : vector<2xf64>
// CHECK-NEXT:      vector.store %[[P]], %[[Z]][%[[I]], %{{.*}}] : memref<?x14xf64>, vector<2xf64>
// CHECK-NOT:       memref.store
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @rows(%x: memref<?x14xf64>, %y: memref<?xf64>, %z: memref<?x14xf64>, %n: index) {
    %c14 = arith.constant 14 : index
    sweep.nest (%i < %n, %j < %c14) {
      %a = memref.load %y[%i] : memref<?xf64>
      %e = memref.load %x[%i, %j] : memref<?x14xf64>
      %p = arith.mulf %e, %a : f64
      memref.store %p, %z[%i, %j] : memref<?x14xf64>
      sweep.yield
    }
    return
  }
}

// -----

// The terms of a sum are added in four vectors; the last vector is filled with zeros, a maximum with -∞.
// CHECK-LABEL: func.func @reductions
// CHECK-COUNT-4: vector.load %arg0[%{{.*}}] : memref<43xf32>, vector<8xf32>
// CHECK:         vector.load %arg0[%{{.*}}] : memref<43xf32>, vector<8xf32>
// CHECK:         arith.addf %{{.*}} fastmath<reassoc,contract> : vector<8xf32>
// CHECK:         %[[LAST:.*]] = vector.load %arg0[%{{.*}}] : memref<43xf32>, vector<3xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<3xf32>
// CHECK:         vector.shuffle %{{.*}}, %[[ZERO]] [0, 1, 2, 3, 3, 3, 3, 3] : vector<3xf32>, vector<3xf32>
// CHECK:         %[[LEAST:.*]] = arith.constant dense<0xFF800000> : vector<3xf32>
// CHECK:         vector.shuffle %[[LAST]], %[[LEAST]] [0, 1, 2, 3, 3, 3, 3, 3] : vector<3xf32>, vector<3xf32>
// CHECK-NOT:     scf.for
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @reductions(%x: memref<43xf32>) -> (f32, f32) {
    %c43 = arith.constant 43 : index
    %s, %m = sweep.nest (%i < %c43) -> (sum f32, max f32) {
      %e = memref.load %x[%i] : memref<43xf32>
      %p = arith.mulf %e, %e : f32
      sweep.yield %p, %e : f32, f32
    }
    return %s, %m : f32, f32
  }
}

// -----

// A function makes much code, so that whole registers are a loop over four of them, which carries the sum; then come
// two and one, and the last three elements.
// CHECK-LABEL: func.func @function
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf64>) {
// CHECK:           vector.load %arg0[%[[I]]] : memref<63xf64>, vector<16xf64>
// CHECK:           math.exp %{{.*}} : vector<16xf64>
// CHECK:           vector.store
// CHECK:           scf.yield
// CHECK:         math.exp %{{.*}} : vector<8xf64>
// CHECK:         math.exp %{{.*}} : vector<4xf64>
// CHECK:         math.exp %{{.*}} : vector<3xf64>
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @function(%x: memref<63xf64>, %z: memref<63xf64>) -> f64 {
    %c63 = arith.constant 63 : index
    %s = sweep.nest (%i < %c63) -> (sum f64) {
      %e = memref.load %x[%i] : memref<63xf64>
      %y = math.exp %e : f64
      memref.store %y, %z[%i] : memref<63xf64>
      sweep.yield %y : f64
    }
    return %s : f64
  }
}

// -----

// An element may be read before it is written in the same iteration.
// CHECK-LABEL: func.func @added
// CHECK:         %[[OLD:.*]] = vector.load %arg1[%{{.*}}] : memref<5x4xf64>, vector<4xf64>
// CHECK-NEXT:    %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<4xf64>
// CHECK-NEXT:    vector.store %[[NEW]], %arg1[%{{.*}}] : memref<5x4xf64>, vector<4xf64>
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @added(%x: memref<4xf64>, %z: memref<5x4xf64>, %k: index) {
    %c4 = arith.constant 4 : index
    sweep.nest (%i < %c4) {
      %e = memref.load %x[%i] : memref<4xf64>
      sweep.add %e, %z[%k, %i] : f64, memref<5x4xf64>
      sweep.yield
    }
    return
  }
}

// -----

// Neighbouring iterations must not depend on each other: not by an element that all read,
// CHECK-LABEL: func.func @one_element
// CHECK-NOT:     vector.
// CHECK:         memref.store
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @one_element(%z: memref<8xf64>, %k: index) {
    %c8 = arith.constant 8 : index
    sweep.nest (%i < %c8) {
      %a = memref.load %z[%k] : memref<8xf64>
      %e = memref.load %z[%i] : memref<8xf64>
      %p = arith.addf %e, %a : f64
      memref.store %p, %z[%i] : memref<8xf64>
      sweep.yield
    }
    return
  }
}

// -----

// nor by a view with rows of another length, nor by positions in another order.
// CHECK-LABEL: func.func @other_rows
// CHECK-NOT:     vector.
// CHECK:         memref.store
// CHECK-LABEL: func.func @reversed
// CHECK-NOT:     vector.
// CHECK:         memref.store
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @other_rows(%z: memref<8xf64>, %k: index) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %w = memref.reinterpret_cast %z to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xf64> to memref<2x4xf64>
    sweep.nest (%i < %c4) {
      %e = memref.load %w[%c1, %i] : memref<2x4xf64>
      %p = arith.addf %e, %e : f64
      memref.store %p, %z[%i] : memref<8xf64>
      sweep.yield
    }
    return
  }
  func.func @reversed(%x: memref<8xf64>, %z: memref<8xf64>) {
    %c8 = arith.constant 8 : index
    %c7 = arith.constant 7 : index
    sweep.nest (%i < %c8) {
      %j = arith.subi %c7, %i : index
      %e = memref.load %x[%j] : memref<8xf64>
      %p = arith.addf %e, %e : f64
      memref.store %p, %z[%i] : memref<8xf64>
      sweep.yield
    }
    return
  }
}

// -----

// Three elements, 65, and an unknown number are left to LLVM, and so is filling memory with zeros.
// CHECK-LABEL: func.func @left
// CHECK-NOT:     vector.
// CHECK-COUNT-4: memref.store
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @left(%x: memref<65xf64>, %z: memref<65xf64>, %n: index) {
    %c3 = arith.constant 3 : index
    %c65 = arith.constant 65 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f64
    sweep.nest (%i < %c3) {
      %e = memref.load %x[%i] : memref<65xf64>
      %p = arith.addf %e, %e : f64
      memref.store %p, %z[%i] : memref<65xf64>
      sweep.yield
    }
    sweep.nest (%i < %c65) {
      %e = memref.load %x[%i] : memref<65xf64>
      %p = arith.addf %e, %e : f64
      memref.store %p, %z[%i] : memref<65xf64>
      sweep.yield
    }
    sweep.nest (%i < %n) {
      %e = memref.load %x[%i] : memref<65xf64>
      %p = arith.addf %e, %e : f64
      memref.store %p, %z[%i] : memref<65xf64>
      sweep.yield
    }
    sweep.nest (%i < %c8) {
      memref.store %zero, %z[%i] : memref<65xf64>
      sweep.yield
    }
    return
  }
}

// -----

// Lanes of a vector that are stored one by one, in order, are stored at once; the last one goes elsewhere.
// CHECK-LABEL: func.func @lanes_stored
// CHECK:         %[[FIRST:.*]] = vector.shuffle %arg0, %arg0 [0, 1, 2]
// CHECK-NEXT:    vector.store %[[FIRST]], %arg1[%{{.*}}] : memref<9xf64>, vector<3xf64>
// CHECK-NOT:     memref.store
// CHECK:         %[[LAST:.*]] = vector.extract %arg0[3]
// CHECK-NEXT:    memref.store %[[LAST]], %arg1[%c8]
func.func @lanes_stored(%v: vector<4xf64>, %z: memref<9xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = vector.extract %v[0] : f64 from vector<4xf64>
  memref.store %a, %z[%c0] : memref<9xf64>
  %b = vector.extract %v[1] : f64 from vector<4xf64>
  memref.store %b, %z[%c1] : memref<9xf64>
  %c = vector.extract %v[2] : f64 from vector<4xf64>
  memref.store %c, %z[%c2] : memref<9xf64>
  %d = vector.extract %v[3] : f64 from vector<4xf64>
  memref.store %d, %z[%c8] : memref<9xf64>
  return
}
