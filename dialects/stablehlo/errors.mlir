// RUN: mlopt %s --verify-diagnostics --split-input-file
// Rejected programs: the syntax of attributes, the numbers of operands, and the constraints of each op.

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
// -----

// One program for each constraint, in the order of the definitions.

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op (C1) `operand` must be an array of integers, found tensor<4xf32>}}
  %z = "stablehlo.popcnt"(%x0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.sqrt' op (C1) `operand` must be an array of floats or complex numbers, found tensor<4xi32>}}
  %z = "stablehlo.sqrt"(%x0) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.is_finite' op (C2) `result` must have type tensor<4xi1>, found tensor<4xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.is_finite"(%x0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xcomplex<f32>>) {
  // expected-error @+2 {{'stablehlo.abs' op (C2) `result` must have type tensor<4xf32>, found tensor<4xcomplex<f32>>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.abs"(%x0) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op (C2) `result` must have as many bits as `operand`, which is tensor<4xf32>, found tensor<4xi64>}}
  %z = "stablehlo.bitcast_convert"(%x0) : (tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op (C2) `result` must have as many bits as `operand`, which is tensor<4xf32>, found tensor<4xindex>}}
  %z = "stablehlo.bitcast_convert"(%x0) : (tensor<4xf32>) -> tensor<4xindex>
  return
}

// -----

// expected-note @+1 {{`rhs` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.add' op (C2) `rhs` must have type tensor<4xf32>, found tensor<5xf32>}}
  %z = "stablehlo.add"(%x0, %x1) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.add' op (C3) `result` must have type tensor<4xf32>, found tensor<4x1xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.add"(%x0, %x1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.and' op (C1) `lhs` must be an array of booleans or integers, found tensor<4xf32>}}
  %z = "stablehlo.and"(%x0, %x1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.complex' op (C3) `result` must have complex elements with parts like those of tensor<4xf32>, found tensor<4xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.complex"(%x0, %x1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`rhs` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.compare' op (C1) `rhs` must have type tensor<4xf32>, found tensor<4xi32>}}
  %z = "stablehlo.compare"(%x0, %x1) <{comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<4xcomplex<f32>>, %x1: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.compare' op (C2) complex numbers have no order; expected `EQ` or `NE`, found `LT`}}
  %z = "stablehlo.compare"(%x0, %x1) <{comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.compare' op (C3) `result` must have type tensor<4xi1>, found tensor<4xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.compare"(%x0, %x1) <{comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`pred` is defined here}}
func.func @main(%x0: tensor<5xi1>, %x1: tensor<4xf32>, %x2: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op (C1) `pred` must be a scalar or have the sizes of tensor<4xf32>, found tensor<5xi1>}}
  %z = "stablehlo.select"(%x0, %x1, %x2) : (tensor<5xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`on_false` is defined here}}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xf32>, %x2: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.select' op (C2) `on_false` must have type tensor<4xf32>, found tensor<4xi32>}}
  %z = "stablehlo.select"(%x0, %x1, %x2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xf32>, %x2: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.select' op (C3) `result` must have type tensor<4xf32>, found tensor<4xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.select"(%x0, %x1, %x2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xcomplex<f32>>, %x1: tensor<4xcomplex<f32>>, %x2: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.clamp' op (C1) `operand` must be an array of booleans, integers or floats, found tensor<4xcomplex<f32>>}}
  %z = "stablehlo.clamp"(%x0, %x1, %x2)
      : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// expected-note @+1 {{`max` is defined here}}
func.func @main(%x0: tensor<f32>, %x1: tensor<4xf32>, %x2: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.clamp' op (C2) `max` must have type tensor<f32> or tensor<4xf32>, found tensor<i32>}}
  %z = "stablehlo.clamp"(%x0, %x1, %x2) : (tensor<f32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<f32>, %x1: tensor<4xf32>, %x2: tensor<f32>) {
  // expected-error @+2 {{'stablehlo.clamp' op (C3) `result` must have type tensor<4xf32>, found tensor<2xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.clamp"(%x0, %x1, %x2) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op (C1) `operand` must be an array of floats, found tensor<4xi32>}}
  %z = "stablehlo.reduce_precision"(%x0) <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}>
      : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op (C2) expected at least 1 bit of exponent and 0 bits of mantissa, found 0 and -1}}
  %z = "stablehlo.reduce_precision"(%x0) <{exponent_bits = 0 : i32, mantissa_bits = -1 : i32}>
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.reduce_precision' op (C3) `result` must have type tensor<4xf32>, found tensor<4xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.reduce_precision"(%x0) <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}>
      : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @main() {
  // expected-error @+2 {{'stablehlo.constant' op (C1) `result` must have type tensor<2xf32>, found tensor<3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @main() {
  // expected-error @+2 {{'stablehlo.iota' op (C1) `result` must be an array of integers, floats or complex numbers, found tensor<4xi1>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi1>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'stablehlo.iota' op (C2) `iota_dimension` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<1xi32>) {
  // expected-error @+2 {{'stablehlo.dynamic_iota' op (C1) `result` must be an array of integers, floats or complex numbers, found tensor<?xi1>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_iota"(%x0) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi1>
  return
}

