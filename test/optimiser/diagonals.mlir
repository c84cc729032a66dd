// RUN: mlopt %s --split-input-file --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// RUN: mlopt %s --split-input-file --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,-mask-to-scatter}))' | FileCheck %s --check-prefix=MASK
// Arrays with zeros at known positions: a scatter writes only the others. A view that is returned is a copy, which is avoided
// by computing in its order.

// The Jacobian of a sum, as emitted by `differentiate`.
// CHECK-LABEL: func.func @jacobian
// CHECK-NOT:     array.build
// CHECK:         array.scatter {{.*}} into tensor<512x512xf64> (%[[I:.*]]) {
// CHECK-NEXT:      array.yield %[[I]], %[[I]]
// CHECK-NOT:     array.transpose
// MASK-LABEL: func.func @jacobian
// MASK:         arith.select
// MASK-NOT:     array.transpose
func.func @jacobian() -> tensor<512x512xf64> {
  %0 = array.build (%i < 512) -> (tensor<512x512xf64>) {
    %row = array.build (%j < 512) -> (tensor<512xf64>) {
      %here = arith.cmpi eq, %i, %j : index
      %one = dual.one : f64
      %zero = dual.zero : f64
      %e = arith.select %here, %one, %zero : f64
      array.yield %e : f64
    }
    array.yield %row : tensor<512xf64>
  }
  %t = array.transpose %0 [1, 0] : (tensor<512x512xf64>) -> tensor<512x512xf64>
  return %t : tensor<512x512xf64>
}

// -----

// Off the diagonal, of integers, for which any zero is exact.
// CHECK-LABEL: func.func @beside
// CHECK:         array.scatter {{.*}} into tensor<40x50xi64> (%[[I:.*]]) {
// CHECK:           %[[J:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK:           array.yield %[[I]], %[[J]]
// MASK-LABEL: func.func @beside
// MASK:         arith.select
func.func @beside(%x: tensor<40xi64>) -> tensor<40x50xi64> {
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %0 = array.build (%i < 40, %j < 50) -> (tensor<40x50xi64>) {
    %k = arith.addi %i, %three : index
    %here = arith.cmpi eq, %j, %k : index
    %v = array.get %x[%i] : (tensor<40xi64>) -> i64
    %e = arith.select %here, %v, %zero : i64
    array.yield %e : i64
  }
  return %0 : tensor<40x50xi64>
}

// -----

// Blocks on the diagonal of a matrix of blocks, in single precision; and every second row.
// CHECK-LABEL: func.func @blocks
// CHECK:         array.scatter {{.*}} into tensor<20x3x20x3xf32>
// CHECK-LABEL: func.func @spread
// CHECK:         array.scatter {{.*}} into tensor<40x20xf32>
// MASK-LABEL: func.func @blocks
// MASK:         arith.select
func.func @blocks(%x: tensor<3x3xf32>) -> tensor<20x3x20x3xf32> {
  %0 = array.build (%i < 20, %k < 3, %j < 20, %l < 3) -> (tensor<20x3x20x3xf32>) {
    %here = arith.cmpi eq, %i, %j : index
    %zero = dual.zero : f32
    %v = array.get %x[%k, %l] : (tensor<3x3xf32>) -> f32
    %e = arith.select %here, %v, %zero : f32
    array.yield %e : f32
  }
  return %0 : tensor<20x3x20x3xf32>
}
func.func @spread(%x: tensor<20xf32>) -> tensor<40x20xf32> {
  %two = arith.constant 2 : index
  %0 = array.build (%i < 40, %j < 20) -> (tensor<40x20xf32>) {
    %k = arith.muli %j, %two : index
    %here = arith.cmpi eq, %i, %k : index
    %zero = dual.zero : f32
    %v = array.get %x[%j] : (tensor<20xf32>) -> f32
    %e = arith.select %here, %v, %zero : f32
    array.yield %e : f32
  }
  return %0 : tensor<40x20xf32>
}

// -----

// No scatter if a consumer reads the mask once, so that no array is created; for a triangle; for few columns.
// CHECK-LABEL: func.func @read
// CHECK-NOT:     array.scatter
// CHECK:         array.build (%[[I:.*]] < 60, %[[J:.*]] < 60) -> (tensor<60x60xf64>) {
// CHECK:           %[[HERE:.*]] = arith.cmpi eq, %[[I]], %[[J]]
// CHECK:           arith.select %[[HERE]]
// CHECK-NOT:     array.scatter
// CHECK:         %[[Y:.*]] = arith.addf %arg0
// CHECK-NEXT:    return %[[Y]]
// CHECK-LABEL: func.func @triangle
// CHECK-NOT:     array.scatter
// CHECK-NOT:     array.transpose
// CHECK:         arith.select
// CHECK-LABEL: func.func @few
// CHECK-NOT:     array.scatter
// CHECK:         %[[R:.*]] = array.build (%[[I:.*]] < 60, %[[J:.*]] < 4) -> (tensor<60x4xf64>) {
// CHECK:           %[[HERE:.*]] = arith.cmpi eq, %[[I]], %[[J]]
// CHECK:           arith.select %[[HERE]]
// CHECK:         return %[[R]]
// MASK-LABEL: func.func @read
// MASK-NOT:      array.scatter
// MASK:          array.build (%[[I:.*]] < 60, %[[J:.*]] < 60) -> (tensor<60x60xf64>) {
// MASK:            %[[HERE:.*]] = arith.cmpi eq, %[[I]], %[[J]]
// MASK:            arith.select %[[HERE]]
// MASK:          %[[Y:.*]] = arith.addf %arg0
// MASK-NEXT:     return %[[Y]]
func.func @read(%x: tensor<60x60xf64>, %a: tensor<60xf64>) -> tensor<60x60xf64> {
  %0 = array.build (%i < 60, %j < 60) -> (tensor<60x60xf64>) {
    %here = arith.cmpi eq, %i, %j : index
    %zero = dual.zero : f64
    %v = array.get %a[%j] : (tensor<60xf64>) -> f64
    %e = arith.select %here, %v, %zero : f64
    array.yield %e : f64
  }
  %y = arith.addf %x, %0 : tensor<60x60xf64>
  return %y : tensor<60x60xf64>
}
func.func @triangle(%a: tensor<60xf64>) -> tensor<60x60xf64> {
  %0 = array.build (%i < 60) -> (tensor<60x60xf64>) {
    %row = array.build (%j < 60) -> (tensor<60xf64>) {
      %here = arith.cmpi sle, %i, %j : index
      %zero = dual.zero : f64
      %v = array.get %a[%j] : (tensor<60xf64>) -> f64
      %e = arith.select %here, %v, %zero : f64
      array.yield %e : f64
    }
    array.yield %row : tensor<60xf64>
  }
  %t = array.transpose %0 [1, 0] : (tensor<60x60xf64>) -> tensor<60x60xf64>
  return %t : tensor<60x60xf64>
}
func.func @few(%a: tensor<60xf64>) -> tensor<60x4xf64> {
  %0 = array.build (%i < 60, %j < 4) -> (tensor<60x4xf64>) {
    %here = arith.cmpi eq, %i, %j : index
    %zero = dual.zero : f64
    %v = array.get %a[%i] : (tensor<60xf64>) -> f64
    %e = arith.select %here, %v, %zero : f64
    array.yield %e : f64
  }
  return %0 : tensor<60x4xf64>
}
