// As many records as lanes: they are computed without a loop, and `tanh` still uses vectors.

// RUN: mlopt run %s --entry @scaled --arg random:16x3xf32:seed=1 | FileCheck %s
// RUN: mlopt run %s --entry @scaled --arg random:16x3xf32:seed=1 --interpret | FileCheck %s

// CHECK:      {{\[\[}}0.38088{{[0-9]*}} 0.07996{{[0-9]*}} 0.53293
// CHECK-NEXT: [0.23816{{[0-9]*}} 0.30484{{[0-9]*}} 0.67415
// CHECK-NEXT: [0.55433{{[0-9]*}} 0.19483{{[0-9]*}} 0.90525
func.func @scaled(%x0: tensor<16x3xf32>) -> (tensor<16x3xf32>) {
  %z = array.build (%i < 16) -> (tensor<16x3xf32>) {
    %t = array.build (%j < 3) -> (tensor<3xf32>) {
      %a = array.get %x0[%i, %j] : (tensor<16x3xf32>) -> f32
      %b = math.tanh %a : f32
      array.yield %b : f32
    }
    %s = array.sum %t : (tensor<3xf32>) -> f32
    %u = array.build (%j < 3) -> (tensor<3xf32>) {
      %a = array.get %t[%j] : (tensor<3xf32>) -> f32
      %b = arith.mulf %a, %s : f32
      array.yield %b : f32
    }
    array.yield %u : tensor<3xf32>
  }
  return %z : tensor<16x3xf32>
}