// -----

func.func @main(%x0: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op (C2) `iota_dimension` must be at least 0 and less than 1, found -1}}
  %z = "stablehlo.dynamic_iota"(%x0) <{iota_dimension = -1 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

// expected-note @+1 {{`output_shape` is defined here}}
func.func @main(%x0: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op (C3) `output_shape` must be a vector of 1 integer, found tensor<2xi32>}}
  %z = "stablehlo.dynamic_iota"(%x0) <{iota_dimension = 0 : i64}> : (tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast' op (C1) `broadcast_sizes` must be at least 0, found -1}}
  %z = "stablehlo.broadcast"(%x0) <{broadcast_sizes = array<i64: -1>}> : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.broadcast' op (C2) `result` must have type tensor<2x4xf32>, found tensor<3x4xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.broadcast"(%x0) <{broadcast_sizes = array<i64: 2>}> : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op (C1) `broadcast_dimensions` must have 1 element, found 2}}
  %z = "stablehlo.broadcast_in_dim"(%x0) <{broadcast_dimensions = array<i64: 0, 1>}>
      : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op (C2) `broadcast_dimensions` must contain each axis once, found 1 again}}
  %z = "stablehlo.broadcast_in_dim"(%x0) <{broadcast_dimensions = array<i64: 1, 1>}>
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op (C3) axis 0 of tensor<4xf32> must have size 1 or that of axis 0 of tensor<2x4xf32>}}
  %z = "stablehlo.broadcast_in_dim"(%x0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op (C1) `broadcast_dimensions` must have 1 element, found 2}}
  %z = "stablehlo.dynamic_broadcast_in_dim"(%x0, %x1) <{broadcast_dimensions = array<i64: 0, 1>}>
      : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op (C2) `broadcast_dimensions` must be at least 0 and less than 2, found 2}}
  %z = "stablehlo.dynamic_broadcast_in_dim"(%x0, %x1) <{broadcast_dimensions = array<i64: 2>}>
      : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xi32>) {
  // expected-error @+2 {{'stablehlo.dynamic_broadcast_in_dim' op (C3) `result` must have elements of type f32, found tensor<?x4xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_broadcast_in_dim"(%x0, %x1) <{broadcast_dimensions = array<i64: 1>}>
      : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xi32>
  return
}

// -----

// expected-note @+1 {{`output_dimensions` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.dynamic_broadcast_in_dim' op (C4) `output_dimensions` must be a vector of 2 integers, found tensor<2xf32>}}
  %z = "stablehlo.dynamic_broadcast_in_dim"(%x0, %x1) <{broadcast_dimensions = array<i64: 1>}>
      : (tensor<4xf32>, tensor<2xf32>) -> tensor<?x4xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reshape' op (C1) `result` must have the elements of tensor<4xf32>, found tensor<3xf32>}}
  %z = "stablehlo.reshape"(%x0) : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op (C1) `result` must have the elements of tensor<4xf32>, found tensor<?xi32>}}
  %z = "stablehlo.dynamic_reshape"(%x0, %x1) : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xi32>
  return
}

// -----

// expected-note @+1 {{`output_shape` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<?xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op (C2) `output_shape` must be a vector of 2 integers, found tensor<?xi32>}}
  %z = "stablehlo.dynamic_reshape"(%x0, %x1) : (tensor<4xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op (C1) `permutation` must contain each axis once, found 0 again}}
  %z = "stablehlo.transpose"(%x0) <{permutation = array<i64: 0, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+2 {{'stablehlo.transpose' op (C2) `result` must have type tensor<3x2xf32>, found tensor<2x3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.transpose"(%x0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reverse' op (C1) `dimensions` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.reverse"(%x0) <{dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.reverse' op (C2) `result` must have type tensor<4xf32>, found tensor<5xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.reverse"(%x0) <{dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// expected-note @+1 {{`inputs` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x3xf32>) {
  // expected-error @+1 {{'stablehlo.concatenate' op (C1) `inputs` must have type tensor<2x3xf32>, found tensor<3x3xf32>}}
  %z = "stablehlo.concatenate"(%x0, %x1) <{dimension = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.concatenate' op (C2) `dimension` must be at least 0 and less than 2, found 2}}
  %z = "stablehlo.concatenate"(%x0, %x1) <{dimension = 2 : i64}>
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error @+2 {{'stablehlo.concatenate' op (C3) `result` must have type tensor<2x6xf32>, found tensor<2x5xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.concatenate"(%x0, %x1) <{dimension = 1 : i64}>
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x5xf32>
  return
}

// -----

// expected-note @+1 {{`padding_value` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.pad' op (C1) `padding_value` must have type tensor<f32>, found tensor<4xf32>}}
  %z = "stablehlo.pad"(%x0, %x1)
      <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}>
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op (C2) `edge_padding_high` must have 1 element, found 2}}
  %z = "stablehlo.pad"(%x0, %x1)
      <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0>}>
      : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op (C3) `interior_padding` must be at least 0, found -1}}
  %z = "stablehlo.pad"(%x0, %x1)
      <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>}>
      : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op (C4) axis 0 of the result must have a size of at least 0, found -1}}
  %z = "stablehlo.pad"(%x0, %x1)
      <{edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}>
      : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

