// RUN: mlopt %s --infer-structure -o /dev/null
// RUN: not mlopt run %s --entry @huge --interpret 2>&1 | FileCheck %s
// RUN: not mlopt run %s --entry @rows --interpret 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: mlopt %s --differentiate | FileCheck %s --check-prefix=EMPTY
// An array that exceeds any memory is rejected before it is allocated; zero is a valid size.

// CHECK: extremes.mlir:[[#@LINE+2]]:8: error: 'arith.constant' op an array of shape [4294967296, 4294967296] is too large
func.func @huge() -> f64 {
  %z = arith.constant dense<1.0> : tensor<4294967296x4294967296xf64>
  %s = array.sum %z axes [0, 1] : (tensor<4294967296x4294967296xf64>) -> f64
  return %s : f64
}

// ROWS: extremes.mlir:[[#@LINE+3]]:8: error: 'array.replicate' op an array of shape [9223372036854775807] is too large
func.func @rows() -> f64 {
  %one = arith.constant 1.0 : f64
  %z = array.replicate %one : (f64) -> tensor<9223372036854775807xf64>
  %s = array.sum %z : (tensor<9223372036854775807xf64>) -> f64
  return %s : f64
}

func.func @nothing(%x: tensor<0x3xf64>) -> f64 {
  %e = math.exp %x : tensor<0x3xf64>
  %s = array.sum %e axes [0, 1] : (tensor<0x3xf64>) -> f64
  return %s : f64
}

// EMPTY-LABEL: func.func @hessian_of_nothing
// EMPTY-NOT:     dual.hessian
// EMPTY:         return %{{.*}} : tensor<0x3x0x3xf64>
func.func @hessian_of_nothing(%x: tensor<0x3xf64>) -> tensor<0x3x0x3xf64> {
  %d = dual.hessian @nothing(%x) : (tensor<0x3xf64>) -> tensor<0x3x0x3xf64>
  return %d : tensor<0x3x0x3xf64>
}
