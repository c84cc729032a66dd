// RUN: mlopt %s --loops-to-llvm | FileCheck %s
// RUN: mlopt compile %s --emit=llvm --mcpu=x86-64-v4 --pass-pipeline='builtin.module(loops-to-llvm)' | FileCheck %s --check-prefix=IR
// In a loop the exponential is arithmetic on whole vectors; outside of loops the library is called.
// CHECK-LABEL: llvm.func @in_a_loop
// CHECK:         llvm.intr.fmuladd
// CHECK-NOT:     llvm.intr.exp
// CHECK-LABEL: llvm.func @once
// CHECK:         llvm.intr.exp
// IR-LABEL: define {{.*}}@in_a_loop(
// IR:         call <8 x double> @llvm.fmuladd.v8f64
func.func @in_a_loop(%x: memref<1024xf64>, %z: memref<1024xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1024 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %x[%i] : memref<1024xf64>
    %f = math.exp %e : f64
    memref.store %f, %z[%i] : memref<1024xf64>
  }
  return
}
func.func @once(%x: memref<f64>, %z: memref<f64>) {
  %e = memref.load %x[] : memref<f64>
  %f = math.exp %e : f64
  memref.store %f, %z[] : memref<f64>
  return
}

// Vectors of any length, and f32, are expanded in the same way.
// CHECK-LABEL: llvm.func @on_vectors
// CHECK:         llvm.intr.fmuladd{{.*}}vector<16xf32>
// CHECK-NOT:     llvm.intr.log
func.func @on_vectors(%x: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 9 : index
  %c1 = arith.constant 1 : index
  %v0 = vector.load %x[%c0] : memref<16xf32>, vector<16xf32>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%v = %v0) -> vector<16xf32> {
    %w = math.log %v : vector<16xf32>
    scf.yield %w : vector<16xf32>
  }
  vector.store %z, %out[%c0] : memref<16xf32>, vector<16xf32>
  return
}
