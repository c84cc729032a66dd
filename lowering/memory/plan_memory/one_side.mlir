// RUN: mlopt %s --plan-memory | FileCheck %s
// A branch without results may have one side only.
// CHECK-LABEL: func.func @one_side(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:    }
func.func @one_side(%x: f64, %c: i1) -> f64 {
  scf.if %c {
    %y = arith.addf %x, %x : f64
  }
  return %x : f64
}
