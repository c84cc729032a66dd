// RUN: mlopt check-calls %s --way eval --after 'builtin.module(func.func(linalg-generalize-named-ops,upstream-to-array))'
// RUN: sed s/[%]padding/%computed/ %s | mlopt --split-input-file --linalg-generalize-named-ops --upstream-to-array | FileCheck %s --implicit-check-not=linalg. --implicit-check-not=tensor.
// Programs of `tensor` and `linalg` keep their meaning as arrays: the evaluator runs both. It implements the loops of
// `linalg` directly, so that it shares no code with the pass. No op of either dialect is left.

// CHECK: func.func @matmul(
// CHECK: func.func @reduce1(
// CHECK: func.func @pad5(

// CALL: @matmul random:3x4xf32:seed=1:normal random:4x2xf32:seed=2:normal random:3x2xf32:seed=3:normal
func.func @matmul(%a: tensor<3x4xf32>, %b: tensor<4x2xf32>, %c: tensor<3x2xf32>)
    -> tensor<3x2xf32> {
  %z = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x2xf32>)
    outs(%c : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}

// CALL: @matmul_any random:3x4xf32:seed=1:normal random:4x2xf32:seed=2:normal random:3x2xf32:seed=3:normal
// CALL: @matmul_any random:3x0xf32:seed=1:normal random:0x2xf32:seed=2:normal random:3x2xf32:seed=3:normal
func.func @matmul_any(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %z = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// CALL: @matmul_column random:0x4xf32:seed=1:normal random:4x1xf32:seed=2:normal random:0x1xf32:seed=3:normal
func.func @matmul_column(%a: tensor<?x4xf32>, %b: tensor<4x1xf32>, %c: tensor<?x1xf32>)
    -> tensor<?x1xf32> {
  %z = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x1xf32>)
    outs(%c : tensor<?x1xf32>) -> tensor<?x1xf32>
  return %z : tensor<?x1xf32>
}

// CALL: @matvec random:3x5xf64:seed=1:normal random:5xf64:seed=2:normal random:3xf64:seed=3:normal
func.func @matvec(%a: tensor<3x?xf64>, %b: tensor<?xf64>, %c: tensor<3xf64>) -> tensor<3xf64> {
  %z = linalg.matvec ins(%a, %b : tensor<3x?xf64>, tensor<?xf64>) outs(%c : tensor<3xf64>) -> tensor<3xf64>
  return %z : tensor<3xf64>
}

