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
