// RUN: mlopt run %s --arg 0 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --arg nan --interpret | FileCheck %s --check-prefix=NONE
// A loop of which is known that it has no iterations takes nothing from what was moved out of it, however large the derivative of that is.

// NONE:  {{^}}0.0{{$}}
func.func private @no_logs(%x: f64) -> f64 {
  %v = array.build (%i < 0) -> (tensor<0xf64>) {
    %log = math.log %x : f64
    array.yield %log : f64
  }
  %s = array.sum %v : (tensor<0xf64>) -> f64
  return %s : f64
}
func.func @main(%x: f64) -> f64 {
  %g = dual.grad @no_logs(%x) wrt [0] mode reverse : (f64) -> f64
  return %g : f64
}
