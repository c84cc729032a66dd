// RUN: mlopt check-calls %s --way eval
// The semantics of ops that have regions or call functions, and the errors of the evaluator. The results are listed;
// nothing is compiled.

// Horner's scheme: s ← s·x + y, which depends on the order of the rows.
// CALL: @fold [2, 10] [[1, 2], [3, 4]] [5, 6] -> [113, 144]
// CALL: @fold [] zeros:0x2xf64 [5, 6] -> [5, 6]
// CALL: @fold [2] zeros:2x2xf64 [5, 6] fails: 'array.fold' op must run over axes of the same size, found sizes 1 and 2
func.func @fold(%x: tensor<?xf64>, %y: tensor<?x2xf64>, %a: tensor<2xf64>) -> tensor<2xf64> {
  %z = array.fold (%r = %x : tensor<?xf64>, %q = %y : tensor<?x2xf64>) iter_args(%s = %a) -> (tensor<2xf64>) {
    %b = array.replicate %r : (f64) -> tensor<2xf64>
    %c = arith.mulf %s, %b : tensor<2xf64>
    %d = arith.addf %c, %q : tensor<2xf64>
    array.yield %d : tensor<2xf64>
  }
  return %z : tensor<2xf64>
}

// Appending two empty arrays changes nothing.
// CALL: @growing [0, 0, 0] [1, 2] fails: 'array.fold' op carried value #0 must keep its shape [2], found \
//   shape [4] after iteration 0
// CALL: @growing [0, 0, 0] [] -> []
func.func @growing(%x: tensor<3xf64>, %a: tensor<?xf64>) -> tensor<?xf64> {
  %z = array.fold (%r = %x : tensor<3xf64>) iter_args(%s = %a) -> (tensor<?xf64>) {
    %t = array.append %s, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    array.yield %t : tensor<?xf64>
  }
  return %z : tensor<?xf64>
}

// CALL: @map_accum [1, 2] -> 103 [101, 103] [[100, 1], [101, 2]]
// CALL: @map_accum [] -> 100 [] zeros:0x2xf64
func.func @map_accum(%x: tensor<?xf64>) -> (f64, tensor<?xf64>, tensor<?x2xf64>) {
  %a = arith.constant 100.0 : f64
  %z:3 = array.map_accum (%r = %x : tensor<?xf64>) iter_args(%s = %a) -> (f64, tensor<?xf64>, tensor<?x2xf64>) {
    %t = arith.addf %s, %r : f64
    %p = array.stack %s, %r : (f64, f64) -> tensor<2xf64>
    array.yield %t, %t, %p : f64, f64, tensor<2xf64>
  }
  return %z#0, %z#1, %z#2 : f64, tensor<?xf64>, tensor<?x2xf64>
}

// A gather reads zero outside.
// CALL: @gather [[1, 2], [3, 4]] [1, -1, 0, 2, 1] -> [[3, 4], [0, 0], [1, 2], [0, 0], [3, 4]]
// CALL: @gather [[1, 2], [3, 4]] [] -> zeros:0x2xf64
// CALL: @gather zeros:0x2xf64 [0] -> [[0, 0]]
func.func @gather(%x: tensor<?x2xf64>, %p: tensor<?xindex>) -> tensor<?x2xf64> {
  %n = array.length %p : tensor<?xindex>
  %z = array.gather %x : tensor<?x2xf64> (%i < %n) -> (tensor<?x2xf64>) {
    %j = array.get %p[%i] : (tensor<?xindex>) -> index
    array.yield %j : index
  }
  return %z : tensor<?x2xf64>
}

// A scatter adds what collides, and drops what is outside.
// CALL: @scatter [1, 2, 4, 8] [0, 2, 0, 3] [10, 20, 30] -> [15, 20, 32]
// CALL: @scatter [] [] [1, 1, 1] -> [1, 1, 1]
func.func @scatter(%x: tensor<?xf64>, %p: tensor<?xindex>, %a: tensor<3xf64>) -> tensor<3xf64> {
  %z = array.scatter %x into %a : tensor<?xf64> into tensor<3xf64> (%i) {
    %j = array.get %p[%i] : (tensor<?xindex>) -> index
    array.yield %j : index
  }
  return %z : tensor<3xf64>
}

// CALL: @scatter_rows [10, 20] [[1, 2], [3, 4]] -> [[11, 22], [3, 4]]
// CALL: @scatter_rows [10] [[1, 2], [3, 4]] fails: 'array.scatter' op adds an array of shape [1], expected shape [2]
func.func @scatter_rows(%x: tensor<?xf64>, %a: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %c = arith.constant 0 : index
  %z = array.scatter %x into %a : tensor<?xf64> into tensor<2x?xf64> () {
    array.yield %c : index
  }
  return %z : tensor<2x?xf64>
}

