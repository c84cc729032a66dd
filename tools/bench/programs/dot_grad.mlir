// The gradient of a·b in a.

func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %p = arith.mulf %a, %b : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @dot_grad(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @dot(%a, %b) wrt [0] mode reverse : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
