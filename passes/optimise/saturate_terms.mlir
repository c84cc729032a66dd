// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(saturate-terms))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(saturate-terms{fuel=2 report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(saturate-terms{rules=array}))' | FileCheck %s --check-prefix=FEW
// The e-graph: the cheapest of the forms that are equal by all rules.

// CHECK-LABEL: func.func @factor
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    return
// SMALL:       remark: cost {{[0-9]+}} before, {{[0-9]+}} after; fuel used up
// FEW-COUNT-2: arith.mulf
func.func @factor(%x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.mulf %x, %y fastmath<reassoc> : f64
  %b = arith.mulf %x, %z fastmath<reassoc> : f64
  %s = arith.addf %a, %b fastmath<reassoc> : f64
  return %s : f64
}
