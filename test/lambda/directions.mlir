// RUN: mlopt check-calls %s --tolerance 1e-10 --after 'builtin.module(j-transform)' --after 'builtin.module(lambda-simplify,j-transform,lambda-simplify)'
// Directional derivatives of a function of several arguments, through loops, branches, closures and arrays: those of J
// are those of the evaluator's tape.
// CALL: @along 0.3 0.7 1.0 -2.0
// CALL: @along -0.4 0.9 0.5 0.25
// CALL: @along 0.8 -0.6 -1.5 1.0
func.func @along(%x: f64, %y: f64, %u: f64, %v: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 4 : i64
  %f = lambda.lambda (%a: f64, %b: f64) -> f64 {
    %shift = lambda.lambda (%c: f64) -> f64 {
      %d = arith.mulf %c, %b : f64
      %e = arith.addf %d, %a : f64
      lambda.return %e : f64
    }
    %l = lambda.for (%i < %n) iter_args(%c = %a) : (i64, f64) -> (f64) {
      %d = lambda.apply %shift(%c) : (f64) -> f64
      %s = math.sin %d : f64
      lambda.yield %s : f64
    }
    %p = arith.cmpf olt, %l, %zero : f64
    %r = lambda.if %p : i1 -> f64 {
      %q = arith.mulf %l, %b : f64
      lambda.yield %q : f64
    } else {
      %q = math.exp %l : f64
      lambda.yield %q : f64
    }
    %array = array.replicate %r : (f64) -> tensor<3xf64>
    %cubes = arith.mulf %array, %array : tensor<3xf64>
    %sum = array.sum %cubes : (tensor<3xf64>) -> f64
    lambda.return %sum : f64
  }
  %j = lambda.jvp %f : ((f64, f64) -> f64) -> ((f64, f64, f64, f64) -> tuple<f64, f64>)
  %t = lambda.apply %j(%x, %y, %u, %v) : (f64, f64, f64, f64) -> tuple<f64, f64>
  %h = lambda.hvp %f {wrt = 1 : i64} : ((f64, f64) -> f64) -> ((f64, f64, f64) -> f64)
  %w = lambda.apply %h(%x, %y, %v) : (f64, f64, f64) -> f64
  %a = lambda.get %t[1] : (tuple<f64, f64>) -> f64
  %z = arith.addf %a, %w : f64
  return %z : f64
}