// CALL: @vecmat random:5xf64:seed=1:normal random:5x4xf64:seed=2:normal random:4xf64:seed=3:normal
func.func @vecmat(%a: tensor<?xf64>, %b: tensor<?x4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %z = linalg.vecmat ins(%a, %b : tensor<?xf64>, tensor<?x4xf64>) outs(%c : tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// CALL: @dot random:6xf64:seed=1:normal random:6xf64:seed=2:normal random:f64:seed=3:normal
func.func @dot(%a: tensor<6xf64>, %b: tensor<6xf64>, %c: tensor<f64>) -> tensor<f64> {
  %z = linalg.dot ins(%a, %b : tensor<6xf64>, tensor<6xf64>) outs(%c : tensor<f64>) -> tensor<f64>
  return %z : tensor<f64>
}

// CALL: @batch_matmul random:2x3x5xf64:seed=1:normal random:2x5x4xf64:seed=2:normal random:2x3x4xf64:seed=3:normal
func.func @batch_matmul(%a: tensor<2x3x?xf64>, %b: tensor<2x?x4xf64>, %c: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %z = linalg.batch_matmul ins(%a, %b : tensor<2x3x?xf64>, tensor<2x?x4xf64>) outs(%c : tensor<2x3x4xf64>)
      -> tensor<2x3x4xf64>
  return %z : tensor<2x3x4xf64>
}

// CALL: @conv_1d random:7xf64:seed=1:normal random:3xf64:seed=2:normal random:5xf64:seed=3:normal
func.func @conv_1d(%a: tensor<?xf64>, %b: tensor<3xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %z = linalg.conv_1d ins(%a, %b : tensor<?xf64>, tensor<3xf64>) outs(%c : tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// CALL: @strided random:2x7x6x3xf64:seed=1:normal random:3x2x3x4xf64:seed=2:normal random:2x3x4x4xf64:seed=3:normal
func.func @strided(%a: tensor<2x7x6x3xf64>, %b: tensor<3x2x3x4xf64>, %c: tensor<2x3x4x4xf64>) -> tensor<2x3x4x4xf64> {
  %z = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> :
      tensor<2xi64>} ins(%a, %b : tensor<2x7x6x3xf64>, tensor<3x2x3x4xf64>) outs(%c : tensor<2x3x4x4xf64>)
      -> tensor<2x3x4x4xf64>
  return %z : tensor<2x3x4x4xf64>
}

// CALL: @conv_2d random:1x2x5x5xf64:seed=1:normal random:3x2x3x3xf64:seed=2:normal random:1x3x3x3xf64:seed=3:normal
func.func @conv_2d(%a: tensor<1x2x5x5xf64>, %b: tensor<3x2x3x3xf64>, %c: tensor<1x3x3x3xf64>) -> tensor<1x3x3x3xf64> {
  %z = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<1x2x5x5xf64>, tensor<3x2x3x3xf64>) outs(%c :
      tensor<1x3x3x3xf64>) -> tensor<1x3x3x3xf64>
  return %z : tensor<1x3x3x3xf64>
}

// CALL: @pooling random:1x4x4x2xf64:seed=1:normal random:2x2xf64:seed=2:normal random:1x3x3x2xf64:seed=3:normal
func.func @pooling(%a: tensor<1x4x4x2xf64>, %b: tensor<2x2xf64>, %c: tensor<1x3x3x2xf64>) -> tensor<1x3x3x2xf64> {
  %z = linalg.pooling_nhwc_max ins(%a, %b : tensor<1x4x4x2xf64>, tensor<2x2xf64>) outs(%c : tensor<1x3x3x2xf64>)
      -> tensor<1x3x3x2xf64>
  return %z : tensor<1x3x3x2xf64>
}

// CALL: @add random:3x2xf64:seed=1:normal random:3x2xf64:seed=2:normal random:3x2xf64:seed=3:normal
func.func @add(%a: tensor<3x?xf64>, %b: tensor<3x?xf64>, %c: tensor<3x?xf64>) -> tensor<3x?xf64> {
  %z = linalg.add ins(%a, %b : tensor<3x?xf64>, tensor<3x?xf64>) outs(%c : tensor<3x?xf64>) -> tensor<3x?xf64>
  return %z : tensor<3x?xf64>
}

// CALL: @softmax random:5xf64:seed=1:normal random:5xf64:seed=2:normal
func.func @softmax(%x: tensor<5xf64>, %o: tensor<5xf64>) -> tensor<5xf64> {
  %z = linalg.softmax dimension(0) ins(%x : tensor<5xf64>) outs(%o : tensor<5xf64>)
    -> tensor<5xf64>
  return %z : tensor<5xf64>
}

// CALL: @softmax0 random:2x4x3xf64:seed=1:normal random:2x4x3xf64:seed=2:normal
// CALL: @softmax0 random:2x0x3xf64:seed=1:normal random:2x0x3xf64:seed=2:normal
func.func @softmax0(%x: tensor<2x?x3xf64>, %o: tensor<2x?x3xf64>) -> tensor<2x?x3xf64> {
  %z = linalg.softmax dimension(0) ins(%x : tensor<2x?x3xf64>) outs(%o : tensor<2x?x3xf64>)
    -> tensor<2x?x3xf64>
  return %z : tensor<2x?x3xf64>
}

// CALL: @softmax1 random:2x4x3xf64:seed=1:normal random:2x4x3xf64:seed=2:normal
// CALL: @softmax1 random:2x0x3xf64:seed=1:normal random:2x0x3xf64:seed=2:normal
func.func @softmax1(%x: tensor<2x?x3xf64>, %o: tensor<2x?x3xf64>) -> tensor<2x?x3xf64> {
  %z = linalg.softmax dimension(1) ins(%x : tensor<2x?x3xf64>) outs(%o : tensor<2x?x3xf64>)
    -> tensor<2x?x3xf64>
  return %z : tensor<2x?x3xf64>
}

// CALL: @softmax2 random:2x4x3xf64:seed=1:normal random:2x4x3xf64:seed=2:normal
func.func @softmax2(%x: tensor<2x?x3xf64>, %o: tensor<2x?x3xf64>) -> tensor<2x?x3xf64> {
  %z = linalg.softmax dimension(2) ins(%x : tensor<2x?x3xf64>) outs(%o : tensor<2x?x3xf64>)
    -> tensor<2x?x3xf64>
  return %z : tensor<2x?x3xf64>
}

// With rows of three, x[i, j] - x[i+1, j+1] = -4 in each of two channels.
// CALL: @ramp [[[[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[9, 10, 11], [12, 13, 14], [15, 16, 17]]]] \
//   [[[[1, 0], [0, -1]], [[1, 0], [0, -1]]]] -> [[[[-8, -8], [-8, -8]]]]
func.func @ramp(%x: tensor<1x2x3x3xf64>, %k: tensor<1x2x2x2xf64>) -> tensor<1x1x2x2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x1x2x2xf64>
  %o = linalg.fill ins(%zero : f64) outs(%e : tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  %z = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x2x3x3xf64>, tensor<1x2x2x2xf64>)
    outs(%o : tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
  return %z : tensor<1x1x2x2xf64>
}

// CALL: @fills_and_maps random:4x3xf64:seed=1:normal random:3xf64:seed=2:normal random:f64:seed=3:normal 3
func.func @fills_and_maps(%x: tensor<?x3xf64>, %v: tensor<3xf64>, %s: f64, %n: index)
    -> (tensor<3x?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
  %c1 = arith.constant 0 : index
  %m = tensor.dim %x, %c1 : tensor<?x3xf64>
  %a = tensor.empty(%m) : tensor<3x?xf64>
  %t = linalg.transpose ins(%x : tensor<?x3xf64>) outs(%a : tensor<3x?xf64>) permutation = [1, 0]
  %b = tensor.empty(%m) : tensor<?x3xf64>
  %r = linalg.broadcast ins(%v : tensor<3xf64>) outs(%b : tensor<?x3xf64>) dimensions = [0]
  %f = linalg.fill ins(%s : f64) outs(%b : tensor<?x3xf64>) -> tensor<?x3xf64>
  %g = linalg.map { arith.mulf } ins(%r, %f : tensor<?x3xf64>, tensor<?x3xf64>) outs(%b : tensor<?x3xf64>)
  return %t, %r, %g : tensor<3x?xf64>, tensor<?x3xf64>, tensor<?x3xf64>
}

// Two results that are carried together, and an index.
// CALL: @position_of_maximum random:5x3xf64:seed=1:normal random:3xf64:seed=2:normal random:3xindex:seed=3
func.func @position_of_maximum(%x: tensor<?x?xf64>, %m: tensor<?xf64>, %p: tensor<?xindex>)
    -> (tensor<?xf64>, tensor<?xindex>) {
  %z:2 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x?xf64>) outs(%m, %p : tensor<?xf64>, tensor<?xindex>) {
  ^bb0(%a: f64, %best: f64, %at: index):
    %j = linalg.index 1 : index
    %greater = arith.cmpf ogt, %a, %best : f64
    %b = arith.select %greater, %a, %best : f64
    %k = arith.select %greater, %j, %at : index
    linalg.yield %b, %k : f64, index
  } -> (tensor<?xf64>, tensor<?xindex>)
  return %z#0, %z#1 : tensor<?xf64>, tensor<?xindex>
}

// CALL: @another_order random:9xf64:seed=1:normal random:2x3xf64:seed=2:normal random:3x2xf64:seed=3:normal \
//   random:2x3xf64:seed=4:normal
func.func @another_order(%x: tensor<9xf64>, %y: tensor<2x3xf64>, %o: tensor<3x2xf64>, %q: tensor<2x3xf64>)
    -> (tensor<3x2xf64>, tensor<2x3xf64>) {
  %z:2 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (3 * i + (j + 4) mod 3 + j floordiv 2 + i ceildiv 2)>,
        affine_map<(i, j) -> (i, j)>,
                     affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : tensor<9xf64>, tensor<2x3xf64>) outs(%o, %q : tensor<3x2xf64>, tensor<2x3xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64, %other: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.mulf %s, %old : f64
    linalg.yield %t, %a : f64, f64
  } -> (tensor<3x2xf64>, tensor<2x3xf64>)
  return %z#0, %z#1 : tensor<3x2xf64>, tensor<2x3xf64>
}

