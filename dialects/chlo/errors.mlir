// RUN: mlopt %s --verify-diagnostics --split-input-file
// Rejected programs: the numbers of operands, missing attributes, and the constraints of each op.

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

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @elements(%x: tensor<3xi32>) {
  // expected-error @+1 {{'chlo.lgamma' op (C1) `operand` must be an array of floats, found tensor<3xi32>}}
  %y = "chlo.lgamma"(%x) : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @result(%x: tensor<3xf32>) {
  // expected-error @+2 {{'chlo.is_inf' op (C2) `result` must have type tensor<3xi1>, found tensor<3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %y = "chlo.is_inf"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{`rhs` is defined here}}
func.func @binary(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.zeta' op (C2) `rhs` must have type tensor<3xf32>, found tensor<4xf32>}}
  %z = "chlo.zeta"(%x, %y) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @binary_result(%x: tensor<3xf32>) {
  // expected-error @+2 {{'chlo.next_after' op (C3) `result` must have type tensor<3xf32>, found tensor<3xf64>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "chlo.next_after"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @top_k_elements(%x: tensor<3xi1>) {
  // expected-error @+1 {{'chlo.top_k' op (C1) `operand` must be an array of integers or floats, found tensor<3xi1>}}
  %y:2 = "chlo.top_k"(%x) <{k = 2 : i64}> : (tensor<3xi1>) -> (tensor<2xi1>, tensor<2xi32>)
  return
}

// -----

func.func @top_k(%x: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.top_k' op (C2) `k` must be at least 0 and less than 4, found 4}}
  %y:2 = "chlo.top_k"(%x) <{k = 4 : i64}> : (tensor<3xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @top_k_result(%x: tensor<3xf32>) {
  // expected-error @+2 {{'chlo.top_k' op (C3) `indices` must have type tensor<2xi32>, found tensor<2xi64>}}
  // expected-note @+1 {{`indices` is defined here}}
  %y:2 = "chlo.top_k"(%x) <{k = 2 : i64}> : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return
}

// -----

func.func @constant() {
  // expected-error @+2 {{'chlo.constant' op (C1) `result` must have type tensor<2xf32>, found tensor<3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %y = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}
