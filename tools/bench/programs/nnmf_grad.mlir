// Non-negative factors of rank one, exponential noise: Σ log(uᵢvⱼ) + Aᵢⱼ/(uᵢvⱼ), and its gradient in u and v.

func.func private @misfit(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %m = array.length %u : tensor<?xf64>
  %n = array.length %v : tensor<?xf64>
  %uv = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %ui = array.get %u[%i] : (tensor<?xf64>) -> f64
    %vj = array.get %v[%j] : (tensor<?xf64>) -> f64
    %p = arith.mulf %ui, %vj : f64
    array.yield %p : f64
  }
  %log = math.log %uv : tensor<?x?xf64>
  %q = arith.divf %a, %uv : tensor<?x?xf64>
  %terms = arith.addf %log, %q : tensor<?x?xf64>
  %s = array.sum %terms axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
func.func @nnmf_grad(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %gu, %gv = dual.grad @misfit(%a, %u, %v) wrt [1, 2] mode reverse
    : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %gu, %gv : tensor<?xf64>, tensor<?xf64>
}
