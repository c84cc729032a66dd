// The functions that terms name (`spec/functional.md` C.8): g<x,y> = <x+1, 2x+y²>, products and squares.
func.func private @g(%p: tuple<f64, f64>) -> tuple<f64, f64> attributes {lambda.primitive} {
  %x = lambda.get %p[0] : (tuple<f64, f64>) -> f64
  %y = lambda.get %p[1] : (tuple<f64, f64>) -> f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %a = arith.addf %x, %one : f64
  %twice = arith.mulf %two, %x : f64
  %square = arith.mulf %y, %y : f64
  %b = arith.addf %twice, %square : f64
  %r = lambda.tuple %a, %b : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
func.func private @mul(%p: tuple<f64, f64>) -> f64 attributes {lambda.primitive} {
  %x = lambda.get %p[0] : (tuple<f64, f64>) -> f64
  %y = lambda.get %p[1] : (tuple<f64, f64>) -> f64
  %r = arith.mulf %x, %y : f64
  return %r : f64
}
func.func private @pow2(%p: f64) -> f64 attributes {lambda.primitive} {
  %r = arith.mulf %p, %p : f64
  return %r : f64
}
