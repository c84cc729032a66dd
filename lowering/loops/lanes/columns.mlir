// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s

// Of 140 columns, 128 fill half of the registers: each %x[k] is read once for all of them. Then come 8, then the last 4.
// CHECK-LABEL: func.func @known
// CHECK-SAME:    %[[A:.*]]: memref<5x140xf64>, %[[X:.*]]: memref<5xf64>, %[[Z:.*]]: memref<140xf64>
// CHECK:         %[[S:.*]] = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[R:.*]] = %{{.*}}) -> (vector<128xf64>)
// CHECK:           vector.load %[[A]][%[[K]], %{{.*}}] : memref<5x140xf64>, vector<128xf64>
// CHECK:           memref.load %[[X]][%[[K]]]
// CHECK-NEXT:      vector.broadcast %{{.*}} : f64 to vector<128xf64>
// CHECK:           arith.addf %[[R]], %{{.*}} fastmath<reassoc,contract> : vector<128xf64>
// CHECK:         vector.store %[[S]], %[[Z]][%{{.*}}] : memref<140xf64>, vector<128xf64>
// CHECK:         scf.for %{{.*}} -> (vector<8xf64>)
// CHECK:         vector.store %{{.*}} : memref<140xf64>, vector<8xf64>
// CHECK:         scf.for %{{.*}} -> (vector<4xf64>)
// CHECK:         vector.store %{{.*}} : memref<140xf64>, vector<4xf64>
// CHECK-NEXT:    return
module attributes {sweep.vector_bits = 512 : i64} {
  func.func @known(%a: memref<5x140xf64>, %x: memref<5xf64>, %z: memref<140xf64>) {
    %c5 = arith.constant 5 : index
    %c140 = arith.constant 140 : index
    sweep.nest (%i < %c140) {
      %s = sweep.nest (%k < %c5) -> (sum f64) {
        %e = memref.load %a[%k, %i] : memref<5x140xf64>
        %b = memref.load %x[%k] : memref<5xf64>
        %p = arith.mulf %e, %b : f64
        sweep.yield %p : f64
      }
      memref.store %s, %z[%i] : memref<140xf64>
      sweep.yield
    }
    return
  }
}

// -----

// If the number is unknown: four vectors at a time, then one, then the rest; operations on each sum use vectors too.
// CHECK-LABEL: func.func @unknown
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} -> (vector<16xf32>)
// CHECK:           math.tanh %{{.*}} : vector<16xf32>
// CHECK:           vector.store %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} -> (vector<4xf32>)
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} -> (f32)
func.func @unknown(%a: memref<5x?xf32>, %z: memref<?xf32>, %n: index) {
  %c5 = arith.constant 5 : index
  sweep.nest (%i < %n) {
    %s = sweep.nest (%k < %c5) -> (sum f32) {
      %e = memref.load %a[%k, %i] : memref<5x?xf32>
      sweep.yield %e : f32
    }
    %y = math.tanh %s : f32
    %v = math.tanh %y : f32
    memref.store %v, %z[%i] : memref<?xf32>
    sweep.yield
  }
  return
}

// -----

// The loop must not write the memory that it reads,
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     vector.
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %arg1
// CHECK:           %[[S:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[E:.*]] = memref.load %arg0[%[[I]]] : memref<?xf64>
// CHECK-NEXT:        arith.addf %[[ACC]], %[[E]]
// CHECK-NOT:     vector.
// CHECK:           memref.store %[[S]], %arg0[%[[I]]] : memref<?xf64>
func.func @in_place(%a: memref<?xf64>, %n: index) {
  %c5 = arith.constant 5 : index
  sweep.nest (%i < %n) {
    %s = sweep.nest (%k < %c5) -> (sum f64) {
      %e = memref.load %a[%i] : memref<?xf64>
      sweep.yield %e : f64
    }
    memref.store %s, %a[%i] : memref<?xf64>
    sweep.yield
  }
  return
}

// -----

// and neighbouring lanes must read neighbouring elements.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     vector.
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %arg2
// CHECK-NEXT:      %[[J:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK:           %[[S:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[E:.*]] = memref.load %arg0[%[[K]], %[[J]]] : memref<5x?xf64>
// CHECK-NEXT:        arith.addf %[[ACC]], %[[E]]
// CHECK-NOT:     vector.
// CHECK:           memref.store %[[S]], %arg1[%[[I]]] : memref<?xf64>
func.func @apart(%a: memref<5x?xf64>, %z: memref<?xf64>, %n: index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  sweep.nest (%i < %n) {
    %j = arith.muli %i, %c2 : index
    %s = sweep.nest (%k < %c5) -> (sum f64) {
      %e = memref.load %a[%k, %j] : memref<5x?xf64>
      sweep.yield %e : f64
    }
    memref.store %s, %z[%i] : memref<?xf64>
    sweep.yield
  }
  return
}

