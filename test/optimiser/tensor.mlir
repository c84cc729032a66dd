// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Operations of `tensor` mean the same as those of the array language. A read out of range is undefined there: it may give zero.

// CHECK-LABEL: func.func @extract
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @extract(%x: f64, %n: index) -> f64 {
  %two = arith.constant 2 : index
  %s = tensor.splat %x : tensor<4xf64>
  %e = tensor.extract %s[%two] : tensor<4xf64>
  return %e : f64
}

// One loop; the length is that of the operand.
// CHECK-LABEL: func.func @generate
// CHECK-NOT:     tensor.generate
// CHECK:         array.length
// CHECK:         array.build
// CHECK-NOT:     array.build
// CHECK:         return
func.func @generate(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    tensor.yield %f : f64
  } : tensor<?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %g[%i] : (tensor<?xf64>) -> f64
    %f = math.sin %e : f64
    array.yield %f : f64
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @copied
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf64>
// CHECK-NEXT:    return %[[X]]
func.func @copied(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    tensor.yield %e : f64
  } : tensor<?xf64>
  return %g : tensor<?xf64>
}

// A reshape and its inverse cancel.
// CHECK-LABEL: func.func @casts
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf64>
// CHECK-NEXT:    return %[[X]]
func.func @casts(%x: tensor<4xf64>) -> tensor<4xf64> {
  %r = array.reverse %x : tensor<4xf64>
  %a = tensor.cast %r : tensor<4xf64> to tensor<?xf64>
  %b = tensor.cast %a : tensor<?xf64> to tensor<4xf64>
  %s = array.reverse %b : tensor<4xf64>
  return %s : tensor<4xf64>
}

// A slice of a slice.
// CHECK-LABEL: func.func @parts
// CHECK:         %[[R:.*]] = array.slice %{{.*}} : (tensor<9xf64>) -> tensor<3xf64>
// CHECK-NEXT:    return %[[R]]
func.func @parts(%x: tensor<9xf64>) -> tensor<3xf64> {
  %a = tensor.extract_slice %x[2] [6] [1] : tensor<9xf64> to tensor<6xf64>
  %b = tensor.extract_slice %a[1] [3] [1] : tensor<6xf64> to tensor<3xf64>
  return %b : tensor<3xf64>
}
// A dropped axis, and a dynamic offset.
// CHECK-LABEL: func.func @row
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x3xf64>, %[[I:[a-z0-9]+]]: index
// CHECK-NEXT:    %[[R:.*]] = array.get %[[X]][%[[I]]]
// CHECK-NEXT:    return %[[R]]
func.func @row(%x: tensor<4x3xf64>, %i: index) -> tensor<3xf64> {
  %a = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<4x3xf64> to tensor<3xf64>
  return %a : tensor<3xf64>
}
// Other strides are unchanged.
// CHECK-LABEL: func.func @every_other
// CHECK:         tensor.extract_slice
func.func @every_other(%x: tensor<9xf64>) -> tensor<4xf64> {
  %a = tensor.extract_slice %x[1] [4] [2] : tensor<9xf64> to tensor<4xf64>
  return %a : tensor<4xf64>
}

// CHECK-LABEL: func.func @collapsed
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x3xf64>
// CHECK-NEXT:    return %[[X]]
func.func @collapsed(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x3xf64>
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, 3] : tensor<?xf64> into tensor<?x3xf64>
  return %b : tensor<?x3xf64>
}
// Two dynamic sizes.
// CHECK-LABEL: func.func @collapsed_unknown
// CHECK:         tensor.collapse_shape
func.func @collapsed_unknown(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  return %a : tensor<?xf64>
}

// CHECK-LABEL: func.func @second_of_two
// CHECK-SAME:    %{{.*}}: tensor<4xf64>, %[[Y:[a-z0-9]+]]: tensor<3xf64>
// CHECK-NEXT:    return %[[Y]]
func.func @second_of_two(%x: tensor<4xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %a = tensor.concat dim(0) %x, %y : (tensor<4xf64>, tensor<3xf64>) -> tensor<7xf64>
  %b = tensor.extract_slice %a[4] [3] [1] : tensor<7xf64> to tensor<3xf64>
  return %b : tensor<3xf64>
}
