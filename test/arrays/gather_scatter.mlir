// Reads and writes at computed positions. Elements are differentiated; positions are integers.

// RUN: mlopt %s --jvp | FileCheck %s
// RUN: mlopt run %s --entry @embedding_and_gradient --arg '[[1, 2], [3, 4], [5, 6]]' --arg '[2, 0, 2, 7]' | FileCheck %s --check-prefix=EMBEDDING
// RUN: mlopt run %s --entry @embedding_and_gradient --arg '[[1, 2], [3, 4], [5, 6]]' --arg '[2, 0, 2, 7]' --interpret | FileCheck %s --check-prefix=EMBEDDING
// RUN: mlopt run %s --entry @histogram_and_jacobian --arg '[1, 2, 3, 4, 5]' | FileCheck %s --check-prefix=HISTOGRAM
// RUN: mlopt run %s --entry @histogram_and_jacobian --arg '[1, 2, 3, 4, 5]' --interpret | FileCheck %s --check-prefix=HISTOGRAM
// RUN: mlopt run %s --entry @sums_by_key_and_jvp --arg '[1, 2, 3, 4, 5]' --arg '[1, -1, 0, 1, 9]' --arg 2 | FileCheck %s --check-prefix=KEY
// RUN: mlopt run %s --entry @sums_by_key_and_jvp --arg '[1, 2, 3, 4, 5]' --arg '[1, -1, 0, 1, 9]' --arg 2 --interpret | FileCheck %s --check-prefix=KEY
// RUN: mlopt run %s --entry @largest_of_columns --arg '[[1, 9], [4, 3], [4, 9]]' | FileCheck %s --check-prefix=ARGMAX
// RUN: mlopt run %s --entry @largest_of_columns --arg '[[1, 9], [4, 3], [4, 9]]' --interpret | FileCheck %s --check-prefix=ARGMAX
// RUN: mlopt run %s --entry @strided --arg '[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]' | FileCheck %s --check-prefix=STRIDED
// RUN: mlopt run %s --entry @strided --arg '[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]' --interpret | FileCheck %s --check-prefix=STRIDED

//===-- Rows of a table by token; the tangent is gathered as the table is. Token 7 is outside and reads zeros. ----===//

// The gather is linear: its tangent is the same gather of the tangent.
// CHECK-LABEL: func.func @embedding_tangent
// CHECK-SAME:    %[[E:.*]]: tensor<3x2xf64>, %[[K:.*]]: tensor<?xindex>, %[[T:.*]]: tensor<3x2xf64>
// CHECK-COUNT-2: array.gather
// CHECK-NOT:     array.gather
// CHECK:         return
func.func @embedding(%e: tensor<3x2xf64>, %tokens: tensor<?xindex>) -> f64 {
  %n = array.length %tokens : tensor<?xindex>
  %rows = array.gather %e : tensor<3x2xf64> (%t < %n) -> (tensor<?x2xf64>) {
    %token = array.get %tokens[%t] : (tensor<?xindex>) -> index
    array.yield %token : index
  }
  %squares = arith.mulf %rows, %rows : tensor<?x2xf64>
  %s = array.sum %squares axes [0, 1] : (tensor<?x2xf64>) -> f64
  return %s : f64
}
func.func @embedding_tangent(%e: tensor<3x2xf64>, %k: tensor<?xindex>, %t: tensor<3x2xf64>) -> f64 {
  %s, %s_t = dual.jvp @embedding(%e, %k) tangents(%t) wrt [0]
    : (tensor<3x2xf64>, tensor<?xindex>, tensor<3x2xf64>) -> (f64, f64)
  return %s_t : f64
}
// 5 + 2·61 = 127; a row that is read k times has gradient 2k times itself.
// EMBEDDING:      127.0
// EMBEDDING-NEXT: {{\[\[}} 2.  4.]
// EMBEDDING-NEXT:  [ 0.  0.]
// EMBEDDING-NEXT:  [20. 24.]]
func.func @embedding_and_gradient(%e: tensor<3x2xf64>, %k: tensor<?xindex>) -> (f64, tensor<3x2xf64>) {
  %s = func.call @embedding(%e, %k) : (tensor<3x2xf64>, tensor<?xindex>) -> f64
  %g = dual.grad @embedding(%e, %k) : (tensor<3x2xf64>, tensor<?xindex>) -> tensor<3x2xf64>
  return %s, %g : f64, tensor<3x2xf64>
}

//===-- Sums of neighbours: x₀ + x₁, x₂ + x₃, x₄. ---------------------------------------------------------------===//

