// RUN: mlopt %s --lambda-simplify --verify-diagnostics

// The position of a field is known only in a record of known type.
func.func @second(%x: f64, %y: f64) -> f64 {
  // expected-error @+2 {{the types of values must be known; run `lambda-specialise` before `lambda-simplify`}}
  // expected-note @+1 {{`%p` is defined here, with type !lambda.any}}
  %p = lambda.record %x, %y {fields = ["u", "v"], name = "P"} : (f64, f64) -> !lambda.any
  %v = lambda.field %p["v"] : (!lambda.any) -> f64
  return %v : f64
}
