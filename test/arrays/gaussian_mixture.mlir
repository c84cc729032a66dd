// Likelihood of a Gaussian mixture with a Wishart prior: triangles read out of flat rows, logarithms of sums of exponentials,
// batches of matrix-vector products, everything of run-time size, in one gradient of three arrays. The numbers are those of ADBench's unit
// test (github.com/microsoft/ADBench, gmmtest.txt: d = 2, K = 3, n = 1, γ = 1, m = 0), as in the vector `adbench_gmm_test`.

// RUN: mlopt run %s --entry @mixture_and_gradient \
// RUN:   --arg '[-0.649014, 1.181166, -0.758453]' --arg '[[0.092339, 0.18626], [0.345561, 0.396767], [0.538817, 0.419195]]' \
// RUN:   --arg '[[0.586443, -0.851887, 0.800321], [-1.509405, 0.875874, -0.24279], [0.166813, -1.965419, -1.270071]]' \
// RUN:   --arg '[[1.175171, 2.02916]]' --arg 1 --arg 0 --arg 0.45158270528945475 | FileCheck %s
// RUN: mlopt run %s --entry @mixture_and_gradient --interpret \
// RUN:   --arg '[-0.649014, 1.181166, -0.758453]' --arg '[[0.092339, 0.18626], [0.345561, 0.396767], [0.538817, 0.419195]]' \
// RUN:   --arg '[[0.586443, -0.851887, 0.800321], [-1.509405, 0.875874, -0.24279], [0.166813, -1.965419, -1.270071]]' \
// RUN:   --arg '[[1.175171, 2.02916]]' --arg 1 --arg 0 --arg 0.45158270528945475 | FileCheck %s

// log Σ eᵛ; the largest is taken out, so that nothing overflows.
func.func @log_sum_exp(%v: tensor<?xf64>) -> f64 {
  %n = array.length %v : tensor<?xf64>
  %top = array.max %v : (tensor<?xf64>) -> f64
  %tops = array.replicate %top, %n : (f64) -> tensor<?xf64>
  %below = arith.subf %v, %tops : tensor<?xf64>
  %e = math.exp %below : tensor<?xf64>
  %s = array.sum %e : (tensor<?xf64>) -> f64
  %log = math.log %s : f64
  %z = arith.addf %top, %log : f64
  return %z : f64
}

// Q_k, lower triangular: exponentials of the first d numbers of a row on the diagonal, below it the others, column by column.
func.func @triangles(%icf: tensor<?x?xf64>, %d: index) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = array.length %icf : tensor<?x?xf64>
  %q = array.build (%c < %k, %row < %d, %column < %d) -> (tensor<?x?x?xf64>) {
    %log = array.get %icf[%c, %row] : (tensor<?x?xf64>) -> f64
    %diagonal = math.exp %log : f64
    // d + column·d - column·(column + 1)/2 + (row - column - 1)
    %columns = arith.muli %column, %d : index
    %next = arith.addi %column, %c1 : index
    %twice = arith.muli %column, %next : index
    %before = array.div %twice, %c2 : index
    %start = arith.subi %columns, %before : index
    %down = arith.subi %row, %next : index
    %offset = arith.addi %start, %down : index
    %at = arith.addi %d, %offset : index
    %lower = array.get %icf[%c, %at] : (tensor<?x?xf64>) -> f64
    %on = arith.cmpi eq, %row, %column : index
    %under = arith.cmpi sgt, %row, %column : index
    %rest = arith.select %under, %lower, %zero : f64
    %e = arith.select %on, %diagonal, %rest : f64
    array.yield %e : f64
  }
  return %q : tensor<?x?x?xf64>
}

