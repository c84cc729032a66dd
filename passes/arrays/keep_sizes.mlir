// RUN: mlopt %s --keep-sizes | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(keep-sizes,canonicalize,cse,func.func(egg-optimize))' | FileCheck %s --check-prefix=OPT
// RUN: not mlopt %s --pass-pipeline='builtin.module(canonicalize,array-to-sweeps)' 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not mlopt %s --pass-pipeline='builtin.module(canonicalize,func.func(egg-optimize),array-to-sweeps)' 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: mlopt run %s --entry @all --arg '[[3, 1], [0, -2], [5, 5]]' | FileCheck %s --check-prefix=VALUES
// RUN: mlopt run %s --entry @all --arg '[[3, 1], [0, -2], [5, 5]]' --interpret | FileCheck %s --check-prefix=VALUES
// `canonicalize` of MLIR 19 makes constants without a size of equal operands.

// CHECK-LABEL: func.func @difference
// CHECK:         %[[N:.*]] = array.length %arg0 axis 1
// CHECK:         %[[SAME:.*]] = array.reshape %arg0 sizes(%[[N]]) : tensor<3x?xi64> -> tensor<3x?xi64>
// CHECK:         arith.subi %arg0, %[[SAME]]
// The optimiser needs no such fold: what it makes has its sizes.
// OPT-LABEL:   func.func @difference
// OPT-NEXT:      %[[N:.*]] = array.length %arg0 axis 1
// OPT-NEXT:      %[[ZERO:.*]] = arith.constant 0 : i64
// OPT-NEXT:      array.replicate
// OPT-NOT:     arith.subi
// Without it there is a constant of which nobody knows the size.
// LOST:        error: not supported: 'arith.constant': a constant of type tensor<3x?xi64>, which does not say its sizes
// LOST:        note: run `keep-sizes` before `canonicalize`
func.func @difference(%x: tensor<3x?xi64>) -> tensor<3x?xi64> {
  %z = arith.subi %x, %x : tensor<3x?xi64>
  return %z : tensor<3x?xi64>
}

// Operands that other folds make equal, types with an axis of length 0, and rewrites that make a constant of two
// operations.
// CHECK-LABEL: func.func @all
// OPT-LABEL:   func.func @all
// VALUES:      0 0]
// VALUES-NEXT: 0 0]
// VALUES-NEXT: 0 0]]
// VALUES:      True True]
// VALUES-NEXT: True True]
// VALUES-NEXT: True True]]
// VALUES:      -3 -1]
// VALUES-NEXT: 0 2]
// VALUES-NEXT: -5 -5]]
// VALUES:      0 0 0]
func.func @all(%x: tensor<3x?xi64>) -> (tensor<3x?xi64>, tensor<3x?xi1>, tensor<3x?xi64>, tensor<3xi64>) {
  %same = arith.cmpi eq, %x, %x : tensor<3x?xi64>
  %z = arith.xori %x, %x : tensor<3x?xi64>
  %chosen = arith.select %same, %x, %z : tensor<3x?xi1>, tensor<3x?xi64>
  %none = arith.subi %chosen, %x : tensor<3x?xi64>
  %once = arith.subi %z, %x : tensor<3x?xi64>
  %sum = array.sum %none axes [1] : (tensor<3x?xi64>) -> tensor<3xi64>
  return %z, %same, %once, %sum : tensor<3x?xi64>, tensor<3x?xi1>, tensor<3x?xi64>, tensor<3xi64>
}

// Sizes that are known, and numbers, are not concerned.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     array.reshape
// CHECK:         return
func.func @known(%x: tensor<3xi64>, %n: i64) -> (tensor<3xi64>, i64) {
  %z = arith.subi %x, %x : tensor<3xi64>
  %m = arith.subi %n, %n : i64
  return %z, %m : tensor<3xi64>, i64
}
