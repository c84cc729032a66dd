// The body of a named op of `linalg` is not changed: MLIR's verifier relies on it.
// RUN: mlopt reduce %s --reduce-ops=test=%S/Inputs/has_matmul.sh -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK:     func.func @f
// CHECK:       linalg.matmul
// CHECK-NOT:   arith
// CHECK:       return
func.func @f(%a: tensor<4x4xf64>, %b: tensor<4x4xf64>, %c: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf64>, tensor<4x4xf64>) outs(%c : tensor<4x4xf64>) -> tensor<4x4xf64>
  %s = arith.addf %r, %c : tensor<4x4xf64>
  return %s : tensor<4x4xf64>
}
