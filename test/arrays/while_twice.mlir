// Second derivatives of a loop that ends when data says so, reverse over reverse and forward over reverse.

// RUN: mlopt run %s --entry @curvatures --arg 2 --arg 1 | FileCheck %s
// RUN: mlopt run %s --entry @curvatures --arg 2 --arg 1 --interpret | FileCheck %s
// RUN: mlopt run %s --entry @curvatures --arg 4 --arg 2 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @curvatures --arg 4 --arg 2 --interpret | FileCheck %s --check-prefix=NONE

func.func private @root(%a: f64, %start: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %small = arith.constant 1.0e-13 : f64
  %r = scf.while (%x = %start) : (f64) -> f64 {
    %square = arith.mulf %x, %x : f64
    %rest = arith.subf %square, %a : f64
    %size = math.absf %rest : f64
    %on = arith.cmpf ogt, %size, %small : f64
    scf.condition(%on) %x : f64
  } do {
  ^bb0(%x: f64):
    %quotient = arith.divf %a, %x : f64
    %sum = arith.addf %x, %quotient : f64
    %mean = arith.mulf %sum, %half : f64
    scf.yield %mean : f64
  }
  return %r : f64
}
func.func private @slope(%a: f64, %start: f64) -> f64 {
  %g = dual.grad @root(%a, %start) wrt [0] mode reverse : (f64, f64) -> f64
  return %g : f64
}
// Of √a by Newton's iteration: -1/(4a√a); where the start is right nothing is done.
// CHECK:      -0.08838834
// CHECK-NEXT: -0.08838834
// NONE:      {{-?}}0.0
// NONE-NEXT: {{-?}}0.0
func.func @curvatures(%a: f64, %start: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %rr = dual.grad @slope(%a, %start) wrt [0] mode reverse : (f64, f64) -> f64
  %h, %rf = dual.jvp @slope(%a, %start) tangents(%one) wrt [0] : (f64, f64, f64) -> (f64, f64)
  return %rr, %rf : f64, f64
}
