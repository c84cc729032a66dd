func.func @f(%v: tensor<3xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %x = array.get %v[%zero] : (tensor<3xf64>) -> f64
  %b = array.build (%i < 7) -> (tensor<7xf64>) {
    array.yield %x : f64
  }
  %n = array.length %b : tensor<7xf64>
  %z = arith.index_cast %n : index to i64
  %y = arith.sitofp %z : i64 to f64
  return %y : f64
}
