// RUN: mlopt compile %s --mcpu=x86-64-v4 --emit=llvm -o - --pass-pipeline='builtin.module(loops-to-llvm)' | FileCheck %s
// z[i, j] = x[i, j]·x[i, j+128] + x[i, j+256]·x[i, j+384] in one memory, with rows whose length is a power of two: parts
// of rows run on vectors.
// CHECK-NOT: fmul double
// CHECK:     fmul <8 x double>
// CHECK-NOT: fmul double
func.func @f(%memory: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c65536 = arith.constant 65536 : index
  %z = memref.view %memory[%c0][] : memref<?xi8> to memref<32x128xf64>
  %x = memref.view %memory[%c65536][] : memref<?xi8> to memref<32x512xf64>
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c384 = arith.constant 384 : index
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %k = arith.addi %j, %c128 : index
      %l = arith.addi %j, %c256 : index
      %m = arith.addi %j, %c384 : index
      %a = memref.load %x[%i, %j] : memref<32x512xf64>
      %b = memref.load %x[%i, %k] : memref<32x512xf64>
      %c = memref.load %x[%i, %l] : memref<32x512xf64>
      %d = memref.load %x[%i, %m] : memref<32x512xf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.mulf %c, %d : f64
      %s = arith.addf %p, %q : f64
      memref.store %s, %z[%i, %j] : memref<32x128xf64>
    }
  }
  return
}