// Nested loops, with elements read by position.
// CALL: @nested_loops random:9xf64:seed=1:normal random:4xindex:seed=2 random:4xf64:seed=3:normal
func.func @nested_loops(%x: tensor<?xf64>, %p: tensor<4xindex>, %o: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%p : tensor<4xindex>) outs(%o : tensor<4xf64>) {
  ^bb0(%k: index, %old: f64):
    %i = linalg.index 0 : index
    %w = tensor.extract %x[%k] : tensor<?xf64>
    %e = tensor.from_elements %w, %old : tensor<2xf64>
    %init = tensor.from_elements %old : tensor<f64>
    %s = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> ()>],
        iterator_types = ["reduction"]}
      ins(%e : tensor<2xf64>) outs(%init : tensor<f64>) {
    ^bb0(%a: f64, %sum: f64):
      %j = linalg.index 0 : index
      %n = arith.addi %i, %j : index
      %n32 = arith.index_cast %n : index to i32
      %f = arith.sitofp %n32 : i32 to f64
      %t = arith.mulf %a, %f : f64
      %u = arith.addf %sum, %t : f64
      linalg.yield %u : f64
    } -> tensor<f64>
    %v = tensor.extract %s[] : tensor<f64>
    linalg.yield %v : f64
  } -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// CALL: @elements_and_shapes random:2x3xf64:seed=1:normal random:4x3xf64:seed=2:normal 1 2