func.func @histogram(%x: tensor<5xf64>) -> tensor<3xf64> {
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %two = arith.constant 2 : index
  %h = array.scatter %x into %zeros : tensor<5xf64> into tensor<3xf64> (%i) {
    %bin = array.div %i, %two : index
    array.yield %bin : index
  }
  return %h : tensor<3xf64>
}
// HISTOGRAM:      [3. 7. 5.]
// HISTOGRAM-NEXT: {{\[\[}}1. 1. 0. 0. 0.]
// HISTOGRAM-NEXT:  [0. 0. 1. 1. 0.]
// HISTOGRAM-NEXT:  [0. 0. 0. 0. 1.]]
func.func @histogram_and_jacobian(%x: tensor<5xf64>) -> (tensor<3xf64>, tensor<3x5xf64>) {
  %h = func.call @histogram(%x) : (tensor<5xf64>) -> tensor<3xf64>
  %j = dual.jacobian @histogram(%x) : (tensor<5xf64>) -> tensor<3x5xf64>
  return %h, %j : tensor<3xf64>, tensor<3x5xf64>
}

//===-- Sums of squares by key, into as many bins as the caller says. Keys -1 and 9 are outside: dropped. ---------===//

func.func @sums_by_key(%x: tensor<?xf64>, %keys: tensor<?xindex>, %bins: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = array.replicate %zero, %bins : (f64) -> tensor<?xf64>
  %squares = arith.mulf %x, %x : tensor<?xf64>
  %sums = array.scatter %squares into %zeros : tensor<?xf64> into tensor<?xf64> (%i) {
    %key = array.get %keys[%i] : (tensor<?xindex>) -> index
    array.yield %key : index
  }
  return %sums : tensor<?xf64>
}
// Along x itself the derivative of a square is twice the square.
// KEY:      [ 9. 17.]
// KEY-NEXT: [18. 34.]
func.func @sums_by_key_and_jvp(%x: tensor<?xf64>, %keys: tensor<?xindex>, %bins: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %s, %s_t = dual.jvp @sums_by_key(%x, %keys, %bins) tangents(%x) wrt [0]
    : (tensor<?xf64>, tensor<?xindex>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %s, %s_t : tensor<?xf64>, tensor<?xf64>
}

//===-- The maximum of each column, through its position: the first row among equals, (1, 0) and (0, 1). ----------===//

func.func @by_position(%m: tensor<3x2xf64>) -> tensor<2xf64> {
  %where = array.argmax %m : (tensor<3x2xf64>) -> tensor<2xindex>
  %r = array.gather %m : tensor<3x2xf64> (%j < 2) -> (tensor<2xf64>) {
    %row = array.get %where[%j] : (tensor<2xindex>) -> index
    array.yield %row, %j : index, index
  }
  return %r : tensor<2xf64>
}
func.func @total(%m: tensor<3x2xf64>) -> f64 {
  %r = func.call @by_position(%m) : (tensor<3x2xf64>) -> tensor<2xf64>
  %s = array.sum %r : (tensor<2xf64>) -> f64
  return %s : f64
}
// ARGMAX:      [4. 9.]
// ARGMAX-NEXT: {{\[\[}}0. 1.]
// ARGMAX-NEXT:  [1. 0.]
// ARGMAX-NEXT:  [0. 0.]]
func.func @largest_of_columns(%m: tensor<3x2xf64>) -> (tensor<2xf64>, tensor<3x2xf64>) {
  %r = func.call @by_position(%m) : (tensor<3x2xf64>) -> tensor<2xf64>
  %g = dual.grad @total(%m) : (tensor<3x2xf64>) -> tensor<3x2xf64>
  return %r, %g : tensor<2xf64>, tensor<3x2xf64>
}

//===-- z[i, k] = a[(i + 2k) mod 5, k]: positions wrap around because the program says so. -------------------------===//

// STRIDED:      {{\[\[}} 1.  6.]
// STRIDED-NEXT:  [ 3.  8.]
// STRIDED-NEXT:  [ 5. 10.]
// STRIDED-NEXT:  [ 7.  2.]]
func.func @strided(%a: tensor<5x2xf64>) -> tensor<4x2xf64> {
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %z = array.gather %a : tensor<5x2xf64> (%i < 4, %k < 2) -> (tensor<4x2xf64>) {
    %skip = arith.muli %two, %k : index
    %sum = arith.addi %i, %skip : index
    %row = array.mod %sum, %five : index
    array.yield %row, %k : index, index
  }
  return %z : tensor<4x2xf64>
}
