// A convolution in two dimensions with zero padding that no line says: reads beyond the edges are zero. Reverse mode turns them into
// writes beyond the edges, which are dropped; the gradient in the image is a convolution with the kernel turned around. Numbers are those of the vector
// `conv2d_zero_pad`.

// RUN: mlopt run %s --entry @convolve_and_vjp \
// RUN:   --arg '[[0.589384, -0.859725, 0.022395, 0.419477, 0.489336], [0.296515, -0.582365, -0.97517, 0.618661, -0.426436], [-0.652573, -0.074888, 0.491708, -0.916452, -0.958673], [-0.126593, 0.467693, 0.249427, 0.213441, 0.869569]]' \
// RUN:   --arg '[[-0.393633, -0.642863, 0.262575], [0.846178, 0.93078, -0.090853], [-0.493956, -0.025439, 0.857102]]' \
// RUN:   --arg '[[0.668892, 0.484031, -0.858492, 0.574535, -0.797506], [-0.321657, -0.741362, -0.723907, -0.018505, 0.779456], [-0.020781, 0.9586, 0.734585, 0.343021, 0.617391], [-0.290457, 0.501218, 0.528659, -0.996466, 0.317244]]' \
// RUN:   | FileCheck %s
// RUN: mlopt run %s --interpret --entry @convolve_and_vjp \
// RUN:   --arg '[[0.589384, -0.859725, 0.022395, 0.419477, 0.489336], [0.296515, -0.582365, -0.97517, 0.618661, -0.426436], [-0.652573, -0.074888, 0.491708, -0.916452, -0.958673], [-0.126593, 0.467693, 0.249427, 0.213441, 0.869569]]' \
// RUN:   --arg '[[-0.393633, -0.642863, 0.262575], [0.846178, 0.93078, -0.090853], [-0.493956, -0.025439, 0.857102]]' \
// RUN:   --arg '[[0.668892, 0.484031, -0.858492, 0.574535, -0.797506], [-0.321657, -0.741362, -0.723907, -0.018505, 0.779456], [-0.020781, 0.9586, 0.734585, 0.343021, 0.617391], [-0.290457, 0.501218, 0.528659, -0.996466, 0.317244]]' \
// RUN:   | FileCheck %s
// RUN: mlopt check-grad %s --entry @convolve --size 3 --size image.0=4 --size image.1=5 | FileCheck %s --check-prefix=ANY

// z[y, x] = Σ k[dy, dx]·image[y + dy - 1, x + dx - 1]
// ANY: all derivatives agree
func.func @convolve(%image: tensor<?x?xf64>, %kernel: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1 : index
  %h = array.length %image : tensor<?x?xf64>
  %w = array.length %image axis 1 : tensor<?x?xf64>
  %kh = array.length %kernel : tensor<?x?xf64>
  %kw = array.length %kernel axis 1 : tensor<?x?xf64>
  %z = array.build (%y < %h, %x < %w) -> (tensor<?x?xf64>) {
    %products = array.build (%dy < %kh, %dx < %kw) -> (tensor<?x?xf64>) {
      %yd = arith.addi %y, %dy : index
      %xd = arith.addi %x, %dx : index
      %row = arith.subi %yd, %one : index
      %column = arith.subi %xd, %one : index
      %k = array.get %kernel[%dy, %dx] : (tensor<?x?xf64>) -> f64
      %v = array.get %image[%row, %column] : (tensor<?x?xf64>) -> f64
      %p = arith.mulf %k, %v : f64
      array.yield %p : f64
    }
    %s = array.sum %products axes [0, 1] : (tensor<?x?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK:      {{\[\[}} 0.12000618 -1.27099645  0.09797931  0.46538712  0.51567316]
// CHECK-NEXT:  [-0.32332147  0.869704   -1.78350703 -1.40183042  0.12395788]
// CHECK-NEXT:  [-0.5400501  -0.40054465  1.44172528  0.14100265 -1.76473206]
// CHECK-NEXT:  [ 0.23952978  0.73966511  0.08126156  0.47460033  1.96702766]]
// CHECK-NEXT: {{\[\[}} 1.53077361  0.34040728 -0.0788899  -0.54707308 -1.30044324]
// CHECK-NEXT:  [-1.54679933 -1.19918486 -0.82475112  0.0809483   0.93307705]
// CHECK-NEXT:  [ 1.15561465  1.00988936  0.46302934  0.42447821  0.04220996]
// CHECK-NEXT:  [-0.3192095   0.53520226  0.23683405 -0.39115181  0.66411447]]
// CHECK-NEXT: {{\[\[}}-0.73152263  0.49443831  0.07170211]
// CHECK-NEXT:  [ 0.32895179  0.3710568  -1.46652153]
// CHECK-NEXT:  [-0.15606184  1.87261095 -0.61249626]]
func.func @convolve_and_vjp(%image: tensor<?x?xf64>, %kernel: tensor<?x?xf64>, %z_ct: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %z, %image_ct, %kernel_ct = dual.vjp @convolve(%image, %kernel) cotangents(%z_ct)
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %z, %image_ct, %kernel_ct : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
