// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `dual.td`.

func.func @unknown_function(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) there is no function `@f` in this module; define it, or correct `callee`}}
  %g = dual.grad @f(%x) : (f64) -> f64
  return %g : f64
}

// -----

func.func private @f(f64) -> f64
func.func @declaration(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) `@f` must have a body to differentiate, found a declaration}}
  %g = dual.grad @f(%x) : (f64) -> f64
  return %g : f64
}

// -----

memref.global @f : memref<4xf64>
func.func @no_function(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) `@f` must be a function, found 'memref.global'}}
  %g = dual.grad @f(%x) : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64, %y: f64) -> f64 {
  return %x : f64
}
func.func @wrong_inputs(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jvp' op (C1) inputs must have the types of the arguments of `@f`, [f64, f64], found [f64]}}
  %y, %t = dual.jvp @f(%x) tangents(%x) : (f64, f64) -> (f64, f64)
  return %t : f64
}

// -----

func.func @f(%n: index) -> f64 {
  %x = arith.constant 1.0 : f64
  return %x : f64
}
func.func @nothing_varies(%n: index) {
  // expected-error @+1 {{'dual.grad' op (C1) `@f` must have a float argument to differentiate with respect to, found none}}
  dual.grad @f(%n) : (index) -> ()
  return
}

// -----

func.func @f(%x: f64, %n: index) -> f64 {
  return %x : f64
}
func.func @wrt_integer(%x: f64, %n: index) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C2) `wrt` must name arguments that are floats, found argument #1 of type index}}
  %g = dual.grad @f(%x, %n) wrt [1] : (f64, index) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @wrt_out_of_range(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jacobian' op (C2) `wrt` must contain positions of inputs, counted from 0; the number of inputs is 1, found position 1}}
  %g = dual.jacobian @f(%x) wrt [1] : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64, %y: f64) -> f64 {
  return %x : f64
}
func.func @wrt_order(%x: f64) -> (f64, f64) {
  // expected-error @+1 {{'dual.grad' op (C2) `wrt` must be a non-empty, strictly increasing list of arguments, counted from 0, found [1, 0]}}
  %g:2 = dual.grad @f(%x, %x) wrt [1, 0] : (f64, f64) -> (f64, f64)
  return %g#0, %g#1 : f64, f64
}

// -----

