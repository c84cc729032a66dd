// RUN: mlopt %s --stablehlo-to-array --canonicalize | FileCheck %s
// Complex elements. Values are compared in test/stablehlo/programs.

// A product has four real ones, in the type of the parts.
// CHECK-LABEL: func.func @multiply
// CHECK-SAME:    (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<?xf32>, %[[D:.*]]: tensor<?xf32>)
// CHECK-DAG:     %[[AC:.*]] = arith.mulf %[[A]], %[[C]]
// CHECK-DAG:     %[[BD:.*]] = arith.mulf %[[B]], %[[D]]
// CHECK-DAG:     %[[RE:.*]] = arith.subf %[[AC]], %[[BD]]
// CHECK-DAG:     %[[AD:.*]] = arith.mulf %[[A]], %[[D]]
// CHECK-DAG:     %[[BC:.*]] = arith.mulf %[[B]], %[[C]]
// CHECK-DAG:     %[[IM:.*]] = arith.addf %[[AD]], %[[BC]]
// CHECK:         return %[[RE]], %[[IM]] : tensor<?xf32>, tensor<?xf32>
func.func @multiply(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %z = "stablehlo.multiply"(%x, %y) : (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %z : tensor<?xcomplex<f32>>
}

// A function of narrow elements is computed in f64, where the squares cannot overflow.
// CHECK-LABEL: func.func @abs
// CHECK-SAME:    (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[X:.*]] = arith.extf %[[A]] : tensor<4xf32> to tensor<4xf64>
// CHECK-DAG:     %[[Y:.*]] = arith.extf %[[B]] : tensor<4xf32> to tensor<4xf64>
// CHECK-DAG:     %[[XX:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-DAG:     %[[YY:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK:         %[[S:.*]] = arith.addf %[[XX]], %[[YY]]
// CHECK:         %[[R:.*]] = math.sqrt %[[S]] : tensor<4xf64>
// CHECK:         %[[Z:.*]] = arith.truncf %[[R]] : tensor<4xf64> to tensor<4xf32>
// CHECK:         return %[[Z]]
func.func @abs(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %z = "stablehlo.abs"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// A long sum of products: four real contractions. An intermediate array of complex products would be one of 3 axes.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-4: array.sum %{{.*}} axes [2] : (tensor<4x5x100xf64>) -> tensor<4x5xf64>
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @product(%x: tensor<4x100xcomplex<f64>>, %y: tensor<100x5xcomplex<f64>>) -> tensor<4x5xcomplex<f64>> {
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [0]>}> : (tensor<4x100xcomplex<f64>>, tensor<100x5xcomplex<f64>>) -> tensor<4x5xcomplex<f64>>
  return %z : tensor<4x5xcomplex<f64>>
}

// In the function of a reduction, the operands of a complex function are whole arrays.
// CHECK-LABEL: func.func @reduced
// CHECK:         array.fold
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : tensor<5xf32>
// CHECK:           array.yield
func.func @reduced(%x: tensor<3x5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %one = "stablehlo.constant"() <{value = dense<(1.0, 0.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
  %z = "stablehlo.reduce"(%x, %one) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%c) : (tensor<complex<f32>>) -> ()
  }) : (tensor<3x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
  return %z : tensor<5xcomplex<f32>>
}
