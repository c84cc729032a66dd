// RUN: mlopt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(array-to-sweeps,plan-memory,sweeps-to-loops,loops-to-llvm)'
// Programs without a lowering: the message names the op and the reason.

func.func @recursion(%x: f64) -> f64 {
  // expected-error @below {{not supported: 'func.call': `@recursion` must not be recursive; use a loop, such as `scf.while`}}
  %y = call @recursion(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func private @declared(f64) -> f64
func.func @caller(%x: f64) -> f64 {
  // expected-error @below {{not supported: 'func.call': `@declared` must have a body; define it in this module}}
  %y = call @declared(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @foreign(%x: tensor<4xf64>) -> tensor<2x2xf64> {
  // expected-error @below {{not supported: 'tensor.expand_shape': `array-to-sweeps` has no loops for this op}}
  %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}

// -----

func.func @absurd() -> index {
  // expected-error @below {{is too large: expected at most}}
  %y = array.build (%i < 1000000000000000) -> (tensor<1000000000000000xindex>) {
    array.yield %i : index
  }
  %s = array.sum %y : (tensor<1000000000000000xindex>) -> index
  return %s : index
}