func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @grad_c3(%x: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @+1 {{'dual.grad' op (C3) `@f` must return one float scalar, found [tensor<3xf64>]}}
  %g = dual.grad @f(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}

// -----

func.func @f(%x: tensor<3xf64>) -> f64 {
  %y = array.sum %x : (tensor<3xf64>) -> f64
  return %y : f64
}
func.func @grad_c4(%x: tensor<3xf64>) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C4) results must have types [tensor<3xf64>], found [f64]}}
  %g = dual.grad @f(%x) : (tensor<3xf64>) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @jvp_c3(%x: f64, %t: f32) -> f64 {
  // expected-error @+1 {{'dual.jvp' op (C3) `tangents` must have types [f64], found [f32]}}
  %y:2 = dual.jvp @f(%x) tangents(%t) : (f64, f32) -> (f64, f64)
  return %y#1 : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @jvp_c4(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jvp' op (C4) results must have types [f64, f64], found [f64]}}
  %y = dual.jvp @f(%x) tangents(%x) : (f64, f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: f64) {
  return
}
func.func @jacobian_c3(%x: f64) {
  // expected-error @+1 {{'dual.jacobian' op (C3) `@f` must return floats, found no result}}
  dual.jacobian @f(%x) : (f64) -> ()
  return
}

// -----

func.func @f(%x: f64) -> (f64, f64) {
  return %x, %x : f64, f64
}
func.func @jacobian_c4_two_results(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jacobian' op (C4) results must have types [f64, f64], found [f64]}}
  %y = dual.jacobian @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: f64) -> index {
  %c = arith.constant 0 : index
  return %c : index
}
func.func @jacobian_of_integers(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jacobian' op (C3) `@f` must return floats, found index}}
  %y = dual.jacobian @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: tensor<3xf64>, %y: f64) -> tensor<2xf64> {
  %z = array.replicate %y : (f64) -> tensor<2xf64>
  return %z : tensor<2xf64>
}
func.func @jacobian_c4(%x: tensor<3xf64>, %y: f64) -> tensor<3x2xf64> {
  // expected-error @+1 {{'dual.jacobian' op (C4) results must have types [tensor<2x3xf64>], found [tensor<3x2xf64>]}}
  %j = dual.jacobian @f(%x, %y) wrt [0] : (tensor<3xf64>, f64) -> tensor<3x2xf64>
  return %j : tensor<3x2xf64>
}

// -----

func.func @f(%x: f64) -> (f64, index) {
  %n = arith.constant 0 : index
  return %x, %n : f64, index
}
func.func @vjp_c3(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.vjp' op (C3) `cotangents` must have types [f64], found [f64, f64]}}
  %y:3 = dual.vjp @f(%x) cotangents(%x, %x) : (f64, f64, f64) -> (f64, index, f64)
  return %y#0 : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @vjp_c4(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.vjp' op (C4) results must have types [f64, f64], found [f64]}}
  %y = dual.vjp @f(%x) cotangents(%x) : (f64, f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @hvp_c3(%x: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @+1 {{'dual.hvp' op (C3) `@f` must return one float scalar, found [tensor<3xf64>]}}
  %h = dual.hvp @f(%x) tangents(%x) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %h : tensor<3xf64>
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @hvp_c4(%x: f64, %t: f32) -> f64 {
  // expected-error @+1 {{'dual.hvp' op (C4) `tangents` must have types [f64], found [f32]}}
  %h = dual.hvp @f(%x) tangents(%t) : (f64, f32) -> f64
  return %h : f64
}

// -----

func.func @f(%x: f64) -> (f64, f64) {
  return %x, %x : f64, f64
}
func.func @value_and_grad_c3(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.value_and_grad' op (C3) `@f` must return one float scalar, found [f64, f64]}}
  %y:2 = dual.value_and_grad @f(%x) : (f64) -> (f64, f64)
  return %y#0 : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @value_and_grad_c4(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.value_and_grad' op (C4) results must have types [f64, f64], found [f64]}}
  %y = dual.value_and_grad @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @unknown_mode(%x: f64) -> f64 {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'mode' [forward, reverse, auto]}}
  %y = dual.grad @f(%x) mode sideways : (f64) -> f64
  return %y : f64
}

// -----

func.func @linear_c1(%n: index) {
  // expected-error @+1 {{'dual.linear' op (C1) `points` must be floats, found index}}
  %d = dual.linear (%t = %n : index) {
    %c = arith.constant 0.0 : f64
    dual.yield %c : f64
  } : !dual.delta<(index) -> f64>
  return
}

// -----

func.func @linear_c2(%x: f64) {
  // expected-error @+1 {{'dual.linear' op (C2) `delta` must have type !dual.delta<(f64) -> f64>, found !dual.delta<(f64) -> (f64, f64)>}}
  %d = dual.linear (%t = %x : f64) {
    dual.yield %t : f64
  } : !dual.delta<(f64) -> (f64, f64)>
  return
}

// -----

func.func @transpose_c1(%d: !dual.delta<(f64) -> f64>, %c: f32) -> f64 {
  // expected-error @+1 {{'dual.transpose' op (C1) `cotangents` must have types [f64], found [f32]}}
  %x = dual.transpose %d(%c) : (!dual.delta<(f64) -> f64>, f32) -> f64
  return %x : f64
}

// -----

func.func @no_function(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) expected `callee` or a region, found neither}}
  %g = "dual.grad"(%x) ({}) : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @function_and_region(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) expected `callee` or a region, found both}}
  %g = "dual.grad"(%x) <{callee = @f}> ({
  ^bb0(%a: f64):
    dual.yield %a : f64
  }) : (f64) -> f64
  return %g : f64
}

// -----

func.func @region_end(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) the region must end in `dual.yield`}}
  %g = dual.grad (%a = %x : f64) {
    array.yield %a : f64
  } : (f64) -> f64
  return %g : f64
}

// -----

func.func @region_inputs(%y: f32) -> f64 {
  // expected-error @+1 {{'dual.grad' op (C1) inputs must have the types of the arguments of the region, [f64], found [f32]}}
  %g = "dual.grad"(%y) ({
  ^bb0(%a: f64):
    dual.yield %a : f64
  }) : (f32) -> f64
  return %g : f64
}

// -----

