// RUN: mlopt %s --keep-sizes | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(keep-sizes,canonicalize,cse,func.func(egg-optimize))' | FileCheck %s --check-prefix=OPT
// RUN: not mlopt %s --pass-pipeline='builtin.module(canonicalize,array-to-sweeps)' 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not mlopt %s --pass-pipeline='builtin.module(canonicalize,func.func(egg-optimize),array-to-sweeps)' 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: mlopt run %s --entry @all --arg '[[3, 1], [0, -2], [5, 5]]' | FileCheck %s --check-prefix=VALUES
// RUN: mlopt run %s --entry @all --arg '[[3, 1], [0, -2], [5, 5]]' --interpret | FileCheck %s --check-prefix=VALUES
// `canonicalize` of MLIR 19 makes constants without a size of equal operands.

// CHECK-LABEL: func.func @difference
// CHECK:         %[[N:.*]] = array.length %arg0 axis 1
// CHECK:         %[[SAME:.*]] = array.reshape %arg0 sizes(%[[N]]) : (tensor<3x?xi64>) -> tensor<3x?xi64>
// CHECK:         arith.subi %arg0, %[[SAME]]
// The optimiser needs no such fold: its arrays have sizes.
// OPT-LABEL:   func.func @difference
// OPT-NEXT:      %[[N:.*]] = array.length %arg0 axis 1
// OPT-NEXT:      %[[ZERO:.*]] = arith.constant 0 : i64
// OPT-NEXT:      array.replicate
// OPT-NOT:     arith.subi
// Without the pass there is a constant whose size is unknown.
// LOST:        error: not supported: 'arith.constant': the type tensor<3x?xi64> of this constant must determine its sizes
// LOST:        note: run `keep-sizes` before `canonicalize`
func.func @difference(%x: tensor<3x?xi64>) -> tensor<3x?xi64> {
  %z = arith.subi %x, %x : tensor<3x?xi64>
  return %z : tensor<3x?xi64>
}

// Operands that other folds make equal, types with an axis of length 0, and rewrites that make a constant of two
// operations.
// CHECK-LABEL: func.func @all
// CHECK:         %[[X1:.*]] = array.reshape %arg0 sizes(%{{.*}})
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %arg0, %[[X1]]
// CHECK:         %[[X2:.*]] = array.reshape %arg0 sizes(%{{.*}})
// CHECK-NEXT:    %[[Z:.*]] = arith.xori %arg0, %[[X2]]
// CHECK-NEXT:    %[[CHOSEN:.*]] = arith.select %[[SAME]], %arg0, %[[Z]]
// CHECK:         %[[X3:.*]] = array.reshape %arg0 sizes(%{{.*}})
// CHECK-NEXT:    %[[NONE:.*]] = arith.subi %[[CHOSEN]], %[[X3]]
// CHECK:         %[[X4:.*]] = array.reshape %arg0 sizes(%{{.*}})
// CHECK-NEXT:    %[[ONCE:.*]] = arith.subi %[[Z]], %[[X4]]
// CHECK-NEXT:    %[[SUM:.*]] = array.sum %[[NONE]] axes [1]
// CHECK-NEXT:    return %[[Z]], %[[SAME]], %[[ONCE]], %[[SUM]]
// OPT-LABEL:   func.func @all
// OPT-NEXT:      %[[N:.*]] = array.length %arg0 axis 1
// OPT:           %[[TRUES:.*]] = array.replicate %{{.*}}, %[[N]] : (i1) -> tensor<?xi1>
// OPT-NEXT:      %[[SAME:.*]] = array.replicate %[[TRUES]] : (tensor<?xi1>) -> tensor<3x?xi1>
// OPT:           %[[ZEROS:.*]] = array.replicate %{{.*}}, %[[N]] : (i64) -> tensor<?xi64>
// OPT-NEXT:      %[[Z:.*]] = array.replicate %[[ZEROS]] : (tensor<?xi64>) -> tensor<3x?xi64>
// OPT-NEXT:      %[[ONCE:.*]] = array.build (%{{.*}} < 3, %{{.*}} < %[[N]]) -> (tensor<3x?xi64>) {
// OPT:           %[[SUM:.*]] = array.replicate %{{.*}} : (i64) -> tensor<3xi64>
// OPT-NEXT:      return %[[Z]], %[[SAME]], %[[ONCE]], %[[SUM]]
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

// Static sizes and scalars are not affected.
// CHECK-LABEL: func.func @known
// CHECK-NEXT:    %[[Z:.*]] = arith.subi %arg0, %arg0
// CHECK-NEXT:    %[[M:.*]] = arith.subi %arg1, %arg1
// CHECK-NEXT:    return %[[Z]], %[[M]]
func.func @known(%x: tensor<3xi64>, %n: i64) -> (tensor<3xi64>, i64) {
  %z = arith.subi %x, %x : tensor<3xi64>
  %m = arith.subi %n, %n : i64
  return %z, %m : tensor<3xi64>, i64
}
