// What the continuations compute, by hand: from the end, as the last one is called first.
func.func @growing(%xs: tensor<?xf64>, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %1 = arith.constant 1 : index
  %rounds = arith.constant 100 : index
  %count = arith.index_cast %n : i64 to index
  %last = arith.subi %count, %1 : index
  %all = array.ifold (%round < %rounds) iter_args(%before = %zero) -> (f64) {
    %sum = array.ifold (%k < %count) iter_args(%v = %before) -> (f64) {
      %i = arith.subi %last, %k : index
      %x = array.get %xs[%i] : (tensor<?xf64>) -> f64
      %h = arith.mulf %half, %v : f64
      %next = arith.addf %x, %h : f64
      array.yield %next : f64
    }
    array.yield %sum : f64
  }
  return %all : f64
}
