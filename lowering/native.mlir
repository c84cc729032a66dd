// RUN: mlopt compile %s --pass-pipeline='builtin.module(loops-to-llvm)' --emit=llvm --mcpu=x86-64-v3 | FileCheck %s
// LLVM unrolls loops of at most 7 iterations before it vectorises; a longer one becomes vectors.
// CHECK-LABEL: define void @twice(
// CHECK-NOT:     load double
// CHECK:         load <4 x double>
// CHECK:         ret void
func.func @twice(%x: memref<40xf64>, %out: memref<40xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 40 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<40xf64>
    %b = arith.mulf %a, %a : f64
    %c = math.absf %b : f64
    memref.store %c, %out[%i] : memref<40xf64>
  }
  return
}
