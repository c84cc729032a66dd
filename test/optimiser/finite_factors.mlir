// RUN: mlopt run %s --arg '[]' --arg 10000000000 | FileCheck %s --check-prefix=NOTHING
// RUN: mlopt run %s --arg '[]' --arg 10000000000 --interpret | FileCheck %s --check-prefix=NOTHING
// RUN: mlopt run %s --arg '[1e-30, 1e-30]' --arg 10000000 | FileCheck %s --check-prefix=TWO
// Factors that are moved out of a sum are finite, but their product may be infinite: an empty sum is still 0.

// NOTHING: {{^}}0.0{{$}}
// TWO:     {{^}}2e+07{{$}}
func.func @main(%x: tensor<?xf32>, %k: i64) -> f32 {
  %n = array.length %x : tensor<?xf32>
  %c = arith.constant 1.0e30 : f32
  %f = arith.sitofp %k : i64 to f32
  %z = array.build (%i < %n) -> (tensor<?xf32>) {
    %a = array.get %x[%i] : (tensor<?xf32>) -> f32
    %p = arith.mulf %a, %f fastmath<reassoc> : f32
    %q = arith.mulf %p, %c fastmath<reassoc> : f32
    array.yield %q : f32
  }
  %s = array.sum %z fastmath<reassoc> : (tensor<?xf32>) -> f32
  return %s : f32
}
