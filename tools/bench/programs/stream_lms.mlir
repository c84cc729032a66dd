// An adaptive filter: at every tick one step against the gradient of (d - w·x)², x the last p samples; every error comes out.

func.func private @error(%w: tensor<?xf64>, %x: tensor<?xf64>, %d: f64) -> f64 {
  %p = arith.mulf %w, %x : tensor<?xf64>
  %y = array.sum %p : (tensor<?xf64>) -> f64
  %e = arith.subf %d, %y : f64
  return %e : f64
}
func.func private @loss(%w: tensor<?xf64>, %x: tensor<?xf64>, %d: f64) -> f64 {
  %e = func.call @error(%w, %x, %d) : (tensor<?xf64>, tensor<?xf64>, f64) -> f64
  %ee = arith.mulf %e, %e : f64
  return %ee : f64
}
func.func @stream_lms(%x: tensor<?xf64>, %d: tensor<?xf64>, %w0: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %mu = arith.constant 0.005 : f64
  %p = array.length %w0 : tensor<?xf64>
  %ticks = array.length %d : tensor<?xf64>
  %t = array.iota %ticks : tensor<?xindex>
  %mus = array.replicate %mu, %p : (f64) -> tensor<?xf64>
  %w, %e = array.map_accum (%now = %t : tensor<?xindex>, %dt = %d : tensor<?xf64>) iter_args(%wt = %w0)
      -> (tensor<?xf64>, tensor<?xf64>) {
    %xt = array.slice %x from %now size %p : (tensor<?xf64>) -> tensor<?xf64>
    %et = func.call @error(%wt, %xt, %dt) : (tensor<?xf64>, tensor<?xf64>, f64) -> f64
    %g = dual.grad @loss(%wt, %xt, %dt) wrt [0] mode reverse : (tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
    %step = arith.mulf %mus, %g : tensor<?xf64>
    %next = arith.subf %wt, %step : tensor<?xf64>
    array.yield %next, %et : tensor<?xf64>, f64
  }
  return %w, %e : tensor<?xf64>, tensor<?xf64>
}