func.func @elements_and_shapes(%x: tensor<2x3xf64>, %y: tensor<?x3xf64>, %i: index, %n: index)
    -> (f64, tensor<2x2xf64>, tensor<3x?xf64>, tensor<6xf64>, tensor<?x2x3xf64>, tensor<?x3xf64>,
        tensor<?x2xindex>, index, index, tensor<0xi1>) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : index
  %a = tensor.extract %x[%c1, %i] : tensor<2x3xf64>
  %b = tensor.from_elements %a, %a, %a, %a : tensor<2x2xf64>
  %c = tensor.splat %a[%n] : tensor<3x?xf64>
  %d = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
  %g = tensor.collapse_shape %y [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
  %e = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, 2, 3] : tensor<?x3xf64> into tensor<?x2x3xf64>
  %u = tensor.cast %x : tensor<2x3xf64> to tensor<?x3xf64>
  %h = tensor.generate %n {
  ^bb0(%p: index, %q: index):
    %s = arith.addi %p, %q : index
    tensor.yield %s : index
  } : tensor<?x2xindex>
  %r = tensor.dim %y, %i : tensor<?x3xf64>
  %k = tensor.dim %g, %none : tensor<?xf64>
  %l = tensor.from_elements : tensor<0xi1>
  return %a, %b, %c, %d, %e, %u, %h, %r, %k, %l : f64, tensor<2x2xf64>, tensor<3x?xf64>, tensor<6xf64>,
      tensor<?x2x3xf64>, tensor<?x3xf64>, tensor<?x2xindex>, index, index, tensor<0xi1>
}

