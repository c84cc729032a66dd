// RUN: mlopt compile %s --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s
// The comments of a file of kernels name the parameters, the kernel that computes sizes, and one launch for each other
// kernel.

// CHECK:      //!     { "name": "f.vjp",
// CHECK-NEXT: //!       "inputs": ["tensor<?x3xf64>"],
// CHECK-NEXT: //!       "results": ["f64", "tensor<?x3xf64>"],
// CHECK-NEXT: //!       "checks": [],
// CHECK-NEXT: //!       "parameters": ["in0", "out0", "out1", "scratch", "in0_0", "out1_0", "scratch_bytes"],
// CHECK-NEXT: //!       "sizes": { "kernel": "f$vjp$sizes", "parameters": ["in0", "answer", "in0_0"] },
// CHECK-NEXT: //!       "launches": [
// CHECK-NEXT: //!         { "kernel": "f$vjp$0", "blocks": "max(min({{.*}}", "threads": 256 },
// CHECK-NEXT: //!         { "kernel": "f$vjp$1", "blocks": "max(min({{.*}}", "threads": 256 },
// CHECK-NEXT: //!         { "kernel": "f$vjp$2", "blocks": 1, "threads": 1 }
// CHECK-NEXT: //!       ] }
// CHECK:      .visible .entry f$vjp$0(
// CHECK:      .visible .entry f$vjp$1(
// CHECK:      .visible .entry f$vjp$2(
// CHECK:      .visible .entry f$vjp$sizes(
// CHECK-NOT:  .visible .entry
func.func @f.vjp(%x: tensor<?x3xf64>) -> (f64, tensor<?x3xf64>) {
  %s = array.sum %x axes [0, 1] : (tensor<?x3xf64>) -> f64
  %y = arith.mulf %x, %x : tensor<?x3xf64>
  return %s, %y : f64, tensor<?x3xf64>
}
