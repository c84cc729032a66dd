// RUN: mlopt %s --jvp --inline --egg-optimize | FileCheck %s
// Gradients of chains of tanh layers by forward mode: each layer costs the same. `passes/tests/asymptotics.rs` counts.

func.func private @layer(%a: tensor<8x8xf64>, %x: tensor<8xf64>) -> tensor<8xf64> {
  %y = array.build (%i < 8) -> (tensor<8xf64>) {
    %p = array.build (%j < 8) -> (tensor<8xf64>) {
      %u = array.get %a[%i, %j] : (tensor<8x8xf64>) -> f64
      %v = array.get %x[%j] : (tensor<8xf64>) -> f64
      %e = arith.mulf %u, %v fastmath<reassoc> : f64
      array.yield %e : f64
    }
    %s = array.sum %p : (tensor<8xf64>) -> f64
    %t = math.tanh %s fastmath<reassoc> : f64
    array.yield %t : f64
  }
  return %y : tensor<8xf64>
}
func.func private @norm(%x: tensor<8xf64>) -> f64 {
  %q = arith.mulf %x, %x fastmath<reassoc> : tensor<8xf64>
  %s = array.sum %q : (tensor<8xf64>) -> f64
  return %s : f64
}
func.func private @two_layers(%a: tensor<2x8x8xf64>, %x0: tensor<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %a0 = array.get %a[%c0] : (tensor<2x8x8xf64>) -> tensor<8x8xf64>
  %x1 = func.call @layer(%a0, %x0) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c1 = arith.constant 1 : index
  %a1 = array.get %a[%c1] : (tensor<2x8x8xf64>) -> tensor<8x8xf64>
  %x2 = func.call @layer(%a1, %x1) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %s = func.call @norm(%x2) : (tensor<8xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: math.tanh
// CHECK-NOT: math.tanh
// CHECK: return
func.func @two(%a: tensor<2x8x8xf64>, %x: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @two_layers(%a, %x) wrt [1] : (tensor<2x8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}
func.func private @four_layers(%a: tensor<4x8x8xf64>, %x0: tensor<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %a0 = array.get %a[%c0] : (tensor<4x8x8xf64>) -> tensor<8x8xf64>
  %x1 = func.call @layer(%a0, %x0) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c1 = arith.constant 1 : index
  %a1 = array.get %a[%c1] : (tensor<4x8x8xf64>) -> tensor<8x8xf64>
  %x2 = func.call @layer(%a1, %x1) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c2 = arith.constant 2 : index
  %a2 = array.get %a[%c2] : (tensor<4x8x8xf64>) -> tensor<8x8xf64>
  %x3 = func.call @layer(%a2, %x2) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c3 = arith.constant 3 : index
  %a3 = array.get %a[%c3] : (tensor<4x8x8xf64>) -> tensor<8x8xf64>
  %x4 = func.call @layer(%a3, %x3) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %s = func.call @norm(%x4) : (tensor<8xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @four(
// CHECK-COUNT-4: math.tanh
// CHECK-NOT: math.tanh
// CHECK: return
func.func @four(%a: tensor<4x8x8xf64>, %x: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @four_layers(%a, %x) wrt [1] : (tensor<4x8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}
func.func private @sixteen_layers(%a: tensor<16x8x8xf64>, %x0: tensor<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %a0 = array.get %a[%c0] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x1 = func.call @layer(%a0, %x0) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c1 = arith.constant 1 : index
  %a1 = array.get %a[%c1] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x2 = func.call @layer(%a1, %x1) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c2 = arith.constant 2 : index
  %a2 = array.get %a[%c2] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x3 = func.call @layer(%a2, %x2) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c3 = arith.constant 3 : index
  %a3 = array.get %a[%c3] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x4 = func.call @layer(%a3, %x3) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c4 = arith.constant 4 : index
  %a4 = array.get %a[%c4] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x5 = func.call @layer(%a4, %x4) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c5 = arith.constant 5 : index
  %a5 = array.get %a[%c5] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x6 = func.call @layer(%a5, %x5) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c6 = arith.constant 6 : index
  %a6 = array.get %a[%c6] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x7 = func.call @layer(%a6, %x6) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c7 = arith.constant 7 : index
  %a7 = array.get %a[%c7] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x8 = func.call @layer(%a7, %x7) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c8 = arith.constant 8 : index
  %a8 = array.get %a[%c8] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x9 = func.call @layer(%a8, %x8) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c9 = arith.constant 9 : index
  %a9 = array.get %a[%c9] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x10 = func.call @layer(%a9, %x9) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c10 = arith.constant 10 : index
  %a10 = array.get %a[%c10] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x11 = func.call @layer(%a10, %x10) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c11 = arith.constant 11 : index
  %a11 = array.get %a[%c11] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x12 = func.call @layer(%a11, %x11) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c12 = arith.constant 12 : index
  %a12 = array.get %a[%c12] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x13 = func.call @layer(%a12, %x12) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c13 = arith.constant 13 : index
  %a13 = array.get %a[%c13] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x14 = func.call @layer(%a13, %x13) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c14 = arith.constant 14 : index
  %a14 = array.get %a[%c14] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x15 = func.call @layer(%a14, %x14) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %c15 = arith.constant 15 : index
  %a15 = array.get %a[%c15] : (tensor<16x8x8xf64>) -> tensor<8x8xf64>
  %x16 = func.call @layer(%a15, %x15) : (tensor<8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %s = func.call @norm(%x16) : (tensor<8xf64>) -> f64
  return %s : f64
}
func.func @sixteen(%a: tensor<16x8x8xf64>, %x: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @sixteen_layers(%a, %x) wrt [1] : (tensor<16x8x8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}
