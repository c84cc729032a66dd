// RUN: mlopt %s --stablehlo-to-array --canonicalize | FileCheck %s
// The form of Fourier transforms. Values are compared in test/stablehlo/programs.

// 64 = 16 · 4: two products with small matrices, and between them one with 16 x 4 numbers. The number of columns may be
// dynamic.
// CHECK-LABEL: func.func @factors
// CHECK-NOT:     tensor<64x64x
// CHECK-COUNT-4: array.sum %{{.*}} axes [2] : (tensor<16x?x16xf64>) -> tensor<16x?xf64>
// CHECK:         array.transpose %{{.*}} [1, 0, 2] : (tensor<16x4x?xf64>) -> tensor<4x16x?xf64>
// CHECK-COUNT-4: array.sum %{{.*}} axes [2] : (tensor<4x?x4xf64>) -> tensor<4x?xf64>
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @factors(%x: tensor<?x64xcomplex<f64>>) -> tensor<?x64xcomplex<f64>> {
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 64>, fft_type = #stablehlo<fft_type FFT>}>
      : (tensor<?x64xcomplex<f64>>) -> tensor<?x64xcomplex<f64>>
  return %z : tensor<?x64xcomplex<f64>>
}

// Real numbers: half of the rows, and no products with imaginary parts.
// CHECK-LABEL: func.func @real
// CHECK-COUNT-2: array.sum %{{.*}} axes [2] : (tensor<7x2x12xf32>) -> tensor<7x2xf32>
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @real(%x: tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>> {
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 12>, fft_type = #stablehlo<fft_type RFFT>}>
      : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
  return %z : tensor<2x7xcomplex<f32>>
}

// Twice as many real numbers are as many complex ones: the transform has length 18 = 9 · 2.
// CHECK-LABEL: func.func @packed
// CHECK-COUNT-4: array.sum %{{.*}} axes [2] : (tensor<9x2x9xf32>) -> tensor<9x2xf32>
// CHECK-COUNT-4: array.sum %{{.*}} axes [2] : (tensor<2x9x2xf32>) -> tensor<2x9xf32>
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @packed(%x: tensor<36xf32>) -> tensor<19xcomplex<f32>> {
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 36>, fft_type = #stablehlo<fft_type RFFT>}>
      : (tensor<36xf32>) -> tensor<19xcomplex<f32>>
  return %z : tensor<19xcomplex<f32>>
}

// A large prime becomes a convolution of length 256, by transforms of 256 = 16 · 16.
// CHECK-LABEL: func.func @prime
// CHECK-COUNT-16: array.sum %{{.*}} axes [2] : (tensor<16x16x16xf64>) -> tensor<16x16xf64>
// CHECK-NOT:     array.sum
// CHECK:         return
func.func @prime(%x: tensor<101xcomplex<f64>>) -> tensor<101xcomplex<f64>> {
  %z = "stablehlo.fft"(%x) <{fft_length = array<i64: 101>, fft_type = #stablehlo<fft_type FFT>}>
      : (tensor<101xcomplex<f64>>) -> tensor<101xcomplex<f64>>
  return %z : tensor<101xcomplex<f64>>
}
