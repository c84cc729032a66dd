// RUN: mlopt %s --closure-convert --verify-diagnostics --split-input-file

// expected-note @+2 {{`%f` is defined here, with type (f64) -> f64}}
// expected-error @+1 {{'func.func' op unknown-function-value: a public function must not take functions as arguments; make it private}}
func.func @entry(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op unknown-function-value: a public function must not return functions; make it private}}
func.func @entry(%x: f64) -> tuple<f64, (f64) -> f64> {
  %f = lambda.lambda (%y: f64) -> f64 {
    lambda.return %x : f64
  }
  %t = lambda.tuple %x, %f : (f64, (f64) -> f64) -> tuple<f64, (f64) -> f64>
  return %t : tuple<f64, (f64) -> f64>
}

// -----

// expected-error @+1 {{'func.func' op unknown-function-value: a declared function must not take or return functions; define it in this module}}
func.func private @outside((f64) -> f64) -> f64
func.func @f(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    lambda.return %x : f64
  }
  %y = func.call @outside(%f) : ((f64) -> f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    lambda.return %y : f64
  }
  // expected-error @+1 {{not supported: `closure-convert` cannot convert 'lambda.grad'; run `j-transform` first}}
  %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  // expected-error @+2 {{'lambda.literal' op the types of values must be known; run `lambda-specialise` before `closure-convert`}}
  // expected-note @+1 {{`%two` is defined here, with type !lambda.any}}
  %two = lambda.literal 2.0 : f64 -> !lambda.any
  return %x : f64
}

// -----

func.func @f(%x: f64, %t: !lambda.token) -> !lambda.token {
  %f = lambda.lambda (%y: f64) -> f64 {
    lambda.return %y : f64
  }
  // expected-error @+1 {{not supported: 'lambda.print' must not take or return functions, found a value of type (f64) -> f64}}
  %n = lambda.print %t, %f : (!lambda.token, (f64) -> f64) -> !lambda.token
  return %n : !lambda.token
}

// -----

func.func @f(%x: f64, %i: i64, %c: i1) -> tuple<f64, i64> {
  %e = lambda.env.empty : () -> !lambda.env
  %a = lambda.env.set %e["k"], %x : (!lambda.env, f64) -> !lambda.env
  %b = lambda.env.set %e["k"], %i : (!lambda.env, i64) -> !lambda.env
  // expected-error @+1 {{not supported: 'lambda.switch' combines two `!lambda.env` with values of different types under the same key}}
  %d = lambda.switch %c, %a, %b : (i1, !lambda.env, !lambda.env) -> !lambda.env
  %y = lambda.env.get %d["k"], %x : (!lambda.env, f64) -> f64
  %t = lambda.tuple %y, %i : (f64, i64) -> tuple<f64, i64>
  return %t : tuple<f64, i64>
}

// -----

// The only value of open type is an argument.
// expected-error @+2 {{'func.func' op the types of values must be known; run `lambda-specialise` before `closure-convert`}}
// expected-note @+1 {{`%x` is defined here, with type !lambda.any}}
func.func @f(%x: !lambda.any) {
  return
}
