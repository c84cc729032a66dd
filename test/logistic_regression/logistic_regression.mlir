// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize))' | FileCheck %s
// Logistic regression with an L2 penalty, trained by gradient descent; 30 columns, any number of rows.
// `main.rs` calls @standardize once and @train for each line that it prints. Shapes: x (n, 30), y (n), w (30).

// Columns with mean 0 and standard deviation 1: each loses its mean and is divided by its population standard
// deviation, sqrt(mean of squares), as scikit-learn's StandardScaler does it.
func.func @standardize(%x: tensor<?x30xf64>) -> tensor<?x30xf64> {
  %n = array.length %x : tensor<?x30xf64>
  %n_int = arith.index_cast %n : index to i64
  %n_float = arith.sitofp %n_int : i64 to f64
  %rows = array.replicate %n_float : (f64) -> tensor<30xf64>
  %total = array.sum %x : (tensor<?x30xf64>) -> tensor<30xf64>
  %mean = arith.divf %total, %rows : tensor<30xf64>
  %centred = array.build (%i < %n) -> (tensor<?x30xf64>) {
    %row = array.get %x[%i] : (tensor<?x30xf64>) -> tensor<30xf64>
    %difference = arith.subf %row, %mean : tensor<30xf64>
    array.yield %difference : tensor<30xf64>
  }
  %squares = arith.mulf %centred, %centred : tensor<?x30xf64>
  %squares_total = array.sum %squares : (tensor<?x30xf64>) -> tensor<30xf64>
  %variance = arith.divf %squares_total, %rows : tensor<30xf64>
  %deviation = math.sqrt %variance : tensor<30xf64>
  %z = array.build (%i < %n) -> (tensor<?x30xf64>) {
    %row = array.get %centred[%i] : (tensor<?x30xf64>) -> tensor<30xf64>
    %quotient = arith.divf %row, %deviation : tensor<30xf64>
    array.yield %quotient : tensor<30xf64>
  }
  return %z : tensor<?x30xf64>
}

// Mean of log(1 + exp(-m)) over the rows, plus w·w / (2 c n). The margin m = ±(w·x + b) is positive when the row is on
// its own side; y is 1 or 0. This is scikit-learn's objective divided by c·n: `c` is its `C`, and `b` is not penalised.
// exp(-m) would overflow: log(1 + exp(-m)) = max(0, -m) + log(1 + exp(-|m|)). At m = 0, where training starts, a tie
// gives the derivative of max's first operand and |m| that of m: 0 - 1/2, which is the derivative of the left side.
func.func @loss(%w: tensor<30xf64>, %b: f64, %x: tensor<?x30xf64>, %y: tensor<?xf64>, %c: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = array.length %x : tensor<?x30xf64>
  %losses = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %x[%i] : (tensor<?x30xf64>) -> tensor<30xf64>
    %products = arith.mulf %row, %w : tensor<30xf64>
    %product = array.sum %products : (tensor<30xf64>) -> f64
    %score = arith.addf %product, %b : f64
    %label = array.get %y[%i] : (tensor<?xf64>) -> f64
    %label_twice = arith.mulf %two, %label : f64
    %sign = arith.subf %label_twice, %one : f64
    %margin = arith.mulf %sign, %score : f64
    %minus = arith.negf %margin : f64
    %hinge = arith.maximumf %zero, %minus : f64
    %size = math.absf %margin : f64
    %size_minus = arith.negf %size : f64
    %exp = math.exp %size_minus : f64
    %log = math.log1p %exp : f64
    %row_loss = arith.addf %hinge, %log : f64
    array.yield %row_loss : f64
  }
  %total = array.sum %losses : (tensor<?xf64>) -> f64
  %n_int = arith.index_cast %n : index to i64
  %n_float = arith.sitofp %n_int : i64 to f64
  %mean = arith.divf %total, %n_float : f64
  %squares = arith.mulf %w, %w : tensor<30xf64>
  %norm = array.sum %squares : (tensor<30xf64>) -> f64
  %cn = arith.mulf %c, %n_float : f64
  %cn_twice = arith.mulf %two, %cn : f64
  %penalty = arith.divf %norm, %cn_twice : f64
  %z = arith.addf %mean, %penalty : f64
  return %z : f64
}

