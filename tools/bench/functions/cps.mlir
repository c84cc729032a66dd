// The same by hand: a loop.
func.func @cps(%xs: tensor<?xf64>, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %count = arith.index_cast %n : i64 to index
  %last = array.ifold (%i < %count) iter_args(%s = %zero) -> (f64) {
    %x = array.get %xs[%i] : (tensor<?xf64>) -> f64
    %xx = arith.mulf %x, %x : f64
    %y = arith.addf %xx, %one : f64
    %r = math.sqrt %y : f64
    %h = arith.mulf %s, %half : f64
    %t = arith.addf %h, %r : f64
    array.yield %t : f64
  }
  %value = arith.mulf %two, %last : f64
  return %value : f64
}
func.func @cps_gradient(%xs: tensor<?xf64>, %n: i64) -> tensor<?xf64> {
  %g = dual.grad @cps(%xs, %n) wrt [0] mode reverse : (tensor<?xf64>, i64) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
