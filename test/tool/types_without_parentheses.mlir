// RUN: mlopt %s --verify-diagnostics | FileCheck %s
// Calls of one array operand that were written `: T -> U` in version 0.1 are read for one version, with a warning, and
// printed as all others.

// CHECK-LABEL: func.func @old
func.func @old(%x: tensor<4x3xf64>, %i: index, %a: f64) -> tensor<3xf64> {
  // expected-warning @+2 {{write the types of operands in parentheses, as in `(tensor<4x3xf64>) -> tensor<3xf64>`; the next version will not read the form without them}}
  // CHECK: array.get %{{.*}}[%{{.*}}] : (tensor<4x3xf64>) -> tensor<3xf64>
  %row = array.get %x[%i] : tensor<4x3xf64> -> tensor<3xf64>
  // expected-warning @+2 {{write the types of operands in parentheses}}
  // CHECK-NEXT: array.transpose %{{.*}} [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %turned = array.transpose %x [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
  // expected-warning @+2 {{write the types of operands in parentheses}}
  // CHECK-NEXT: array.replicate %{{.*}} : (f64) -> tensor<3xf64>
  %twice = array.replicate %a : f64 -> tensor<3xf64>
  %sum = arith.addf %row, %twice : tensor<3xf64>
  return %sum : tensor<3xf64>
}
