// The gradient of the maximum: one at the first of the largest elements.

func.func private @max(%a: tensor<?xf64>) -> f64 {
  %m = array.max %a : (tensor<?xf64>) -> f64
  return %m : f64
}
func.func @max_grad(%a: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @max(%a) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
