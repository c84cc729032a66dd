// RUN: mlopt %s --array-to-sweeps --plan-memory=threads=64 --sweeps-to-kernels --split-input-file | FileCheck %s
// RUN: mlopt %s --array-to-sweeps --plan-memory=threads=64 --sweeps-to-kernels --split-input-file | mlopt --split-input-file | FileCheck %s
// RUN: mlopt %s --array-to-sweeps --plan-memory=threads=64 --sweeps-to-kernels=float-atomics --split-input-file | FileCheck %s --check-prefix=ATOMIC

// Any number of threads share the iterations of a nest; the host launches at most as many as are useful.
// CHECK-LABEL: gpu.func @scaled.0(
// CHECK-SAME:    %[[X:.*]]: memref<?x3xf64> {llvm.readonly}, %[[A:.*]]: memref<f64> {llvm.readonly}, %[[OUT:.*]]: memref<?x3xf64>, %{{.*}}: memref<?xi8>
// CHECK:         %[[S:.*]] = memref.load %[[A]][]
// CHECK:         %[[BEFORE:.*]] = arith.muli %block_id_x, %block_dim_x
// CHECK:         %[[FIRST:.*]] = arith.addi %[[BEFORE]], %thread_id_x
// CHECK:         scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step %{{.*}} {
// CHECK:           arith.remui %[[I]]
// CHECK:           arith.divui %[[I]]
// CHECK:           memref.store %{{.*}}, %[[OUT]]
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @scaled.sizes(
// CHECK-SAME:    %[[X:.*]]: memref<?x3xf64>, %{{.*}}: memref<f64>, %[[SIZES:.*]]: memref<3xi64>) kernel {
// CHECK:           %[[ROWS:.*]] = memref.dim %[[X]], %{{.*}} : memref<?x3xf64>
// CHECK-NEXT:      %[[N:.*]] = arith.index_cast %[[ROWS]] : index to i64
// CHECK:           %[[LAST:.*]] = arith.constant 2 : index
// CHECK-NEXT:      memref.store %[[N]], %[[SIZES]][%[[LAST]]]
// CHECK-LABEL: func.func @scaled(
// CHECK:         %[[N:.*]] = memref.dim %arg0
// CHECK:         %[[BLOCKS:.*]] = arith.maxui
// CHECK:         gpu.launch_func @kernels::@scaled.0 blocks in (%[[BLOCKS]],
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
func.func @scaled(%x: tensor<?x3xf64>, %a: f64) -> tensor<?x3xf64> {
  %n = array.length %x : tensor<?x3xf64>
  %y = array.build (%i < %n, %j < 3) -> (tensor<?x3xf64>) {
    %e = array.get %x[%i, %j] : (tensor<?x3xf64>) -> f64
    %p = arith.mulf %e, %a : f64
    array.yield %p : f64
  }
  return %y : tensor<?x3xf64>
}

// -----

// A sum is three kernels: each thread adds its share, then groups of threads, then one thread. The result is passed to
// the next kernel through scratch memory.
// CHECK-LABEL: gpu.func @normalised.0(
// CHECK:         %[[FINE:.*]] = memref.view {{.*}} to memref<16384xf64>
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = sweep.nest {{.*}} -> (sum f64)
// CHECK:           memref.store %[[S]], %[[FINE]]
// CHECK-LABEL: gpu.func @normalised.1(
// CHECK:           memref.store %{{.*}}, %{{.*}} : memref<128xf64>
// CHECK-LABEL: gpu.func @normalised.2(
// CHECK:           sweep.nest {{.*}} -> (sum f64)
// CHECK:           memref.store %{{.*}}, %[[SLOT:.*]][] : memref<f64>
// CHECK-LABEL: gpu.func @normalised.3(
// CHECK:         %[[SUM:.*]] = memref.load %{{.*}}[] : memref<f64>
// CHECK:         scf.for
// CHECK:           arith.divf %{{.*}}, %[[SUM]]
// CHECK-LABEL: func.func @normalised(
// CHECK-COUNT-4: gpu.launch_func
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
func.func @normalised(%x: tensor<?xf64>) -> tensor<?xf64> {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %n = array.length %x : tensor<?xf64>
  %t = array.replicate %s, %n : (f64) -> tensor<?xf64>
  %y = arith.divf %x, %t : tensor<?xf64>
  return %y : tensor<?xf64>
}

// -----

// One thread adds floats to an element, in order, unless the order is unspecified; any thread adds integers.
// CHECK-LABEL: gpu.func @histogram.1(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[ONE]] step
// CHECK:           sweep.nest
// CHECK:             sweep.add %{{.*}} : f64
// ATOMIC-LABEL: gpu.func @histogram.1(
// ATOMIC-NOT:     sweep.add
// ATOMIC:         memref.atomic_rmw addf
func.func @histogram(%x: tensor<?xf64>, %key: tensor<?xindex>, %z: tensor<8xf64>) -> tensor<8xf64> {
  %h = array.scatter %x into %z : tensor<?xf64> into tensor<8xf64> (%i) {
    %k = array.get %key[%i] : (tensor<?xindex>) -> index
    array.yield %k : index
  }
  return %h : tensor<8xf64>
}

// -----

// CHECK-LABEL: gpu.func @counts.1(
// CHECK-NOT:     sweep.add
// CHECK:         memref.atomic_rmw addi
func.func @counts(%x: tensor<?xi64>, %key: tensor<?xindex>, %z: tensor<8xi64>) -> tensor<8xi64> {
  %h = array.scatter %x into %z : tensor<?xi64> into tensor<8xi64> (%i) {
    %k = array.get %key[%i] : (tensor<?xindex>) -> index
    array.yield %k : index
  }
  return %h : tensor<8xi64>
}

// -----

// In a sum over rows each thread has its own columns, and reads the rows in order.
// CHECK-LABEL: gpu.func @columns.1(
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           sweep.nest (%[[I:.*]] < %{{.*}}) {
// CHECK:             sweep.add %{{.*}}, %{{.*}}[%{{.*}}, %[[J]]] : f64
func.func @columns(%x: tensor<?x3xf64>, %key: tensor<?xindex>, %z: tensor<8x3xf64>) -> tensor<8x3xf64> {
  %h = array.scatter %x into %z : tensor<?x3xf64> into tensor<8x3xf64> (%i, %j) {
    %k = array.get %key[%i] : (tensor<?xindex>) -> index
    array.yield %k, %j : index, index
  }
  return %h : tensor<8x3xf64>
}

// -----

// Private arrays of iterations have one copy for each thread, and at most as many threads run as there are copies.
// CHECK-LABEL: gpu.func @private.0(
// CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[COPIES:.*]] step
// CHECK:           scf.for %{{.*}} = %[[T]] to %{{.*}} step %[[COPIES]] {
// CHECK:             arith.muli %[[T]],
// CHECK:             memref.view
func.func @private(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.build (%j < %m) -> (tensor<?xf64>) {
      %k = arith.addi %i, %j : index
      %e = array.get %x[%k] : (tensor<?xf64>) -> f64
      array.yield %e : f64
    }
    %z = array.ifold (%k < %n) iter_args(%a = %row) -> (tensor<?xf64>) {
      %r = array.reverse %a : tensor<?xf64>
      %b = arith.addf %r, %x : tensor<?xf64>
      array.yield %b : tensor<?xf64>
    }
    %s = array.get %z[%i] : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

// One thread runs a loop that carries an array.
// CHECK-LABEL: gpu.func @fold.0(
// CHECK:       func.func @fold(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         gpu.launch_func @kernels::@fold.1 blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in
func.func @fold(%x: tensor<40xf64>, %n: index) -> tensor<40xf64> {
  %z = array.ifold (%k < %n) iter_args(%a = %x) -> (tensor<40xf64>) {
    %r = array.reverse %a : tensor<40xf64>
    %b = arith.addf %r, %x : tensor<40xf64>
    array.yield %b : tensor<40xf64>
  }
  return %z : tensor<40xf64>
}

// -----

// A scalar that takes many ops is computed once, after its last operand, although its first operands are inputs.
// CHECK-LABEL: gpu.func @long.2(
// CHECK:         %[[S:.*]] = sweep.nest {{.*}} -> (sum f64)
// CHECK:         arith.addf %{{.*}}, %[[S]]
// CHECK-COUNT-5: arith.addf
// CHECK:         memref.store
func.func @long(%x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %0 = arith.addf %a, %s : f64
  %1 = arith.addf %0, %0 : f64
  %2 = arith.addf %1, %1 : f64
  %3 = arith.addf %2, %2 : f64
  %4 = arith.addf %3, %3 : f64
  %5 = arith.addf %4, %4 : f64
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    array.yield %5 : f64
  }
  return %y : tensor<?xf64>
}
