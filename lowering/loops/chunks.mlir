// RUN: mlopt %s --sweeps-to-loops | FileCheck %s

// The number of chunks depends on sizes. Each chunk sums its iterations, and the sums are added in order.
// CHECK-LABEL: func.func @total
// CHECK:       %[[PARTIAL:.*]] = memref.alloca() : memref<256xf64>
// CHECK:       scf.parallel (%[[K:.*]]) = (%{{.*}}) to (%[[CHUNKS:.*]]) step (%{{.*}}) {
// CHECK:         %[[S:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK:         memref.store %[[S]], %[[PARTIAL]][%[[K]]]
// CHECK:       } {sweep.chunks}
// CHECK:       %[[T:.*]] = scf.for %[[C:.*]] = %{{.*}} to %[[CHUNKS]] step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f64)
// CHECK:         %[[P:.*]] = memref.load %[[PARTIAL]][%[[C]]]
// CHECK:         arith.addf %[[A]], %[[P]] fastmath<reassoc
// CHECK:       return %[[T]]
func.func @total(%x: memref<?xf64>, %n: index) -> f64 {
  %s = sweep.nest (%i < %n) -> (sum f64) {
    %e = memref.load %x[%i] : memref<?xf64>
    sweep.yield %e : f64
  } {sweep.divide}
  return %s : f64
}

// A million iterations have a known number of chunks.
// CHECK-LABEL: func.func @large
// CHECK:       scf.parallel (%{{.*}}) = (%{{.*}}) to (%c45{{.*}}) step
func.func @large(%x: memref<1000000xf64>, %z: memref<1000000xf64>) {
  %n = arith.constant 1000000 : index
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i] : memref<1000000xf64>
    %f = arith.mulf %e, %e : f64
    memref.store %f, %z[%i] : memref<1000000xf64>
    sweep.yield
  } {sweep.divide}
  return
}

// So little work is for one thread.
// CHECK-LABEL: func.func @small
// CHECK-NOT:   scf.parallel
// CHECK:       scf.for
func.func @small(%x: memref<1000xf64>, %z: memref<1000xf64>) {
  %n = arith.constant 1000 : index
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i] : memref<1000xf64>
    memref.store %e, %z[%i] : memref<1000xf64>
    sweep.yield
  } {sweep.divide}
  return
}

// The minimum bounds the work.
// CHECK-LABEL: func.func @block
// CHECK-NOT:   scf.parallel
// CHECK:       scf.for
func.func @block(%x: memref<?xf64>, %n: index) -> f64 {
  %most = arith.constant 2048 : index
  %m = arith.minsi %n, %most : index
  %s = sweep.nest (%i < %m) -> (sum f64) {
    %e = memref.load %x[%i] : memref<?xf64>
    sweep.yield %e : f64
  } {sweep.divide}
  return %s : f64
}

// Four and two of seven rows are written out as vectors. Their loops over the columns are not divided; that over the
// last row is, because it is over rows.
// CHECK-LABEL: func.func @few_rows
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<4xf64>)
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<2xf64>)
// CHECK:       scf.parallel
// CHECK:         scf.for %{{[a-z0-9]+}} = %{{[a-z0-9_]+}} to %{{[a-z0-9_]+}} step %{{[a-z0-9_]+}} {
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
func.func @few_rows(%p: memref<7xindex>, %x: memref<?xf64>, %z: memref<7xf64>) {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  sweep.nest (%i < %rows) {
    %s = sweep.nest (%j < %n) -> (sum f64) {
      %k = memref.load %p[%i] : memref<7xindex>
      %c = arith.cmpi eq, %k, %j : index
      %e = memref.load %x[%j] : memref<?xf64>
      %f = arith.select %c, %e, %zero : f64
      sweep.yield %f : f64
    }
    memref.store %s, %z[%i] : memref<7xf64>
    sweep.yield
  } {sweep.divide}
  return
}

// Squares of a copy that transposes are divided if they do not overlap.
// CHECK-LABEL: func.func @transpose
// CHECK:       scf.parallel
// CHECK:         vector.load
// CHECK:       } {sweep.chunks}
// CHECK-NOT:   scf.parallel
// CHECK:       vector.load
// CHECK:       return
func.func @transpose(%x: memref<800x800xf32>, %y: memref<800x801xf32>, %z: memref<800x800xf32>, %w: memref<801x800xf32>) {
  %n = arith.constant 800 : index
  %m = arith.constant 801 : index
  sweep.nest (%i < %n, %j < %n) {
    %e = memref.load %x[%j, %i] : memref<800x800xf32>
    memref.store %e, %z[%i, %j] : memref<800x800xf32>
    sweep.yield
  } {sweep.divide}
  sweep.nest (%i < %m, %j < %n) {
    %e = memref.load %y[%j, %i] : memref<800x801xf32>
    memref.store %e, %w[%i, %j] : memref<801x800xf32>
    sweep.yield
  } {sweep.divide}
  return
}
