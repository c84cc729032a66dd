// RUN: mlopt %s --verify-first-order --verify-diagnostics --split-input-file

// Functions of the module, data and direct calls are first order.
lambda.data @d {a(f64), b()}
func.func @fine(%x: !lambda.data<@d>) -> f64 {
  %y = lambda.case %x : !lambda.data<@d> -> f64 {
    a(%a: f64) {
      %z = func.call @g(%a) : (f64) -> f64
      lambda.yield %z : f64
    }
    b() {
      %z = arith.constant 0.0 : f64
      lambda.yield %z : f64
    }
  }
  return %y : f64
}
func.func private @g(f64) -> f64

// -----

func.func @left(%x: f64) -> f64 {
  // expected-error @+2 {{'lambda.lambda' op first-order code must not contain functions as values or `!lambda.env`, found (f64) -> f64}}
  // expected-note @+1 {{this value is defined here, with type (f64) -> f64}}
  %f = lambda.lambda (%y: f64) -> f64 {
    lambda.return %y : f64
  }
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// -----

// expected-error @+2 {{'func.func' op first-order code must not contain functions as values or `!lambda.env`, found !lambda.list<!lambda.env>}}
// expected-note @+1 {{this value is defined here, with type !lambda.list<!lambda.env>}}
func.func @argument(%x: !lambda.list<!lambda.env>) -> i1 {
  %y = lambda.is_empty %x : (!lambda.list<!lambda.env>) -> i1
  return %y : i1
}

// -----

// expected-error @+1 {{'func.func' op first-order code must not contain functions as values or `!lambda.env`, found () -> f64}}
func.func private @declared(f64) -> (() -> f64)

// -----

// expected-error @+1 {{'lambda.data' op first-order code must not contain functions as values or `!lambda.env`, found tuple<f64, () -> f64>}}
lambda.data @d {a(i1), b(tuple<f64, () -> f64>)}
