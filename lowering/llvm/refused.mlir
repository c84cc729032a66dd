// RUN: mlopt %s --loops-to-llvm --verify-diagnostics
// An op without a lowering is named.

func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{not supported: 'tensor.cast'}}
  %y = tensor.cast %x : tensor<4xf64> to tensor<4xf64>
  return %y : tensor<4xf64>
}
