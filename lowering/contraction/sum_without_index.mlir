// RUN: mlopt %s --plan-memory --sweeps-to-loops | FileCheck %s
// A sum without indices is not tiled, even in a nest that asks for tiles.
// CHECK-LABEL: func.func @one_term(
// CHECK:         scf.for
// CHECK-NOT:     vector.
// CHECK:         return
func.func @one_term(%x: tensor<8x8xf64>, %y: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %c8 = arith.constant 8 : index
  %z = sweep.nest (%i < %c8, %j < %c8) -> (map tensor<8x8xf64>) {
    %s = sweep.nest () -> (sum f64) {
      %a = tensor.extract %x[%i, %i] : tensor<8x8xf64>
      %b = tensor.extract %y[%j, %j] : tensor<8x8xf64>
      %p = arith.mulf %a, %b : f64
      sweep.yield %p : f64
    }
    sweep.yield %s : f64
  } {contraction}
  return %z : tensor<8x8xf64>
}
