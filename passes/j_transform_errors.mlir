// RUN: mlopt %s --j-transform --verify-diagnostics --split-input-file
// What cannot be differentiated, at the op that cannot.

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

func.func @parameter(%x: f64) -> f64 {
  %d = lambda.lambda (%f: (f64) -> f64, %a: f64) -> f64 {
    // expected-error @+1 {{unknown-function-value: the derivative of a function that is a parameter here}}
    %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
    %y = lambda.apply %g(%a) : (f64) -> f64
    lambda.return %y : f64
  }
  %s = lambda.lambda (%a: f64) -> f64 {
    %b = math.sin %a : f64
    lambda.return %b : f64
  }
  // As a value it may be called by anyone, who would not know to give the image of %f too.
  %t = lambda.tuple %d : (((f64) -> f64, f64) -> f64) -> tuple<((f64) -> f64, f64) -> f64>
  %e = lambda.get %t[0] : (tuple<((f64) -> f64, f64) -> f64>) -> (((f64) -> f64, f64) -> f64)
  %y = lambda.apply %e(%s, %x) : ((f64) -> f64, f64) -> f64
  return %y : f64
}

// -----

func.func @channel(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %t0 = lambda.token : () -> !lambda.token
    // expected-error @+1 {{effect-in-gradient: 'lambda.channel' in a function that is differentiated}}
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
    // expected-error @+1 {{not supported: a call with 2 results in what is differentiated; expected one result, which may be a tuple}}
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
    // expected-error @+1 {{unknown-function-value: `@elsewhere` has no body, or is differentiated within itself}}
    %q = func.call @elsewhere(%a) : (f64) -> f64
    lambda.return %q : f64
  }
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}
