// RUN: mlopt %s --j-transform --verify-diagnostics --split-input-file
// Programs that cannot be differentiated, with the error at the op at fault.

func.func @opaque(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    // expected-error @+1 {{no-backpropagator: 'lambda.opaque' has no derivative}}
    %y = lambda.opaque %a : (f64) -> f64
    lambda.return %y : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// -----

// Called from outside the module: such a caller cannot pass the image of %f.
func.func @parameter(%f: (f64) -> f64, %x: f64) -> f64 {
  // expected-error @+1 {{unknown-function-value: the derivative depends on a parameter that is a function}}
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// -----

// The n-th derivative.
func.func @order(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = math.sin %a : f64
    lambda.return %b : f64
  }
  %d = lambda.for (%i < %n) iter_args(%g = %f) : (i64, (f64) -> f64) -> ((f64) -> f64) {
    // expected-error @+1 {{unknown-function-value: the order of this derivative depends on data, because each call or iteration differentiates the previous derivative; write a fixed order, as in `(grad (grad f))`, or use the evaluator}}
    %h = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
    lambda.yield %h : (f64) -> f64
  }
  %y = lambda.apply %d(%x) : (f64) -> f64
  return %y : f64
}

// -----

// The same indirectly: the previous derivative is called in the next function.
func.func @hidden(%x: f64, %n: i64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %b = math.sin %a : f64
    lambda.return %b : f64
  }
  %d = lambda.for (%i < %n) iter_args(%g = %f) : (i64, (f64) -> f64) -> ((f64) -> f64) {
    %h = lambda.lambda (%a: f64) -> f64 {
      // expected-error @+1 {{unknown-function-value: the order of this derivative depends on data}}
      %k = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
      %b = lambda.apply %k(%a) : (f64) -> f64
      lambda.return %b : f64
    }
    lambda.yield %h : (f64) -> f64
  }
  %y = lambda.apply %d(%x) : (f64) -> f64
  return %y : f64
}

// -----

// Types must be inferred first.
func.func @open(%x: f64) -> f64 {
  // expected-error @+2 {{'lambda.lambda' op the types of values must be known; run `lambda-specialise` before `j-transform`}}
  // expected-note @+1 {{`%a` is defined here, with type !lambda.any}}
  %f = lambda.lambda (%a: !lambda.any) -> !lambda.any {
    lambda.return %a : !lambda.any
  }
  %g = lambda.grad %f {arity = 1 : i64} : ((!lambda.any) -> !lambda.any) -> !lambda.any
  %y = lambda.apply %g(%x) : !lambda.any (f64) -> f64
  return %y : f64
}

// -----

func.func @channel(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %t0 = lambda.token : () -> !lambda.token
    // expected-error @+1 {{effect-in-gradient: a function to be differentiated must have no effects, found 'lambda.channel'}}
    %c = lambda.channel %t0 {buffer = 1} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
    lambda.return %a : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func private @both(%x: f64) -> (f64, f64) {
  return %x, %x : f64, f64
}
func.func @two_results(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    // expected-error @+1 {{not supported: in a differentiated function, a call must have one result, which may be a tuple, found 2 results}}
    %q:2 = func.call @both(%a) : (f64) -> (f64, f64)
    lambda.return %q#0 : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func private @elsewhere(f64) -> f64
func.func @no_body(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    // expected-error @+1 {{unknown-function-value: `@elsewhere` can be differentiated only if it has a body with exactly one block}}
    %q = func.call @elsewhere(%a) : (f64) -> f64
    lambda.return %q : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
