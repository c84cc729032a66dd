// RUN: mlopt %s --differentiate --split-input-file --verify-diagnostics
// A rule that is transposed must be linear in the tangents; otherwise reverse mode would be silently wrong.

func.func @f(%x: f64) -> f64 attributes {dual.jvp = @f_jvp} {
  return %x : f64
}
func.func @f_jvp(%x: f64, %x_t: f64) -> (f64, f64) {
  // expected-error @+1 {{'arith.mulf' op the derivative rule `@f_jvp` must be linear in its arguments #1 and later, but this op is not linear}}
  %s = arith.mulf %x_t, %x_t : f64
  return %x, %s : f64, f64
}
func.func @product_of_tangents(%x: f64) -> f64 {
  // expected-note @+1 {{the transpose of the rule is requested here}}
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 attributes {dual.jvp = @f_jvp} {
  return %x : f64
}
func.func @f_jvp(%x: f64, %x_t: f64) -> (f64, f64) {
  // expected-error @+1 {{'arith.addf' op the derivative rule `@f_jvp` must be linear in its arguments #1 and later, but this op adds a value that does not depend on these arguments}}
  %s = arith.addf %x_t, %x : f64
  return %x, %s : f64, f64
}
func.func @tangent_and_value(%x: f64) -> f64 {
  // expected-note @+1 {{the transpose of the rule is requested here}}
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 attributes {dual.jvp = @f_jvp} {
  return %x : f64
}
func.func @f_jvp(%x: f64, %x_t: f64) -> (f64, f64) {
  // expected-error @+1 {{'func.return' op the derivative rule `@f_jvp` must be linear in its arguments #1 and later, but a returned primal depends on these arguments}}
  return %x_t, %x_t : f64, f64
}
func.func @value_from_tangent(%x: f64) -> f64 {
  // expected-note @+1 {{the transpose of the rule is requested here}}
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 attributes {dual.vjp = @f_vjp} {
  return %x : f64
}
func.func @f_vjp(%x: f64, %c: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  // expected-error @+1 {{'arith.cmpf' op the derivative rule `@f_vjp` must be linear in its arguments #1 and later, but this op depends on these arguments, and its result has no tangent}}
  %m = arith.cmpf ogt, %c, %zero : f64
  %r = arith.select %m, %c, %zero : f64
  return %x, %r : f64, f64
}
func.func @choice_by_cotangent(%x: f64) -> f64 {
  // expected-note @+1 {{the transpose of the rule is requested here}}
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

// A remark reports the chosen mode if the request leaves it open.
func.func @f(%x: tensor<100xf64>) -> f64 {
  %s = array.sum %x : (tensor<100xf64>) -> f64
  return %s : f64
}
func.func @g(%x: f64) -> tensor<100xf64> {
  %s = array.replicate %x : (f64) -> tensor<100xf64>
  return %s : tensor<100xf64>
}
func.func @auto(%x: tensor<100xf64>, %y: f64) -> (tensor<100xf64>, tensor<100xf64>) {
  // expected-remark @+1 {{chose reverse mode: forward mode, with 100 tangents, costs about 151 times the work of `@f`, and reverse mode, with 1 cotangent, about 4 times}}
  %r = dual.grad @f(%x) mode auto : (tensor<100xf64>) -> tensor<100xf64>
  // expected-remark @+1 {{chose forward mode: forward mode, with 1 tangent, costs about 2.5 times the work of `@g`, and reverse mode, with 100 cotangents, about 251.5 times}}
  %t = dual.jacobian @g(%y) mode auto : (f64) -> tensor<100xf64>
  return %r, %t : tensor<100xf64>, tensor<100xf64>
}
