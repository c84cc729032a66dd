// MLIR's own reduction removes ops until the verifier rejects the program: operands without a value are an error, not a crash.
// RUN: mlopt reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has_accum.sh' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: array.map_accum
func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:2 = array.map_accum (%e = %x : tensor<4xf64>, %g = %y : tensor<4xf64>) iter_args() -> (tensor<4xf64>, tensor<4xf64>) {
    %p = arith.mulf %e, %e : f64
    %z = arith.addf %p, %g : f64
    array.yield %p, %z : f64, f64
  }
  %q = arith.addf %r#0, %r#1 : tensor<4xf64>
  return %q, %r#1 : tensor<4xf64>, tensor<4xf64>
}