// expected-note @+1 {{`padding_value` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<i32>, %x2: tensor<1xi32>, %x3: tensor<1xi32>, %x4: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op (C1) `padding_value` must have type tensor<f32>, found tensor<i32>}}
  %z = "stablehlo.dynamic_pad"(%x0, %x1, %x2, %x3, %x4)
      : (tensor<4xf32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

// expected-note @+1 {{`interior_padding` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>, %x2: tensor<1xi32>, %x3: tensor<1xi32>, %x4: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op (C2) `interior_padding` must be a vector of 1 integer, found tensor<2xi32>}}
  %z = "stablehlo.dynamic_pad"(%x0, %x1, %x2, %x3, %x4)
      : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>, %x2: tensor<1xi32>, %x3: tensor<1xi32>, %x4: tensor<1xi32>) {
  // expected-error @+2 {{'stablehlo.dynamic_pad' op (C3) `result` must have type tensor<?xf32>, found tensor<?x?xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_pad"(%x0, %x1, %x2, %x3, %x4)
      : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op (C1) `limit_indices` must have 1 element, found 2}}
  %z = "stablehlo.slice"(%x0)
      <{start_indices = array<i64: 0>, limit_indices = array<i64: 1, 1>, strides = array<i64: 1>}>
      : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op (C2) the range of axis 0 must be inside of tensor<4xf32>, found 3 to 5}}
  %z = "stablehlo.slice"(%x0)
      <{start_indices = array<i64: 3>, limit_indices = array<i64: 5>, strides = array<i64: 1>}>
      : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.slice' op (C3) `result` must have type tensor<2xf32>, found tensor<1xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.slice"(%x0)
      <{start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 2>}>
      : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

// expected-note @+1 {{`start_indices` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op (C1) `start_indices` must be an array of integers, found tensor<f32>}}
  %z = "stablehlo.dynamic_slice"(%x0, %x1) <{slice_sizes = array<i64: 2>}>
      : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op (C2) the sizes of `slice_sizes` must be at most those of tensor<4xf32>, found [5]}}
  %z = "stablehlo.dynamic_slice"(%x0, %x1) <{slice_sizes = array<i64: 5>}>
      : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<i32>) {
  // expected-error @+2 {{'stablehlo.dynamic_slice' op (C3) `result` must have type tensor<2xf32>, found tensor<3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_slice"(%x0, %x1) <{slice_sizes = array<i64: 2>}>
      : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{`strides` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<1xi32>, %x2: tensor<1xi32>, %x3: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op (C1) `strides` must be a vector of 1 integer, found tensor<2xi32>}}
  %z = "stablehlo.real_dynamic_slice"(%x0, %x1, %x2, %x3)
      : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<1xi32>, %x2: tensor<1xi32>, %x3: tensor<1xi32>) {
  // expected-error @+2 {{'stablehlo.real_dynamic_slice' op (C2) `result` must have type tensor<?xf32>, found tensor<?xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.real_dynamic_slice"(%x0, %x1, %x2, %x3)
      : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xf32>, %x2: tensor<i32>, %x3: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op (C1) `start_indices` must have 1 element, found 2}}
  %z = "stablehlo.dynamic_update_slice"(%x0, %x1, %x2, %x3)
      : (tensor<4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<5xf32>, %x2: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op (C2) the sizes of `update` must be at most those of tensor<4xf32>, found [5]}}
  %z = "stablehlo.dynamic_update_slice"(%x0, %x1, %x2) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<2xf32>, %x2: tensor<i32>) {
  // expected-error @+2 {{'stablehlo.dynamic_update_slice' op (C3) `result` must have type tensor<4xf32>, found tensor<5xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_update_slice"(%x0, %x1, %x2) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op (C1) `offset_dims` must be at least 0 and less than 2, found 2}}
  %z = "stablehlo.gather"(%x0, %x1)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x2xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op (C2) `start_index_map` must have 2 elements, found 1}}
  %z = "stablehlo.gather"(%x0, %x1)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<5x3xf32>, tensor<2x2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op (C3) axis 0 of the parts must have at most size 1 to be dropped, found [2, 3]}}
  %z = "stablehlo.gather"(%x0, %x1)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>) {
  // expected-error @+2 {{'stablehlo.gather' op (C4) `result` must have type tensor<2x3xf32>, found tensor<2x4xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.gather"(%x0, %x1)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op (C1) `collapsed_slice_dims` must be at least 0 and less than 2, found 7}}
  %z = "stablehlo.dynamic_gather"(%x0, %x1, %x2)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [7], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  return
}

