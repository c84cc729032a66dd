stream.node @filter(%x: f64, %d: f64) -> (e: f64) {
  %zero = stream.constant dense<0.0> : tensor<16xf64>
  %c0 = arith.constant 0 : index
  %first = arith.constant 0.05 : f64
  %rate = stream.param "rate" %first : f64
  %newest = array.reshape %x : (f64) -> tensor<1xf64>
  %older = array.slice %before from %c0 : (tensor<16xf64>) -> tensor<15xf64>
  %h = array.append %newest, %older : (tensor<1xf64>, tensor<15xf64>) -> tensor<16xf64>
  %before = stream.fby %zero, %h : tensor<16xf64>
  %w = stream.fby %zero, %next : tensor<16xf64>
  %p = arith.mulf %w, %h : tensor<16xf64>
  %y = array.sum %p : (tensor<16xf64>) -> f64
  %e = arith.subf %d, %y : f64
  %step = arith.mulf %rate, %e : f64
  %steps = array.replicate %step : (f64) -> tensor<16xf64>
  %change = arith.mulf %steps, %h : tensor<16xf64>
  %next = arith.addf %w, %change : tensor<16xf64>
  stream.yield %e : f64
}
stream.node @rest(%x: f64, %d: f64) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %end = arith.cmpf ogt, %d, %zero : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}
