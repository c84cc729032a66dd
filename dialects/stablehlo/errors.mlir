// RUN: mlopt %s --verify-diagnostics --split-input-file
// Rejected programs: the syntax of attributes, and the numbers of operands.

// expected-error @+1 {{expected `b`, `f` or the number of a spatial dimension}}
#a = #stablehlo.conv<[b, 0, x]x[0, i, o]->[b, 0, f]>

// -----

// expected-error @+1 {{expected each dimension once}}
#a = #stablehlo.conv<[b, 0, 0, f]x[0, i, o]->[b, 0, f]>

// -----

// expected-error @+1 {{expected `i`, `o` and all spatial dimensions}}
#a = #stablehlo.conv<[b, 0, f]x[1, i, o]->[b, 0, f]>

// -----

// expected-error @+1 {{expected the number of a spatial dimension, found 65}}
#a = #stablehlo.conv<[b, 65, f]x[0, i, o]->[b, 0, f]>

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: offset}}
#a = #stablehlo.gather<offset = [1]>

// -----

// expected-error @+1 {{expected a bound or `?` for each of 2 dimensions, found 1}}
func.func private @bounds(tensor<?x2xf32, #stablehlo.bounds<3>>)

// -----

func.func @operands(%x: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.add' op expected 2 operands, but found 1}}
  %y = "stablehlo.add"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @attribute(%x: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.slice' op requires attribute 'limit_indices'}}
  %y = "stablehlo.slice"(%x) : (tensor<f32>) -> tensor<f32>
  return
}