// CALL: @reshape random:6xf64:seed=1:normal [2, 3]
func.func @reshape(%x: tensor<?xf64>, %s: tensor<2xi32>) -> tensor<?x?xf64> {
  %z = tensor.reshape %x(%s) : (tensor<?xf64>, tensor<2xi32>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// CALL: @extracted_slices random:6x4x5xf32:seed=1:normal random:3x4xf32:seed=2:normal 2 0
// CALL: @extracted_slices random:6x4x5xf32:seed=1:normal random:3x4xf32:seed=2:normal 1 2
func.func @extracted_slices(%x: tensor<6x4x5xf32>, %y: tensor<?x4xf32>, %i: index, %n: index)
    -> (tensor<?x4x5xf32>, tensor<4x5xf32>, tensor<6x2x?xf32>, tensor<5xf32>, tensor<?xf32>,
        tensor<3x2x5xf32>, f32) {
  %a = tensor.extract_slice %x[%i, 0, 0] [%n, 4, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<?x4x5xf32>
  %b = tensor.extract_slice %x[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<4x5xf32>
  %c = tensor.extract_slice %x[0, %i, 1] [6, 2, %n] [1, 1, 2] : tensor<6x4x5xf32> to tensor<6x2x?xf32>
  %d = tensor.extract_slice %x[2, %i, 0] [1, 1, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<5xf32>
  %e = tensor.extract_slice %y[0, %i] [%n, 1] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
  %g = tensor.extract_slice %x[0, %i, 0] [3, 2, 5] [2, 1, 1] : tensor<6x4x5xf32> to tensor<3x2x5xf32>
  %h = tensor.extract_slice %x[%i, %i, %i] [1, 1, 1] [1, 1, 1] : tensor<6x4x5xf32> to tensor<f32>
  %k = tensor.extract %h[] : tensor<f32>
  return %a, %b, %c, %d, %e, %g, %k : tensor<?x4x5xf32>, tensor<4x5xf32>, tensor<6x2x?xf32>, tensor<5xf32>,
      tensor<?xf32>, tensor<3x2x5xf32>, f32
}

// CALL: @inserted_slices random:6x4xf64:seed=1:normal random:0x4xf64:seed=2:normal random:4xf64:seed=3:normal \
//   random:2x2xf64:seed=4:normal random:6x4xf64:seed=5:normal random:f64:seed=6:normal 0 0
// CALL: @inserted_slices random:6x4xf64:seed=1:normal random:2x4xf64:seed=2:normal random:4xf64:seed=3:normal \
//   random:2x2xf64:seed=4:normal random:6x4xf64:seed=5:normal random:f64:seed=6:normal 1 2
func.func @inserted_slices(%x: tensor<6x4xf64>, %p: tensor<?x4xf64>, %q: tensor<4xf64>, %r: tensor<2x2xf64>,
      %w: tensor<6x4xf64>, %s: f64, %i: index, %n: index)
    -> (tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>) {
  %a = tensor.insert_slice %p into %x[%i, 0] [%n, 4] [1, 1] : tensor<?x4xf64> into tensor<6x4xf64>
  %b = tensor.insert_slice %q into %x[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<6x4xf64>
  %c = tensor.insert_slice %r into %x[%i, 1] [2, 2] [3, 2] : tensor<2x2xf64> into tensor<6x4xf64>
  %d = tensor.insert_slice %w into %x[0, 0] [6, 4] [1, 1] : tensor<6x4xf64> into tensor<6x4xf64>
  %e = tensor.insert %s into %x[%n, %i] : tensor<6x4xf64>
  return %a, %b, %c, %d, %e : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
}

// CALL: @concatenation random:2x3xf64:seed=1:normal random:2x4xf64:seed=2:normal random:1x3xf64:seed=3:normal
func.func @concatenation(%x: tensor<2x3xf64>, %y: tensor<2x?xf64>, %w: tensor<?x3xf64>)
    -> (tensor<2x?xf64>, tensor<?x3xf64>, tensor<4x3xf64>) {
  %a = tensor.concat dim(1) %x, %y, %x : (tensor<2x3xf64>, tensor<2x?xf64>, tensor<2x3xf64>) -> tensor<2x?xf64>
  %b = tensor.concat dim(0) %w, %x : (tensor<?x3xf64>, tensor<2x3xf64>) -> tensor<?x3xf64>
  %c = tensor.concat dim(0) %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>
  return %a, %b, %c : tensor<2x?xf64>, tensor<?x3xf64>, tensor<4x3xf64>
}

// Arrays that loops of `scf` fill; the contents of an empty one are read, and are zero.
// CALL: @filled_by_loop random:4xf64:seed=1:normal
func.func @filled_by_loop(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %k = tensor.empty() : tensor<3xi32>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %e) -> (tensor<?xf64>) {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = arith.addf %a, %a : f64
    %next = tensor.insert %b into %acc[%i] : tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %z, %k : tensor<?xf64>, tensor<3xi32>
}

// -----

// Reductions of floats and booleans; subtraction has no reduction in the array language, and becomes a loop.
// WITH: arith.addf,f64,:normal = arith.addf,f32,:normal arith.mulf,f64,:normal arith.maximumf,f64,:normal \
//   arith.minnumf,f32,:normal arith.subf,f64,:normal arith.andi,i1,
// CALL: @reduce1 random:2x3x4xf64:seed=1:normal random:2x4xf64:seed=2:normal
func.func @reduce1(%x: tensor<2x3x4xf64>, %o: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %z = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf64>) outs(%o : tensor<2x4xf64>)
      dimensions = [1]
  return %z : tensor<2x4xf64>
}

// CALL: @reduce2 random:2x3x4xf64:seed=1:normal random:3xf64:seed=2:normal
func.func @reduce2(%x: tensor<2x3x4xf64>, %o: tensor<3xf64>) -> tensor<3xf64> {
  %z = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf64>) outs(%o : tensor<3xf64>)
      dimensions = [0, 2]
  return %z : tensor<3xf64>
}

// CALL: @reduce3 random:2x3x4xf64:seed=1:normal random:f64:seed=2:normal
func.func @reduce3(%x: tensor<2x3x4xf64>, %o: tensor<f64>) -> tensor<f64> {
  %z = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf64>) outs(%o : tensor<f64>)
      dimensions = [0, 1, 2]
  return %z : tensor<f64>
}

// CALL: @reduce4 random:2x3x4xf64:seed=1:normal random:2x3xf64:seed=2:normal
func.func @reduce4(%x: tensor<2x3x4xf64>, %o: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %z = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf64>) outs(%o : tensor<2x3xf64>)
      dimensions = [2]
  return %z : tensor<2x3xf64>
}

// -----

// Reductions of integers; `arith.xori` and `arith.maxui` become loops.
// WITH: arith.addi,i64 = arith.addi,i32 arith.muli,i64 arith.maxsi,i32 arith.minsi,index arith.xori,i32 arith.maxui,i64
// CALL: @reduce1 random:2x3x4xi64:seed=1:uniform=-9,9 random:2x4xi64:seed=2:uniform=-9,9
func.func @reduce1(%x: tensor<2x3x4xi64>, %o: tensor<2x4xi64>) -> tensor<2x4xi64> {
  %z = linalg.reduce { arith.addi } ins(%x : tensor<2x3x4xi64>) outs(%o : tensor<2x4xi64>)
      dimensions = [1]
  return %z : tensor<2x4xi64>
}

// CALL: @reduce2 random:2x3x4xi64:seed=1:uniform=-9,9 random:3xi64:seed=2:uniform=-9,9
func.func @reduce2(%x: tensor<2x3x4xi64>, %o: tensor<3xi64>) -> tensor<3xi64> {
  %z = linalg.reduce { arith.addi } ins(%x : tensor<2x3x4xi64>) outs(%o : tensor<3xi64>)
      dimensions = [0, 2]
  return %z : tensor<3xi64>
}

// CALL: @reduce3 random:2x3x4xi64:seed=1:uniform=-9,9 random:i64:seed=2:uniform=-9,9
func.func @reduce3(%x: tensor<2x3x4xi64>, %o: tensor<i64>) -> tensor<i64> {
  %z = linalg.reduce { arith.addi } ins(%x : tensor<2x3x4xi64>) outs(%o : tensor<i64>)
      dimensions = [0, 1, 2]
  return %z : tensor<i64>
}

// CALL: @reduce4 random:2x3x4xi64:seed=1:uniform=-9,9 random:2x3xi64:seed=2:uniform=-9,9
func.func @reduce4(%x: tensor<2x3x4xi64>, %o: tensor<2x3xi64>) -> tensor<2x3xi64> {
  %z = linalg.reduce { arith.addi } ins(%x : tensor<2x3x4xi64>) outs(%o : tensor<2x3xi64>)
      dimensions = [2]
  return %z : tensor<2x3xi64>
}

// -----

// WITH: %padding = %zero %half %computed
// CALL: @pad1 random:2x3x4xf64:seed=1:normal 2
func.func @pad1(%x: tensor<?x3x4xf64>, %n: index) -> tensor<?x3x4xf64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = tensor.pad %x low[1, 0, 0] high[2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %k : index
    %t = arith.index_cast %s : index to i64
    %computed = arith.sitofp %t : i64 to f64
    tensor.yield %padding : f64
  } : tensor<?x3x4xf64> to tensor<?x3x4xf64>
  return %z : tensor<?x3x4xf64>
}

// CALL: @pad2 random:2x3x4xf64:seed=1:normal 2
func.func @pad2(%x: tensor<?x3x4xf64>, %n: index) -> tensor<?x?x4xf64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = tensor.pad %x low[0, 1, 0] high[0, %n, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %k : index
    %t = arith.index_cast %s : index to i64
    %computed = arith.sitofp %t : i64 to f64
    tensor.yield %padding : f64
  } : tensor<?x3x4xf64> to tensor<?x?x4xf64>
  return %z : tensor<?x?x4xf64>
}

