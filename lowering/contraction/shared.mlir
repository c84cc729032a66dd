// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops | FileCheck %s
// RUN: mlopt run %s --entry @twice --arg '[[1, 0], [0, 1], [2, 0]]' --arg '[[1, 2], [3, 4]]' | FileCheck %s --check-prefix=VALUE
// Contractions of dynamic sizes share the functions that compute one tile: two heights by two widths for each order in
// which the left factor is packed, for any number of contractions.
// CHECK-LABEL: func.func @twice
// CHECK:         call @tile.f64x2.4x2.rows
// CHECK:         call @tile.f64x2.4x1.rows
// CHECK:         call @tile.f64x2.2x2.rows
// CHECK:         call @tile.f64x2.2x1.rows
// CHECK:         call @tile.f64x2.4x2.rows
// CHECK-COUNT-4: func.func private @tile
// CHECK-NOT:     func.func private @tile
// VALUE:      7. 10.]
// VALUE-NEXT: [15. 22.]
// VALUE-NEXT: [14. 20.]]
func.func @twice(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = func.call @product(%x, %w) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %z = func.call @product(%y, %w) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
func.func private @product(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %x : tensor<?x?xf64>
  %n = array.length %w axis 1 : tensor<?x?xf64>
  %columns = array.transpose %w [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %row = array.get %x[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %column = array.get %columns[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %column : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}
