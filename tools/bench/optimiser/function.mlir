func.func @f(%a: tensor<?xf64>, %x: f64) -> (tensor<?xf64>, f64) {
  %p = arith.mulf %a, %a : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  %q = arith.mulf %s, %x : f64
  %n = array.length %a : tensor<?xf64>
  %r = array.replicate %q, %n : (f64) -> tensor<?xf64>
  %t = arith.addf %r, %a : tensor<?xf64>
  %u = math.sin %t : tensor<?xf64>
  %v = array.reverse %u : tensor<?xf64>
  %w = array.reverse %v : tensor<?xf64>
  return %w, %q : tensor<?xf64>, f64
}
