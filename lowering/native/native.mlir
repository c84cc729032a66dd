// RUN: mlopt compile %s --pass-pipeline='builtin.module(loops-to-llvm)' --emit=llvm --mcpu=x86-64-v3 | FileCheck %s
// LLVM unrolls loops of at most 7 iterations before it vectorises; a longer loop is vectorised.
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

// A private function has no external symbol: each object may have its own function of that name.
// CHECK-LABEL: define internal {{.*}}@helper(
// CHECK-SAME:    ptr {{.*}}%[[X:.*]])
// CHECK-NEXT:    %[[A:.*]] = load double, ptr %[[X]]
// CHECK-NEXT:    %[[B:.*]] = fadd double %[[A]], %[[A]]
// CHECK-NEXT:    store double %[[B]], ptr %[[X]]
// CHECK-LABEL: define void @caller(
// CHECK-SAME:    ptr {{.*}}%[[Y:.*]])
// CHECK-NEXT:    call {{.*}}void @helper(ptr {{.*}}%[[Y]])
func.func private @helper(%x: memref<4xf64>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xf64>
  %b = arith.addf %a, %a : f64
  memref.store %b, %x[%c0] : memref<4xf64>
  return
}
func.func @caller(%x: memref<4xf64>) {
  func.call @helper(%x) : (memref<4xf64>) -> ()
  return
}
