// An LSTM of 32 cells on sequences of 16 numbers a cycle, trained to follow 32 others: derivatives and training are made by passes.

// State that starts again after each end.
stream.node @fby_end(%end: i1, %i: tensor<32xf64>) -> (o: tensor<32xf64>) {
  %true = arith.constant true
  %zeros = arith.constant dense<0.0> : tensor<32xf64>
  %first = stream.fby %true, %end : i1
  %carried = stream.select %end, %zeros, %i : tensor<32xf64>
  %before = stream.fby %zeros, %carried : tensor<32xf64>
  %o = stream.select %first, %zeros, %before : tensor<32xf64>
  stream.yield %o : tensor<32xf64>
}

stream.node @logistic(%x: tensor<32xf64>) -> (y: tensor<32xf64>) {
  %ones = arith.constant dense<1.0> : tensor<32xf64>
  %minus = arith.negf %x : tensor<32xf64>
  %e = math.exp %minus : tensor<32xf64>
  %below = arith.addf %ones, %e : tensor<32xf64>
  %y = arith.divf %ones, %below : tensor<32xf64>
  stream.yield %y : tensor<32xf64>
}

stream.node @network(%x: tensor<16xf64>, %target: tensor<32xf64>, %end: i1) -> (loss: f64) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<128x49xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<128x49xf64>
  %h = stream.instance "h" @fby_end(%end, %h_next) : (i1, tensor<32xf64>) -> tensor<32xf64>
  %c = stream.instance "c" @fby_end(%end, %c_next) : (i1, tensor<32xf64>) -> tensor<32xf64>
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %xh = array.append %x, %h : (tensor<16xf64>, tensor<32xf64>) -> tensor<48xf64>
  %xh1 = array.append %xh, %one : (tensor<48xf64>, tensor<1xf64>) -> tensor<49xf64>
  %z = array.build (%row < 128) -> (tensor<128xf64>) {
    %weights = array.get %kernel[%row] : (tensor<128x49xf64>) -> tensor<49xf64>
    %products = arith.mulf %weights, %xh1 : tensor<49xf64>
    %sum = array.sum %products : (tensor<49xf64>) -> f64
    array.yield %sum : f64
  }
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %rows = array.reshape %z : (tensor<128xf64>) -> tensor<4x32xf64>
  %z0 = array.get %rows[%i0] : (tensor<4x32xf64>) -> tensor<32xf64>
  %z1 = array.get %rows[%i1] : (tensor<4x32xf64>) -> tensor<32xf64>
  %z2 = array.get %rows[%i2] : (tensor<4x32xf64>) -> tensor<32xf64>
  %z3 = array.get %rows[%i3] : (tensor<4x32xf64>) -> tensor<32xf64>
  %in = stream.instance "in" @logistic(%z0) : (tensor<32xf64>) -> tensor<32xf64>
  %forget = stream.instance "forget" @logistic(%z1) : (tensor<32xf64>) -> tensor<32xf64>
  %out = stream.instance "out" @logistic(%z2) : (tensor<32xf64>) -> tensor<32xf64>
  %candidate = math.tanh %z3 : tensor<32xf64>
  %kept = arith.mulf %forget, %c : tensor<32xf64>
  %new = arith.mulf %in, %candidate : tensor<32xf64>
  %c_next = arith.addf %kept, %new : tensor<32xf64>
  %shown = math.tanh %c_next : tensor<32xf64>
  %h_next = arith.mulf %out, %shown : tensor<32xf64>
  %apart = arith.subf %h_next, %target : tensor<32xf64>
  %squares = arith.mulf %apart, %apart : tensor<32xf64>
  %loss = array.sum %squares : (tensor<32xf64>) -> f64
  stream.yield %loss : f64
}
