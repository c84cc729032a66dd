// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Bulk operations become a loop with several results only where that gains more than a sixteenth: compiled code makes loops of its own
// of them, and these are faster.

// Beside a product of matrices, what six negations cost is little.
// CHECK-LABEL: func.func @little
// CHECK-COUNT-6: arith.negf
// CHECK-NOT: arith.negf
func.func @little(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %z: tensor<?x?x?xf64>, %w: tensor<?x?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %p = arith.mulf %z, %w : tensor<?x?x?xf64>
  %s = array.sum %p axes [2] : (tensor<?x?x?xf64>) -> tensor<?x?xf64>
  %a = arith.mulf %x, %y : tensor<?x?xf64>
  %a1 = arith.negf %a : tensor<?x?xf64>
  %a2 = arith.negf %a1 : tensor<?x?xf64>
  %b = arith.addf %a2, %y : tensor<?x?xf64>
  %b1 = arith.negf %b : tensor<?x?xf64>
  %b2 = arith.negf %b1 : tensor<?x?xf64>
  %c = arith.mulf %a2, %b2 : tensor<?x?xf64>
  %c1 = arith.negf %c : tensor<?x?xf64>
  %c2 = arith.negf %c1 : tensor<?x?xf64>
  return %s, %a2, %b2, %c2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// Alone it is much.
// CHECK-LABEL: func.func @much
// CHECK: array.build
// CHECK-SAME: -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
// CHECK-NOT: arith.negf
func.func @much(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %a = arith.mulf %x, %y : tensor<?x?xf64>
  %a1 = arith.negf %a : tensor<?x?xf64>
  %a2 = arith.negf %a1 : tensor<?x?xf64>
  %b = arith.addf %a2, %y : tensor<?x?xf64>
  %b1 = arith.negf %b : tensor<?x?xf64>
  %b2 = arith.negf %b1 : tensor<?x?xf64>
  %c = arith.mulf %a2, %b2 : tensor<?x?xf64>
  %c1 = arith.negf %c : tensor<?x?xf64>
  %c2 = arith.negf %c1 : tensor<?x?xf64>
  return %a2, %b2, %c2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
