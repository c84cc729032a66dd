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
  // expected-error @+1 {{not supported: 'stablehlo.all_reduce': communication between devices; a program runs on one device}}
  %z = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
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

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.recv': the array language has no equivalent op}}
  %z = "stablehlo.recv"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<i32>) {
  // expected-error @+1 {{not supported: 'stablehlo.custom_call': operands of types tensor<4x5xf32> in a call of LAPACK}}
  %z:2 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_spotrf_ffi"}> : (tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<i32>)
  return %z#0, %z#1 : tensor<4x5xf32>, tensor<i32>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{not supported: 'stablehlo.custom_call': results of types tensor<5x4xf32> in a call of LAPACK}}
  %z = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_spotrf_ffi"}> : (tensor<4x4xf32>) -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.remainder': a function of complex numbers that the array language has no equivalent for}}
  %z = "stablehlo.remainder"(%x, %x) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}

// -----

func.func @main(%state: tensor<2xui64>) -> tensor<?xui32> {
  // expected-error @+1 {{not supported: 'stablehlo.rng_bit_generator': expected a result of static sizes, found tensor<?xui32>}}
  %z:2 = "stablehlo.rng_bit_generator"(%state) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return %z#1 : tensor<?xui32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{not supported: 'cf.br': expected one block, which ends in a return}}
  cf.br ^end(%z : tensor<4xf32>)
^end(%y: tensor<4xf32>):
  %w = "stablehlo.negate"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

func.func @main() -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{not supported: 'stablehlo.constant': expected a dense constant; complex elements are pairs `(re, im)`}}
  %z = "stablehlo.constant"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xcomplex<f32>>} : () -> tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}

// -----

// On two devices, each would have a half of the array.
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{not supported: 'sdy.manual_computation': parts of arrays on several devices; a program runs on one device}}
  %z = "sdy.manual_computation"(%x) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  ^bb0(%part: tensor<2xf32>):
    %n = "stablehlo.negate"(%part) : (tensor<2xf32>) -> tensor<2xf32>
    "sdy.return"(%n) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