// -----

// expected-note @+1 {{`start_indices` is defined here}}
func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xf32>, %x2: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op (C2) `start_indices` must be an array of integers, found tensor<2x1xf32>}}
  %z = "stablehlo.dynamic_gather"(%x0, %x1, %x2)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<5x3xf32>, tensor<2x1xf32>, tensor<2xi32>) -> tensor<2x?xf32>
  return
}

// -----

// expected-note @+1 {{`slice_sizes` is defined here}}
func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_gather' op (C3) `slice_sizes` must be a vector of 2 integers, found tensor<3xi32>}}
  %z = "stablehlo.dynamic_gather"(%x0, %x1, %x2)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2xi32>) {
  // expected-error @+2 {{'stablehlo.dynamic_gather' op (C4) `result` must have type tensor<2x?xf32>, found tensor<4x?xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dynamic_gather"(%x0, %x1, %x2)
      <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4x?xf32>
  return
}

// -----

// expected-note @+1 {{`index` is defined here}}
func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op (C1) `index` must be an array of integers, found tensor<2xf32>}}
  %z = "stablehlo.torch_index_select"(%x0, %x1) <{dim = 0 : i64, batch_dims = 0 : i64}>
      : (tensor<5x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op (C2) `batch_dims` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.torch_index_select"(%x0, %x1) <{dim = 0 : i64, batch_dims = 1 : i64}>
      : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2xi32>) {
  // expected-error @+2 {{'stablehlo.torch_index_select' op (C3) `result` must have type tensor<2x3xf32>, found tensor<5x3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.torch_index_select"(%x0, %x1) <{dim = 0 : i64, batch_dims = 0 : i64}>
      : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op (C1) `dimension` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.get_dimension_size"(%x0) <{dimension = 1 : i64}> : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.get_dimension_size' op (C2) `result` must have type tensor<i32>, found tensor<i64>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.get_dimension_size"(%x0) <{dimension = 0 : i64}> : (tensor<4xf32>) -> tensor<i64>
  return
}

// -----

// expected-note @+1 {{`size` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op (C1) `size` must have 0 axes, found tensor<4xi32>}}
  %z = "stablehlo.set_dimension_size"(%x0, %x1) <{dimension = 0 : i64}>
      : (tensor<4xf32>, tensor<4xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.set_dimension_size' op (C2) `dimension` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.set_dimension_size"(%x0, %x1) <{dimension = 1 : i64}>
      : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<i32>) {
  // expected-error @+2 {{'stablehlo.set_dimension_size' op (C3) `result` must have type tensor<?xf32>, found tensor<?xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.set_dimension_size"(%x0, %x1) <{dimension = 0 : i64}>
      : (tensor<4xf32>, tensor<i32>) -> tensor<?xi32>
  return
}

// -----

// expected-note @+1 {{`init_values` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.reduce' op (C1) `init_values` must have type tensor<f32>, found tensor<i32>}}
  %z = "stablehlo.reduce"(%x0, %x1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op (C2) `dimensions` must be at least 0 and less than 2, found 2}}
  %z = "stablehlo.reduce"(%x0, %x1) <{dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<f32>) {
  // expected-error @+2 {{'stablehlo.reduce' op (C3) `results` must have type tensor<2xf32>, found tensor<3xf32>}}
  // expected-note @+1 {{`results` is defined here}}
  %z = "stablehlo.reduce"(%x0, %x1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op (C4) the region `body` must take (tensor<f32>, tensor<f32>), found (tensor<f32>)}}
  %z = "stablehlo.reduce"(%x0, %x1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a0: tensor<f32>):
    "stablehlo.return"(%a0) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op (C1) `results` must have 1 element, found 2}}
  %z:2 = "stablehlo.reduce_window"(%x0, %x1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op (C2) `window_strides` must be at least 1, found 0}}
  %z = "stablehlo.reduce_window"(%x0, %x1) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op (C2) `window_dimensions` must be at least 1, found 0}}
  %z = "stablehlo.reduce_window"(%x0, %x1) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+2 {{'stablehlo.reduce_window' op (C3) `results` must have type tensor<3xf32>, found tensor<4xf32>}}
  // expected-note @+1 {{`results` is defined here}}
  %z = "stablehlo.reduce_window"(%x0, %x1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op (C4) the region `body` must return (tensor<f32>), found ()}}
  %z = "stablehlo.reduce_window"(%x0, %x1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>):
    "stablehlo.return"() : () -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{`init_value` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<3xf32>, %x2: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op (C1) `init_value` must have type tensor<f32>, found tensor<4xf32>}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op (C2) `window_dimensions` must have 1 element, found 2}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<5xf32>, %x2: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op (C2) `window_dimensions` must be at least 1, found 0}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`source` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>, %x2: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op (C3) `source` must have type tensor<3xf32>, found tensor<4xf32>}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // expected-error @+2 {{'stablehlo.select_and_scatter' op (C4) `result` must have type tensor<4xf32>, found tensor<3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<3xf32>, %x2: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op (C5) the region `select` must return (tensor<i1>), found (tensor<f32>)}}
  %z = "stablehlo.select_and_scatter"(%x0, %x1, %x2) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op (C1) `inserted_window_dims` must contain each axis once, found 0 again}}
  %z = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x2xi32>, %x2: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op (C2) `scatter_dims_to_operand_dims` must have 2 elements, found 1}}
  %z = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x2xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op (C3) `results` must have 1 element, found 2}}
  %z:2 = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
  return
}

