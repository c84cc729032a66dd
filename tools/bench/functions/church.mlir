// The same by hand: four numbers of each row, one after the other.
func.func private @positive(%v: f64, %s: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %is = arith.cmpf ogt, %v, %zero : f64
  %w = scf.if %is -> (f64) {
    %a = arith.addf %v, %one : f64
    %b = arith.mulf %v, %a : f64
    %c = arith.addf %b, %s : f64
    scf.yield %c : f64
  } else {
    scf.yield %s : f64
  }
  return %w : f64
}
func.func private @centred(%v: f64, %total: f64, %s: f64) -> f64 {
  %scale = arith.constant 0.01 : f64
  %a = arith.subf %v, %total : f64
  %b = arith.mulf %scale, %a : f64
  %c = arith.addf %b, %s : f64
  return %c : f64
}
func.func @church(%xs: tensor<?x4xf64>, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %count = arith.index_cast %n : i64 to index
  %last = array.ifold (%i < %count) iter_args(%total = %zero) -> (f64) {
    %x0 = array.get %xs[%i, %0] : (tensor<?x4xf64>) -> f64
    %x1 = array.get %xs[%i, %1] : (tensor<?x4xf64>) -> f64
    %x2 = array.get %xs[%i, %2] : (tensor<?x4xf64>) -> f64
    %x3 = array.get %xs[%i, %3] : (tensor<?x4xf64>) -> f64
    %p3 = func.call @positive(%x3, %zero) : (f64, f64) -> f64
    %p2 = func.call @positive(%x2, %p3) : (f64, f64) -> f64
    %p1 = func.call @positive(%x1, %p2) : (f64, f64) -> f64
    %p0 = func.call @positive(%x0, %p1) : (f64, f64) -> f64
    %c3 = func.call @centred(%x3, %total, %zero) : (f64, f64, f64) -> f64
    %c2 = func.call @centred(%x2, %total, %c3) : (f64, f64, f64) -> f64
    %c1 = func.call @centred(%x1, %total, %c2) : (f64, f64, f64) -> f64
    %c0 = func.call @centred(%x0, %total, %c1) : (f64, f64, f64) -> f64
    %product = arith.mulf %p0, %c0 : f64
    %next = arith.addf %total, %product : f64
    array.yield %next : f64
  }
  return %last : f64
}
func.func @church_gradient(%xs: tensor<?x4xf64>, %n: i64) -> tensor<?x4xf64> {
  %g = dual.grad @church(%xs, %n) wrt [0] mode reverse : (tensor<?x4xf64>, i64) -> tensor<?x4xf64>
  return %g : tensor<?x4xf64>
}
