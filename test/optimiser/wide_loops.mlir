// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Bulk operations become a loop with several results only if that saves more than a sixteenth of the cost: compiled code has its own loops
// for them, which are faster.

// Next to a product of matrices, the cost of six negations is small.
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

// Alone it is large.
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
