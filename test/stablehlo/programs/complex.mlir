// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Operations on complex elements other than functions.
// The operands have few digits, so that most results are exact; NumPy computed the expected values.

func.func @main() {
  %x0_0 = "stablehlo.constant"() <{value = dense<[(1.25, -1.75), (1.25, -0.5), (0.0, -0.375), (-0.875, -1.875)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x0_1 = "stablehlo.constant"() <{value = dense<[(-1.75, -0.25), (2.0, 1.875), (0.625, 1.625), (-1.0, 1.375)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %e0 = "stablehlo.constant"() <{value = dense<[(-0.5, -2.0), (3.25, 1.375), (0.625, 1.25), (-1.875, -0.5)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %z0 = "stablehlo.add"(%x0_0, %x0_1) : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z0, %e0) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  %x1_0 = "stablehlo.constant"() <{value = dense<[(1.25, -1.75), (1.25, -0.5), (0.0, -0.375), (-0.875, -1.875)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x1_1 = "stablehlo.constant"() <{value = dense<[(-1.75, -0.25), (2.0, 1.875), (0.625, 1.625), (-1.0, 1.375)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %e1 = "stablehlo.constant"() <{value = dense<[(3.0, -1.5), (-0.75, -2.375), (-0.625, -2.0), (0.125, -3.25)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %z1 = "stablehlo.subtract"(%x1_0, %x1_1) : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z1, %e1) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  %x2_0 = "stablehlo.constant"() <{value = dense<[(1.25, -1.75), (1.25, -0.5), (0.0, -0.375), (-0.875, -1.875)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x2_1 = "stablehlo.constant"() <{value = dense<[(-1.75, -0.25), (2.0, 1.875), (0.625, 1.625), (-1.0, 1.375)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %e2 = "stablehlo.constant"() <{value = dense<[
      (-2.625, 2.75), (3.4375, 1.34375), (0.609375, -0.234375), (3.453125, 0.671875)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %z2 = "stablehlo.multiply"(%x2_0, %x2_1) : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z2, %e2) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  %x3_0 = "stablehlo.constant"() <{value = dense<[(1.25, -1.75), (1.25, -0.5), (0.0, -0.375), (-0.875, -1.875)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %e3 = "stablehlo.constant"() <{value = dense<[(-1.5, -4.375), (1.3125, -1.25), (-0.140625, -0.0), (-2.75, 3.28125)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %z3 = "chlo.square"(%x3_0) : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z3, %e3) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  %x4_0 = "stablehlo.constant"() <{value = dense<[(-0.375, 0.25), (-0.0, -0.875), (0.75, 1.5), (-1.75, -1.75)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %x4_1 = "stablehlo.constant"() <{value = dense<[(0.75, 1.5), (1.5, -1.875), (-1.125, 0.875), (1.625, -2.0)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %e4 = "stablehlo.constant"() <{value = dense<[(0.375, 1.75), (1.5, -2.75), (-0.375, 2.375), (-0.125, -3.75)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %z4 = "stablehlo.add"(%x4_0, %x4_1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "stablehlo.custom_call"(%z4, %e4) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  %x5_0 = "stablehlo.constant"() <{value = dense<[(-0.375, 0.25), (-0.0, -0.875), (0.75, 1.5), (-1.75, -1.75)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %x5_1 = "stablehlo.constant"() <{value = dense<[(0.75, 1.5), (1.5, -1.875), (-1.125, 0.875), (1.625, -2.0)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %e5 = "stablehlo.constant"() <{value = dense<[(-1.125, -1.25), (-1.5, 1.0), (1.875, 0.625), (-3.375, 0.25)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %z5 = "stablehlo.subtract"(%x5_0, %x5_1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "stablehlo.custom_call"(%z5, %e5) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  %x6_0 = "stablehlo.constant"() <{value = dense<[(-0.375, 0.25), (-0.0, -0.875), (0.75, 1.5), (-1.75, -1.75)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %x6_1 = "stablehlo.constant"() <{value = dense<[(0.75, 1.5), (1.5, -1.875), (-1.125, 0.875), (1.625, -2.0)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %e6 = "stablehlo.constant"() <{value = dense<[
      (-0.65625, -0.375), (-1.640625, -1.3125), (-2.15625, -1.03125), (-6.34375, 0.65625)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %z6 = "stablehlo.multiply"(%x6_0, %x6_1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "stablehlo.custom_call"(%z6, %e6) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  %x7_0 = "stablehlo.constant"() <{value = dense<[(-0.375, 0.25), (-0.0, -0.875), (0.75, 1.5), (-1.75, -1.75)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %e7 = "stablehlo.constant"() <{value = dense<[(0.078125, -0.1875), (-0.765625, 0.0), (-1.6875, 2.25), (0.0, 6.125)]>
      : tensor<4xcomplex<f32>>}> : () -> tensor<4xcomplex<f32>>
  %z7 = "chlo.square"(%x7_0) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "stablehlo.custom_call"(%z7, %e7) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  %x8_0 = "stablehlo.constant"() <{value = dense<[
      (1.0, 2.0), (1.0, 2.0), (3.0, -1.0), (0.0, 0.5), (0x7FF8000000000000, 0.0)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %x8_1 = "stablehlo.constant"() <{value = dense<[
      (1.0, 2.0), (1.0, 3.0), (2.0, -1.0), (0.0, 0.5), (0x7FF8000000000000, 0.0)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %e8 = "stablehlo.constant"() <{value = dense<[true, false, false, true, false]> : tensor<5xi1>}> : () -> tensor<5xi1>
  %z8 = "stablehlo.compare"(%x8_0, %x8_1) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> tensor<5xi1>
  "stablehlo.custom_call"(%z8, %e8) <{call_target_name = "check.expect_eq"}> : (tensor<5xi1>, tensor<5xi1>) -> ()
  %x9_0 = "stablehlo.constant"() <{value = dense<[
      (1.0, 2.0), (1.0, 2.0), (3.0, -1.0), (0.0, 0.5), (0x7FF8000000000000, 0.0)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %x9_1 = "stablehlo.constant"() <{value = dense<[
      (1.0, 2.0), (1.0, 3.0), (2.0, -1.0), (0.0, 0.5), (0x7FF8000000000000, 0.0)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %e9 = "stablehlo.constant"() <{value = dense<[false, true, true, false, true]> : tensor<5xi1>}> : () -> tensor<5xi1>
  %z9 = "stablehlo.compare"(%x9_0, %x9_1) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> tensor<5xi1>
  "stablehlo.custom_call"(%z9, %e9) <{call_target_name = "check.expect_eq"}> : (tensor<5xi1>, tensor<5xi1>) -> ()
  // A scalar chooses one of two arrays; a Boolean for each element.
  %x10_0 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (-0.25, 1.25), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %x10_1 = "stablehlo.constant"() <{value = dense<[(-1.375, 1.25), (0.75, -1.0), (-0.25, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e10 = "stablehlo.constant"() <{value = dense<[(-1.375, 1.25), (0.75, -1.0), (-0.25, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %c10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  %z10 = "stablehlo.select"(%c10, %x10_0, %x10_1) : (tensor<i1>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z10, %e10) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  %x11_0 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (-0.25, 1.25), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %x11_1 = "stablehlo.constant"() <{value = dense<[(-1.375, 1.25), (0.75, -1.0), (-0.25, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e11 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (0.75, -1.0), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %c11 = "stablehlo.constant"() <{value = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  %z11 = "stablehlo.select"(%c11, %x11_0, %x11_1) : (tensor<3xi1>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z11, %e11) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  // A real number gets the imaginary part zero; the conversion to a real type drops it.
  %x12_0 = "stablehlo.constant"() <{value = dense<[1.25, 0.0, 0.0]>
      : tensor<3xf64>}> : () -> tensor<3xf64>
  %e12 = "stablehlo.constant"() <{value = dense<[(1.25, 0.0), (0.0, 0.0), (0.0, 0.0)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %z12 = "stablehlo.convert"(%x12_0) : (tensor<3xf64>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z12, %e12) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  %x13_0 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (-0.25, 1.25), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e13 = "stablehlo.constant"() <{value = dense<[0.0, -0.25, -1.125]>
      : tensor<3xf64>}> : () -> tensor<3xf64>
  %z13 = "stablehlo.convert"(%x13_0) : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  "stablehlo.custom_call"(%z13, %e13) <{call_target_name = "check.expect_close"}> : (tensor<3xf64>, tensor<3xf64>) -> ()
  %x14_0 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (-0.25, 1.25), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e14 = "stablehlo.constant"() <{value = dense<[(0.0, -0.75), (-0.25, 1.25), (-1.125, -0.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %n14 = "stablehlo.convert"(%x14_0) : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f32>>
  %z14 = "stablehlo.convert"(%n14) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z14, %e14) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  %e15 = "stablehlo.constant"() <{value = dense<[(3.0, 0.0), (-2.0, 0.0)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %n15 = "stablehlo.constant"() <{value = dense<[3, -2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z15 = "stablehlo.convert"(%n15) : (tensor<2xi32>) -> tensor<2xcomplex<f64>>
  "stablehlo.custom_call"(%z15, %e15) <{call_target_name = "check.expect_close"}> : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> ()
  // Reductions: sums of the parts, products, and the greatest in the lexicographic order.
  %x16_0 = "stablehlo.constant"() <{value = dense<[[(-1.0, 1.75), (-2.0, -0.375), (1.75, 1.75)], [(-1.625, 0.25), (1.375, -1.0), (-0.5, 1.0)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %x16_1 = "stablehlo.constant"() <{value = dense<(0.5, 1.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e16 = "stablehlo.constant"() <{value = dense<[(-2.125, 3.0), (-0.125, -0.375), (1.75, 3.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %z16 = "stablehlo.reduce"(%x16_0, %x16_1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z16, %e16) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  %x17_0 = "stablehlo.constant"() <{value = dense<[[(-1.0, 1.75), (-2.0, -0.375), (1.75, 1.75)], [(-1.625, 0.25), (1.375, -1.0), (-0.5, 1.0)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %x17_1 = "stablehlo.constant"() <{value = dense<(1.0, 0.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e17 = "stablehlo.constant"() <{value = dense<[(1.1875, -3.09375), (-3.125, 1.484375), (-2.625, 0.875)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %z17 = "stablehlo.reduce"(%x17_0, %x17_1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z17, %e17) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  %x18_0 = "stablehlo.constant"() <{value = dense<[[(-1.0, 1.75), (-2.0, -0.375), (1.75, 1.75)], [(-1.625, 0.25), (1.375, -1.0), (-0.5, 1.0)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %x18_1 = "stablehlo.constant"() <{value = dense<(-9.0, 0.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e18 = "stablehlo.constant"() <{value = dense<[(-1.0, 1.75), (1.375, -1.0), (1.75, 1.75)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %z18 = "stablehlo.reduce"(%x18_0, %x18_1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.maximum"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z18, %e18) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  // Cumulative products and sums.
  %x19_0 = "stablehlo.constant"() <{value = dense<[
      (0.75, -1.625), (0.75, 0.75), (-0.125, 0.5), (-1.125, -0.5), (0.625, 1.25)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %x19_1 = "stablehlo.constant"() <{value = dense<(1.0, 0.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e19 = "stablehlo.constant"() <{value = dense<[
      (0.75, -1.625), (1.78125, -0.65625), (0.10546875, 0.97265625), (0.36767578125, -1.14697265625),
      (1.66351318359375, -0.25726318359375)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %z19 = "stablehlo.reduce_window"(%x19_0, %x19_1) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
  "stablehlo.custom_call"(%z19, %e19) <{call_target_name = "check.expect_close"}> : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  %x20_0 = "stablehlo.constant"() <{value = dense<[
      (0.75, -1.625), (0.75, 0.75), (-0.125, 0.5), (-1.125, -0.5), (0.625, 1.25)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %x20_1 = "stablehlo.constant"() <{value = dense<(0.0, 0.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e20 = "stablehlo.constant"() <{value = dense<[
      (0.75, -1.625), (1.5, -0.875), (1.375, -0.375), (0.25, -0.875), (0.875, 0.375)]>
      : tensor<5xcomplex<f64>>}> : () -> tensor<5xcomplex<f64>>
  %z20 = "stablehlo.reduce_window"(%x20_0, %x20_1) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
  "stablehlo.custom_call"(%z20, %e20) <{call_target_name = "check.expect_close"}> : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  // Short sums of products, and longer ones.
  %x21_0 = "stablehlo.constant"() <{value = dense<[[(-1.25, 1.75), (-0.5, 2.0), (1.25, 0.875)], [(-0.5, 1.25), (0.875, -1.375), (0.5, 0.875)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %x21_1 = "stablehlo.constant"() <{value = dense<[[(1.375, 0.5), (-0.375, 1.75), (0.25, 1.75)], [(-0.125, -0.75), (1.875, 2.0), (-0.75, -1.25)], [(-0.375, 1.25), (-2.0, -1.375), (-0.375, -0.375)]]>
      : tensor<3x3xcomplex<f64>>}> : () -> tensor<3x3xcomplex<f64>>
  %e21 = "stablehlo.constant"() <{value = dense<[[(-2.59375, 3.140625), (-8.828125, -3.5625), (-0.640625, -3.421875)], [(-3.734375, 1.28125), (2.59375, -4.609375), (-4.546875, -1.140625)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %z21 = "stablehlo.dot_general"(%x21_0, %x21_1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  "stablehlo.custom_call"(%z21, %e21) <{call_target_name = "check.expect_close"}> : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> ()
  %x22_0 = "stablehlo.constant"() <{value = dense<[[(-1.75, -0.125), (1.375, -0.125), (1.375, 0.625), (-1.5, 1.375), (0.125, -0.625), (-1.0, 1.125), (-0.0, -0.375), (0.25, 0.375), (-1.625, 1.0)], [(1.5, 0.0), (-0.875, 0.75), (-0.25, 0.75), (-1.75, -2.0), (-2.0, -1.875), (-1.25, -1.375), (-0.625, -1.125), (1.75, -1.125), (1.5, -1.75)]]>
      : tensor<2x9xcomplex<f64>>}> : () -> tensor<2x9xcomplex<f64>>
  %x22_1 = "stablehlo.constant"() <{value = dense<[[(-1.125, 0.0), (0.375, 0.375), (1.5, 0.875)], [(-0.625, 0.125), (-0.5, 0.25), (-0.375, 0.0)], [(0.75, 0.5), (1.125, -1.0), (1.75, 0.25)], [(-0.5, 0.75), (0.875, -1.25), (-0.625, 2.0)], [(1.25, 1.0), (-1.125, 1.875), (1.5, -0.875)], [(0.0, -0.25), (0.875, -1.0), (0.125, -1.875)], [(-0.75, -1.875), (-0.0, -1.0), (-1.75, 1.5)], [(-1.875, -1.375), (0.125, 0.75), (-0.125, -1.0)], [(1.375, -1.75), (-1.875, -1.25), (0.25, 0.75)]]>
      : tensor<9x3xcomplex<f64>>}> : () -> tensor<9x3xcomplex<f64>>
  %e22 = "stablehlo.constant"() <{value = dense<[[(1.484375, 2.78125), (6.265625, 5.421875), (-1.21875, -3.734375)], [(-7.859375, -7.796875), (-4.515625, 3.109375), (2.796875, 1.25)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %z22 = "stablehlo.dot_general"(%x22_0, %x22_1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x9xcomplex<f64>>, tensor<9x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  "stablehlo.custom_call"(%z22, %e22) <{call_target_name = "check.expect_close"}> : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> ()
  %x23_0 = "stablehlo.constant"() <{value = dense<[[(0.0, -0.375), (0.25, -0.5), (-0.125, -0.5), (-0.875, -1.75), (-0.0, -0.875), (1.75, -1.125), (-1.25, -1.75), (0.875, 0.125), (-1.0, -0.25), (-1.25, -1.875), (-0.75, -1.375), (-1.625, 1.625), (1.75, -1.5), (-0.5, -0.5), (-1.25, 1.75), (-2.0, -1.5), (-1.75, -0.375), (-1.125, 1.25), (-0.375, -1.875), (0.375, -1.75)], [(1.875, 1.75), (1.5, 0.75), (-1.0, -1.0), (0.5, -0.125), (1.625, -1.0), (-1.625, 1.625), (1.375, 1.75), (-0.375, -1.75), (1.125, 0.125), (-0.75, -1.25), (0.5, -0.375), (0.0, 1.0), (-1.625, 0.875), (1.0, -1.25), (1.25, -0.625), (-0.125, -0.25), (-0.5, -0.5), (1.75, 0.75), (-0.5, 1.125), (1.5, -0.625)]]>
      : tensor<2x20xcomplex<f64>>}> : () -> tensor<2x20xcomplex<f64>>
  %x23_1 = "stablehlo.constant"() <{value = dense<[[(-0.25, -1.625), (-1.75, 1.25), (-0.5, 0.625)], [(1.75, 0.0), (0.0, 0.625), (0.25, -1.0)], [(0.375, -0.75), (0.25, 0.0), (1.25, -1.75)], [(-1.0, 0.375), (-0.75, -1.25), (1.5, -1.0)], [(0.0, 1.625), (1.875, 0.375), (-1.5, -1.0)], [(1.125, 0.75), (-0.125, 2.0), (-0.125, 1.625)], [(1.5, 1.25), (-1.5, -0.625), (0.0, 0.375)], [(-1.0, 0.375), (-0.625, -1.625), (1.25, 0.75)], [(-0.375, 0.125), (1.125, 0.125), (-2.0, 1.0)], [(2.0, -1.75), (1.875, -1.125), (0.75, 2.0)], [(-1.25, -0.75), (0.625, -1.0), (-1.25, -1.75)], [(-0.5, -0.75), (-1.875, 0.25), (-1.75, -1.875)], [(-1.375, -0.875), (-1.25, -1.0), (1.375, -1.375)], [(-1.0, 1.125), (1.25, 1.875), (-2.0, 1.625)], [(-1.75, -0.25), (-1.75, -1.75), (1.75, -0.625)], [(1.25, 0.125), (-2.0, -0.5), (1.75, 0.875)], [(-1.125, 1.0), (-1.0, 1.625), (0.375, -0.125)], [(-1.125, -1.0), (1.875, 1.625), (-0.5, 1.5)], [(0.25, -1.5), (0.25, -1.125), (-0.875, 0.625)], [(1.0, 1.25), (2.0, 1.875), (0.375, -1.875)]]>
      : tensor<20x3xcomplex<f64>>}> : () -> tensor<20x3xcomplex<f64>>
  %e23 = "stablehlo.constant"() <{value = dense<[[(3.296875, -9.5), (2.4375, -2.1875), (2.796875, -5.875)], [(3.25, 9.015625), (0.234375, -4.234375), (-11.140625, -6.921875)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %z23 = "stablehlo.dot_general"(%x23_0, %x23_1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x20xcomplex<f64>>, tensor<20x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  "stablehlo.custom_call"(%z23, %e23) <{call_target_name = "check.expect_close"}> : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> ()
  // Batches; two contracted axes; no axis of the second operand is left.
  %x24_0 = "stablehlo.constant"() <{value = dense<[[[(-1.25, -0.625), (-0.25, -0.75), (0.25, -0.25)], [(1.125, -1.375), (0.25, 0.875), (0.125, 1.25)]], [[(-1.0, -2.0), (0.625, 1.625), (0.375, -1.625)], [(1.75, -0.75), (-1.25, 0.0), (-1.5, -0.25)]]]>
      : tensor<2x2x3xcomplex<f64>>}> : () -> tensor<2x2x3xcomplex<f64>>
  %x24_1 = "stablehlo.constant"() <{value = dense<[[[(-1.125, -0.375), (0.875, -0.125)], [(1.375, -1.625), (-1.125, -1.875)], [(-1.375, 0.625), (0.125, -1.25)]], [[(-1.375, 1.875), (1.75, 0.25)], [(1.375, 0.25), (1.375, 1.625)], [(-0.375, -0.75), (1.125, -2.0)]]]>
      : tensor<2x3x2xcomplex<f64>>}> : () -> tensor<2x3x2xcomplex<f64>>
  %e24 = "stablehlo.constant"() <{value = dense<[[[(-0.578125, 1.046875), (-2.578125, 0.578125)], [(-0.96875, 0.28125), (3.75, -2.796875)]], [[(4.21875, 3.59375), (-5.859375, -3.078125)], [(-2.34375, 5.21875), (-0.65625, -0.1875)]]]>
      : tensor<2x2x2xcomplex<f64>>}> : () -> tensor<2x2x2xcomplex<f64>>
  %z24 = "stablehlo.dot_general"(%x24_0, %x24_1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x2x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  "stablehlo.custom_call"(%z24, %e24) <{call_target_name = "check.expect_close"}> : (tensor<2x2x2xcomplex<f64>>, tensor<2x2x2xcomplex<f64>>) -> ()
  %x25_0 = "stablehlo.constant"() <{value = dense<[[[(-1.125, 1.125), (-0.125, 0.375)], [(-1.375, 0.125), (-0.875, 0.125)]], [[(1.0, -1.625), (-0.5, 0.25)], [(-0.625, 2.0), (-1.125, 0.875)]], [[(0.125, -0.125), (2.0, -0.25)], [(-1.375, 1.5), (1.375, -2.0)]]]>
      : tensor<3x2x2xcomplex<f64>>}> : () -> tensor<3x2x2xcomplex<f64>>
  %x25_1 = "stablehlo.constant"() <{value = dense<[[(-1.25, 0.125), (1.875, -1.875)], [(0.625, 0.125), (1.25, 0.5)]]>
      : tensor<2x2xcomplex<f64>>}> : () -> tensor<2x2xcomplex<f64>>
  %e25 = "stablehlo.constant"() <{value = dense<[(-2.359375, 1.203125), (-0.65625, 7.703125), (4.09375, 3.84375)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %z25 = "stablehlo.dot_general"(%x25_0, %x25_1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 0]>}> : (tensor<3x2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  "stablehlo.custom_call"(%z25, %e25) <{call_target_name = "check.expect_close"}> : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> ()
  // A convolution.
  %x26_0 = "stablehlo.constant"() <{value = dense<[[[(-1.625, -1.125), (-0.125, 0.125)], [(1.75, 1.0), (-1.75, -1.5)], [(-1.875, -0.125), (-1.625, 1.5)], [(0.75, -0.625), (1.625, 1.25)], [(-1.375, -0.125), (1.375, 1.75)]]]>
      : tensor<1x5x2xcomplex<f64>>}> : () -> tensor<1x5x2xcomplex<f64>>
  %x26_1 = "stablehlo.constant"() <{value = dense<[[[(-0.375, 0.875), (1.25, 0.875)], [(-1.75, -0.375), (-0.625, -0.125)]], [[(-1.375, -1.25), (-0.375, 1.375)], [(-0.375, -0.625), (-1.0, -0.875)]], [[(-0.375, 1.75), (0.75, -0.75)], [(0.25, -1.25), (-1.0, -0.5)]]]>
      : tensor<3x2x2xcomplex<f64>>}> : () -> tensor<3x2x2xcomplex<f64>>
  %e26 = "stablehlo.constant"() <{value = dense<[[[(2.8125, -3.90625), (-1.671875, 2.796875)], [(7.71875, 7.234375), (5.125, -1.765625)], [(5.84375, -8.8125), (-2.609375, -5.4375)]]]>
      : tensor<1x3x2xcomplex<f64>>}> : () -> tensor<1x3x2xcomplex<f64>>
  %z26 = "stablehlo.convolution"(%x26_0, %x26_1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<1x5x2xcomplex<f64>>, tensor<3x2x2xcomplex<f64>>) -> tensor<1x3x2xcomplex<f64>>
  "stablehlo.custom_call"(%z26, %e26) <{call_target_name = "check.expect_close"}> : (tensor<1x3x2xcomplex<f64>>, tensor<1x3x2xcomplex<f64>>) -> ()
  // Updates at positions of which some are the same.
  %x27_0 = "stablehlo.constant"() <{value = dense<[(0.125, -1.875), (0.5, 1.75), (-0.375, -0.125), (0.75, -0.25)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x27_1 = "stablehlo.constant"() <{value = dense<[(-0.25, -0.25), (-0.875, -1.625), (1.25, -0.625)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e27 = "stablehlo.constant"() <{value = dense<[(-0.75, -3.5), (0.5, 1.75), (0.625, -1.0), (0.75, -0.25)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %i27 = "stablehlo.constant"() <{value = dense<[[2], [0], [2]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
  %z27 = "stablehlo.scatter"(%x27_0, %i27, %x27_1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<4xcomplex<f64>>, tensor<3x1xi64>, tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z27, %e27) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  %x28_0 = "stablehlo.constant"() <{value = dense<[(0.125, -1.875), (0.5, 1.75), (-0.375, -0.125), (0.75, -0.25)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x28_1 = "stablehlo.constant"() <{value = dense<[(-0.25, -0.25), (-0.875, -1.625), (1.25, -0.625)]>
      : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
  %e28 = "stablehlo.constant"() <{value = dense<[(-3.15625, 1.4375), (0.5, 1.75), (0.15625, 0.1171875), (0.75, -0.25)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %i28 = "stablehlo.constant"() <{value = dense<[[2], [0], [2]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
  %z28 = "stablehlo.scatter"(%x28_0, %i28, %x28_1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<4xcomplex<f64>>, tensor<3x1xi64>, tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z28, %e28) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  // Windows select the element with the greatest real part.
  %x29_0 = "stablehlo.constant"() <{value = dense<[(1.0, 9.0), (3.0, 2.0), (2.0, 7.0), (5.0, -1.0)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %x29_1 = "stablehlo.constant"() <{value = dense<[(10.0, 1.0), (20.0, -2.0)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %x29_2 = "stablehlo.constant"() <{value = dense<(0.0, 0.0)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
  %e29 = "stablehlo.constant"() <{value = dense<[(0.0, 0.0), (10.0, 1.0), (0.0, 0.0), (20.0, -2.0)]>
      : tensor<4xcomplex<f64>>}> : () -> tensor<4xcomplex<f64>>
  %z29 = "stablehlo.select_and_scatter"(%x29_0, %x29_1, %x29_2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %ar = "stablehlo.real"(%a) : (tensor<complex<f64>>) -> tensor<f64>
    %br = "stablehlo.real"(%b) : (tensor<complex<f64>>) -> tensor<f64>
    %c = "stablehlo.compare"(%ar, %br) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    "stablehlo.return"(%c) : (tensor<complex<f64>>) -> ()
  }) : (tensor<4xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
  "stablehlo.custom_call"(%z29, %e29) <{call_target_name = "check.expect_close"}> : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> ()
  // The halves of a wide number are narrow ones, the lower bits first; back again they are the number.
  %x30_0 = "stablehlo.constant"() <{value = dense<[(1.5, -2.0), (30000000000.0, 0.25)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %e30 = "stablehlo.constant"() <{value = dense<[(1.5, -2.0), (30000000000.0, 0.25)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %n30 = "stablehlo.bitcast_convert"(%x30_0) : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
  %z30 = "stablehlo.bitcast_convert"(%n30) : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  "stablehlo.custom_call"(%z30, %e30) <{call_target_name = "check.expect_close"}> : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> ()
  %h = "stablehlo.convert"(%n30) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f64>>
  %he = "stablehlo.constant"() <{value = dense<[[(0.0, 1.9375), (0.0, -2.0)], [(-4.656612873077393e-10, 38.98491668701172), (0.0, 1.625)]]>
      : tensor<2x2xcomplex<f64>>}> : () -> tensor<2x2xcomplex<f64>>
  "stablehlo.custom_call"(%h, %he) <{call_target_name = "check.expect_eq"}> : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> ()
  %x31_0 = "stablehlo.constant"() <{value = dense<[(1.5, -2.0), (30000000000.0, 0.25)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %e31 = "stablehlo.constant"() <{value = dense<[(1.5, -2.0), (30000000000.0, 0.25)]>
      : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
  %z31 = "stablehlo.bitcast_convert"(%x31_0) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  "stablehlo.custom_call"(%z31, %e31) <{call_target_name = "check.expect_close"}> : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> ()
  return
}
