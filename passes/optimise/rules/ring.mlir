// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Structural zeros absorb exactly; the user's zeros only under the flags of their operators.

// CHECK-LABEL: func.func @structural_zero
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @structural_zero(%x: f64, %y: f64) -> f64 {
  %zero = dual.zero : f64
  %one = dual.one : f64
  %p = arith.mulf %y, %zero : f64
  %q = arith.mulf %x, %one : f64
  %r = arith.addf %p, %q : f64
  return %r : f64
}

// 0·y is not zero for y = ∞, and 0 + x is not x for x = -0.
// CHECK-LABEL: func.func @plain_zero_strict
// CHECK:         arith.mulf
// CHECK:         arith.addf
func.func @plain_zero_strict(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = arith.mulf %y, %zero : f64
  %r = arith.addf %p, %x : f64
  return %r : f64
}
// CHECK-LABEL: func.func @plain_zero_fast
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @plain_zero_fast(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = arith.mulf %y, %zero fastmath<nnan,ninf,nsz> : f64
  %r = arith.addf %p, %x fastmath<nsz> : f64
  return %r : f64
}

// factor: a·b + a·c = a·(b + c) where all three operators allow it.
// CHECK-LABEL: func.func @factor
// CHECK:         arith.addf {{.*}} fastmath<reassoc>
// CHECK-NEXT:    arith.mulf {{.*}} fastmath<reassoc>
// CHECK-NEXT:    return
func.func @factor(%a: f64, %b: f64, %c: f64) -> f64 {
  %p = arith.mulf %a, %b fastmath<reassoc> : f64
  %q = arith.mulf %c, %a fastmath<reassoc> : f64
  %r = arith.addf %p, %q fastmath<reassoc> : f64
  return %r : f64
}
// CHECK-LABEL: func.func @factor_strict
// CHECK-COUNT-2: arith.mulf
func.func @factor_strict(%a: f64, %b: f64, %c: f64) -> f64 {
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %c, %a fastmath<reassoc> : f64
  %r = arith.addf %p, %q fastmath<reassoc> : f64
  return %r : f64
}

// Division by a power of two is a multiplication; by three it is not, without `arcp`.
// CHECK-LABEL: func.func @divide
// CHECK:         arith.mulf
// CHECK:         arith.divf
func.func @divide(%a: f64, %b: f64) -> (f64, f64) {
  %four = arith.constant 4.0 : f64
  %three = arith.constant 3.0 : f64
  %p = arith.divf %a, %four : f64
  %q = arith.divf %b, %three : f64
  return %p, %q : f64, f64
}
