// The sum by hand, from the end.
func.func @built(%xs: tensor<?xf64>, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %last = arith.subi %count, %1 : index
  %sum = array.ifold (%k < %count) iter_args(%s = %zero) -> (f64) {
    %i = arith.subi %last, %k : index
    %v = array.get %xs[%i] : tensor<?xf64> -> f64
    %w = arith.addf %v, %one : f64
    %p = arith.mulf %v, %w : f64
    %next = arith.addf %p, %s : f64
    array.yield %next : f64
  }
  return %sum : f64
}
