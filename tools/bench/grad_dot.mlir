func.func @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @grad_dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @dot(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
