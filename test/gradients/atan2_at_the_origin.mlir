// RUN: mlopt run %s --entry @hessian --arg 0 --arg 0 | FileCheck %s --check-prefix=ORIGIN
// RUN: mlopt run %s --entry @hessian --arg 0 --arg 0 --interpret | FileCheck %s --check-prefix=ORIGIN
// RUN: mlopt run %s --entry @hessian --arg 3 --arg 4 | FileCheck %s
// A derivative that the table defines as 0 at the origin is constant there: second derivatives are 0 too.

// ORIGIN-COUNT-4: {{^-?}}0.0{{$}}
// CHECK:      {{^}}-0.0384
// CHECK-NEXT: {{^}}-0.0112
// CHECK-NEXT: {{^}}-0.0112
// CHECK-NEXT: {{^}}0.038
func.func private @angle(%a: f64, %b: f64) -> f64 {
  %z = math.atan2 %a, %b : f64
  return %z : f64
}
func.func private @slopes(%a: f64, %b: f64) -> (f64, f64) {
  %g:2 = dual.grad @angle(%a, %b) wrt [0, 1] : (f64, f64) -> (f64, f64)
  return %g#0, %g#1 : f64, f64
}
func.func private @by_a(%a: f64, %b: f64) -> f64 {
  %g:2 = func.call @slopes(%a, %b) : (f64, f64) -> (f64, f64)
  return %g#0 : f64
}
func.func private @by_b(%a: f64, %b: f64) -> f64 {
  %g:2 = func.call @slopes(%a, %b) : (f64, f64) -> (f64, f64)
  return %g#1 : f64
}
func.func @hessian(%a: f64, %b: f64) -> (f64, f64, f64, f64) {
  %x:2 = dual.grad @by_a(%a, %b) wrt [0, 1] : (f64, f64) -> (f64, f64)
  %y:2 = dual.grad @by_b(%a, %b) wrt [0, 1] : (f64, f64) -> (f64, f64)
  return %x#0, %x#1, %y#0, %y#1 : f64, f64, f64, f64
}
