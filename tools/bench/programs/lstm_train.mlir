// One step of gradient descent for a layer of LSTM cells, with the mean squared error of every output.

// x·w
func.func private @product(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %x : tensor<?x?xf64>
  %n = array.length %w axis 1 : tensor<?x?xf64>
  %columns = array.transpose %w [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %row = array.get %x[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %column = array.get %columns[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %column : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %y : tensor<?x?xf64>
}
func.func private @sigmoid(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %m = arith.negf %x : f64
  %e = math.exp %m : f64
  %s = arith.addf %one, %e : f64
  %y = arith.divf %one, %s : f64
  return %y : f64
}
// The cells of a batch for one time step; a row of `gates` holds those of input, forgetting, update and output.
func.func private @cells(%gates: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %batch = array.length %c : tensor<?x?xf64>
  %n = array.length %c axis 1 : tensor<?x?xf64>
  %hn, %cn = array.build (%b < %batch, %j < %n) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
    %jf = arith.addi %j, %n : index
    %jg = arith.addi %jf, %n : index
    %jo = arith.addi %jg, %n : index
    %ai = array.get %gates[%b, %j] : (tensor<?x?xf64>) -> f64
    %af = array.get %gates[%b, %jf] : (tensor<?x?xf64>) -> f64
    %ag = array.get %gates[%b, %jg] : (tensor<?x?xf64>) -> f64
    %ao = array.get %gates[%b, %jo] : (tensor<?x?xf64>) -> f64
    %i = func.call @sigmoid(%ai) : (f64) -> f64
    %f = func.call @sigmoid(%af) : (f64) -> f64
    %o = func.call @sigmoid(%ao) : (f64) -> f64
    %g = math.tanh %ag : f64
    %old = array.get %c[%b, %j] : (tensor<?x?xf64>) -> f64
    %kept = arith.mulf %f, %old : f64
    %new = arith.mulf %i, %g : f64
    %state = arith.addf %kept, %new : f64
    %t = math.tanh %state : f64
    %out = arith.mulf %o, %t : f64
    array.yield %out, %state : f64, f64
  }
  return %hn, %cn : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @loss(%x: tensor<?x?x?xf64>, %y: tensor<?x?x?xf64>, %wx: tensor<?x?xf64>, %wh: tensor<?x?xf64>, %bias: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %steps = array.length %x : tensor<?x?x?xf64>
  %batch = array.length %x axis 1 : tensor<?x?x?xf64>
  %inputs = array.length %x axis 2 : tensor<?x?x?xf64>
  %n = array.length %wh : tensor<?x?xf64>
  %n4 = array.length %wh axis 1 : tensor<?x?xf64>
  // What the inputs give to the gates, for all times at once.
  %rows = arith.muli %steps, %batch : index
  %flat = array.reshape %x sizes(%rows, %inputs) : (tensor<?x?x?xf64>) -> tensor<?x?xf64>
  %products = func.call @product(%flat, %wx) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %biases = array.replicate %bias, %rows : (tensor<?xf64>) -> tensor<?x?xf64>
  %sums = arith.addf %products, %biases : tensor<?x?xf64>
  %from_inputs = array.reshape %sums sizes(%steps, %batch, %n4) : (tensor<?x?xf64>) -> tensor<?x?x?xf64>
  %row = array.replicate %zero, %n : (f64) -> tensor<?xf64>
  %zeros = array.replicate %row, %batch : (tensor<?xf64>) -> tensor<?x?xf64>
  %hl, %cl, %errors = array.map_accum (%g = %from_inputs : tensor<?x?x?xf64>, %yt = %y : tensor<?x?x?xf64>)
      iter_args(%h = %zeros, %c = %zeros) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
    %from_outputs = func.call @product(%h, %wh) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %gates = arith.addf %g, %from_outputs : tensor<?x?xf64>
    %hn, %cn = func.call @cells(%gates, %c) : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
    %d = arith.subf %hn, %yt : tensor<?x?xf64>
    %dd = arith.mulf %d, %d : tensor<?x?xf64>
    %e = array.sum %dd axes [0, 1] : (tensor<?x?xf64>) -> f64
    array.yield %hn, %cn, %e : tensor<?x?xf64>, tensor<?x?xf64>, f64
  }
  %total = array.sum %errors : (tensor<?xf64>) -> f64
  %outputs = arith.muli %rows, %n : index
  %i = arith.index_cast %outputs : index to i64
  %count = arith.sitofp %i : i64 to f64
  %z = arith.divf %total, %count : f64
  return %z : f64
}

// w - 0.1 g
func.func private @descend_matrix(%w: tensor<?x?xf64>, %g: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %rate = arith.constant 0.1 : f64
  %m = array.length %w : tensor<?x?xf64>
  %n = array.length %w axis 1 : tensor<?x?xf64>
  %row = array.replicate %rate, %n : (f64) -> tensor<?xf64>
  %rates = array.replicate %row, %m : (tensor<?xf64>) -> tensor<?x?xf64>
  %step = arith.mulf %rates, %g : tensor<?x?xf64>
  %next = arith.subf %w, %step : tensor<?x?xf64>
  return %next : tensor<?x?xf64>
}
func.func private @descend_vector(%b: tensor<?xf64>, %g: tensor<?xf64>) -> tensor<?xf64> {
  %rate = arith.constant 0.1 : f64
  %n = array.length %b : tensor<?xf64>
  %rates = array.replicate %rate, %n : (f64) -> tensor<?xf64>
  %step = arith.mulf %rates, %g : tensor<?xf64>
  %next = arith.subf %b, %step : tensor<?xf64>
  return %next : tensor<?xf64>
}
func.func @lstm_train(%x: tensor<?x?x?xf64>, %y: tensor<?x?x?xf64>, %wx: tensor<?x?xf64>, %wh: tensor<?x?xf64>, %bias: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %gx, %gh, %gb = dual.grad @loss(%x, %y, %wx, %wh, %bias) wrt [2, 3, 4] mode reverse
    : (tensor<?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  %nx = func.call @descend_matrix(%wx, %gx) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %nh = func.call @descend_matrix(%wh, %gh) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %nb = func.call @descend_vector(%bias, %gb) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %nx, %nh, %nb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}