// The function is called along each axis.
// CALL: @vmap [[1, 2, 3], [10, 20, 30]] [1, 2, 3] 7 -> [11, 44, 99] [[1, 1], [2, 2], [3, 3]]
// CALL: @vmap [[1, 2, 3], [10, 20, 30]] [1] 7 fails: 'array.vmap' op must run over axes of the same size, found sizes 3 and 1
// CALL: @vmap zeros:2x0xf64 [] 7 -> [] zeros:0x2xf64
func.func private @scaled(%x: tensor<?xf64>, %w: f64, %c: index) -> (f64, tensor<?xf64>) {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %y = arith.mulf %s, %w : f64
  %n = array.length %x : tensor<?xf64>
  %r = array.replicate %w, %n : (f64) -> tensor<?xf64>
  return %y, %r : f64, tensor<?xf64>
}
func.func @vmap(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %c: index) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %z:2 = array.vmap @scaled(%x, %w, %c) in_axes [1, 0, -1]
    : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %z#0, %z#1 : tensor<?xf64>, tensor<?x?xf64>
}

// CALL: @reshape [1, 2, 3, 4] 2 -> [[1, 2], [3, 4]]
// CALL: @reshape [1, 2, 3, 4] 3 fails: 'array.reshape' op cannot reshape the 4 elements of shape [4] to shape [3, 2]
// CALL: @reshape [] -1 -> zeros:0x2xf64
func.func @reshape(%x: tensor<?xf64>, %n: index) -> tensor<?x2xf64> {
  %z = array.reshape %x sizes(%n) : (tensor<?xf64>) -> tensor<?x2xf64>
  return %z : tensor<?x2xf64>
}

// CALL: @stack [1] [1, 2] fails: 'array.stack' op needs parts of the same shape, found [1] and [2]
func.func @stack(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<2x?xf64> {
  %z = array.stack %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  return %z : tensor<2x?xf64>
}

// CALL: @append [[1]] [[1, 2]] fails: 'array.append' op needs rows of the same shape in both operands, found [1] and [2]
func.func @append(%x: tensor<1x?xf64>, %y: tensor<1x?xf64>) -> tensor<2x?xf64> {
  %z = array.append %x, %y : (tensor<1x?xf64>, tensor<1x?xf64>) -> tensor<2x?xf64>
  return %z : tensor<2x?xf64>
}

// CALL: @iota 3 -> [0, 1, 2]
// CALL: @iota -3 -> []
// CALL: @iota 9223372036854775807 fails: is too large
func.func @iota(%n: index) -> tensor<?xindex> {
  %z = array.iota %n : tensor<?xindex>
  return %z : tensor<?xindex>
}

// CALL: @one_hot_and_slice 5 1 3 -> [[0, 0, 0], [0, 5, 0]] [5, 5, 0]
// CALL: @one_hot_and_slice 5 -1 1 -> [[0], [0]] [0]
// CALL: @one_hot_and_slice 5 0 -1 -> zeros:2x0xf64 []
func.func @one_hot_and_slice(%x: f64, %i: index, %n: index) -> (tensor<2x?xf64>, tensor<?xf64>) {
  %a = array.one_hot %x at [%i, %i] sizes(%n) : (f64) -> tensor<2x?xf64>
  %v = array.replicate %x, %n : (f64) -> tensor<?xf64>
  %b = array.slice %v from %i size %n : (tensor<?xf64>) -> tensor<?xf64>
  return %a, %b : tensor<2x?xf64>, tensor<?xf64>
}

// Collatz: the number of iterations to reach one.
// CALL: @while 27 -> 111 1
// CALL: @while 1 -> 0 1
func.func @while(%n: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %z:2 = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi sgt, %x, %one : i64
    scf.condition(%more) %k, %x : i64, i64
  } do {
  ^bb0(%k: i64, %x: i64):
    %r = array.mod %x, %two : i64
    %odd = arith.cmpi eq, %r, %one : i64
    %half = array.div %x, %two : i64
    %triple = arith.muli %x, %three : i64
    %up = arith.addi %triple, %one : i64
    %y = arith.select %odd, %up, %half : i64
    %l = arith.addi %k, %one : i64
    scf.yield %y, %l : i64, i64
  }
  return %z#0, %z#1 : i64, i64
}

// A loop may end at the greatest number.
// CALL: @for 9223372036854775807 -> 2
func.func @for(%last: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %step = arith.constant 4611686018427387904 : index
  %z = scf.for %i = %zero to %last step %step iter_args(%n = %zero) -> (index) {
    %m = arith.addi %n, %one : index
    scf.yield %m : index
  }
  return %z : index
}

