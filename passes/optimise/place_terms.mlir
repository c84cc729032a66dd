// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(place-terms))' | FileCheck %s
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(place-terms{rules=all}))' 2>&1 | FileCheck %s --check-prefix=RULES
// Placement only, without rewriting: the addition of zero is kept.

// Hoisted out of the loop, computed once.
// CHECK-LABEL: func.func @invariant
// CHECK-NEXT:    %[[A:.*]] = math.exp
// CHECK-NEXT:    %[[C:.*]] = arith.addf %[[A]], %[[A]]
// CHECK:         array.build
// CHECK-NOT:       math.exp
// RULES:       error: pass `place-terms` has no option `rules`; expected `assume-size`, `report`
func.func @invariant(%x: f64, %v: tensor<9xf64>) -> tensor<9xf64> {
  %e = array.build (%i < 9) -> (tensor<9xf64>) {
    %a = math.exp %x : f64
    %b = math.exp %x : f64
    %c = arith.addf %a, %b : f64
    %y = array.get %v[%i] : (tensor<9xf64>) -> f64
    %z = arith.mulf %c, %y : f64
    array.yield %z : f64
  }
  return %e : tensor<9xf64>
}

// CHECK-LABEL: func.func @no_rule
// CHECK:         arith.mulf
// CHECK:         arith.addf
func.func @no_rule(%x: f64) -> f64 {
  %zero = dual.zero : f64
  %p = arith.mulf %x, %zero : f64
  %s = arith.addf %p, %x : f64
  return %s : f64
}
