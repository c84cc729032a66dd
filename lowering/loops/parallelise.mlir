// RUN: mlopt %s --parallelise | FileCheck %s

// Rows are disjoint, and a sum is combined from those of the chunks.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: memref<?x?xf64>, %z: memref<?xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = (tensor<?x?xf64>) -> tensor<?xf64>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  // CHECK:      sweep.nest (%[[I:.*]] < %{{.*}}) -> (sum f64) {
  // CHECK:        sweep.nest
  // CHECK:        memref.store %{{.*}}, %{{.*}}[%[[I]]]
  // CHECK:      } {sweep.divide}
  %t = sweep.nest (%i < %n) -> (sum f64) {
    %s = sweep.nest (%j < %m) -> (sum f64) {
      %e = memref.load %x[%i, %j] : memref<?x?xf64>
      sweep.yield %e : f64
    }
    memref.store %s, %z[%i] : memref<?xf64>
    sweep.yield %s : f64
  }
  return
}

// The rows share the sums, whose columns are disjoint.
// CHECK-LABEL: func.func @columns
func.func @columns(%x: memref<?x?xf64>, %z: memref<?xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = (tensor<?x?xf64>) -> tensor<?xf64>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[N:.*]] = memref.dim %{{.*}}, %c0
  // CHECK: %[[M:.*]] = memref.dim %{{.*}}, %c1
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  // CHECK:      sweep.nest (%[[K:.*]] < %{{.*}}) {
  // CHECK:        %[[FROM:.*]] = arith.muli %{{.*}}, %c256
  // CHECK:        %[[TO:.*]] = arith.minsi %{{.*}}, %[[M]]
  // CHECK:        %[[SIZE:.*]] = arith.subi %[[TO]], %[[FROM]]
  // CHECK:        sweep.nest (%[[I:.*]] < %[[N]]) {
  // CHECK:          sweep.nest (%[[L:.*]] < %[[SIZE]]) {
  // CHECK:            %[[J:.*]] = arith.addi %[[FROM]], %[[L]]
  // CHECK:            memref.load %{{.*}}[%[[I]], %[[J]]]
  // CHECK:            memref.store %{{.*}}, %{{.*}}[%[[J]]]
  // CHECK:      } {sweep.chunks}
  sweep.nest (%i < %n) {
    sweep.nest (%j < %m) {
      %e = memref.load %x[%i, %j] : memref<?x?xf64>
      %s = memref.load %z[%j] : memref<?xf64>
      %t = arith.addf %s, %e : f64
      memref.store %t, %z[%j] : memref<?xf64>
      sweep.yield
    }
    sweep.yield
  }
  return
}

// Each iteration reads what the previous one wrote.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: sweep.divide
// CHECK-NOT: sweep.chunks
// CHECK: return
func.func @neighbours(%z: memref<?xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = () -> tensor<?xf64>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %z, %c0 : memref<?xf64>
  %m = arith.subi %n, %c1 : index
  sweep.nest (%i < %m) {
    %e = memref.load %z[%i] : memref<?xf64>
    %j = arith.addi %i, %c1 : index
    memref.store %e, %z[%j] : memref<?xf64>
    sweep.yield
  }
  return
}

// All iterations write the same temporary array, a carried value is not a sum, and a position depends on data.
// CHECK-LABEL: func.func @shared
// CHECK-NOT: sweep.divide
// CHECK-NOT: sweep.chunks
// CHECK: return
func.func @shared(%x: memref<?xf64>, %p: memref<?xindex>, %z: memref<?xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = (tensor<?xf64>, tensor<?xindex>) -> tensor<?xf64>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %t = memref.view %arena[%c0][] : memref<?xi8> to memref<4xf64>
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i] : memref<?xf64>
    memref.store %e, %t[%c0] : memref<4xf64>
    %f = memref.load %t[%c0] : memref<4xf64>
    memref.store %f, %z[%i] : memref<?xf64>
    sweep.yield
  }
  %zero = arith.constant 0.0 : f64
  %s = sweep.nest (%i < %n) fold(%a = %zero) -> (fold f64) {
    %e = memref.load %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %e : f64
    sweep.yield %b : f64
  }
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i] : memref<?xf64>
    %at = memref.load %p[%i] : memref<?xindex>
    sweep.add %e, %z[%at] : f64, memref<?xf64>
    sweep.yield
  }
  return
}

