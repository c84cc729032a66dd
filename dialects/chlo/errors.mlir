// RUN: mlopt %s --verify-diagnostics --split-input-file
// Rejected programs: the numbers of operands, and missing attributes.

func.func @operands(%x: tensor<f32>) {
  // expected-error @+1 {{'chlo.erf' op requires a single operand}}
  %y = "chlo.erf"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @attribute(%x: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.top_k' op requires attribute 'k'}}
  %y:2 = "chlo.top_k"(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return
}
