// RUN: mlopt run %s --entry @forward --arg 0 --arg 2.5 | FileCheck %s
// RUN: mlopt run %s --entry @reverse --arg 0 --arg 2.5 | FileCheck %s
// RUN: mlopt run %s --entry @twice --arg 0 --arg 2.5 | FileCheck %s
// RUN: mlopt run %s --entry @forward --arg 0 --arg 0 | FileCheck %s
// RUN: mlopt run %s --entry @reverse --arg 0 --arg 0 | FileCheck %s
// RUN: mlopt run %s --entry @twice --arg 0 --arg 0 | FileCheck %s
// RUN: mlopt run %s --entry @forward --arg 2 --arg 0 | FileCheck %s --check-prefix=LOG
// A power of 0 is constant in a nonnegative exponent: its derivatives with respect to the exponent are 0.
// CHECK: {{^0.0$}}
// CHECK-NEXT: {{^0.0$}}
// LOG: {{^0.0$}}
// LOG-NEXT: {{^0.69314718}}
func.func @power(%x: f64, %y: f64) -> f64 {
  %z = math.powf %x, %y : f64
  return %z : f64
}
func.func @forward(%x: f64, %y: f64) -> (f64, f64) {
  %g:2 = dual.grad @power(%x, %y) : (f64, f64) -> (f64, f64)
  return %g#0, %g#1 : f64, f64
}
func.func @reverse(%x: f64, %y: f64) -> (f64, f64) {
  %g:2 = dual.grad @power(%x, %y) mode reverse : (f64, f64) -> (f64, f64)
  return %g#0, %g#1 : f64, f64
}
func.func @by_exponent(%x: f64, %y: f64) -> f64 {
  %g = dual.grad @power(%x, %y) {wrt = array<i64: 1>} : (f64, f64) -> f64
  return %g : f64
}
func.func @twice(%x: f64, %y: f64) -> (f64, f64) {
  %first = dual.grad @power(%x, %y) {wrt = array<i64: 1>} : (f64, f64) -> f64
  %second = dual.grad @by_exponent(%x, %y) {wrt = array<i64: 1>} : (f64, f64) -> f64
  return %first, %second : f64, f64
}
