// The Jacobian of s·v in the scalar s.

func.func private @scale(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %n = array.length %v : tensor<?xf64>
  %ss = array.replicate %s, %n : (f64) -> tensor<?xf64>
  %p = arith.mulf %v, %ss : tensor<?xf64>
  return %p : tensor<?xf64>
}
func.func @vscale_jac(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %j = dual.jacobian @scale(%v, %s) wrt [1] mode forward : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %j : tensor<?xf64>
}
