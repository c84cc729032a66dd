// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Loops over rows are loops over an index that read the rows; other ops of the array language are desugared.

// CHECK-LABEL: func.func @sum_of_products
// CHECK-NOT:     array.fold
// CHECK:         array.ifold
// CHECK:         return
func.func @sum_of_products(%x: tensor<6xf64>, %y: tensor<6xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %e = math.exp %x : tensor<6xf64>
  %s = array.fold (%a = %e : tensor<6xf64>, %b = %y : tensor<6xf64>) iter_args(%acc = %zero) -> (f64) {
    %p = arith.mulf %a, %b : f64
    %c = arith.constant 1.0 : f64
    %d = arith.mulf %p, %c : f64
    %t = arith.addf %acc, %d : f64
    array.yield %t : f64
  }
  return %s : f64
}

// The result of a loop with an empty body is its inits.
// CHECK-LABEL: func.func @idle
// CHECK-SAME:    %{{.*}}: tensor<?x3xf64>, %[[S:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[S]]
func.func @idle(%x: tensor<?x3xf64>, %s: f64) -> f64 {
  %r = array.fold (%row = %x : tensor<?x3xf64>) iter_args(%acc = %s) -> (f64) {
    array.yield %acc : f64
  }
  return %r : f64
}

// Rows that do not depend on carried values: all rows at once, separately from the loop, which reads the sines.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     array.map_accum
// CHECK:         %[[ROWS:.*]] = array.build (%[[J:.*]] < 6) -> (tensor<6xf64>) {
// CHECK-NEXT:      %[[E:.*]] = array.get %arg0[%[[J]]]
// CHECK-NEXT:      %[[F:.*]] = math.sin %[[E]]
// CHECK-NEXT:      array.yield %[[F]]
// CHECK:         %[[LAST:.*]] = array.ifold (%[[I:.*]] < %c6) iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:      %[[B:.*]] = array.get %arg0[%[[I]]]
// CHECK-NEXT:      %[[C:.*]] = array.get %[[ROWS]][%[[I]]]
// CHECK-NEXT:      %[[D:.*]] = arith.mulf %[[ACC]], %[[C]]
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[B]], %[[D]]
// CHECK-NEXT:      array.yield %[[T]] : f64
// CHECK:         return %[[LAST]], %[[ROWS]]
func.func @apart(%x: tensor<6xf64>) -> (f64, tensor<6xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %last, %rows = array.map_accum (%a = %x : tensor<6xf64>) iter_args(%acc = %zero) -> (f64, tensor<6xf64>) {
    %b = arith.mulf %a, %one : f64
    %c = math.sin %b : f64
    %d = arith.mulf %acc, %c : f64
    %t = arith.addf %d, %b : f64
    array.yield %t, %c : f64, f64
  }
  return %last, %rows : f64, tensor<6xf64>
}
// Rows that depend on them remain in the loop; the body is rewritten.
// CHECK-LABEL: func.func @together
// CHECK:         array.map_accum
// CHECK-NOT:       arith.mulf
// CHECK:         return
func.func @together(%x: tensor<6xf64>) -> (f64, tensor<6xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %last, %rows = array.map_accum (%a = %x : tensor<6xf64>) iter_args(%acc = %zero) -> (f64, tensor<6xf64>) {
    %b = arith.mulf %a, %one : f64
    %t = arith.addf %acc, %b : f64
    array.yield %t, %t : f64, f64
  }
  return %last, %rows : f64, tensor<6xf64>
}

// A row that is placed and read back.
// CHECK-LABEL: func.func @placed_row
// CHECK-SAME:    %[[R:[a-z0-9]+]]: tensor<3xf64>
// CHECK-NEXT:    return %[[R]]
func.func @placed_row(%r: tensor<3xf64>) -> tensor<3xf64> {
  %two = arith.constant 2 : index
  %h = array.one_hot %r at [%two] : (tensor<3xf64>) -> tensor<4x3xf64>
  %s = array.get %h[%two] : (tensor<4x3xf64>) -> tensor<3xf64>
  return %s : tensor<3xf64>
}
// Reads out of range give zero.
// CHECK-LABEL: func.func @placed_outside
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    return %[[ZERO]]
func.func @placed_outside(%r: tensor<3xf64>) -> f64 {
  %five = arith.constant 5 : index
  %one = arith.constant 1 : index
  %h = array.one_hot %r at [%five] : (tensor<3xf64>) -> tensor<4x3xf64>
  %s = array.get %h[%one, %one] : (tensor<4x3xf64>) -> f64
  return %s : f64
}

// Rounding down is total: it is computed in the loop that reads it, and with constants.
// CHECK-LABEL: func.func @rounded
// CHECK:         array.build
// CHECK:           array.floor %{{.*}} : (f64) -> index
func.func @rounded(%x: tensor<6xf64>, %y: tensor<6xf64>) -> tensor<6xf64> {
  %p = array.floor %x : (tensor<6xf64>) -> tensor<6xindex>
  %r = array.build (%i < 6) -> (tensor<6xf64>) {
    %j = array.get %p[%i] : (tensor<6xindex>) -> index
    %e = array.get %y[%j] : (tensor<6xf64>) -> f64
    array.yield %e : f64
  }
  return %r : tensor<6xf64>
}
// CHECK-LABEL: func.func @rounded_constant
// CHECK:         %[[C:.*]] = arith.constant -3 : index
// CHECK-NEXT:    return %[[C]]
func.func @rounded_constant() -> index {
  %x = arith.constant -2.5 : f64
  %i = array.floor %x : (f64) -> index
  return %i : index
}

// Equal operations that the rules do not know are merged, with all their results.
// CHECK-LABEL: func.func @several_results
// CHECK:         arith.mulsi_extended
// CHECK-NOT:     arith.mulsi_extended
// CHECK:         return
func.func @several_results(%x: i64, %y: i64) -> (i64, i64) {
  %a, %b = arith.mulsi_extended %x, %y : i64
  %c, %d = arith.mulsi_extended %x, %y : i64
  %e = arith.addi %a, %c : i64
  %f = arith.addi %b, %d : i64
  return %e, %f : i64, i64
}