// -----

// expected-note @+1 {{`inputs` is defined here}}
func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op (C4) the sizes of `update_window_dims` must be at most those of tensor<5x3xf32>, found [5, 4]}}
  %z = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2x3xf32>) {
  // expected-error @+2 {{'stablehlo.scatter' op (C5) `results` must have type tensor<5x3xf32>, found tensor<5x4xf32>}}
  // expected-note @+1 {{`results` is defined here}}
  %z = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @main(%x0: tensor<5x3xf32>, %x1: tensor<2x1xi32>, %x2: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op (C6) the region `update_computation` must take (tensor<f32>, tensor<f32>), found (tensor<i32>, tensor<i32>)}}
  %z = "stablehlo.scatter"(%x0, %x1, %x2)
      <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

// expected-note @+1 {{`inputs` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<5xi32>) {
  // expected-error @+1 {{'stablehlo.sort' op (C1) `inputs` must have type tensor<4xi32>, found tensor<5xi32>}}
  %z:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>, tensor<5xi32>) -> (tensor<4xf32>, tensor<5xi32>)
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op (C2) `dimension` must be at least -1 and less than 1, found 1}}
  %z = "stablehlo.sort"(%x0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.sort' op (C3) `results` must have type tensor<4xf32>, found tensor<4xi32>}}
  // expected-note @+1 {{`results` is defined here}}
  %z = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op (C4) the region `comparator` must return (tensor<i1>), found (tensor<f32>)}}
  %z = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`inputs` is defined here}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.map' op (C1) `inputs` must have type tensor<4xf32>, found tensor<5xf32>}}
  %z = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op (C2) `dimensions` must list the axes of tensor<4xf32> in their order, found [1]}}
  %z = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.map' op (C3) `result` must have type tensor<4xf32>, found tensor<5xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.map' op (C4) the region `computation` must take (tensor<f32>), found (tensor<f32>, tensor<f32>)}}
  %z = "stablehlo.map"(%x0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.while' op (C1) the results must have types (tensor<f32>), found (tensor<i32>)}}
  %z = "stablehlo.while"(%x0) ({
  ^bb0(%a: tensor<f32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a0: tensor<f32>):
    "stablehlo.return"(%a0) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<i32>
  return
}

// -----

func.func @main(%x0: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.while' op (C2) the region `cond` must return (tensor<i1>), found (tensor<f32>)}}
  %z = "stablehlo.while"(%x0) ({
  ^bb0(%a0: tensor<f32>):
    "stablehlo.return"(%a0) : (tensor<f32>) -> ()
  }, {
  ^bb0(%a0: tensor<f32>):
    "stablehlo.return"(%a0) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @main(%x0: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.while' op (C3) the region `body` must take (tensor<f32>), found (tensor<f32>, tensor<f32>)}}
  %z = "stablehlo.while"(%x0) ({
  ^bb0(%a: tensor<f32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// expected-note @+1 {{`pred` is defined here}}
func.func @main(%x0: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.if' op (C1) `pred` must have 0 axes, found tensor<4xi1>}}
  "stablehlo.if"(%x0) ({
    "stablehlo.return"() : () -> ()
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<4xi1>) -> ()
  return
}

// -----

func.func @main(%x0: tensor<i1>) {
  // expected-error @+1 {{'stablehlo.if' op (C2) the region `branch` must return (tensor<i1>), found ()}}
  %z = "stablehlo.if"(%x0) ({
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return
}

// -----

// expected-note @+1 {{`index` is defined here}}
func.func @main(%x0: tensor<i64>) {
  // expected-error @+1 {{'stablehlo.case' op (C1) `index` must have type tensor<i32>, found tensor<i64>}}
  "stablehlo.case"(%x0) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<i64>) -> ()
  return
}

// -----

func.func @main(%x0: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.case' op (C2) the region `branch` must return (), found (tensor<i1>)}}
  "stablehlo.case"(%x0) ({
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.composite' op (C1) there is no function `@missing` in this module}}
  %z = "stablehlo.composite"(%x0) <{name = "a.b", decomposition = @missing}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f()
func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.composite' op (C2) the operands must have types (), found (tensor<4xf32>)}}
  "stablehlo.composite"(%x0) <{name = "a.b", decomposition = @f}> : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xi32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op (C1) `lhs` and `rhs` must have elements of the same kind, found tensor<2x3xf32> and tensor<3x5xi32>}}
  %z = "stablehlo.dot_general"(%x0, %x1)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<2x3xf32>, tensor<3x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op (C2) expected as many contracting axes of both operands, found 1 and 0}}
  %z = "stablehlo.dot_general"(%x0, %x1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1]>}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op (C3) axis 0 of tensor<2x3xf32> and axis 0 of tensor<3x5xf32> must have the same size}}
  %z = "stablehlo.dot_general"(%x0, %x1)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+2 {{'stablehlo.dot_general' op (C4) `result` must have type tensor<2x5xf32>, found tensor<5x2xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dot_general"(%x0, %x1)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op (C1) `lhs` and `result` must have elements of the same kind, found tensor<2x3xf32> and tensor<2x5xi32>}}
  %z = "stablehlo.dot"(%x0, %x1) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xi32>
  return
}

// -----

func.func @main(%x0: tensor<f32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op (C2) expected vectors or matrices, found tensor<f32> and tensor<3x5xf32>}}
  %z = "stablehlo.dot"(%x0, %x1) : (tensor<f32>, tensor<3x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op (C3) axis 1 of tensor<2x3xf32> and axis 0 of tensor<2x3xf32> must have the same size}}
  %z = "stablehlo.dot"(%x0, %x1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+2 {{'stablehlo.dot' op (C4) `result` must have type tensor<2x5xf32>, found tensor<2xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.dot"(%x0, %x1) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xi32>) {
  // expected-error @+1 {{'stablehlo.einsum' op (C1) `lhs` and `rhs` must have elements of the same kind, found tensor<2x3xf32> and tensor<3x5xi32>}}
  %z = "stablehlo.einsum"(%x0, %x1) <{einsum_config = "ij,jk->ik"}>
      : (tensor<2x3xf32>, tensor<3x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op (C2) the result must name axes of the operands once each}}
  %z = "stablehlo.einsum"(%x0, %x1) <{einsum_config = "ij,jk->il"}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

// expected-note @+1 {{`rhs` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op (C3) all axes `i` must have the same size, found tensor<3x5xf32>}}
  %z = "stablehlo.einsum"(%x0, %x1) <{einsum_config = "ij,ik->jk"}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x5xf32>) {
  // expected-error @+2 {{'stablehlo.einsum' op (C4) `result` must have type tensor<2x5xf32>, found tensor<5x2xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.einsum"(%x0, %x1) <{einsum_config = "ij,jk->ik"}>
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op (C1) `operand` and `result` must have elements of the same kind, found tensor<2x3xf32> and tensor<2xi32>}}
  %z = "stablehlo.unary_einsum"(%x0) <{einsum_config = "ij->i"}> : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op (C2) `einsum_config` must name the axes of 1 operands by letters}}
  %z = "stablehlo.unary_einsum"(%x0) <{einsum_config = "ij"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op (C3) `operand` must have 3 axes, found tensor<2x3xf32>}}
  %z = "stablehlo.unary_einsum"(%x0) <{einsum_config = "ijk->i"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+2 {{'stablehlo.unary_einsum' op (C4) `result` must have type tensor<3xf32>, found tensor<2xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.unary_einsum"(%x0) <{einsum_config = "ij->j"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<2x8xf32>, %x1: tensor<3x4x6xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op (C1) `lhs` must have 3 axes, found tensor<2x8xf32>}}
  %z = "stablehlo.convolution"(%x0, %x1)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op (C2) only one kind of group may have more than one, found 2 and 2}}
  %z = "stablehlo.convolution"(%x0, %x1)
      <{batch_group_count = 2 : i64, feature_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op (C3) the groups must divide batch and features of tensor<2x8x4xf32> and tensor<3x4x6xf32>, found 3 and 1}}
  %z = "stablehlo.convolution"(%x0, %x1)
      <{batch_group_count = 1 : i64, feature_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op (C4) `window_dilations` must be at least 1, found 0}}
  %z = "stablehlo.convolution"(%x0, %x1)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, rhs_dilation = array<i64: 0>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

// expected-note @+1 {{`lhs` is defined here}}
func.func @main(%x0: tensor<2x8xf32>, %x1: tensor<3x4x6xf32>, %x2: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op (C1) `lhs` must have 3 axes, found tensor<2x8xf32>}}
  %z = "stablehlo.dynamic_conv"(%x0, %x1, %x2)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8xf32>, tensor<3x4x6xf32>, tensor<1x2xi32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>, %x2: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op (C2) only one kind of group may have more than one, found 2 and 2}}
  %z = "stablehlo.dynamic_conv"(%x0, %x1, %x2)
      <{batch_group_count = 2 : i64, feature_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>, tensor<1x2xi32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>, %x2: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op (C3) the groups must divide batch and features of tensor<2x8x4xf32> and tensor<3x4x6xf32>, found 3 and 1}}
  %z = "stablehlo.dynamic_conv"(%x0, %x1, %x2)
      <{batch_group_count = 1 : i64, feature_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>, tensor<1x2xi32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>, %x2: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op (C4) `window_dilations` must be at least 1, found 0}}
  %z = "stablehlo.dynamic_conv"(%x0, %x1, %x2)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, rhs_dilation = array<i64: 0>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>, tensor<1x2xi32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>) {
  // expected-error @+2 {{'stablehlo.convolution' op (C5) `result` must have type tensor<2x6x6xf32>, found tensor<2x7x6xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.convolution"(%x0, %x1)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

// expected-note @+1 {{`padding` is defined here}}
func.func @main(%x0: tensor<2x8x4xf32>, %x1: tensor<3x4x6xf32>, %x2: tensor<2x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op (C5) `padding` must have type tensor<1x2xi32>, found tensor<2x2xi32>}}
  %z = "stablehlo.dynamic_conv"(%x0, %x1, %x2)
      <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
      : (tensor<2x8x4xf32>, tensor<3x4x6xf32>, tensor<2x2xi32>) -> tensor<2x?x6xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op (C1) `operand` must be an array of complex numbers, found tensor<8xf32>}}
  %z = "stablehlo.fft"(%x0) <{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 8>}>
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @main(%x0: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op (C2) expected at least 1 and at most 1 transformed axes, found 2}}
  %z = "stablehlo.fft"(%x0) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8, 8>}>
      : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op (C3) `operand` must have type tensor<9xcomplex<f32>>, found tensor<8xcomplex<f32>>}}
  %z = "stablehlo.fft"(%x0) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 9>}>
      : (tensor<8xcomplex<f32>>) -> tensor<9xcomplex<f32>>
  return
}