// The gradient of the loss with respect to the weights and the bias.
// CHECK-LABEL: func.func @gradient
// CHECK-NOT:     dual.grad
// CHECK:         %[[ROWS:.*]] = array.build (%{{.*}} < %n) -> (tensor<?x30xf64>) {
// CHECK:         %[[SUMS:.*]] = array.sum %[[ROWS]] : (tensor<?x30xf64>) -> tensor<30xf64>
// CHECK:         %w_grad = array.build (%[[I:.*]] < 30) -> (tensor<30xf64>) {
// CHECK-NEXT:      %[[SUM:.*]] = array.get %[[SUMS]][%[[I]]]
// CHECK-NEXT:      %[[MEAN:.*]] = arith.divf %[[SUM]], %n_float
// CHECK:           %[[WEIGHT:.*]] = array.get %w[%[[I]]]
// CHECK-NEXT:      %[[TWICE:.*]] = arith.addf %[[WEIGHT]], %[[WEIGHT]]
// CHECK-NEXT:      %[[DECAY:.*]] = arith.divf %[[TWICE]], %{{.*}}
// CHECK-NEXT:      arith.addf %[[MEAN]], %[[DECAY]]
// CHECK-NOT:     dual.grad
// CHECK:         %[[B_SUM:.*]] = array.sum %{{.*}} : (tensor<?xf64>) -> f64
// CHECK-NEXT:    %[[B_GRAD:.*]] = arith.divf %[[B_SUM]], %n_float
// CHECK-NEXT:    return %w_grad, %[[B_GRAD]]
func.func @gradient(%w: tensor<30xf64>, %b: f64, %x: tensor<?x30xf64>, %y: tensor<?xf64>, %c: f64) -> (tensor<30xf64>, f64) {
  %w_grad, %b_grad = dual.grad @loss(%w, %b, %x, %y, %c) wrt [0, 1]
    : (tensor<30xf64>, f64, tensor<?x30xf64>, tensor<?xf64>, f64) -> (tensor<30xf64>, f64)
  return %w_grad, %b_grad : tensor<30xf64>, f64
}

// The number of rows on their own side: score > 0 where y is 1, score ≤ 0 where it is 0.
func.func @correct(%w: tensor<30xf64>, %b: f64, %x: tensor<?x30xf64>, %y: tensor<?xf64>) -> i64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?x30xf64>
  %hits = array.build (%i < %n) -> (tensor<?xi64>) {
    %row = array.get %x[%i] : (tensor<?x30xf64>) -> tensor<30xf64>
    %products = arith.mulf %row, %w : tensor<30xf64>
    %product = array.sum %products : (tensor<30xf64>) -> f64
    %score = arith.addf %product, %b : f64
    %label = array.get %y[%i] : (tensor<?xf64>) -> f64
    %says = arith.cmpf ogt, %score, %zero : f64
    %is = arith.cmpf ogt, %label, %zero : f64
    %same = arith.cmpi eq, %says, %is : i1
    %hit = arith.extui %same : i1 to i64
    array.yield %hit : i64
  }
  %z = array.sum %hits : (tensor<?xi64>) -> i64
  return %z : i64
}

// `epochs` steps of gradient descent from (w0, b0); then the loss there and the number of correctly classified rows.
// CHECK-LABEL: func.func @train
// CHECK:         array.ifold
// CHECK-NOT:     dual.grad
// CHECK:         return
func.func @train(%w0: tensor<30xf64>, %b0: f64, %x: tensor<?x30xf64>, %y: tensor<?xf64>, %c: f64, %rate: f64,
                 %epochs: index) -> (tensor<30xf64>, f64, f64, i64) {
  %rates = array.replicate %rate : (f64) -> tensor<30xf64>
  %w, %b = array.ifold (%k < %epochs) iter_args(%w_k = %w0, %b_k = %b0) -> (tensor<30xf64>, f64) {
    %w_grad, %b_grad = dual.grad @loss(%w_k, %b_k, %x, %y, %c) wrt [0, 1]
      : (tensor<30xf64>, f64, tensor<?x30xf64>, tensor<?xf64>, f64) -> (tensor<30xf64>, f64)
    %w_step = arith.mulf %rates, %w_grad : tensor<30xf64>
    %w_next = arith.subf %w_k, %w_step : tensor<30xf64>
    %b_step = arith.mulf %rate, %b_grad : f64
    %b_next = arith.subf %b_k, %b_step : f64
    array.yield %w_next, %b_next : tensor<30xf64>, f64
  }
  %loss = func.call @loss(%w, %b, %x, %y, %c) : (tensor<30xf64>, f64, tensor<?x30xf64>, tensor<?xf64>, f64) -> f64
  %correct = func.call @correct(%w, %b, %x, %y) : (tensor<30xf64>, f64, tensor<?x30xf64>, tensor<?xf64>) -> i64
  return %w, %b, %loss, %correct : tensor<30xf64>, f64, f64, i64
}
