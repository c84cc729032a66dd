// The D-LSTM of ADBench: layers of cells with diagonal weights, one after the other, that predict each next character; the
// gradient in the weights of the cells and of input and output.

func.func private @sigmoid(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %n = array.length %x : tensor<?xf64>
  %ones = array.replicate %one, %n : (f64) -> tensor<?xf64>
  %m = arith.negf %x : tensor<?xf64>
  %e = math.exp %m : tensor<?xf64>
  %s = arith.addf %ones, %e : tensor<?xf64>
  %y = arith.divf %ones, %s : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func private @affine(%x: tensor<?xf64>, %w: tensor<2x4x?xf64>, %gate: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %weight = array.get %w[%c0, %gate] : (tensor<2x4x?xf64>) -> tensor<?xf64>
  %bias = array.get %w[%c1, %gate] : (tensor<2x4x?xf64>) -> tensor<?xf64>
  %p = arith.mulf %x, %weight : tensor<?xf64>
  %y = arith.addf %p, %bias : tensor<?xf64>
  return %y : tensor<?xf64>
}
// One cell: its new output and state.
func.func private @cell(%w: tensor<2x4x?xf64>, %input: tensor<?xf64>, %h: tensor<?xf64>, %c: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %af = func.call @affine(%input, %w, %c0) : (tensor<?xf64>, tensor<2x4x?xf64>, index) -> tensor<?xf64>
  %ai = func.call @affine(%h, %w, %c1) : (tensor<?xf64>, tensor<2x4x?xf64>, index) -> tensor<?xf64>
  %ao = func.call @affine(%input, %w, %c2) : (tensor<?xf64>, tensor<2x4x?xf64>, index) -> tensor<?xf64>
  %ag = func.call @affine(%h, %w, %c3) : (tensor<?xf64>, tensor<2x4x?xf64>, index) -> tensor<?xf64>
  %f = func.call @sigmoid(%af) : (tensor<?xf64>) -> tensor<?xf64>
  %i = func.call @sigmoid(%ai) : (tensor<?xf64>) -> tensor<?xf64>
  %o = func.call @sigmoid(%ao) : (tensor<?xf64>) -> tensor<?xf64>
  %g = math.tanh %ag : tensor<?xf64>
  %kept = arith.mulf %c, %f : tensor<?xf64>
  %new = arith.mulf %i, %g : tensor<?xf64>
  %cn = arith.addf %kept, %new : tensor<?xf64>
  %t = math.tanh %cn : tensor<?xf64>
  %hn = arith.mulf %o, %t : tensor<?xf64>
  return %hn, %cn : tensor<?xf64>, tensor<?xf64>
}

func.func private @objective(%main: tensor<?x?xf64>, %extra: tensor<3x?xf64>, %state: tensor<?x?xf64>, %seq: tensor<?x?xf64>) -> f64 {
  %two = arith.constant 2.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = array.length %main : tensor<?x?xf64>
  %layers = array.div %rows, %c2 : index
  %b = array.length %extra axis 1 : tensor<3x?xf64>
  %length = array.length %seq : tensor<?x?xf64>
  %steps = arith.subi %length, %c1 : index
  %weights = array.reshape %main sizes(%layers, %b) : (tensor<?x?xf64>) -> tensor<?x2x4x?xf64>
  %states = array.reshape %state sizes(%layers, %b) : (tensor<?x?xf64>) -> tensor<?x2x?xf64>
  %turned = array.transpose %states [1, 0, 2] : (tensor<?x2x?xf64>) -> tensor<2x?x?xf64>
  %h0 = array.get %turned[%c0] : (tensor<2x?x?xf64>) -> tensor<?x?xf64>
  %s0 = array.get %turned[%c1] : (tensor<2x?x?xf64>) -> tensor<?x?xf64>
  %in_weight = array.get %extra[%c0] : (tensor<3x?xf64>) -> tensor<?xf64>
  %out_weight = array.get %extra[%c1] : (tensor<3x?xf64>) -> tensor<?xf64>
  %out_bias = array.get %extra[%c2] : (tensor<3x?xf64>) -> tensor<?xf64>
  %xs = array.slice %seq from %c0 size %steps : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %ys = array.slice %seq from %c1 size %steps : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %hl, %sl, %logs = array.map_accum (%x = %xs : tensor<?x?xf64>, %y = %ys : tensor<?x?xf64>)
      iter_args(%h = %h0, %s = %s0) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
    %input = arith.mulf %x, %in_weight : tensor<?xf64>
    %last, %hn, %sn = array.map_accum (%w = %weights : tensor<?x2x4x?xf64>, %hk = %h : tensor<?x?xf64>, %sk = %s : tensor<?x?xf64>)
        iter_args(%a = %input) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
      %hkn, %skn = func.call @cell(%w, %a, %hk, %sk)
        : (tensor<2x4x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
      array.yield %hkn, %hkn, %skn : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
    }
    %scaled = arith.mulf %last, %out_weight : tensor<?xf64>
    %p = arith.addf %scaled, %out_bias : tensor<?xf64>
    %e = math.exp %p : tensor<?xf64>
    %sum = array.sum %e : (tensor<?xf64>) -> f64
    %total = arith.addf %sum, %two : f64
    %norm = math.log %total : f64
    %norms = array.replicate %norm, %b : (f64) -> tensor<?xf64>
    %log_softmax = arith.subf %p, %norms : tensor<?xf64>
    %yl = arith.mulf %y, %log_softmax : tensor<?xf64>
    %log = array.sum %yl : (tensor<?xf64>) -> f64
    array.yield %hn, %sn, %log : tensor<?x?xf64>, tensor<?x?xf64>, f64
  }
  %likelihood = array.sum %logs : (tensor<?xf64>) -> f64
  %terms = arith.muli %steps, %b : index
  %ti = arith.index_cast %terms : index to i64
  %count = arith.sitofp %ti : i64 to f64
  %mean = arith.divf %likelihood, %count : f64
  %z = arith.negf %mean : f64
  return %z : f64
}
func.func @lstm_ad(%main: tensor<?x?xf64>, %extra: tensor<3x?xf64>, %state: tensor<?x?xf64>, %seq: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<3x?xf64>) {
  %gm, %ge = dual.grad @objective(%main, %extra, %state, %seq) wrt [0, 1] mode reverse
    : (tensor<?x?xf64>, tensor<3x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<3x?xf64>)
  return %gm, %ge : tensor<?x?xf64>, tensor<3x?xf64>
}