// CALL: @positions [[1, 2, 3], [4, 5, 6]] 2 9 -> 6 [[1, 2, 3], [4, 5, 9]] [9, 6] [[9, 9], [9, 9], [9, 9]]
// CALL: @positions [[1, 2, 3], [4, 5, 6]] 3 9 \
//   fails: 'tensor.extract' op accesses position [1, 3] of an array of shape [2, 3], which is undefined
func.func @positions(%x: tensor<?x3xf64>, %i: index, %a: f64)
    -> (f64, tensor<?x3xf64>, tensor<2xf64>, tensor<3x?xf64>) {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %x[%c1, %i] : tensor<?x3xf64>
  %w = tensor.insert %a into %x[%c1, %i] : tensor<?x3xf64>
  %l = tensor.from_elements %a, %e : tensor<2xf64>
  %n = tensor.dim %x, %c1 : tensor<?x3xf64>
  %s = tensor.splat %a[%i] : tensor<3x?xf64>
  return %e, %w, %l, %s : f64, tensor<?x3xf64>, tensor<2xf64>, tensor<3x?xf64>
}

// CALL: @slices [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] 1 2 \
//   -> [[5, 7], [9, 11]] [7, 11] [[0, 1, 2, 3], [7, 5, 6, 7], [11, 9, 10, 11]]
// CALL: @slices [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] 2 2 fails: accesses position [3, 1] of an array of \
//   shape [3, 4], which is undefined
// CALL: @slices [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] 2 -1 fails: negative size -1
func.func @slices(%x: tensor<?x4xf64>, %o: index, %n: index) -> (tensor<?x2xf64>, tensor<?xf64>, tensor<?x4xf64>) {
  %a = tensor.extract_slice %x[%o, 1] [%n, 2] [1, 2] : tensor<?x4xf64> to tensor<?x2xf64>
  %b = tensor.extract_slice %x[%o, 3] [%n, 1] [1, 1] : tensor<?x4xf64> to tensor<?xf64>
  %c = tensor.insert_slice %b into %x[%o, 0] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x4xf64>
  return %a, %b, %c : tensor<?x2xf64>, tensor<?xf64>, tensor<?x4xf64>
}

// CALL: @shapes [[1, 2, 3], [4, 5, 6]] 2 -> [1, 2, 3, 4, 5, 6] [[[1, 2, 3]], [[4, 5, 6]]] [[1, 2, 3, 1, 2], [4, 5, \
//   6, 4, 5]] \
//   [[0.5, 0.5, 0.5], [1, 2, 3], [4, 5, 6], [0.5, 0.5, 0.5]] [[0, 1], [1, 2]]
// CALL: @shapes [[1, 2, 3], [4, 5, 6]] 3 \
//   fails: 'tensor.expand_shape' op cannot reshape the 6 elements of shape [2, 3] to shape [3, 1, 3]
func.func @shapes(%x: tensor<2x3xf64>, %n: index) -> (tensor<6xf64>, tensor<?x1x3xf64>, tensor<2x5xf64>,
    tensor<4x3xf64>, tensor<?x2xindex>) {
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
  %y = tensor.cast %x : tensor<2x3xf64> to tensor<?x3xf64>
  %b = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, 1, 3] : tensor<?x3xf64> into tensor<?x1x3xf64>
  %s = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<2x3xf64> to tensor<2x2xf64>
  %c = tensor.concat dim(1) %x, %s : (tensor<2x3xf64>, tensor<2x2xf64>) -> tensor<2x5xf64>
  %zero = arith.constant 0.5 : f64
  %d = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<2x3xf64> to tensor<4x3xf64>
  %e = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    tensor.yield %k : index
  } : tensor<?x2xindex>
  return %a, %b, %c, %d, %e : tensor<6xf64>, tensor<?x1x3xf64>, tensor<2x5xf64>, tensor<4x3xf64>, tensor<?x2xindex>
}

// -----

// spec/arrays.md H.2.
// CALL: @histogram [1, 2, 3, 4, 5, 6, 7, 8, 9] -> [3, 7, 11, 15, 9, 0]
func.func @histogram(%x: tensor<9xf64>) -> tensor<6xf64> {
  %zeros = dual.zero : tensor<6xf64>
  %two = arith.constant 2 : index
  %z = array.scatter %x into %zeros : tensor<9xf64> into tensor<6xf64> (%i) {
    %bin = array.div %i, %two : index
    array.yield %bin : index
  }
  return %z : tensor<6xf64>
}
