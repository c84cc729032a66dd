// A mixture of normal distributions as in ADBench: the gradient of the log posterior in weights, means and inverse covariance
// factors. `icf` holds for each component the logarithms of the diagonal of a lower triangular matrix, then what is below the
// diagonal, column by column.

// log Σ exp along the outermost axis, with the maximum taken out.
func.func private @log_sum_exp(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %max = array.max %x : (tensor<?xf64>) -> f64
  %top = dual.stop_gradient %max : f64
  %tops = array.replicate %top, %n : (f64) -> tensor<?xf64>
  %shifted = arith.subf %x, %tops : tensor<?xf64>
  %e = math.exp %shifted : tensor<?xf64>
  %s = array.sum %e : (tensor<?xf64>) -> f64
  %log = math.log %s : f64
  %z = arith.addf %log, %top : f64
  return %z : f64
}

// The lower triangular matrices.
func.func private @factors(%icf: tensor<?x?xf64>, %k: index, %d: index) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %dd = arith.muli %d, %c2 : index
  %dd1 = arith.subi %dd, %c1 : index
  %q = array.build (%c < %k, %i < %d, %j < %d) -> (tensor<?x?x?xf64>) {
    %log = array.get %icf[%c, %i] : (tensor<?x?xf64>) -> f64
    %on = math.exp %log : f64
    // Column j starts after the d - 1, d - 2, … elements of the columns before it.
    %a = arith.subi %dd1, %j : index
    %b = arith.muli %j, %a : index
    %before = array.div %b, %c2 : index
    %start = arith.addi %d, %before : index
    %ij = arith.subi %i, %j : index
    %row = arith.subi %ij, %c1 : index
    %at = arith.addi %start, %row : index
    %below = array.get %icf[%c, %at] : (tensor<?x?xf64>) -> f64
    %is_on = arith.cmpi eq, %i, %j : index
    %is_below = arith.cmpi sgt, %i, %j : index
    %rest = arith.select %is_below, %below, %zero : f64
    %e = arith.select %is_on, %on, %rest : f64
    array.yield %e : f64
  }
  return %q : tensor<?x?x?xf64>
}

func.func private @log_posterior(%alphas: tensor<?xf64>, %means: tensor<?x?xf64>, %icf: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %k = array.length %means : tensor<?x?xf64>
  %d = array.length %means axis 1 : tensor<?x?xf64>
  %n = array.length %x : tensor<?x?xf64>
  %q = func.call @factors(%icf, %k, %d) : (tensor<?x?xf64>, index, index) -> tensor<?x?x?xf64>
  %log_determinant = array.build (%c < %k) -> (tensor<?xf64>) {
    %row = array.get %icf[%c] : (tensor<?x?xf64>) -> tensor<?xf64>
    %c0 = arith.constant 0 : index
    %logs = array.slice %row from %c0 size %d : (tensor<?xf64>) -> tensor<?xf64>
    %s = array.sum %logs : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  %distances = array.build (%p < %n, %c < %k) -> (tensor<?x?xf64>) {
    %y = array.build (%i < %d) -> (tensor<?xf64>) {
      %terms = array.build (%j < %d) -> (tensor<?xf64>) {
        %qij = array.get %q[%c, %i, %j] : (tensor<?x?x?xf64>) -> f64
        %xj = array.get %x[%p, %j] : (tensor<?x?xf64>) -> f64
        %mj = array.get %means[%c, %j] : (tensor<?x?xf64>) -> f64
        %dj = arith.subf %xj, %mj : f64
        %t = arith.mulf %qij, %dj : f64
        array.yield %t : f64
      }
      %yi = array.sum %terms : (tensor<?xf64>) -> f64
      array.yield %yi : f64
    }
    %yy = arith.mulf %y, %y : tensor<?xf64>
    %s = array.sum %yy : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  %likelihoods = array.build (%p < %n) -> (tensor<?xf64>) {
    %logs = array.build (%c < %k) -> (tensor<?xf64>) {
      %alpha = array.get %alphas[%c] : (tensor<?xf64>) -> f64
      %ld = array.get %log_determinant[%c] : (tensor<?xf64>) -> f64
      %distance = array.get %distances[%p, %c] : (tensor<?x?xf64>) -> f64
      %h = arith.mulf %half, %distance : f64
      %ald = arith.addf %alpha, %ld : f64
      %l = arith.subf %ald, %h : f64
      array.yield %l : f64
    }
    %l = func.call @log_sum_exp(%logs) : (tensor<?xf64>) -> f64
    array.yield %l : f64
  }
  %total = array.sum %likelihoods : (tensor<?xf64>) -> f64
  %ni = arith.index_cast %n : index to i64
  %count = arith.sitofp %ni : i64 to f64
  %la = func.call @log_sum_exp(%alphas) : (tensor<?xf64>) -> f64
  %norm = arith.mulf %count, %la : f64
  // The Wishart prior of ADBench with γ = 1 and m = 0: half the sum of squares of the factors.
  %qq = arith.mulf %q, %q : tensor<?x?x?xf64>
  %squares = array.sum %qq axes [0, 1, 2] : (tensor<?x?x?xf64>) -> f64
  %prior = arith.mulf %half, %squares : f64
  %likelihood = arith.subf %total, %norm : f64
  %z = arith.addf %likelihood, %prior : f64
  return %z : f64
}
func.func @gmm_grad(%alphas: tensor<?xf64>, %means: tensor<?x?xf64>, %icf: tensor<?x?xf64>, %x: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %ga, %gm, %gi = dual.grad @log_posterior(%alphas, %means, %icf, %x) wrt [0, 1, 2] mode reverse
    : (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %ga, %gm, %gi : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
