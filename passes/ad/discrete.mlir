// RUN: mlopt %s --jvp --split-input-file --verify-diagnostics
// RUN: mlopt %s --differentiate --split-input-file --verify-diagnostics
// A gradient that is zero because the results depend on the input through integers only is correct, but rarely intended.

// expected-note @below {{a function may define its own derivative: `func.func @f(...) attributes {dual.jvp = @f_jvp}`, or `dual.vjp`}}
func.func @steps(%x: f64, %scale: f64) -> f64 {
  // expected-note @below {{'arith.fptosi' returns a value of type i64, which has no derivative}}
  %whole = arith.fptosi %x : f64 to i64
  // expected-note @below {{the value reaches the result through 'arith.sitofp'}}
  %back = arith.sitofp %whole : i64 to f64
  // expected-note @below {{the value reaches the result through 'arith.mulf'}}
  %y = arith.mulf %back, %scale : f64
  // expected-note @below {{this result depends on `%x`}}
  return %y : f64
}
func.func @gradients(%x: f64, %scale: f64) -> (f64, f64) {
  // expected-warning @below {{the derivative of `@steps` with respect to `%x` is zero: `%x` reaches the results through integers only}}
  %gx, %gs = dual.grad @steps(%x, %scale) mode forward : (f64, f64) -> (f64, f64)
  return %gx, %gs : f64, f64
}

// -----

// A selection by a comparison, inside a loop, in a region.
func.func @count(%x: tensor<4xf64>) -> tensor<4xf64> {
  %n = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  // expected-warning @below {{the derivative of the function with respect to `%v` is zero}}
  // expected-note @below {{a function may define its own derivative}}
  %g = dual.grad (%v = %x : tensor<4xf64>) {
    %r = array.ifold (%i < %n) iter_args(%s = %zero) -> (f64) {
      %e = array.get %v[%i] : (tensor<4xf64>) -> f64
      // expected-note @below {{'arith.cmpf' returns a value of type i1, which has no derivative}}
      %c = arith.cmpf ogt, %e, %zero : f64
      // expected-note @below {{the value reaches the result through 'arith.select'}}
      %d = arith.select %c, %one, %zero : f64
      // expected-note @below {{the value reaches the result through 'arith.addf'}}
      %t = arith.addf %s, %d : f64
      // expected-note @below {{the value reaches the result through 'array.yield'}}
      array.yield %t : f64
    }
    // expected-note @below {{this result depends on `%v`}}
    dual.yield %r : f64
  } mode forward : (tensor<4xf64>) -> tensor<4xf64>
  return %g : tensor<4xf64>
}

// -----

// No warning if the result also depends on the input through floats, does not depend on it, or is marked constant.
func.func @relu(%x: f64, %unused: f64, %held: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  %y = arith.select %c, %x, %zero : f64
  %h = dual.stop_gradient %held : f64
  %z = arith.mulf %y, %h : f64
  return %z : f64
}
func.func @silent(%x: f64) -> (f64, f64, f64) {
  %g:3 = dual.grad @relu(%x, %x, %x) mode forward : (f64, f64, f64) -> (f64, f64, f64)
  return %g#0, %g#1, %g#2 : f64, f64, f64
}

// -----

// No warning if the function has a user-defined derivative.
func.func @straight_through(%x: f64) -> f64 attributes {dual.jvp = @straight_through_jvp} {
  %k = arith.fptosi %x : f64 to i64
  %y = arith.sitofp %k : i64 to f64
  return %y : f64
}
func.func @straight_through_jvp(%x: f64, %t: f64) -> (f64, f64) {
  %y = func.call @straight_through(%x) : (f64) -> f64
  return %y, %t : f64, f64
}
func.func @called(%x: f64) -> f64 {
  %y = func.call @straight_through(%x) : (f64) -> f64
  return %y : f64
}
func.func @silent(%x: f64) -> (f64, f64) {
  %g = dual.grad @straight_through(%x) mode forward : (f64) -> f64
  %h = dual.grad @called(%x) mode forward : (f64) -> f64
  return %g, %h : f64, f64
}
