// RUN: mlopt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(stream-inline,stream-grad,differentiate)'
// An unknown derivative is an error, E-DIFF, at the equation (spec/streams.md 5).

// An op without a rule.
stream.node @no_rule(%x: tensor<3xf64>) -> (y: f64) {
  %one = arith.constant 1 : index
  // expected-error @+4 {{'tensor.extract' op E-DIFF: cannot be differentiated: the op has no derivative rule; the op is on a path from an input to a differentiated result}}
  // expected-note @+3 {{returns a value that depends on that op}}
  // expected-note @+2 {{is requested here}}
  // expected-note @+1 {{an enclosing function may define its own derivative}}
  %y = tensor.extract %x[%one] : tensor<3xf64>
  stream.yield %y : f64
}

// -----

// The same inside an equation.
stream.node @no_rule_within(%x: tensor<3xf64>) -> (y: tensor<3xf64>) {
  // expected-note @+2 {{is requested here}}
  // expected-note @+1 {{returns a value that depends on that op}}
  %y = array.build (%i < 3) -> (tensor<3xf64>) {
    // expected-error @+3 {{'tensor.extract' op E-DIFF: cannot be differentiated: the op has no derivative rule}}
    // expected-note @+2 {{the value reaches the result through 'array.yield'}}
    // expected-note @+1 {{an enclosing function may define its own derivative}}
    %e = tensor.extract %x[%i] : tensor<3xf64>
    array.yield %e : f64
  }
  stream.yield %y : tensor<3xf64>
}

// -----

// The derivative of a function without a body is unknown.
func.func private @elsewhere(f64) -> f64
stream.node @elsewhere_called(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'func.call' op E-DIFF: not supported: `@elsewhere` must have a body to be differentiated, found a declaration}}
  %y = func.call @elsewhere(%x) : (f64) -> f64
  stream.yield %y : f64
}

// -----

func.func @again(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op E-DIFF: not supported: `@again` is recursive and cannot be differentiated; use a loop, such as `scf.while`}}
  %y = func.call @again(%x) : (f64) -> f64
  return %y : f64
}
stream.node @recursive(%x: f64) -> (y: f64) {
  %y = func.call @again(%x) : (f64) -> f64
  stream.yield %y : f64
}

// -----

// A derivative would be lost on a path through a type that carries none.
stream.node @half(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'arith.truncf' op E-DIFF: `h` must be a float or an array of floats to be differentiated, found f8E5M2}}
  %h = arith.truncf %x : f64 to f8E5M2
  %y = arith.extf %h : f8E5M2 to f64
  stream.yield %y : f64
}

// -----

// An op that reaches no result is accepted.
func.func private @beside(f64) -> f64
stream.node @beside_called(%x: f64) -> (y: f64, n: i64) {
  %z = func.call @beside(%x) : (f64) -> f64
  %n = arith.fptosi %z : f64 to i64
  %y = arith.mulf %x, %x : f64
  stream.yield %y, %n : f64, i64
}
