// The dense Jacobian of a + b in a.

func.func private @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %s = arith.addf %a, %b : tensor<?xf64>
  return %s : tensor<?xf64>
}
func.func @vadd_jac(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %j = dual.jacobian @add(%a, %b) wrt [0] mode forward : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %j : tensor<?x?xf64>
}
