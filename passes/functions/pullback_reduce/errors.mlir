// RUN: mlopt %s --pullback-reduce="steps=100000" --verify-diagnostics --split-input-file
// Programs that cannot be reduced, with the error at the op at fault.

func.func private @forever(%x: f64) -> f64 {
  %f = lambda.ref @forever : (f64) -> f64
  // expected-error @+1 {{the program does not end within the maximum number of steps}}
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}
func.func @endless() -> f64 {
  %x = arith.constant 1.0 : f64
  %f = lambda.ref @forever : (f64) -> f64
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @condition() -> f64 {
  %c = arith.constant true
  %x = arith.constant 1.0 : f64
  // expected-error @+1 {{not supported: 'lambda.if': expected functions, tuples, additions, and elementwise operations that have derivatives}}
  %y = lambda.if %c : i1 -> f64 {
    lambda.yield %x : f64
  } else {
    lambda.yield %x : f64
  }
  return %y : f64
}

// -----

// expected-error @+1 {{not supported: 'func.func': a pullback needs the body of this function; define it in this module}}
func.func private @unknown(%x: f64) -> f64

func.func @without_body() -> f64 {
  %x = arith.constant 1.0 : f64
  %f = lambda.ref @unknown : (f64) -> f64
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func private @forever(%x: f64) -> f64 {
  // expected-error @+1 {{the program does not end, or its calls nest too deeply}}
  %f = lambda.ref @forever : (f64) -> f64
  %y = lambda.apply %f(%x) : (f64) -> f64
  %z = math.sin %y : f64
  return %z : f64
}
func.func @endless() -> f64 {
  %x = arith.constant 1.0 : f64
  %f = lambda.ref @forever : (f64) -> f64
  %y = lambda.apply %f(%x) : (f64) -> f64
  return %y : f64
}