// Without the guarantees of `plan-memory`, arrays may overlap.
// CHECK-LABEL: func.func @unplanned
// CHECK-NOT: sweep.divide
// CHECK: return
func.func @unplanned(%x: memref<?xf64>, %z: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  sweep.nest (%i < %n) {
    %e = memref.load %x[%i] : memref<?xf64>
    memref.store %e, %z[%i] : memref<?xf64>
    sweep.yield
  }
  return
}

// Sums along rows and along columns at once: each block of columns has its own sums of rows, at the end of the scratch
// memory, which another nest adds.
// CHECK-LABEL: func.func @both
// CHECK:         %[[PARTIAL:.*]] = memref.view %{{.*}}[%{{.*}}][%[[BLOCKS:.*]], %{{.*}}] : memref<?xi8> to memref<?x?xf64>
// CHECK:         sweep.nest (%[[K:.*]] < %[[BLOCKS]]) {
// CHECK:           sweep.nest (%[[I:.*]] < %{{.*}}) {
// CHECK:             %[[S:.*]] = sweep.nest {{.*}} -> (sum f64) {
// CHECK:             memref.store %[[S]], %[[PARTIAL]][%[[K]], %[[I]]]
// CHECK:         } {sweep.chunks}
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) {
// CHECK:           %[[T:.*]] = sweep.nest (%[[K:.*]] < %[[BLOCKS]]) fold(%[[A:.*]] = %{{.*}}) -> (fold f64) {
// CHECK:             %[[P:.*]] = memref.load %[[PARTIAL]][%[[K]], %[[I]]]
// CHECK:             arith.addf %[[A]], %[[P]] fastmath<reassoc
// CHECK:           memref.store %[[T]], %{{.*}}[%[[I]]]
// CHECK-LABEL: func.func @both.sizes
// CHECK:         %[[BYTES:.*]] = arith.addi %{{.*}}, %c64
// CHECK:         %[[MORE:.*]] = arith.index_cast %[[BYTES]] : index to i64
// CHECK:         %[[ALL:.*]] = arith.addi %{{.*}}, %[[MORE]] : i64
// CHECK:         memref.store %[[ALL]], %{{.*}}[%c1]
func.func @both(%x: memref<?x?xf64>, %r: memref<?xf64>, %c: memref<?xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = (tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>)} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  sweep.nest (%i < %n) {
    %s = sweep.nest (%j < %m) -> (sum f64) {
      %e = memref.load %x[%i, %j] : memref<?x?xf64>
      %t = memref.load %c[%j] : memref<?xf64>
      %u = arith.addf %t, %e : f64
      memref.store %u, %c[%j] : memref<?xf64>
      sweep.yield %e : f64
    }
    memref.store %s, %r[%i] : memref<?xf64>
    sweep.yield
  }
  return
}
func.func @both.sizes(%x: memref<?x?xf64>, %answer: memref<4xi64>) {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %zero, %answer[%c0] : memref<4xi64>
  memref.store %zero, %answer[%c1] : memref<4xi64>
  return
}

// The iterations of the outer index would share the scratch memory of the contraction. Several threads share the
// contraction instead, each with its own scratch memory.
// CHECK-LABEL: func.func @scratch
// CHECK:         } {contraction, sweep.divide}
// CHECK-NOT:     sweep.divide
// CHECK:         return
func.func @scratch(%x: memref<9x50x50xf64>, %y: memref<9x50x50xf64>, %z: memref<9x50x50xf64>, %arena: memref<?xi8>)
    attributes {sweep.checks = [], sweep.signature = (tensor<9x50x50xf64>, tensor<9x50x50xf64>) -> tensor<9x50x50xf64>} {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %n = arith.constant 50 : index
  %elements = arith.constant 2500 : index
  %pack = memref.view %arena[%c0][%elements] : memref<?xi8> to memref<?xf64>
  sweep.nest (%b < %c9) {
    sweep.nest (%i < %n, %j < %n) {
      sweep.scratch %pack : memref<?xf64>
      %s = sweep.nest (%k < %n) -> (sum f64) {
        %e = memref.load %x[%b, %i, %k] : memref<9x50x50xf64>
        %f = memref.load %y[%b, %k, %j] : memref<9x50x50xf64>
        %p = arith.mulf %e, %f : f64
        sweep.yield %p : f64
      }
      memref.store %s, %z[%b, %i, %j] : memref<9x50x50xf64>
      sweep.yield
    } {contraction}
    sweep.yield
  }
  return
}