// alphas (K), means (K, d), icf (K, d(d+1)/2), points (n, d). `lgamma` is the multivariate log Γ of dimension d at (d+m+1)/2.
func.func @mixture(%alphas: tensor<?xf64>, %means: tensor<?x?xf64>, %icf: tensor<?x?xf64>, %points: tensor<?x?xf64>,
    %gamma: f64, %m: f64, %lgamma: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %log2pi = arith.constant 1.8378770664093453 : f64
  %log2 = arith.constant 0.6931471805599453 : f64
  %n = array.length %points : tensor<?x?xf64>
  %k = array.length %alphas : tensor<?xf64>
  %d = array.length %means axis 1 : tensor<?x?xf64>
  %n_i = arith.index_cast %n : index to i64
  %k_i = arith.index_cast %k : index to i64
  %d_i = arith.index_cast %d : index to i64
  %n_f = arith.sitofp %n_i : i64 to f64
  %k_f = arith.sitofp %k_i : i64 to f64
  %d_f = arith.sitofp %d_i : i64 to f64
  %q = func.call @triangles(%icf, %d) : (tensor<?x?xf64>, index) -> tensor<?x?x?xf64>
  %logs = array.build (%c < %k) -> (tensor<?xf64>) {
    %row = array.get %icf[%c] : (tensor<?x?xf64>) -> tensor<?xf64>
    %diagonal = array.slice %row from %c0 size %d : (tensor<?xf64>) -> tensor<?xf64>
    %s = array.sum %diagonal : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  // α_k + Σ q_k - ½‖Q_k (x_i - μ_k)‖² for each point and component.
  %main = array.build (%i < %n, %c < %k) -> (tensor<?x?xf64>) {
    %point = array.get %points[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %mean = array.get %means[%c] : (tensor<?x?xf64>) -> tensor<?xf64>
    %centred = arith.subf %point, %mean : tensor<?xf64>
    %turned = array.build (%r < %d) -> (tensor<?xf64>) {
      %row = array.get %q[%c, %r] : (tensor<?x?x?xf64>) -> tensor<?xf64>
      %p = arith.mulf %row, %centred : tensor<?xf64>
      %s = array.sum %p : (tensor<?xf64>) -> f64
      array.yield %s : f64
    }
    %squares = arith.mulf %turned, %turned : tensor<?xf64>
    %square = array.sum %squares : (tensor<?xf64>) -> f64
    %distance = arith.mulf %half, %square : f64
    %alpha = array.get %alphas[%c] : (tensor<?xf64>) -> f64
    %log = array.get %logs[%c] : (tensor<?xf64>) -> f64
    %weight = arith.addf %alpha, %log : f64
    %e = arith.subf %weight, %distance : f64
    array.yield %e : f64
  }
  %likelihoods = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %main[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %l = func.call @log_sum_exp(%row) : (tensor<?xf64>) -> f64
    array.yield %l : f64
  }
  %likelihood = array.sum %likelihoods : (tensor<?xf64>) -> f64
  %weight = func.call @log_sum_exp(%alphas) : (tensor<?xf64>) -> f64
  %weights = arith.mulf %n_f, %weight : f64
  %data = arith.subf %likelihood, %weights : f64
  %dims = arith.mulf %n_f, %d_f : f64
  %half_dims = arith.mulf %half, %dims : f64
  %scale = arith.mulf %half_dims, %log2pi : f64
  %from_data = arith.subf %data, %scale : f64
  // Prior: Σ (½γ²‖Q_k‖² - m Σ q_k) - K (N d (log γ - ½ log 2) - lgamma), N = d + m + 1.
  %qq = arith.mulf %q, %q : tensor<?x?x?xf64>
  %frobenius = array.sum %qq axes [0, 1, 2] : (tensor<?x?x?xf64>) -> f64
  %gg = arith.mulf %gamma, %gamma : f64
  %half_gg = arith.mulf %half, %gg : f64
  %shape = arith.mulf %half_gg, %frobenius : f64
  %all_logs = array.sum %logs : (tensor<?xf64>) -> f64
  %m_logs = arith.mulf %m, %all_logs : f64
  %prior = arith.subf %shape, %m_logs : f64
  %d_m = arith.addf %d_f, %m : f64
  %big_n = arith.addf %d_m, %one : f64
  %log_gamma = math.log %gamma : f64
  %half_log2 = arith.mulf %half, %log2 : f64
  %per = arith.subf %log_gamma, %half_log2 : f64
  %nd = arith.mulf %big_n, %d_f : f64
  %normal = arith.mulf %nd, %per : f64
  %c = arith.subf %normal, %lgamma : f64
  %kc = arith.mulf %k_f, %c : f64
  %from_prior = arith.subf %prior, %kc : f64
  %z = arith.addf %from_data, %from_prior : f64
  return %z : f64
}

// CHECK:      8.07380408004{{[0-9]*}}
// CHECK-NEXT: [ 0.10866286 -0.74127004  0.63260718]
// CHECK-NEXT: {{\[\[}} 1.11692577  0.16333301]
// CHECK-NEXT:  [-0.02199898  0.22777829]
// CHECK-NEXT:  [ 1.20963026 -0.06063759]]
// CHECK-NEXT: {{\[\[}} 2.58529994  0.11263269  0.38574431]
// CHECK-NEXT:  [ 0.07351806  5.41836363 -0.32149441]
// CHECK-NEXT:  [ 1.7189231   0.86009109 -0.99464093]]
func.func @mixture_and_gradient(%alphas: tensor<?xf64>, %means: tensor<?x?xf64>, %icf: tensor<?x?xf64>,
    %points: tensor<?x?xf64>, %gamma: f64, %m: f64, %lgamma: f64)
    -> (f64, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %z, %ga, %gm, %gi = dual.value_and_grad @mixture(%alphas, %means, %icf, %points, %gamma, %m, %lgamma) wrt [0, 1, 2] mode reverse
    : (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, f64, f64, f64)
    -> (f64, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %z, %ga, %gm, %gi : f64, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