func.func @region_loss(%x: tensor<3xf64>) -> tensor<3xf64> {
  // expected-error @+1 {{'dual.grad' op (C3) the region must return one float scalar, found [tensor<3xf64>]}}
  %g = dual.grad (%a = %x : tensor<3xf64>) {
    dual.yield %a : tensor<3xf64>
  } : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}

// -----

func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @hessian_c3(%x: tensor<3xf64>) -> tensor<3x3xf64> {
  // expected-error @+1 {{'dual.hessian' op (C3) `@f` must return one float scalar, found [tensor<3xf64>]}}
  %h = dual.hessian @f(%x) : (tensor<3xf64>) -> tensor<3x3xf64>
  return %h : tensor<3x3xf64>
}

// -----

func.func @f(%x: tensor<3xf64>, %y: f64) -> f64 {
  return %y : f64
}
func.func @hessian_c4(%x: tensor<3xf64>, %y: f64) -> tensor<3x3xf64> {
  // expected-error @+1 {{'dual.hessian' op (C4) results must have types [tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, f64], found [tensor<3x3xf64>]}}
  %h = dual.hessian @f(%x, %y) : (tensor<3xf64>, f64) -> tensor<3x3xf64>
  return %h : tensor<3x3xf64>
}

// -----

// expected-error @+1 {{'func.func' op (R1) the attribute `dual.jvp` must name a function in this module, found `@g`, which is not defined}}
func.func @rule_unknown(%x: f64) -> f64 attributes {dual.jvp = @g} {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op (R1) the attribute `dual.vjp` must name a function with a body, found `@g`}}
func.func @rule_without_body(%x: f64) -> f64 attributes {dual.vjp = @g} {
  return %x : f64
}
func.func private @g(f64, f64) -> (f64, f64)

// -----

// expected-error @+1 {{'func.func' op the attribute `dual.vjp` must be of type symbol, found 1 : i64}}
func.func @rule_no_symbol(%x: f64) -> f64 attributes {dual.vjp = 1 : i64} {
  return %x : f64
}

// -----

func.func @rule_on_an_op(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.negf' op must not have the attribute `dual.jvp`, which belongs on 'func.func'}}
  %y = arith.negf %x {dual.jvp = @rule_on_an_op} : f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op (R2) `@g` must have arguments [f64, index, f64] and results [f64, f64], found arguments [f64, index] and results [f64]}}
func.func @rule_r2(%x: f64, %n: index) -> f64 attributes {dual.jvp = @g} {
  return %x : f64
}
func.func @g(%x: f64, %n: index) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op (R3) `@g` must have arguments [tensor<3xf64>, f64] and results [f64, tensor<3xf64>], found arguments [tensor<3xf64>, tensor<3xf64>] and results [f64, f64]}}
func.func @rule_r3(%x: tensor<3xf64>) -> f64 attributes {dual.vjp = @g} {
  %y = array.sum %x : (tensor<3xf64>) -> f64
  return %y : f64
}
func.func @g(%x: tensor<3xf64>, %c: tensor<3xf64>) -> (f64, f64) {
  %y = array.sum %x : (tensor<3xf64>) -> f64
  return %y, %y : f64, f64
}

// -----

func.func @f(%x: f64) -> f64 {
  return %x : f64
}
func.func @value_and_grad_c1(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.value_and_grad' op (C1) inputs must have the types of the arguments of `@f`, [f64], found [f64, f64]}}
  %y:3 = dual.value_and_grad @f(%x, %x) : (f64, f64) -> (f64, f64, f64)
  return %y#1 : f64
}

// -----

func.func @f(%x: f64, %y: f64) -> f64 {
  return %x : f64
}
func.func @value_and_grad_c2(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.value_and_grad' op (C2)}}
  %y:3 = dual.value_and_grad @f(%x, %x) wrt [1, 0] : (f64, f64) -> (f64, f64, f64)
  return %y#1 : f64
}

// -----

func.func @jacobian_c1(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.jacobian' op (C1) there is no function `@f` in this module; define it, or correct `callee`}}
  %y = dual.jacobian @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op unknown attribute `dual.jvpp`; did you mean `dual.jvp`?}}
func.func @rule_name(%x: f64) -> f64 attributes {dual.jvpp = @rule_name} {
  return %x : f64
}
