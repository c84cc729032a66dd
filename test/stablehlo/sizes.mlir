// RUN: mlopt run %s --entry @update --arg '[1, 2, 3, 4, 5]' --arg '[10, 20]' --arg 1 \
// RUN:   | FileCheck %s --check-prefix=UPDATE
// RUN: mlopt run %s --entry @update --arg '[1, 2, 3, 4, 5]' --arg '[10, 20]' --arg 9 \
// RUN:   | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %s --entry @update --arg '[1, 2]' --arg '[10, 20]' --arg 1 \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// RUN: mlopt run %s --entry @row --arg '[[1, 2], [3, 4], [5, 6]]' --arg '[[7, 8]]' --arg 2 \
// RUN:   | FileCheck %s --check-prefix=ROW
// RUN: mlopt run %s --entry @reshape --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[3, 2]' \
// RUN:   | FileCheck %s --check-prefix=RESHAPE
// RUN: mlopt run %s --entry @reshape --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[2, 3]' \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: mlopt run %s --entry @transposed --arg '[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=TRANSPOSED
// RUN: mlopt run %s --entry @element --arg '[[[1, 2, 3], [4, 5, 6]]]' --arg '[3, 2]' \
// RUN:   | FileCheck %s --check-prefix=RESHAPE
// RUN: mlopt run %s --entry @twice --arg '[1, 2, 3]' | FileCheck %s --check-prefix=TWICE
// Sizes that are known only at run time.

// The start is limited so that the update is inside.
// UPDATE: [ 1. 10. 20.  4.  5.]
// LAST: [ 1.  2.  3. 10. 20.]
// WHOLE: [10. 20.]
func.func public @update(%x: tensor<?xf64>, %part: tensor<?xf64>, %i: tensor<i64>) -> tensor<?xf64> {
  %z = "stablehlo.dynamic_update_slice"(%x, %part, %i) : (tensor<?xf64>, tensor<?xf64>, tensor<i64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// ROW: {{\[}}[1. 2.]
// ROW-NEXT: [3. 4.]
// ROW-NEXT: [7. 8.]]
func.func public @row(%x: tensor<?x?xf64>, %part: tensor<1x?xf64>, %i: tensor<i64>) -> tensor<?x?xf64> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %z = "stablehlo.dynamic_update_slice"(%x, %part, %i, %zero)
      : (tensor<?x?xf64>, tensor<1x?xf64>, tensor<i64>, tensor<i64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// A reshape to the same open type may have other sizes.
// RESHAPE: {{\[}}[1. 2.]
// RESHAPE-NEXT: [3. 4.]
// RESHAPE-NEXT: [5. 6.]]
// SAME: {{\[}}[1. 2. 3.]
// SAME-NEXT: [4. 5. 6.]]
func.func public @reshape(%x: tensor<?x?xf64>, %sizes: tensor<2xi32>) -> tensor<?x?xf64> {
  %z = "stablehlo.dynamic_reshape"(%x, %sizes) : (tensor<?x?xf64>, tensor<2xi32>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// TRANSPOSED: {{\[}}[1. 4. 2.]
// TRANSPOSED-NEXT: [5. 3. 6.]]
func.func public @transposed(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf64>) -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<?x?xf64>) -> tensor<i32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %sizes = "stablehlo.concatenate"(%m1, %n1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %t = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %z = "stablehlo.dynamic_reshape"(%t, %sizes) : (tensor<?x?xf64>, tensor<2xi32>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// The element of a slice of one element, reshaped.
func.func public @element(%x: tensor<1x?x?xf64>, %sizes: tensor<2xi32>) -> tensor<?x?xf64> {
  %from = "stablehlo.constant"() <{value = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %by = "stablehlo.constant"() <{value = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<1x?x?xf64>) -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 2 : i64}> : (tensor<1x?x?xf64>) -> tensor<i32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %to = "stablehlo.concatenate"(%one, %m1, %n1) <{dimension = 0 : i64}>
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %row = "stablehlo.real_dynamic_slice"(%x, %from, %to, %by)
      : (tensor<1x?x?xf64>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x?xf64>
  %z = "stablehlo.dynamic_reshape"(%row, %sizes) : (tensor<1x?x?xf64>, tensor<2xi32>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// Sizes are computed from the sizes of arguments.
// TWICE: [1. 2. 3. 1. 2. 3.]
func.func public @twice(%x: tensor<?xf64>) -> tensor<?xf64> {
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf64>) -> tensor<i32>
  %m = "stablehlo.multiply"(%n, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %two1 = "stablehlo.reshape"(%two) : (tensor<i32>) -> tensor<1xi32>
  %sizes = "stablehlo.concatenate"(%two1, %n1) <{dimension = 0 : i64}>
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %rows = "stablehlo.dynamic_broadcast_in_dim"(%x, %sizes) <{broadcast_dimensions = array<i64: 1>}>
      : (tensor<?xf64>, tensor<2xi32>) -> tensor<2x?xf64>
  %z = "stablehlo.dynamic_reshape"(%rows, %m1) : (tensor<2x?xf64>, tensor<1xi32>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
