// The same by hand.
func.func private @dense(%w: tensor<64x64xf64>, %b: tensor<64xf64>, %x: tensor<64xf64>) -> tensor<64xf64> {
  %y = array.build (%i < 64) -> (tensor<64xf64>) {
    %row = array.get %w[%i] : (tensor<64x64xf64>) -> tensor<64xf64>
    %p = arith.mulf %row, %x : tensor<64xf64>
    %s = array.sum %p : (tensor<64xf64>) -> f64
    array.yield %s : f64
  }
  %z = arith.addf %y, %b : tensor<64xf64>
  return %z : tensor<64xf64>
}
func.func @mlp(%w1: tensor<64x64xf64>, %b1: tensor<64xf64>, %w2: tensor<64x64xf64>, %b2: tensor<64xf64>, %w3: tensor<64x64xf64>,
    %b3: tensor<64xf64>, %x: tensor<64xf64>) -> f64 {
  %a1 = func.call @dense(%w1, %b1, %x) : (tensor<64x64xf64>, tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>
  %h1 = math.tanh %a1 : tensor<64xf64>
  %a2 = func.call @dense(%w2, %b2, %h1) : (tensor<64x64xf64>, tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>
  %h2 = math.tanh %a2 : tensor<64xf64>
  %y = func.call @dense(%w3, %b3, %h2) : (tensor<64x64xf64>, tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>
  %yy = arith.mulf %y, %y : tensor<64xf64>
  %s = array.sum %yy : (tensor<64xf64>) -> f64
  return %s : f64
}
func.func @mlp_gradient(%w1: tensor<64x64xf64>, %b1: tensor<64xf64>, %w2: tensor<64x64xf64>, %b2: tensor<64xf64>, %w3: tensor<64x64xf64>,
    %b3: tensor<64xf64>, %x: tensor<64xf64>) -> tensor<64x64xf64> {
  %g = dual.grad @mlp(%w1, %b1, %w2, %b2, %w3, %b3, %x) wrt [0] mode reverse : (tensor<64x64xf64>, tensor<64xf64>, tensor<64x64xf64>,
    tensor<64xf64>, tensor<64x64xf64>, tensor<64xf64>, tensor<64xf64>) -> tensor<64x64xf64>
  return %g : tensor<64x64xf64>
}
