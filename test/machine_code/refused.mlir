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

// -----

func.func private @twice0(%x: f64) -> f64 {
  %z = math.sin %x : f64
  return %z : f64
}
func.func private @twice1(%x: f64) -> f64 {
  %y = call @twice0(%x) : (f64) -> f64
  %z = call @twice0(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice2(%x: f64) -> f64 {
  %y = call @twice1(%x) : (f64) -> f64
  %z = call @twice1(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice3(%x: f64) -> f64 {
  %y = call @twice2(%x) : (f64) -> f64
  %z = call @twice2(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice4(%x: f64) -> f64 {
  %y = call @twice3(%x) : (f64) -> f64
  %z = call @twice3(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice5(%x: f64) -> f64 {
  %y = call @twice4(%x) : (f64) -> f64
  %z = call @twice4(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice6(%x: f64) -> f64 {
  %y = call @twice5(%x) : (f64) -> f64
  %z = call @twice5(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice7(%x: f64) -> f64 {
  %y = call @twice6(%x) : (f64) -> f64
  %z = call @twice6(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice8(%x: f64) -> f64 {
  %y = call @twice7(%x) : (f64) -> f64
  %z = call @twice7(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice9(%x: f64) -> f64 {
  %y = call @twice8(%x) : (f64) -> f64
  %z = call @twice8(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice10(%x: f64) -> f64 {
  %y = call @twice9(%x) : (f64) -> f64
  %z = call @twice9(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice11(%x: f64) -> f64 {
  %y = call @twice10(%x) : (f64) -> f64
  %z = call @twice10(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice12(%x: f64) -> f64 {
  %y = call @twice11(%x) : (f64) -> f64
  %z = call @twice11(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice13(%x: f64) -> f64 {
  %y = call @twice12(%x) : (f64) -> f64
  %z = call @twice12(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice14(%x: f64) -> f64 {
  %y = call @twice13(%x) : (f64) -> f64
  %z = call @twice13(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice15(%x: f64) -> f64 {
  %y = call @twice14(%x) : (f64) -> f64
  %z = call @twice14(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice16(%x: f64) -> f64 {
  %y = call @twice15(%x) : (f64) -> f64
  %z = call @twice15(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice17(%x: f64) -> f64 {
  %y = call @twice16(%x) : (f64) -> f64
  %z = call @twice16(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice18(%x: f64) -> f64 {
  %y = call @twice17(%x) : (f64) -> f64
  %z = call @twice17(%y) : (f64) -> f64
  return %z : f64
}
func.func private @twice19(%x: f64) -> f64 {
  %y = call @twice18(%x) : (f64) -> f64
  %z = call @twice18(%y) : (f64) -> f64
  return %z : f64
}
// expected-error @below {{not supported: 'func.func': expected at most 262144 ops after the inlining of all calls, found 2621439; use a loop}}
func.func @twice20(%x: f64) -> f64 {
  %z = call @twice19(%x) : (f64) -> f64
  return %z : f64
}
