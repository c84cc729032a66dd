// Batch normalisation, γ (x - mean) / √(variance + ε) + β over the batch, applied backwards to the cotangent w.

func.func private @mean(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %n = array.length %x : tensor<?x?xf64>
  %f = array.length %x axis 1 : tensor<?x?xf64>
  %i = arith.index_cast %n : index to i64
  %count = arith.sitofp %i : i64 to f64
  %counts = array.replicate %count, %f : (f64) -> tensor<?xf64>
  %s = array.sum %x : (tensor<?x?xf64>) -> tensor<?xf64>
  %m = arith.divf %s, %counts : tensor<?xf64>
  return %m : tensor<?xf64>
}
func.func private @bn(%x: tensor<?x?xf64>, %gamma: tensor<?xf64>, %beta: tensor<?xf64>) -> tensor<?x?xf64> {
  %eps = arith.constant 1.0e-5 : f64
  %n = array.length %x : tensor<?x?xf64>
  %f = array.length %x axis 1 : tensor<?x?xf64>
  %m = func.call @mean(%x) : (tensor<?x?xf64>) -> tensor<?xf64>
  %ms = array.replicate %m, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %d = arith.subf %x, %ms : tensor<?x?xf64>
  %dd = arith.mulf %d, %d : tensor<?x?xf64>
  %variance = func.call @mean(%dd) : (tensor<?x?xf64>) -> tensor<?xf64>
  %epss = array.replicate %eps, %f : (f64) -> tensor<?xf64>
  %above = arith.addf %variance, %epss : tensor<?xf64>
  %r = math.rsqrt %above : tensor<?xf64>
  %scale = arith.mulf %gamma, %r : tensor<?xf64>
  %scales = array.replicate %scale, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %betas = array.replicate %beta, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %scaled = arith.mulf %d, %scales : tensor<?x?xf64>
  %y = arith.addf %scaled, %betas : tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
func.func @bn_grad(%x: tensor<?x?xf64>, %gamma: tensor<?xf64>, %beta: tensor<?xf64>, %w: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %y, %dx, %dgamma, %dbeta = dual.vjp @bn(%x, %gamma, %beta) cotangents(%w)
    : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %dx, %dgamma, %dbeta : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>
}
