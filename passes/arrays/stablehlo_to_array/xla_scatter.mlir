// RUN: mlopt run %s --entry @windows | FileCheck %s --check-prefix=STABLEHLO
// RUN: mlopt %s '--stablehlo-to-array=xla-scatter=true' -o %t.mlir
// RUN: mlopt run %t.mlir --entry @windows | FileCheck %s --check-prefix=XLA
// RUN: mlopt run %s --entry @unique | FileCheck %s --check-prefix=STABLEHLO
// RUN: mlopt run %t.mlir --entry @unique | FileCheck %s --check-prefix=XLA
// RUN: mlopt run %s --entry @in_order | FileCheck %s --check-prefix=STABLEHLO
// RUN: mlopt run %t.mlir --entry @in_order | FileCheck %s --check-prefix=XLA
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=FORM
// A window of a scatter that is partly outside: StableHLO drops the elements outside, XLA the whole window.

// STABLEHLO: {{\[}}[4 0 0 0]
// STABLEHLO-NEXT: [0 1 2 0]
// STABLEHLO-NEXT: [0 3 4 1]]
// XLA: {{\[}}[0 0 0 0]
// XLA-NEXT: [0 1 2 0]
// XLA-NEXT: [0 3 4 0]]
func.func public @windows() -> tensor<3x4xi32> {
  %x = "stablehlo.constant"() <{value = dense<0> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
  %i = "stablehlo.constant"() <{value = dense<[[1, 1], [2, 3], [-1, -1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
  %u = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %us = "stablehlo.broadcast_in_dim"(%u) <{broadcast_dimensions = array<i64: 1, 2>}>
      : (tensor<2x2xi32>) -> tensor<3x2x2xi32>
  %z = "stablehlo.scatter"(%x, %i, %us) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x2x2xi32>) -> tensor<3x4xi32>
  return %z : tensor<3x4xi32>
}

// Each element has at most one update, or updates are applied in order.
func.func public @unique() -> tensor<3x4xi32> {
  %x = "stablehlo.constant"() <{value = dense<0> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
  %i = "stablehlo.constant"() <{value = dense<[[1, 1], [2, 3], [-1, -1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
  %u = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %us = "stablehlo.broadcast_in_dim"(%u) <{broadcast_dimensions = array<i64: 1, 2>}>
      : (tensor<2x2xi32>) -> tensor<3x2x2xi32>
  %z = "stablehlo.scatter"(%x, %i, %us) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x2x2xi32>) -> tensor<3x4xi32>
  return %z : tensor<3x4xi32>
}

func.func public @in_order() -> tensor<3x4xi32> {
  %x = "stablehlo.constant"() <{value = dense<0> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
  %i = "stablehlo.constant"() <{value = dense<[[1, 1], [2, 3], [-1, -1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
  %u = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %us = "stablehlo.broadcast_in_dim"(%u) <{broadcast_dimensions = array<i64: 1, 2>}>
      : (tensor<2x2xi32>) -> tensor<3x2x2xi32>
  %z = "stablehlo.scatter"(%x, %i, %us) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x2x2xi32>) -> tensor<3x4xi32>
  return %z : tensor<3x4xi32>
}

// Windows of one row are inside or outside as a whole, and need no comparison.
// FORM-LABEL: func.func public @rows
// FORM-NOT:     arith.cmpi
// FORM:         return
func.func public @rows(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x1x4xf32>) -> tensor<3x4xf32> {
  %z = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x1x4xf32>) -> tensor<3x4xf32>
  return %z : tensor<3x4xf32>
}
