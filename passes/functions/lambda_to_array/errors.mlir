// RUN: mlopt %s --lambda-to-array --split-input-file --verify-diagnostics

func.func @recursion(%n: i64) -> f64 {
  // expected-error @+2 {{not supported: 'lambda.letrec': a program of arrays has no functions as values}}
  // expected-note @+1 {{a call that `lambda-simplify` cannot inline, such as a recursive one, needs `closure-convert`}}
  %f = lambda.letrec {
    %go = lambda.lambda (%k: i64) -> f64 {
      %r = lambda.apply %go(%k) : (i64) -> f64
      lambda.return %r : f64
    }
    lambda.yield %go : (i64) -> f64
  } : (i64) -> f64
  %y = lambda.apply %f(%n) : (i64) -> f64
  return %y : f64
}

// -----

// expected-error @+1 {{not supported: 'func.func': the argument `f` has type (f64) -> f64: functions cannot be arguments or results of a function over arrays; run `closure-convert` first}}
func.func @function_from_outside(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @effects(%t: !lambda.token, %x: f64) -> !lambda.token {
  // expected-error @+2 {{not supported: 'lambda.print': a program of arrays cannot print or read}}
  // expected-note @+1 {{expected a program without effects}}
  %u = lambda.print %t, %x : (!lambda.token, f64) -> !lambda.token
  return %u : !lambda.token
}

// -----

func.func @open(%x: f64) -> f64 {
  // expected-error @+2 {{not supported: 'lambda.prim': the types of all values must be known}}
  // expected-note @+1 {{run `lambda-specialise` first}}
  %y = lambda.prim "+"(%x, %x) : (f64, f64) -> f64
  return %y : f64
}

// -----

func.func @open_list(%x: f64) -> f64 {
  %t = lambda.tuple %x, %x : (f64, f64) -> !lambda.any
  // expected-error @+2 {{not supported: 'lambda.head': the types of all values must be known}}
  // expected-note @+1 {{run `lambda-specialise` first}}
  %y = lambda.head %t : (!lambda.any) -> f64
  return %y : f64
}

// -----

// The condition of the loop reads the length of the list.
func.func @unknown_length(%x: f64) -> i64 {
  %nil = lambda.nil : () -> !lambda.list<f64>
  // expected-error @+1 {{not supported: 'lambda.while': the length of the list must be known before the loop}}
  %l = lambda.while iter_args(%l = %nil) : (!lambda.list<f64>) -> (!lambda.list<f64>) {
    %n = lambda.length %l : (!lambda.list<f64>) -> i64
    %ten = arith.constant 10 : i64
    %c = arith.cmpi slt, %n, %ten : i64
    lambda.yield %c : i1
  } do (%l) {
    %m = lambda.cons %x, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.yield %m : !lambda.list<f64>
  }
  %n = lambda.length %l : (!lambda.list<f64>) -> i64
  return %n : i64
}

// -----

// expected-error @+1 {{not supported: 'func.func': the argument `l` has type !lambda.list<!lambda.list<f64>>: lists of lists are not supported}}
func.func @lists_of_lists(%l: !lambda.list<!lambda.list<f64>>) -> f64 {
  %x = arith.constant 1.0 : f64
  return %x : f64
}

// -----

// The position of a field is known only in a record of known type.
func.func @second(%x: f64, %y: f64) -> f64 {
  %p = lambda.record %x, %y {fields = ["u", "v"], name = "P"} : (f64, f64) -> !lambda.any
  // expected-error @+2 {{not supported: 'lambda.field': the types of all values must be known}}
  // expected-note @+1 {{run `lambda-specialise` first}}
  %v = lambda.field %p["v"] : (!lambda.any) -> f64
  return %v : f64
}
