// RUN: mlopt %s --sweeps-to-loops --split-input-file | FileCheck %s

// The sums along rows and along columns of a matrix: four rows at once share the reads of %v and of the column sums,
// which are stored once. The last rows are processed one by one, and so are all rows of fewer than 64 columns.
// CHECK-LABEL: func.func @both_sums
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf64>, %[[U:.*]]: memref<?xf64>, %[[V:.*]]: memref<?xf64>, %[[T:.*]]: memref<?xf64>, %[[Z:.*]]: memref<?xf64>
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %arg6, %c64
// CHECK-NEXT:    %{{.*}} = arith.constant 0 : index
// CHECK-NEXT:    %[[WHOLE:.*]] = arith.select %[[MANY]], %{{.*}}, %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[WHOLE]] step
// CHECK-COUNT-4:   memref.load %[[U]]
// CHECK:           scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (f64, f64, f64, f64) {
// CHECK-NEXT:        memref.load %[[A]]
// CHECK-NEXT:        memref.load %[[V]][%[[J]]]
// CHECK:             %[[OLD:.*]] = memref.load %[[T]][%[[J]]]
// CHECK:             %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} fastmath<contract> : f64
// CHECK-NOT:         memref.load %[[T]]
// CHECK-NOT:         memref.load %[[V]]
// CHECK:             memref.load %[[A]]
// CHECK:             arith.addf %[[NEW]], %{{.*}} fastmath<contract> : f64
// CHECK-NOT:         memref.store
// CHECK:             memref.store %{{.*}}, %[[T]][%[[J]]]
// CHECK:             scf.yield
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[Z]]
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} -> (f64) {
// CHECK:           memref.store %{{.*}}, %[[Z]]
module attributes {sweep.vector_bits = 256 : i64} {
  func.func @both_sums(%a: memref<?x?xf64>, %u: memref<?xf64>, %v: memref<?xf64>, %t: memref<?xf64>, %z: memref<?xf64>,
                       %m: index, %n: index) {
    sweep.nest (%i < %m) {
      %ui = memref.load %u[%i] : memref<?xf64>
      %s = sweep.nest (%j < %n) -> (sum f64) {
        %e = memref.load %a[%i, %j] : memref<?x?xf64>
        %vj = memref.load %v[%j] : memref<?xf64>
        %p = arith.mulf %e, %vj : f64
        %q = arith.mulf %e, %ui : f64
        %old = memref.load %t[%j] : memref<?xf64>
        %new = arith.addf %old, %q : f64
        memref.store %new, %t[%j] : memref<?xf64>
        sweep.yield %p : f64
      }
      memref.store %s, %z[%i] : memref<?xf64>
      sweep.yield
    }
    return
  }
}

// -----

// With 32 registers there are eight rows.
// CHECK-LABEL: func.func @columns
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-COUNT-8:     arith.addf
// CHECK-NOT:         arith.addf
// CHECK:             memref.store
module attributes {sweep.vector_bits = 512 : i64} {
  func.func @columns(%a: memref<1000x1000xf64>, %t: memref<1000xf64>) {
    %n = arith.constant 1000 : index
    sweep.nest (%i < %n) {
      sweep.nest (%j < %n) {
        %e = memref.load %a[%i, %j] : memref<1000x1000xf64>
        %old = memref.load %t[%j] : memref<1000xf64>
        %new = arith.addf %old, %e : f64
        memref.store %new, %t[%j] : memref<1000xf64>
        sweep.yield
      }
      sweep.yield
    }
    return
  }
}

// -----

// Rows must not depend on what previous rows wrote in other ways, and must have something in common.
// CHECK-LABEL: func.func @previous_row
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:       scf.for
// CHECK-LABEL: func.func @nothing_shared
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:       scf.for
// CHECK-LABEL: func.func @read_outside
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:       scf.for
func.func @previous_row(%a: memref<?x?xf64>, %v: memref<?xf64>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  sweep.nest (%i < %m) {
    %before = arith.subi %i, %c1 : index
    sweep.nest (%j < %n) {
      %e = memref.load %a[%before, %j] : memref<?x?xf64>
      %vj = memref.load %v[%j] : memref<?xf64>
      %p = arith.mulf %e, %vj : f64
      memref.store %p, %a[%i, %j] : memref<?x?xf64>
      sweep.yield
    }
    sweep.yield
  }
  return
}
func.func @nothing_shared(%a: memref<?x?xf64>, %z: memref<?xf64>, %m: index, %n: index) {
  sweep.nest (%i < %m) {
    %s = sweep.nest (%j < %n) -> (sum f64) {
      %e = memref.load %a[%i, %j] : memref<?x?xf64>
      sweep.yield %e : f64
    }
    memref.store %s, %z[%i] : memref<?xf64>
    sweep.yield
  }
  return
}
func.func @read_outside(%a: memref<?x?xf64>, %t: memref<?xf64>, %m: index, %n: index) {
  sweep.nest (%i < %m) {
    %ti = memref.load %t[%i] : memref<?xf64>
    sweep.nest (%j < %n) {
      %e = memref.load %a[%i, %j] : memref<?x?xf64>
      %p = arith.mulf %e, %ti : f64
      %old = memref.load %t[%j] : memref<?xf64>
      %new = arith.addf %old, %p : f64
      memref.store %new, %t[%j] : memref<?xf64>
      sweep.yield
    }
    sweep.yield
  }
  return
}
