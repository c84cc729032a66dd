// RUN: mlopt %s --linalg-generalize-named-ops --upstream-to-array --split-input-file --verify-diagnostics | FileCheck %s

// A matrix product is a sum of products for each element; its initial zeros are removed.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME:    %[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<3x4xf32>
// CHECK-SAME:    %[[ROWS:.*]]: index
// CHECK-NEXT:    %[[N:.*]] = array.length %[[A]] : tensor<?x3xf32>
// CHECK-NEXT:    %[[OK:.*]] = arith.cmpi eq, %[[N]], %[[ROWS]] : index
// CHECK-NEXT:    array.check %[[OK]], "invalid-size", "axes of loop 0 must have equal sizes, found {} and {}"(%[[N]], %[[ROWS]]
// CHECK-NEXT:    %[[Z:.*]] = array.build (%[[I:.*]] < %[[N]], %[[J:.*]] < 4) -> (tensor<?x4xf32>) {
// CHECK-NEXT:      %[[P:.*]] = array.build (%[[K:.*]] < 3) -> (tensor<3xf32>) {
// CHECK-NEXT:        %[[X:.*]] = array.get %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT:        %[[Y:.*]] = array.get %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT:        %[[T:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT:        array.yield %[[T]] : f32
// CHECK:           %[[S:.*]] = array.sum %[[P]] : (tensor<3xf32>) -> f32
// CHECK-NEXT:      array.yield %[[S]] : f32
// CHECK:         return %[[Z]]
func.func @matmul(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>, %n: index) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %z = linalg.matmul ins(%a, %b : tensor<?x3xf32>, tensor<3x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

// Another initial value is added; fast-math flags of the addition are those of the sum.
// CHECK-LABEL: func.func @accumulates
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf64>, %[[INIT:.*]]: tensor<3xf64>
// CHECK-NEXT:    %[[S:.*]] = array.sum %[[X]] fastmath<nnan> : (tensor<4x3xf64>) -> tensor<3xf64>
// CHECK-NEXT:    %[[Z:.*]] = arith.addf %[[INIT]], %[[S]] fastmath<nnan> : tensor<3xf64>
// CHECK-NEXT:    return %[[Z]]
func.func @accumulates(%x: tensor<4x3xf64>, %init: tensor<3xf64>) -> tensor<3xf64> {
  %z = linalg.reduce ins(%x : tensor<4x3xf64>) outs(%init : tensor<3xf64>) dimensions = [0] (%a: f64, %s: f64) {
    %t = arith.addf %s, %a fastmath<nnan> : f64
    linalg.yield %t : f64
  }
  return %z : tensor<3xf64>
}

// -----

// Copies are bulk operations, for any order of axes.
// CHECK-LABEL: func.func @copies
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf64>, %[[S:.*]]: f64, %[[N:.*]]: index
// CHECK:         array.check
// CHECK-NEXT:    %[[R:.*]] = array.replicate %[[X]] : (tensor<4x?xf64>) -> tensor<2x4x?xf64>
// CHECK-NEXT:    %[[T:.*]] = array.transpose %[[R]] [2, 0, 1] : (tensor<2x4x?xf64>) -> tensor<?x2x4xf64>
// CHECK-NEXT:    %[[F:.*]] = array.replicate %[[S]], %[[N]] : (f64) -> tensor<?xf64>
// CHECK-NEXT:    %[[G:.*]] = array.replicate %[[F]] : (tensor<?xf64>) -> tensor<2x?xf64>
// CHECK-NEXT:    return %[[T]], %[[G]]
func.func @copies(%x: tensor<4x?xf64>, %s: f64, %n: index) -> (tensor<?x2x4xf64>, tensor<2x?xf64>) {
  %e = tensor.empty(%n) : tensor<?x2x4xf64>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x?xf64>) outs(%e : tensor<?x2x4xf64>) {
  ^bb0(%a: f64, %old: f64):
    linalg.yield %a : f64
  } -> tensor<?x2x4xf64>
  %d = tensor.empty(%n) : tensor<2x?xf64>
  %f = linalg.fill ins(%s : f64) outs(%d : tensor<2x?xf64>) -> tensor<2x?xf64>
  return %t, %f : tensor<?x2x4xf64>, tensor<2x?xf64>
}

// -----

