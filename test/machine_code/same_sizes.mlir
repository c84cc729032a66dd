// RUN: mlopt check-calls %s --way plain --way optimised
// Conditions on sizes hold in optimised code, too, where the ops that require them are fused with others.

// CALL: @product [1, 2] [3, 4] -> 11
// CALL: @product [1, 2, 3, 4] [10, 20] fails: operands of 'arith.mulf' have different sizes
// CALL: @product [1, 2] [10, 20, 30] fails: operands of 'arith.mulf' have different sizes
func.func @product(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %p = arith.mulf %a, %b : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}

// CALL: @fused [0, 0] [3, 4]
// CALL: @fused [1, 2, 3, 4] [10, 20] fails: operands of 'arith.mulf' have different sizes
// CALL: @fused [1, 2] [10, 20, 30] fails: operands of 'arith.mulf' have different sizes
func.func @fused(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %x = math.exp %a : tensor<?xf64>
  %p = arith.mulf %x, %b : tensor<?xf64>
  %y = math.exp %b : tensor<?xf64>
  %q = arith.addf %p, %y : tensor<?xf64>
  %s = array.sum %q : (tensor<?xf64>) -> f64
  return %s : f64
}

// CALL: @two_and_three [1, 2] [10, 20, 30] fails: operands of 'arith.addf' have different sizes
func.func @two_and_three(%a: tensor<2xf64>, %b: tensor<3xf64>) -> tensor<?xf64> {
  %c = tensor.cast %a : tensor<2xf64> to tensor<?xf64>
  %d = tensor.cast %b : tensor<3xf64> to tensor<?xf64>
  %r = arith.addf %c, %d : tensor<?xf64>
  return %r : tensor<?xf64>
}

// CALL: @stacked 2 [1, 2, 3] fails: operands of 'arith.mulf' have different sizes
func.func @stacked(%x: f64, %b: tensor<3xf64>) -> f64 {
  %0 = array.stack %x, %x : (f64, f64) -> tensor<2xf64>
  %c = tensor.cast %0 : tensor<2xf64> to tensor<?xf64>
  %d = tensor.cast %b : tensor<3xf64> to tensor<?xf64>
  %1 = arith.mulf %c, %d : tensor<?xf64>
  %s = array.sum %1 : (tensor<?xf64>) -> f64
  return %s : f64
}

// CALL: @reshaped [1, 2] [10, 20] -> [11, 22]
// CALL: @reshaped [1] [10, 20] fails: reshapes an array to a different number of elements
// CALL: @reshaped [1, 2, 3] [10, 20] fails: reshapes an array to a different number of elements
func.func @reshaped(%a: tensor<?xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {
  %0 = array.reshape %a : (tensor<?xf64>) -> tensor<2xf64>
  %1 = arith.addf %0, %b : tensor<2xf64>
  return %1 : tensor<2xf64>
}

// A size that is computed from other sizes.
// CALL: @tail [1, 2, 3] [10, 20] -> 80
// CALL: @tail [1, 2, 3] [10, 20, 30] fails: operands of 'arith.mulf' have different sizes
func.func @tail(%v: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %one = arith.constant 1 : index
  %n = array.length %v : tensor<?xf64>
  %m = arith.subi %n, %one : index
  %t = array.slice %v from %one size %m : (tensor<?xf64>) -> tensor<?xf64>
  %p = arith.mulf %t, %w : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}

// Rows of several arrays in one loop.
// CALL: @rows [1, 2] [3, 4] -> 11
// CALL: @rows [1, 2, 3] [3, 4] fails: operands of 'array.fold' have different sizes
func.func @rows(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = array.fold (%x = %a : tensor<?xf64>, %y = %b : tensor<?xf64>) iter_args(%acc = %zero) -> (f64) {
    %p = arith.mulf %x, %y : f64
    %next = arith.addf %acc, %p : f64
    array.yield %next : f64
  }
  return %s : f64
}

// The matrices agree along one axis only.
// CALL: @matrices [[1, 2], [3, 4]] [[1, 1], [1, 1]] -> 14
// CALL: @matrices [[1, 2, 3], [4, 5, 6]] [[1, 1], [1, 1]] fails: operands of 'arith.addf' have different sizes
func.func @matrices(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> f64 {
  %c = arith.addf %a, %b : tensor<?x?xf64>
  %s = array.sum %c axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
