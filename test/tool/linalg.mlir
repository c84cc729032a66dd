// RUN: mlopt check-grad %s --entry @product | FileCheck %s
// RUN: mlopt equiv %s %s | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt explain %s --function @product | FileCheck %s --check-prefix=EXPLAIN
// Programs of `linalg` and `tensor` need no pass from the user.

// CHECK:   agree
// EQUAL:   equal
// EXPLAIN: result:
// EXPLAIN-NOT: linalg
func.func @product(%a: tensor<4x3xf64>, %b: tensor<3x2xf64>) -> tensor<4x2xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<4x2xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<4x2xf64>) -> tensor<4x2xf64>
  %c = linalg.matmul ins(%a, %b : tensor<4x3xf64>, tensor<3x2xf64>) outs(%zeros : tensor<4x2xf64>) -> tensor<4x2xf64>
  return %c : tensor<4x2xf64>
}
