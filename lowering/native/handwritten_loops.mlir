// RUN: mlopt %s --loops-to-llvm | FileCheck %s
// Loops in the calling convention of compiled programs, `z[i] = exp(x[i]) * tanh(y[i mod 3])` and the sum of all `z`,
// with sizes at run time. `lowering/tests/native.rs` compiles and calls them.
// CHECK: llvm.func @f(
// CHECK: llvm.func @f.packed(

func.func @f(%x: memref<?xf64>, %y: memref<3xf64>, %z: memref<?xf64>, %s: memref<f64>, %scratch: memref<?xi8>)
    attributes {sweep.signature = (tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, f64), sweep.checks = ["`x` is too long"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %t = memref.view %scratch[%c0][%n] : memref<?xi8> to memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %xi = memref.load %x[%i] : memref<?xf64>
    %j = arith.remui %i, %c3 : index
    %yi = memref.load %y[%j] : memref<3xf64>
    %e = math.exp %xi : f64
    %h = math.tanh %yi : f64
    %p = arith.mulf %e, %h : f64
    memref.store %p, %t[%i] : memref<?xf64>
    %a1 = arith.addf %a, %p fastmath<reassoc,contract> : f64
    scf.yield %a1 : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %t[%i] : memref<?xf64>
    memref.store %v, %z[%i] : memref<?xf64>
  }
  memref.store %r, %s[] : memref<f64>
  return
}
func.func @f.sizes(%x: memref<?xf64>, %y: memref<3xf64>, %answer: memref<3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %limit = arith.constant 1000000 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %bad = arith.cmpi sgt, %n, %limit : index
  %status = arith.extui %bad : i1 to i64
  %bytes = arith.muli %n, %c8 : index
  %b = arith.index_cast %bytes : index to i64
  %d = arith.index_cast %n : index to i64
  memref.store %status, %answer[%c0] : memref<3xi64>
  memref.store %b, %answer[%c1] : memref<3xi64>
  memref.store %d, %answer[%c2] : memref<3xi64>
  return
}
