// RUN: mlopt check-calls %s --way eval
// Numbers of f16 and bf16 are stored in 16 bits; arithmetic on them is that of f32, rounded after each op. The results
// are their bits; nothing is compiled.

// 0.1 and 1 / 3; 2048 + 1 and 2048 + 3 are between two numbers, of which the even one is taken; 60000 + 60000 is infinite.
// CALL: @f16_sums [0.1, 2048.0, 2048.0, 60000.0, -0.0] [0.0, 1.0, 3.0, 60000.0, -0.0] -> [11878, 26624, 26626, 31744, -32768]
func.func @f16_sums(%x: tensor<5xf16>, %y: tensor<5xf16>) -> tensor<5xi16> {
  %z = arith.addf %x, %y : tensor<5xf16>
  %bits = arith.bitcast %z : tensor<5xf16> to tensor<5xi16>
  return %bits : tensor<5xi16>
}

// The least number is 2⁻²⁴; half of it is zero.
// CALL: @f16_products [6e-8, 6e-8, 1.0, -6e-8] [0.5, 0.75, 0.3333, 0.5] -> [0, 1, 13653, -32768]
func.func @f16_products(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xi16> {
  %z = arith.mulf %x, %y : tensor<4xf16>
  %bits = arith.bitcast %z : tensor<4xf16> to tensor<4xi16>
  return %bits : tensor<4xi16>
}

// CALL: @bf16_sums [256.0, 256.0, 3e38, 1.0] [1.0, 3.0, 3e38, 0.001] -> [17280, 17282, 32640, 16256]
func.func @bf16_sums(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xi16> {
  %z = arith.addf %x, %y : tensor<4xbf16>
  %bits = arith.bitcast %z : tensor<4xbf16> to tensor<4xi16>
  return %bits : tensor<4xi16>
}

// CALL: @functions 1.0 2.0 -> 16430 16309 16603 true
func.func @functions(%x: bf16, %y: bf16) -> (i16, i16, i16, i1) {
  %a = math.exp %x : bf16
  %b = math.sqrt %y : bf16
  %c = math.fma %a, %y, %b : bf16
  %d = arith.cmpf olt, %x, %y : bf16
  %p = arith.bitcast %a : bf16 to i16
  %q = arith.bitcast %b : bf16 to i16
  %r = arith.bitcast %c : bf16 to i16
  return %p, %q, %r, %d : i16, i16, i16, i1
}

// A number of f64 is rounded once: the first is 2⁻⁴⁰ above the middle between 1 and the next number, where f32 has none.
// CALL: @once [1.0039062500009095, 1.00390625, 1.0039062499990905] -> [16257, 16256, 16256]
func.func @once(%x: tensor<3xf64>) -> tensor<3xi16> {
  %z = arith.truncf %x : tensor<3xf64> to tensor<3xbf16>
  %bits = arith.bitcast %z : tensor<3xbf16> to tensor<3xi16>
  return %bits : tensor<3xi16>
}

// 2⁶⁰ + 2⁵² + 1 is above the middle between two numbers, and 2⁶⁰ + 2⁵² is the middle.
// CALL: @of_integers [1157425104234217473, 1157425104234217472, -1157425104234217473, -1] -> [23937, 23936, -8831, -16512] [23937, 23936, 24432, 24448]
func.func @of_integers(%x: tensor<4xi64>) -> (tensor<4xi16>, tensor<4xi16>) {
  %a = arith.sitofp %x : tensor<4xi64> to tensor<4xbf16>
  %b = arith.uitofp %x : tensor<4xi64> to tensor<4xbf16>
  %p = arith.bitcast %a : tensor<4xbf16> to tensor<4xi16>
  %q = arith.bitcast %b : tensor<4xbf16> to tensor<4xi16>
  return %p, %q : tensor<4xi16>, tensor<4xi16>
}

// Reductions and scatters add in f32: 256 + 1 + 1 is 258, whereas 256 + 1 is 256.
// CALL: @reductions [256.0, 1.0, 1.0] -> 17281 17280 17280 16256 0 1
func.func @reductions(%x: tensor<3xbf16>) -> (i16, i16, i16, i16, index, index) {
  %a = array.sum %x : (tensor<3xbf16>) -> bf16
  %b = array.prod %x : (tensor<3xbf16>) -> bf16
  %c = array.max %x : (tensor<3xbf16>) -> bf16
  %d = array.min %x : (tensor<3xbf16>) -> bf16
  %e = array.argmax %x : (tensor<3xbf16>) -> index
  %f = array.argmin %x : (tensor<3xbf16>) -> index
  %p = arith.bitcast %a : bf16 to i16
  %q = arith.bitcast %b : bf16 to i16
  %r = arith.bitcast %c : bf16 to i16
  %s = arith.bitcast %d : bf16 to i16
  return %p, %q, %r, %s, %e, %f : i16, i16, i16, i16, index, index
}

// CALL: @scatter [1.0, 1.0] -> [17281, 0]
func.func @scatter(%x: tensor<2xbf16>) -> tensor<2xi16> {
  %zero = arith.constant 0 : index
  %start = arith.constant dense<[256.0, 0.0]> : tensor<2xbf16>
  %z = array.scatter %x into %start : tensor<2xbf16> into tensor<2xbf16> (%i) {
    array.yield %zero : index
  }
  %bits = arith.bitcast %z : tensor<2xbf16> to tensor<2xi16>
  return %bits : tensor<2xi16>
}

// A loop rounds its state after each op.
// CALL: @fold [1.0, 1.0, 3.0] -> 17282
func.func @fold(%x: tensor<3xbf16>) -> i16 {
  %start = arith.constant 256.0 : bf16
  %z = array.fold (%e = %x : tensor<3xbf16>) iter_args(%s = %start) -> (bf16) {
    %t = arith.addf %s, %e : bf16
    array.yield %t : bf16
  }
  %bits = arith.bitcast %z : bf16 to i16
  return %bits : i16
}

// CALL: @floor [-1.5, 300.0, 65504.0] -> [-2, 127, 127] [-2, 300, 32767]
func.func @floor(%x: tensor<3xf16>) -> (tensor<3xi8>, tensor<3xi16>) {
  %a = array.floor %x : (tensor<3xf16>) -> tensor<3xi8>
  %b = array.floor %x : (tensor<3xf16>) -> tensor<3xi16>
  return %a, %b : tensor<3xi8>, tensor<3xi16>
}

// Constants of every form, and the numbers that a caller gives.
// CALL: @constants -2.0 -> 14336 [15360, 48128, 15360] [17280, 17280] -16384
// CALL: @constants nan -> 14336 [15360, 48128, 15360] [17280, 17280] 32256
func.func @constants(%x: f16) -> (i16, tensor<3xi32>, tensor<2xi16>, i16) {
  %a = arith.constant 0.5 : f16
  %b = arith.constant dense<[1.0, -1.0, 1.0]> : tensor<3xf16>
  %c = arith.constant dense<256.0> : tensor<2xbf16>
  %p = arith.bitcast %a : f16 to i16
  %q = arith.bitcast %b : tensor<3xf16> to tensor<3xi16>
  %r = arith.extui %q : tensor<3xi16> to tensor<3xi32>
  %s = arith.bitcast %c : tensor<2xbf16> to tensor<2xi16>
  %t = arith.bitcast %x : f16 to i16
  return %p, %r, %s, %t : i16, tensor<3xi32>, tensor<2xi16>, i16
}
