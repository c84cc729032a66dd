// RUN: mlopt %s --loops-to-llvm --split-input-file | FileCheck %s

// The body of a chunk is a function of the values that it uses, which may be called directly. Chunks that run on several
// threads load these values.
// CHECK-LABEL: llvm.func weak @mlopt_parallel_for(
// CHECK-LABEL: llvm.func @f(
// CHECK:         %[[CONTEXT:.*]] = llvm.alloca
// CHECK:         %[[ALONE:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i64
// CHECK:         llvm.cond_br %[[ALONE]]
// CHECK:         llvm.call @f.loop0(%{{.*}}, %arg1, %{{.*}}, %{{.*}})
// CHECK:         llvm.store %arg1, %{{.*}} : f64
// CHECK:         %[[CODE:.*]] = llvm.mlir.addressof @f.loop0.chunk
// CHECK:         llvm.call @mlopt_parallel_for(%[[CODE]], %[[CONTEXT]], %{{.*}})
// CHECK-LABEL: llvm.func internal @f.loop0(%arg0: !llvm.ptr {llvm.noalias, llvm.nocapture}
// CHECK-SAME:    %arg1: f64, %arg2: i64, %arg3: i64)
// CHECK:         llvm.store %arg1
// CHECK-LABEL: llvm.func internal @f.loop0.chunk(%arg0: !llvm.ptr, %arg1: i64)
// CHECK:         %[[A:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK:         llvm.call @f.loop0(%{{.*}}, %[[A]], %arg1, %{{.*}})
func.func @f(%z: memref<?xf64>, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %z, %c0 : memref<?xf64>
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    memref.store %a, %z[%k] : memref<?xf64>
    scf.reduce
  } {sweep.chunks}
  return
}

// -----

// Without the attribute, a parallel loop runs on the calling thread.
// CHECK-LABEL: llvm.func @sequential(
// CHECK-NOT:     mlopt_parallel_for
// CHECK:         llvm.return
func.func @sequential(%z: memref<?xf64>, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %z, %c0 : memref<?xf64>
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    memref.store %a, %z[%k] : memref<?xf64>
    scf.reduce
  }
  return
}
