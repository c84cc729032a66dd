// RUN: mlopt check-calls %s --way eval --tolerance 0 --after 'builtin.module(j-transform,lambda-simplify)'
// The gradient in a matrix has the structure that is declared for the matrix, before and after the expansion of
// derivatives.

// CALL: @f [[1, 0, 0], [0, 1, 0], [0, 0, 1]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] -> [[1, 0, 0], [0, 5, 0], [0, 0, 9]]
func.func @f(%m: tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>, %w: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %f = lambda.lambda (%x: tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>) -> f64 {
    %a = tensor.cast %x : tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>> to tensor<3x3xf64>
    %p = arith.mulf %a, %w : tensor<3x3xf64>
    %s = array.sum %p axes [0, 1] : (tensor<3x3xf64>) -> f64
    lambda.return %s : f64
  }
  %g = lambda.grad %f : ((tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>) -> f64)
      -> ((tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>) -> tensor<3x3xf64>)
  %y = lambda.apply %g(%m) : (tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>) -> tensor<3x3xf64>
  return %y : tensor<3x3xf64>
}

// -----

// CALL: @f [[1, 0, 0], [0, 1, 0], [0, 0, 1]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] -> [[1, 2, 3], [0, 5, 6], [0, 0, 9]]
func.func @f(%m: tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>, %w: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %f = lambda.lambda (%x: tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> f64 {
    %a = tensor.cast %x : tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>> to tensor<3x3xf64>
    %p = arith.mulf %a, %w : tensor<3x3xf64>
    %s = array.sum %p axes [0, 1] : (tensor<3x3xf64>) -> f64
    lambda.return %s : f64
  }
  %g = lambda.grad %f : ((tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> f64)
      -> ((tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64>)
  %y = lambda.apply %g(%m) : (tensor<3x3xf64, #lambda.matrix<bands = [1, -1]>>) -> tensor<3x3xf64>
  return %y : tensor<3x3xf64>
}

// -----

// CALL: @f [[1, 0, 0], [0, 1, 0], [0, 0, 1]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] -> [[1, 3, 5], [3, 5, 7], [5, 7, 9]]
func.func @f(%m: tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>, %w: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %f = lambda.lambda (%x: tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>) -> f64 {
    %a = tensor.cast %x : tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>> to tensor<3x3xf64>
    %p = arith.mulf %a, %w : tensor<3x3xf64>
    %s = array.sum %p axes [0, 1] : (tensor<3x3xf64>) -> f64
    lambda.return %s : f64
  }
  %g = lambda.grad %f : ((tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>) -> f64)
      -> ((tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>) -> tensor<3x3xf64>)
  %y = lambda.apply %g(%m) : (tensor<3x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>) -> tensor<3x3xf64>
  return %y : tensor<3x3xf64>
}

// -----

// CALL: @f [[1, 0, 0], [0, 1, 0], [0, 0, 1]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] -> [[1, 3, 0], [3, 5, 7], [0, 7, 9]]
func.func @f(%m: tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>>, %w: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %f = lambda.lambda (%x: tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>>) -> f64 {
    %a = tensor.cast %x : tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>> to tensor<3x3xf64>
    %p = arith.mulf %a, %w : tensor<3x3xf64>
    %s = array.sum %p axes [0, 1] : (tensor<3x3xf64>) -> f64
    lambda.return %s : f64
  }
  %g = lambda.grad %f : ((tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>>) -> f64)
      -> ((tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>>) -> tensor<3x3xf64>)
  %y = lambda.apply %g(%m) : (tensor<3x3xf64, #lambda.matrix<bands = [2, 2], symmetric>>) -> tensor<3x3xf64>
  return %y : tensor<3x3xf64>
}