// A reduction that the array language lacks is a sequential loop, which carries all results.
// CHECK-LABEL: func.func @in_order
// CHECK:         array.build (%[[I:.*]] < 4) -> (tensor<4xf64>, tensor<4xindex>) {
// CHECK:           %[[Z:.*]]:2 = array.ifold (%[[J:.*]] < %{{.*}}) iter_args(%[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (f64, index) {
// CHECK:             arith.subf %[[S]], %{{.*}} : f64
// CHECK:             arith.addi %[[P]], %[[J]] : index
// CHECK:           array.yield %[[Z]]#0, %[[Z]]#1 : f64, index
func.func @in_order(%x: tensor<4x3xf64>, %s: tensor<4xf64>, %p: tensor<4xindex>) -> (tensor<4xf64>, tensor<4xindex>) {
  %z:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x3xf64>) outs(%s, %p : tensor<4xf64>, tensor<4xindex>) {
  ^bb0(%a: f64, %t: f64, %q: index):
    %j = linalg.index 1 : index
    %u = arith.subf %t, %a : f64
    %v = arith.addi %q, %j : index
    linalg.yield %u, %v : f64, index
  } -> (tensor<4xf64>, tensor<4xindex>)
  return %z#0, %z#1 : tensor<4xf64>, tensor<4xindex>
}

// -----

// Parts: rows, one row, a gather otherwise; padding with zero is a read out of range.
// CHECK-LABEL: func.func @parts
// CHECK-SAME:    %[[X:.*]]: tensor<6x4xf64>, %[[I:.*]]: index, %[[N:.*]]: index
// CHECK-NEXT:    %[[A:.*]] = array.slice %[[X]] from %[[I]] size %[[N]] : (tensor<6x4xf64>) -> tensor<?x4xf64>
// CHECK-NEXT:    %[[B:.*]] = array.get %[[X]][%[[I]]] : (tensor<6x4xf64>) -> tensor<4xf64>
// CHECK-NEXT:    %[[C:.*]] = array.gather %[[X]] : tensor<6x4xf64> (%[[J:.*]] < 3, %[[K:.*]] < 2) -> (tensor<3x2xf64>) {
// CHECK-NEXT:      %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:      %[[J2:.*]] = arith.muli %[[J]], %[[TWO]] : index
// CHECK-NEXT:      %[[KI:.*]] = arith.addi %[[K]], %[[I]] : index
// CHECK-NEXT:      array.yield %[[J2]], %[[KI]] : index, index
// CHECK:         %[[MINUS:.*]] = arith.constant -1 : index
// CHECK-NEXT:    %[[D:.*]] = array.slice %[[X]] from %[[MINUS]] : (tensor<6x4xf64>) -> tensor<9x4xf64>
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @parts(%x: tensor<6x4xf64>, %i: index, %n: index) -> (tensor<?x4xf64>, tensor<4xf64>, tensor<3x2xf64>, tensor<9x4xf64>) {
  %a = tensor.extract_slice %x[%i, 0] [%n, 4] [1, 1] : tensor<6x4xf64> to tensor<?x4xf64>
  %b = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf64> to tensor<4xf64>
  %c = tensor.extract_slice %x[0, %i] [3, 2] [2, 1] : tensor<6x4xf64> to tensor<3x2xf64>
  %zero = arith.constant 0.0 : f64
  %d = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%j: index, %k: index):
    tensor.yield %zero : f64
  } : tensor<6x4xf64> to tensor<9x4xf64>
  return %a, %b, %c, %d : tensor<?x4xf64>, tensor<4xf64>, tensor<3x2xf64>, tensor<9x4xf64>
}

// -----

// Padding with negative zero is not a read out of range.
// CHECK-LABEL: func.func @negative_zero
// CHECK:         array.build (%{{.*}} < 3) -> (tensor<3xf64>) {
// CHECK:           arith.select
func.func @negative_zero(%x: tensor<2xf64>) -> tensor<3xf64> {
  %zero = arith.constant -0.0 : f64
  %z = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<2xf64> to tensor<3xf64>
  return %z : tensor<3xf64>
}

// -----

// A size that the op that creates an array determines is not recomputed.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME:    %[[N:.*]]: index
// CHECK-NOT:     array.length
// CHECK:         return %[[N]] : index
func.func @sizes(%n: index) -> index {
  %e = tensor.empty(%n) : tensor<3x?xf64>
  %one = arith.constant 1 : index
  %d = tensor.dim %e, %one : tensor<3x?xf64>
  return %d : index
}

