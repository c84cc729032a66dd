// RUN: mlopt %s --stablehlo-to-array --canonicalize | FileCheck %s
// The form of imported programs. Values are compared in test/stablehlo/programs.

// A counted loop becomes a loop over an index: a read at its counter needs no limits, and a row is written in place.
// CHECK-LABEL: func.func public @scan
// CHECK:         array.ifold (%[[I:.*]] < %{{.*}}) iter_args(%[[C:.*]] = %{{.*}}, %[[YS:.*]] = %{{.*}}) -> (f32, tensor<5xf32>)
// CHECK:           %[[X:.*]] = array.get %{{.*}}[%[[I]]] : (tensor<5xf32>) -> f32
// CHECK:           %[[N:.*]] = arith.addf %[[C]], %[[X]]
// CHECK:           %[[Z:.*]] = tensor.insert %[[N]] into %[[YS]][%[[I]]]
// CHECK:           array.yield %[[N]], %[[Z]]
func.func public @scan(%xs: tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %ys = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
  %z:4 = "stablehlo.while"(%zero, %c, %ys, %xs) ({
  ^bb0(%i: tensor<i32>, %c1: tensor<f32>, %y1: tensor<5xf32>, %x1: tensor<5xf32>):
    %n = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %less = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}>
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %c1: tensor<f32>, %y1: tensor<5xf32>, %x1: tensor<5xf32>):
    // As JAX indexes: a negative position counts from the end.
    %none = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %n = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %negative = "stablehlo.compare"(%i, %none) <{comparison_direction = #stablehlo<comparison_direction LT>}>
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %from_end = "stablehlo.add"(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at = "stablehlo.select"(%negative, %from_end, %i) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %part = "stablehlo.dynamic_slice"(%x1, %at) <{slice_sizes = array<i64: 1>}>
        : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %x = "stablehlo.reshape"(%part) : (tensor<1xf32>) -> tensor<f32>
    %c2 = "stablehlo.add"(%c1, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %row = "stablehlo.broadcast_in_dim"(%c2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %y2 = "stablehlo.dynamic_update_slice"(%y1, %row, %at)
        : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %c2, %y2, %x1) : (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>) -> ()
  }) : (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>)
      -> (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>)
  return %z#1, %z#2 : tensor<f32>, tensor<5xf32>
}

// A loop whose number of iterations depends on its state stays a loop with a condition.
// CHECK-LABEL: func.func public @until
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (f32) -> f32
func.func public @until(%x: tensor<f32>) -> tensor<f32> {
  %z = "stablehlo.while"(%x) ({
  ^bb0(%s: tensor<f32>):
    %limit = "stablehlo.constant"() <{value = dense<100.0> : tensor<f32>}> : () -> tensor<f32>
    %less = "stablehlo.compare"(%s, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}>
        : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }, {
  ^bb0(%s: tensor<f32>):
    %next = "stablehlo.add"(%s, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%next) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// A product is a sum of products of whole arrays.
// CHECK-LABEL: func.func public @matmul
// CHECK-NOT:     array.build
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<3x5x4xf32>
// CHECK:         array.sum %[[P]] axes [2] : (tensor<3x5x4xf32>) -> tensor<3x5xf32>
func.func public @matmul(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [0]>}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %z : tensor<3x5xf32>
}

// A function of elements in a reduction is applied to whole rows, and integers have no sign in their types.
// CHECK-LABEL: func.func public @general
// CHECK-SAME:    (%[[X:.*]]: tensor<7x3xi32>) -> tensor<3xi32>
// CHECK:         array.fold (%[[R:.*]] = %[[X]] : tensor<7x3xi32>) iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<3xi32>)
// CHECK:           arith.xori %[[S]], %[[R]] : tensor<3xi32>
func.func public @general(%x: tensor<7x3xui32>) -> tensor<3xui32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
  %z = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %c = "stablehlo.xor"(%a, %b) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    "stablehlo.return"(%c) : (tensor<ui32>) -> ()
  }) : (tensor<7x3xui32>, tensor<ui32>) -> tensor<3xui32>
  return %z : tensor<3xui32>
}

// Rows at computed positions are a gather of rows.
// CHECK-LABEL: func.func public @embedding
// CHECK:         array.gather %{{.*}} : tensor<100x8xf32> (%{{.*}} < 6) -> (tensor<6x8xf32>)
func.func public @embedding(%table: tensor<100x8xf32>, %i: tensor<6x1xi32>) -> tensor<6x8xf32> {
  %z = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}>
      : (tensor<100x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  return %z : tensor<6x8xf32>
}

// A private function is inlined, and its definition is removed.
// CHECK-LABEL: func.func public @caller
// CHECK:         math.exp
// CHECK-NOT:     @callee
func.func public @caller(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = func.call @callee(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
func.func private @callee(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = "stablehlo.exponential"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// Shardings, as JAX exports them, and computations on the part of one device.
// CHECK-NOT:     sdy
// CHECK-LABEL: func.func public @sharded
// CHECK-SAME:      (%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK:         %[[Y:.*]] = math.sin %[[X]]
// CHECK:         %[[Z:.*]] = arith.negf %[[Y]]
// CHECK:         return %[[Z]]
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> : () -> ()
func.func public @sharded(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<4xf32> {
  %y = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "sdy.sharding_constraint"(%y) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<4xf32>) -> tensor<4xf32>
  %z = "sdy.manual_computation"(%c) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  ^bb0(%part: tensor<4xf32>):
    %n = "stablehlo.negate"(%part) : (tensor<4xf32>) -> tensor<4xf32>
    "sdy.return"(%n) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "sdy.sharding_group"(%z) <{group_id = 0}> : (tensor<4xf32>) -> ()
  return %z : tensor<4xf32>
}