// -----

func.func @main(%x0: tensor<8xf32>) {
  // expected-error @+2 {{'stablehlo.fft' op (C4) `result` must have type tensor<5xcomplex<f32>>, found tensor<8xcomplex<f32>>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.fft"(%x0) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}>
      : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

// expected-note @+1 {{`a` is defined here}}
func.func @main(%x0: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op (C1) `a` must be square matrices, found tensor<2x3xf32>}}
  %z = "stablehlo.cholesky"(%x0) <{lower = true}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<3x3xf32>) {
  // expected-error @+2 {{'stablehlo.cholesky' op (C2) `result` must have type tensor<3x3xf32>, found tensor<2x3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.cholesky"(%x0) <{lower = true}> : (tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{`a` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op (C1) `a` must be square matrices, found tensor<2x3xf32>}}
  %z = "stablehlo.triangular_solve"(%x0, %x1)
      <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{`b` is defined here}}
func.func @main(%x0: tensor<3x3xf32>, %x1: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op (C2) `b` must be right sides for the matrices tensor<3x3xf32>, found tensor<2x3xf32>}}
  %z = "stablehlo.triangular_solve"(%x0, %x1)
      <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
      : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<3x3xf32>, %x1: tensor<3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op (C3) `transpose_a` must be a form of the matrix, found `TRANSPOSE_INVALID`}}
  %z = "stablehlo.triangular_solve"(%x0, %x1)
      <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>}>
      : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @main(%x0: tensor<3x3xf32>, %x1: tensor<3x2xf32>) {
  // expected-error @+2 {{'stablehlo.triangular_solve' op (C4) `result` must have type tensor<3x2xf32>, found tensor<3x3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.triangular_solve"(%x0, %x1)
      <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
      : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<3xi32>, %x2: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op (C1) `operand` must be an array of floats, found tensor<2x3xi32>}}
  %z:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>)
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op (C2) `feature_index` must be at least 0 and less than 2, found 2}}
  %z:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// expected-note @+1 {{`scale` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op (C3) `scale` must have type tensor<2xf32>, found tensor<3xf32>}}
  %z:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) <{epsilon = 1.0e-3 : f32, feature_index = 0 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>) {
  // expected-error @+2 {{'stablehlo.batch_norm_training' op (C4) `output` must have type tensor<2x3xf32>, found tensor<3x3xf32>}}
  // expected-note @+1 {{`output` is defined here}}
  %z:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<3xi32>, %x2: tensor<3xi32>, %x3: tensor<3xi32>, %x4: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_inference' op (C1) `operand` must be an array of floats, found tensor<2x3xi32>}}
  %z = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>, %x3: tensor<3xf32>, %x4: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_inference' op (C2) `feature_index` must be at least 0 and less than 2, found -1}}
  %z = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = -1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{`variance` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>, %x3: tensor<3xf32>, %x4: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_inference' op (C3) `variance` must have type tensor<3xf32>, found tensor<2xf32>}}
  %z = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>, %x3: tensor<3xf32>, %x4: tensor<3xf32>) {
  // expected-error @+2 {{'stablehlo.batch_norm_inference' op (C4) `result` must have type tensor<2x3xf32>, found tensor<3x3xf32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

// expected-note @+1 {{`operand` is defined here}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<3xi32>, %x2: tensor<3xi32>, %x3: tensor<3xi32>, %x4: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_grad' op (C1) `operand` must be an array of floats, found tensor<2x3xi32>}}
  %z:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>)
  return
}