// -----

// A scratch array that is stored as a whole and read at known positions is removed. Scalars that are combined were one
// vector.
// CHECK-LABEL: func.func @kept
// CHECK-SAME:    %[[A:[^:]*]]: memref<3x32xf64>, %{{.*}}, %{{.*}}, %[[MANY:.*]]: i1
// CHECK:         %[[S:.*]] = scf.if %[[MANY]] -> (vector<32xf64>) {
// CHECK:           %[[T:.*]] = scf.for {{.*}} -> (vector<32xf64>)
// CHECK-NOT:       vector.store
// CHECK:           scf.yield %[[T]]
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:           %[[READ:.*]] = vector.load %{{.*}} : memref<32xf64>, vector<32xf64>
// CHECK-NEXT:      scf.yield %[[READ]]
// CHECK-NOT:     memref.load
// CHECK:         vector.extract %[[S]][31]
// CHECK-NEXT:    %[[ROW:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK-NEXT:    math.exp %[[ROW]] : vector<16xf64>
// CHECK-NEXT:    math.exp %{{.*}} : vector<16xf64>
// CHECK-NEXT:    vector.store
module attributes {sweep.vector_bits = 512 : i64} {
  func.func @kept(%a: memref<3x32xf64>, %z: memref<16xf64>, %bytes: memref<?xi8>, %many: i1) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c15 = arith.constant 15 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f64
    %s = memref.view %bytes[%c0][] : memref<?xi8> to memref<32xf64>
    %rows = memref.reinterpret_cast %s to offset: [0], sizes: [2, 16], strides: [16, 1] : memref<32xf64> to memref<2x16xf64>
    scf.if %many {
      sweep.nest (%i < %c32) {
        %t = sweep.nest (%k < %c3) -> (sum f64) {
          %e = memref.load %a[%k, %i] : memref<3x32xf64>
          sweep.yield %e : f64
        }
        memref.store %t, %s[%i] : memref<32xf64>
        sweep.yield
      }
    } else {
      sweep.nest (%i < %c32) {
        memref.store %zero, %s[%i] : memref<32xf64>
        sweep.yield
      }
    }
    %last = memref.load %rows[%c1, %c15] : memref<2x16xf64>
    %v = vector.load %rows[%c0, %c0] : memref<2x16xf64>, vector<16xf64>
    %e = math.exp %v : vector<16xf64>
    %f = math.exp %e : vector<16xf64>
    vector.store %f, %z[%c0] : memref<16xf64>, vector<16xf64>
    return %last : f64
  }
}

// -----

// An array that is also read at a data-dependent position is kept.
// CHECK-LABEL: func.func @there
// CHECK:         vector.store
// CHECK:         memref.load
module attributes {sweep.vector_bits = 512 : i64} {
  func.func @there(%a: memref<3x32xf64>, %bytes: memref<?xi8>, %at: index) -> (f64, f64) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %s = memref.view %bytes[%c0][] : memref<?xi8> to memref<32xf64>
    sweep.nest (%i < %c32) {
      %t = sweep.nest (%k < %c3) -> (sum f64) {
        %e = memref.load %a[%k, %i] : memref<3x32xf64>
        sweep.yield %e : f64
      }
      memref.store %t, %s[%i] : memref<32xf64>
      sweep.yield
    }
    %first = memref.load %s[%c0] : memref<32xf64>
    %other = memref.load %s[%at] : memref<32xf64>
    return %first, %other : f64, f64
  }
}

// -----

// If one of the combined scalars was computed before a store, they are unchanged.
// CHECK-LABEL: func.func @written_between
// CHECK-COUNT-2: memref.load
// CHECK:         vector.from_elements
func.func @written_between(%a: memref<2xf64>, %x: f64) -> vector<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.load %a[%c0] : memref<2xf64>
  memref.store %x, %a[%c1] : memref<2xf64>
  %q = memref.load %a[%c1] : memref<2xf64>
  %v = vector.from_elements %p, %q : vector<2xf64>
  return %v : vector<2xf64>
}

// -----

// Constants are combined too.
// CHECK-LABEL: func.func @constants
// CHECK:         vector.from_elements
func.func @constants(%x: f64) -> vector<2xf64> {
  %one = arith.constant 1.0 : f64
  %v = vector.from_elements %one, %x : vector<2xf64>
  return %v : vector<2xf64>
}
