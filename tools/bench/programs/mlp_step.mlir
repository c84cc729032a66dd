// One step of gradient descent for a network of three layers: ReLU, ReLU, softmax with cross-entropy.

// x·w + b
func.func private @layer(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %m = array.length %x : tensor<?x?xf64>
  %n = array.length %b : tensor<?xf64>
  %columns = array.transpose %w [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %row = array.get %x[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %column = array.get %columns[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %column : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %bj = array.get %b[%j] : (tensor<?xf64>) -> f64
    %t = arith.addf %s, %bj : f64
    array.yield %t : f64
  }
  return %y : tensor<?x?xf64>
}
func.func private @relu(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %m = array.length %x : tensor<?x?xf64>
  %n = array.length %x axis 1 : tensor<?x?xf64>
  %y = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %e = array.get %x[%i, %j] : (tensor<?x?xf64>) -> f64
    %r = arith.maximumf %zero, %e : f64
    array.yield %r : f64
  }
  return %y : tensor<?x?xf64>
}

// The mean over the batch of -Σ y log softmax(z).
func.func private @cross_entropy(%z: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> f64 {
  %m = array.length %z : tensor<?x?xf64>
  %n = array.length %z axis 1 : tensor<?x?xf64>
  %max = array.max %z axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %top = dual.stop_gradient %max : tensor<?xf64>
  %tops = array.replicate %top, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %shift = array.transpose %tops [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %shifted = arith.subf %z, %shift : tensor<?x?xf64>
  %e = math.exp %shifted : tensor<?x?xf64>
  %total = array.sum %e axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %log = math.log %total : tensor<?xf64>
  %logs = array.replicate %log, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %norm = array.transpose %logs [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %log_softmax = arith.subf %shifted, %norm : tensor<?x?xf64>
  %p = arith.mulf %y, %log_softmax : tensor<?x?xf64>
  %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
  %i = arith.index_cast %m : index to i64
  %batch = arith.sitofp %i : i64 to f64
  %mean = arith.divf %s, %batch : f64
  %loss = arith.negf %mean : f64
  return %loss : f64
}
func.func private @loss(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %w1: tensor<?x?xf64>, %b1: tensor<?xf64>, %w2: tensor<?x?xf64>,
    %b2: tensor<?xf64>, %w3: tensor<?x?xf64>, %b3: tensor<?xf64>) -> f64 {
  %a1 = func.call @layer(%x, %w1, %b1) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  %h1 = func.call @relu(%a1) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %a2 = func.call @layer(%h1, %w2, %b2) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  %h2 = func.call @relu(%a2) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %z = func.call @layer(%h2, %w3, %b3) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  %loss = func.call @cross_entropy(%z, %y) : (tensor<?x?xf64>, tensor<?x?xf64>) -> f64
  return %loss : f64
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
func.func @mlp_step(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>, %w1: tensor<?x?xf64>, %b1: tensor<?xf64>,
    %w2: tensor<?x?xf64>, %b2: tensor<?xf64>, %w3: tensor<?x?xf64>, %b3: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %gw1, %gb1, %gw2, %gb2, %gw3, %gb3 = dual.grad @loss(%x, %y, %w1, %b1, %w2, %b2, %w3, %b3) wrt [2, 3, 4, 5, 6, 7] mode reverse
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>,
       tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  %n1 = func.call @descend_matrix(%w1, %gw1) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %c1 = func.call @descend_vector(%b1, %gb1) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %n2 = func.call @descend_matrix(%w2, %gw2) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %c2 = func.call @descend_vector(%b2, %gb2) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %n3 = func.call @descend_matrix(%w3, %gw3) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %c3 = func.call @descend_vector(%b3, %gb3) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %n1, %c1, %n2, %c2, %n3, %c3
    : tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>
}