// -----

func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>, %x3: tensor<3xf32>, %x4: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_grad' op (C2) `feature_index` must be at least 0 and less than 2, found 5}}
  %z:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 5 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// expected-note @+1 {{`mean` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<2xf32>, %x3: tensor<3xf32>, %x4: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_grad' op (C3) `mean` must have type tensor<3xf32>, found tensor<2xf32>}}
  %z:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// expected-note @+1 {{`grad_output` is defined here}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<3xf32>, %x3: tensor<3xf32>, %x4: tensor<3x3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_grad' op (C4) `grad_output` must have type tensor<2x3xf32>, found tensor<3x3xf32>}}
  %z:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'stablehlo.partition_id' op (C1) `result` must have type tensor<ui32>, found tensor<i32>}}
  %z = "stablehlo.partition_id"() : () -> tensor<i32>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'stablehlo.replica_id' op (C1) `result` must have type tensor<ui32>, found tensor<2xui32>}}
  %z = "stablehlo.replica_id"() : () -> tensor<2xui32>
  return
}

// -----

// expected-note @+1 {{`b` is defined here}}
func.func @main(%x0: tensor<f32>, %x1: tensor<i32>, %x2: tensor<1xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op (C1) `b` must have type tensor<f32>, found tensor<i32>}}
  %z = "stablehlo.rng"(%x0, %x1, %x2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>
      : (tensor<f32>, tensor<i32>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{`shape` is defined here}}
func.func @main(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op (C2) `shape` must be a vector of 1 integer, found tensor<2xi64>}}
  %z = "stablehlo.rng"(%x0, %x1, %x2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<1xi64>) {
  // expected-error @+2 {{'stablehlo.rng' op (C3) `result` must have type tensor<4xf32>, found tensor<4xi32>}}
  // expected-note @+1 {{`result` is defined here}}
  %z = "stablehlo.rng"(%x0, %x1, %x2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{`initial_state` is defined here}}
func.func @main(%x0: tensor<3xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op (C1) `initial_state` must be a vector of 2 elements of type ui64, found tensor<3xui64>}}
  %z:2 = "stablehlo.rng_bit_generator"(%x0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
      : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @main(%x0: tensor<2xui64>) {
  // expected-error @+2 {{'stablehlo.rng_bit_generator' op (C2) `output_state` must have type tensor<2xui64>, found tensor<3xui64>}}
  // expected-note @+1 {{`output_state` is defined here}}
  %z:2 = "stablehlo.rng_bit_generator"(%x0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
      : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @main(%x0: tensor<2xui64>) {
  // expected-error @+2 {{'stablehlo.rng_bit_generator' op (C3) `output` must be an array of integers or floats, found tensor<4xi1>}}
  // expected-note @+1 {{`output` is defined here}}
  %z:2 = "stablehlo.rng_bit_generator"(%x0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.tuple' op (C1) the elements of `result` must have types (tensor<4xf32>), found (tensor<f32>)}}
  %z = "stablehlo.tuple"(%x0) : (tensor<4xf32>) -> tuple<tensor<f32>>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op (C1) `operand` must be a tuple, found tensor<4xf32>}}
  %z = "stablehlo.get_tuple_element"(%x0) <{index = 0 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tuple<tensor<4xf32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op (C2) `index` must be at least 0 and less than 1, found 1}}
  %z = "stablehlo.get_tuple_element"(%x0) <{index = 1 : i32}> : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tuple<tensor<4xf32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op (C3) `result` must have types (tensor<4xf32>), found (tensor<f32>)}}
  %z = "stablehlo.get_tuple_element"(%x0) <{index = 0 : i32}> : (tuple<tensor<4xf32>>) -> tensor<f32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op (C1) the results must have types (tensor<4xf32>), found (tensor<f32>)}}
  %z = "stablehlo.optimization_barrier"(%x0) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'stablehlo.create_token' op (C1) `output` must be a token, found tensor<f32>}}
  %z = "stablehlo.create_token"() : () -> tensor<f32>
  return
}

// -----

func.func @main(%x0: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.after_all' op (C1) `inputs` must be a token, found tensor<f32>}}
  %z = "stablehlo.after_all"(%x0) : (tensor<f32>) -> !stablehlo.token
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op (C1) `results` must have rank and elements of tensor<4xf32>, found tensor<4xi32>}}
  %z = "stablehlo.all_reduce"(%x0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op (C2) the region `computation` must take (tensor<f32>, tensor<f32>), found (tensor<i32>, tensor<i32>)}}
  %z = "stablehlo.all_reduce"(%x0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x0: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op (C1) `results` must have 1 element, found 2}}
  %z:2 = "stablehlo.all_gather"(%x0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}>
      : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.return' op (C1) a function must end in `func.return`, found `stablehlo.return`}}
  "stablehlo.return"() : () -> ()
}