// CALL: @pad3 random:2x3x4xf64:seed=1:normal 2
func.func @pad3(%x: tensor<?x3x4xf64>, %n: index) -> tensor<?x5x9xf64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = tensor.pad %x low[%n, 1, 2] high[0, 1, 3] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %k : index
    %t = arith.index_cast %s : index to i64
    %computed = arith.sitofp %t : i64 to f64
    tensor.yield %padding : f64
  } : tensor<?x3x4xf64> to tensor<?x5x9xf64>
  return %z : tensor<?x5x9xf64>
}

// CALL: @pad4 random:0x3x4xf64:seed=1:normal 2
func.func @pad4(%x: tensor<?x3x4xf64>, %n: index) -> tensor<?x3x4xf64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = tensor.pad %x low[0, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %k : index
    %t = arith.index_cast %s : index to i64
    %computed = arith.sitofp %t : i64 to f64
    tensor.yield %padding : f64
  } : tensor<?x3x4xf64> to tensor<?x3x4xf64>
  return %z : tensor<?x3x4xf64>
}

// CALL: @pad5 random:0x3x4xf64:seed=1:normal 2
func.func @pad5(%x: tensor<?x3x4xf64>, %n: index) -> tensor<?x5x6xf64> {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = tensor.pad %x low[1, 1, 1] high[1, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    %s = arith.addi %i, %k : index
    %t = arith.index_cast %s : index to i64
    %computed = arith.sitofp %t : i64 to f64
    tensor.yield %padding : f64
  } : tensor<?x3x4xf64> to tensor<?x5x6xf64>
  return %z : tensor<?x5x6xf64>
}

