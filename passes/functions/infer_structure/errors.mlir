// RUN: mlopt %s --infer-structure --verify-diagnostics --split-input-file
// Claims about constants that do not hold.

func.func @constant() -> tensor<2x2xf64> {
  // expected-note @+1 {{the constant is defined here, with type tensor<2x2xf64>}}
  %c = arith.constant dense<[[1.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf64>
  // expected-error @+1 {{'tensor.cast' op has the structure #lambda.matrix<bands = [1, -1]> in its type, but the constant has #lambda.matrix<bands = [2, 1]>}}
  %u = tensor.cast %c : tensor<2x2xf64> to tensor<2x2xf64, #lambda.matrix<bands = [1, -1]>>
  %y = tensor.cast %u : tensor<2x2xf64, #lambda.matrix<bands = [1, -1]>> to tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}

// -----

// A correct claim is accepted.
func.func @right() -> tensor<2x2xf64> {
  %c = arith.constant dense<[[1.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %l = tensor.cast %c : tensor<2x2xf64> to tensor<2x2xf64, #lambda.matrix<bands = [-1, 1]>>
  %y = tensor.cast %l : tensor<2x2xf64, #lambda.matrix<bands = [-1, 1]>> to tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}

// -----

// expected-error @+1 {{'lambda.matrix' requires a tensor with two axes}}
func.func private @vector(tensor<4xf64, #lambda.matrix<bands = [1, 1]>>)

// -----

// expected-error @+1 {{each band of 'lambda.matrix' must be a positive number of diagonals, or -1 for all diagonals}}
func.func private @nothing(tensor<4x4xf64, #lambda.matrix<bands = [0, 1]>>)

// -----

// expected-error @+1 {{a symmetric 'lambda.matrix' must have two equal bands, found different ones}}
func.func private @bands(tensor<4x4xf64, #lambda.matrix<bands = [1, -1], symmetric>>)

// -----

// expected-error @+1 {{a symmetric 'lambda.matrix' requires a square tensor}}
func.func private @square(tensor<4x3xf64, #lambda.matrix<bands = [-1, -1], symmetric>>)
