// RUN: mlopt check-calls %s --way eval --after 'builtin.module(func.func(linalg-generalize-named-ops,upstream-to-array),jvp,func.func(egg-optimize))'
// The result of `upstream-to-array` is valid input of later passes: the gradient of a matrix product.

// CALL: @gradient [[1, 1, 1], [1, 1, 1]] [[0, 1], [2, 3], [4, 5]] -> [[1, 3, 5], [0, 0, 0]]
func.func @gradient(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) -> tensor<2x3xf64> {
  %g = dual.grad @loss(%a, %b) wrt [0] : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x3xf64>
  return %g : tensor<2x3xf64>
}
func.func private @loss(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x2xf64>
  %o = linalg.fill ins(%zero : f64) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
  %c = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x2xf64>) outs(%o : tensor<2x2xf64>) -> tensor<2x2xf64>
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %z = tensor.extract %c[%i, %j] : tensor<2x2xf64>
  return %z : f64
}
