// RUN: mlopt %s --stablehlo-to-array --split-input-file --verify-diagnostics
// Programs that cannot be converted: each error names the op at its location.

// expected-error @+1 {{not supported: 'func.func': expected tensors of booleans, integers, floats or complex numbers of a common width, found type tensor<4xf8E4M3FN>}}
func.func @main(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  return %x : tensor<4xf8E4M3FN>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.custom_call': a call of `my_kernel`}}
  %z = "stablehlo.custom_call"(%x) <{call_target_name = "my_kernel"}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.all_reduce': the array language has no equivalent op}}
  %z = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// The error names the op in the callee, and the call.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{in this call of `@inner`}}
  %z = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.custom_call': a call of `other`}}
  %z = "stablehlo.custom_call"(%x) <{call_target_name = "other"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{in this call of `@again`}}
  %z = func.call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{not supported: 'func.call': `@again` must not call itself; use a loop}}
  %z = func.call @again(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.reshape': expected a result of static sizes, found tensor<?xf32>; write the op with computed sizes}}
  %z = "stablehlo.reshape"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xi1> {
  // expected-error @+1 {{not supported: 'stablehlo.compare': complex numbers have no order; expected `EQ` or `NE`}}
  %z = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return %z : tensor<4xi1>
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.floor': a function of complex numbers that the array language has no equivalent for}}
  %z = "stablehlo.floor"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.fft': expected size 8 of axis 1, found tensor<4x9xcomplex<f32>>}}
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}>
      : (tensor<4x9xcomplex<f32>>) -> tensor<4x9xcomplex<f32>>
  return %z : tensor<4x9xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.fft': expected at least 1 and at most 1 transformed axes, found 2}}
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 9, 9>, fft_type = #stablehlo<fft_type FFT>}>
      : (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
  return %z : tensor<9xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4x2xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.bitcast_convert': expected two real or two complex types, found tensor<4xcomplex<f32>> and tensor<4x2xf32>}}
  %z = "stablehlo.bitcast_convert"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4x2xf32>
  return %z : tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.fft': expected complex numbers, found tensor<8xf32>}}
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{not supported: 'chlo.lgamma': the array language has no equivalent op}}
  %z = "chlo.lgamma"(%x) : (tensor<8xi32>) -> tensor<8xi32>
  return %z : tensor<8xi32>
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>, %y: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.divide': expected complex operands, found a real one}}
  %z = "stablehlo.divide"(%x, %y) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}
