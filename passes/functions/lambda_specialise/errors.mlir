// RUN: mlopt %s --lambda-specialise --verify-diagnostics --split-input-file
// Type errors, at the op of the user, with the calls that led to it.

func.func @through_calls(%a: tensor<3xf64>, %b: tensor<4xf64>) -> !lambda.any {
  %dot = lambda.lambda (%x: !lambda.any, %y: !lambda.any) -> !lambda.any {
    // expected-note @+1 {{operand #0 is defined here, with type tensor<3xf64>}}
    %n = lambda.prim "neg"(%x) : (!lambda.any) -> !lambda.any
    // expected-note @below {{operand #1 is defined here, with type tensor<4xf64>}}
    %m = lambda.prim "neg"(%y) : (!lambda.any) -> !lambda.any
    // expected-error @+1 {{'lambda.prim' op shape-mismatch: `dot` sums over axes of equal length, found lengths 3 and 4 in tensor<3xf64> and tensor<4xf64>}}
    %z = lambda.prim "dot"(%n, %m) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %z : !lambda.any
  }
  %apply = lambda.lambda (%f: !lambda.any, %x: !lambda.any, %y: !lambda.any) -> !lambda.any {
    // expected-note @+1 {{in this call, with argument types (tensor<3xf64>, tensor<4xf64>)}}
    %z = lambda.apply %f(%x, %y) : !lambda.any (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %z : !lambda.any
  }
  // expected-note @+1 {{in this call, with argument types ((tensor<3xf64>, tensor<4xf64>) -> ?, tensor<3xf64>, tensor<4xf64>)}}
  %z = lambda.apply %apply(%dot, %a, %b) : (!lambda.any, !lambda.any, !lambda.any) -> !lambda.any ((!lambda.any, !lambda.any) -> !lambda.any, tensor<3xf64>, tensor<4xf64>) -> !lambda.any
  return %z : !lambda.any
}

// -----

func.func @arity(%x: f64) -> !lambda.any {
  // expected-note @+1 {{the function is defined here}}
  %f = lambda.lambda (%a: !lambda.any) -> !lambda.any {
    lambda.return %a : !lambda.any
  }
  %t = lambda.tuple %f : ((!lambda.any) -> !lambda.any) -> !lambda.any
  %g = lambda.get %t[0] : (!lambda.any) -> !lambda.any
  // expected-error @+1 {{arity-mismatch: the function takes 1 argument, found 2}}
  %y = lambda.apply %g(%x, %x) : !lambda.any (f64, f64) -> !lambda.any
  return %y : !lambda.any
}

// -----

func.func @itself(%x: f64) -> !lambda.any {
  // expected-note @+2 {{operand #0 is defined here; it is a function}}
  // expected-note @+1 {{operand #1 is defined here; it is a function}}
  %w = lambda.lambda (%f: !lambda.any) -> !lambda.any {
    // expected-error @+1 {{infinite-type: a function must not be an argument of itself}}
    %y = lambda.apply %f(%f) : !lambda.any (!lambda.any) -> !lambda.any
    lambda.return %y : !lambda.any
  }
  // expected-note @+1 {{in this call, with argument types (a function)}}
  %y = lambda.apply %w(%w) : (!lambda.any) -> !lambda.any ((!lambda.any) -> !lambda.any) -> !lambda.any
  return %y : !lambda.any
}

// -----

func.func @grows(%x: tuple<f64, i64>) -> !lambda.any {
  %f = lambda.letrec {
    %g = lambda.lambda (%a: !lambda.any, %b: !lambda.any) -> !lambda.any {
      %t = lambda.tuple %b : (!lambda.any) -> !lambda.any
      // expected-error @+2 {{infinite-specialisation: expected each recursive call to have the argument types of an earlier call, found 64 nested calls of one function with different argument types}}
      // expected-note @+1 {{in this call, at recursion depth 63, with argument types (}}
      %y = lambda.apply %g(%a, %t) : (!lambda.any, !lambda.any) -> !lambda.any (!lambda.any, !lambda.any) -> !lambda.any
      lambda.return %y : !lambda.any
    }
    lambda.yield %g : (!lambda.any, !lambda.any) -> !lambda.any
  } : (!lambda.any, !lambda.any) -> !lambda.any
  // expected-note @+1 {{in this call, with argument types (tuple<f64, i64>, tuple<f64, i64>)}}
  %y = lambda.apply %f(%x, %x) : (!lambda.any, !lambda.any) -> !lambda.any (tuple<f64, i64>, tuple<f64, i64>) -> !lambda.any
  return %y : !lambda.any
}

// -----

// expected-error @+1 {{cannot-infer: the type of the result is not determined, for example because the result is an empty list or that of a function that always calls itself; state the type}}
func.func @never_returns(%x: f64) -> !lambda.any {
  %f = lambda.letrec {
    %g = lambda.lambda (%a: !lambda.any) -> !lambda.any {
      %y = lambda.apply %g(%a) : (!lambda.any) -> !lambda.any (!lambda.any) -> !lambda.any
      lambda.return %y : !lambda.any
    }
    lambda.yield %g : (!lambda.any) -> !lambda.any
  } : (!lambda.any) -> !lambda.any
  // expected-note @+1 {{the result is returned here}}
  %y = lambda.apply %f(%x) : (!lambda.any) -> !lambda.any (f64) -> !lambda.any
  return %y : !lambda.any
}

// -----

// The result of the function does not reach the result of the program.
func.func @never_returns_unused(%x: f64) -> f64 {
  %f = lambda.letrec {
    // expected-error @+1 {{cannot-infer: the type of the result is not determined, for example because the result is an empty list or that of a function that always calls itself; state the type}}
    %g = lambda.lambda (%a: !lambda.any) -> !lambda.any {
      // expected-note @+1 {{the result is returned here}}
      %y = lambda.apply %g(%a) : (!lambda.any) -> !lambda.any (!lambda.any) -> !lambda.any
      lambda.return %y : !lambda.any
    }
    lambda.yield %g : (!lambda.any) -> !lambda.any
  } : (!lambda.any) -> !lambda.any
  %y = lambda.apply %f(%x) : (!lambda.any) -> !lambda.any (f64) -> !lambda.any
  return %x : f64
}

// -----

func.func @branches(%x: f64, %c: i1) -> !lambda.any {
  %y = lambda.if %c : i1 -> !lambda.any {
    lambda.yield %x : f64
  } else {
    // expected-note @+1 {{operand #0 is defined here, with type tuple<f64>}}
    %t = lambda.tuple %x : (f64) -> !lambda.any
    // expected-error @+1 {{'lambda.yield' op type-mismatch: expected f64, found tuple<f64>}}
    lambda.yield %t : !lambda.any
  }
  return %y : !lambda.any
}

// -----

// expected-error @below {{not supported: 'func.func': `lambda-specialise` requires exactly one result of each function; return a tuple}}
func.func @no_result(%x: f64) {
  %t = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  return
}