// -----

func.func @no_such_type(%x: tensor<4xf8E5M2>, %i: index) -> f8E5M2 {
  // expected-error @+1 {{not supported: 'tensor.extract': expected scalars or tensors of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index, found type tensor<4xf8E5M2>}}
  %z = tensor.extract %x[%i] : tensor<4xf8E5M2>
  return %z : f8E5M2
}

// -----

func.func @no_such_op(%x: tensor<4xf64>) -> tensor<4xi64> {
  // expected-error @+1 {{not supported: 'tensor.bitcast': the array language has no equivalent op}}
  %z = tensor.bitcast %x : tensor<4xf64> to tensor<4xi64>
  return %z : tensor<4xi64>
}

// -----

func.func @no_result_axis(%x: tensor<4xf64>, %o: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{not supported: 'linalg.generic': loop 0 is parallel, so it must index an axis of a result; it indexes none}}
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf64>) outs(%o : tensor<f64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<f64>
  return %z : tensor<f64>
}

// -----

func.func @computed_result(%x: tensor<4xf64>, %o: tensor<7xf64>) -> tensor<7xf64> {
  // expected-error @+1 {{not supported: 'linalg.generic': the indices of a result must be different loop indices, without arithmetic}}
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf64>) outs(%o : tensor<7xf64>) {
  ^bb0(%a: f64, %s: f64):
    linalg.yield %a : f64
  } -> tensor<7xf64>
  return %z : tensor<7xf64>
}

// -----

func.func @different_results(%x: tensor<4x4xf64>, %o: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  // expected-error @+1 {{not supported: 'linalg.generic': all results must be indexed by the same loops}}
  %z:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4x4xf64>) outs(%o, %o : tensor<4xf64>, tensor<4xf64>) {
  ^bb0(%a: f64, %s: f64, %t: f64):
    linalg.yield %a, %a : f64, f64
  } -> (tensor<4xf64>, tensor<4xf64>)
  return %z#0, %z#1 : tensor<4xf64>, tensor<4xf64>
}

// -----

func.func @buffers(%x: memref<4xf64>) {
  // expected-error @+1 {{not supported: 'linalg.generic': expected scalars or tensors of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index, found type memref<4xf64>}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<4xf64>) {
  ^bb0(%a: f64):
    linalg.yield %a : f64
  }
  return
}

// -----

func.func @side_effects(%x: tensor<4xf64>, %m: memref<f64>) -> tensor<4xf64> {
  // expected-error @+1 {{not supported: 'linalg.generic': the body must have no side effects, found 'memref.store'}}
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64):
    memref.store %a, %m[] : memref<f64>
    linalg.yield %a : f64
  } -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// Ops that no pass has generalised.
func.func @named(%x: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  // expected-error @+1 {{not supported: 'linalg.winograd_filter_transform': the op has no generic form; write it with `array` ops, or as several `linalg.generic`}}
  %z = linalg.winograd_filter_transform m(4) r(3) ins(%x : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %z : tensor<6x6x5x2xf32>
}

// -----

// Maximum and sum along the axis, replicated along it.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x?xf64>,
// CHECK:         %[[N:.*]] = array.length %[[X]] axis 1
// CHECK:         %[[MAX:.*]] = array.max %[[X]] axes [1] : (tensor<2x?xf64>) -> tensor<2xf64>
// CHECK:         %[[ROWS:.*]] = array.replicate %[[MAX]], %[[N]]
// CHECK:         %[[MAXIMA:.*]] = array.transpose %[[ROWS]] [1, 0]
// CHECK:         %[[SHIFTED:.*]] = arith.subf %[[X]], %[[MAXIMA]] : tensor<2x?xf64>
// CHECK:         %[[E:.*]] = math.exp %[[SHIFTED]] : tensor<2x?xf64>
// CHECK:         %[[SUM:.*]] = array.sum %[[E]] axes [1] : (tensor<2x?xf64>) -> tensor<2xf64>
// CHECK:         arith.divf %[[E]], %{{.*}} : tensor<2x?xf64>
func.func @softmax(%x: tensor<2x?xf64>, %o: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %z = linalg.softmax dimension(1) ins(%x : tensor<2x?xf64>) outs(%o : tensor<2x?xf64>) -> tensor<2x?xf64>
  return %z : tensor<2x?xf64>
}
