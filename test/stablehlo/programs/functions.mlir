// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Functions of real numbers: those of CHLO, and their special values.
// The expected values were computed with mpmath 1.3 in 60 digits; those at special values are those of C99 or of JAX.

func.func @main() {
  // Near the zeros 1 and 2, at the poles, left of them, and on both sides of each change of the formula.
  %x0_0 = "stablehlo.constant"() <{value = dense<[
      0.3, 0.99986, 1.0, 1.0003, 1.9997, 2.0, 2.0002, 7.9, 8.0, 1.0e-300, -1.0e-05, 0.5, -0.3, -0.7, -3.6,
      -20.3, 30.5, 1.0e+20, 0.0, -1.0, -7.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]>
      : tensor<24xf64>}> : () -> tensor<24xf64>
  %e0 = "stablehlo.constant"() <{value = dense<[
      1.0957979948180756, 8.082631453967179e-05, 0.0, -0.00017309068825375356, -0.00012680627667783915, 0.0,
      8.45697651622356e-05, 8.32426586800881, 8.525161361065415, 690.7755278982137, 11.512931237209125,
      0.5723649429247001, 1.4648400508576025, 1.4524729387568078, -1.3989454782674617, -41.887292480135244,
      72.9534711841694, 4.505170185988091e+21, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000,
      0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]>
      : tensor<24xf64>}> : () -> tensor<24xf64>
  %z0 = "chlo.lgamma"(%x0_0) : (tensor<24xf64>) -> tensor<24xf64>
  "stablehlo.custom_call"(%z0, %e0) <{call_target_name = "check.expect_close"}> : (tensor<24xf64>, tensor<24xf64>) -> ()
  // NaN at the poles.
  %x1_0 = "stablehlo.constant"() <{value = dense<[
      0.3, 1.4, 1.4616, 1.5, 2.5, 9.9, 10.0, 1.0e-30, -1.0e-10, -0.3, -0.75, -1.75, -9.3, 1.0e+20, 30.5, 0.0,
      -1.0, -7.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]>
      : tensor<21xf64>}> : () -> tensor<21xf64>
  %e1 = "stablehlo.constant"() <{value = dense<[
      -3.502524222200133, -0.06138454458511624, -3.110625123034165e-05, 0.03648997397857652,
      0.7031566406452432, 2.2411803166063815, 2.251752589066721, -9.999999999999999e+29, 9999999999.422785,
      2.113309779635399, -2.894120200042932, -2.322691628614361, 4.56531611494131, 46.051701859880914,
      3.401243668961661, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000,
      0x7FF8000000000000, 0x7FF8000000000000]>
      : tensor<21xf64>}> : () -> tensor<21xf64>
  %z1 = "chlo.digamma"(%x1_0) : (tensor<21xf64>) -> tensor<21xf64>
  "stablehlo.custom_call"(%z1, %e1) <{call_target_name = "check.expect_close"}> : (tensor<21xf64>, tensor<21xf64>) -> ()
  // For negative q the exponent must be an integer.
  %x2_0 = "stablehlo.constant"() <{value = dense<[
      2.0, 1.5, 1.0625, 3.0, 20.0, 60.0, 2.0, 2.0, 3.0, 4.0, 7.0, 3.0, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5,
      0x7FF8000000000000]>
      : tensor<19xf64>}> : () -> tensor<19xf64>
  %x2_1 = "stablehlo.constant"() <{value = dense<[
      1.0, 0.25, 4.0, 100.0, 1.5, 0.5, 25.0, -1.5, -1.25, -0.25, -3.75, -20.75, 2.0, 2.0, 0.0, 0.0, -1.0,
      -1.5, 1.0]>
      : tensor<19xf64>}> : () -> tensor<19xf64>
  %e2 = "stablehlo.constant"() <{value = dense<[
      1.6449340668482264, 10.213055360466601, 14.791732334999395, 5.0502499916675e-05,
      0.00030073966816718435, 1.152921504606847e+18, 0.04081066325722558, 9.379246644989124,
      -61.86068339183118, 259.2938854224751, 16376.701083097065, 62.01366001480612, 0x7FF0000000000000,
      0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000,
      0x7FF8000000000000]>
      : tensor<19xf64>}> : () -> tensor<19xf64>
  %z2 = "chlo.zeta"(%x2_0, %x2_1) : (tensor<19xf64>, tensor<19xf64>) -> tensor<19xf64>
  "stablehlo.custom_call"(%z2, %e2) <{call_target_name = "check.expect_close"}> : (tensor<19xf64>, tensor<19xf64>) -> ()
  // Order 0 is digamma; other orders are positive integers.
  %x3_0 = "stablehlo.constant"() <{value = dense<[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 18.0, 1.0, 0.5, -1.0, 1.0, 2.0]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %x3_1 = "stablehlo.constant"() <{value = dense<[
      0.75, -1.75, 1.0, -1.25, 0.25, -1.75, 2.5, 1.5, 1000.0, 2.0, 2.0, 0.0, -1.0]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %e3 = "stablehlo.constant"() <{value = dense<[
      -1.0858608797864722, -2.322691628614361, 1.6449340668482264, 19.181879647671607, -129.32773993753693,
      -124.21382135423057, 0.22390584881725206, -2888242180427.491, 0.0010005001666666333,
      0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %z3 = "chlo.polygamma"(%x3_0, %x3_1) : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xf64>
  "stablehlo.custom_call"(%z3, %e3) <{call_target_name = "check.expect_close"}> : (tensor<13xf64>, tensor<13xf64>) -> ()
  // Far from zero the result is small, but has a small relative error.
  %x4_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 0.25, -0.25, 0.5, 1.0, -1.0, 2.0, -3.0, 5.0, 9.0, 15.5, 26.25, 30.0, -30.0, 0x7FF0000000000000,
      0xFFF0000000000000, 0x7FF8000000000000]>
      : tensor<17xf64>}> : () -> tensor<17xf64>
  %e4 = "stablehlo.constant"() <{value = dense<[
      1.0, 0.7236736098317631, 1.276326390168237, 0.4795001221869535, 0.15729920705028513,
      1.8427007929497148, 0.004677734981047266, 1.9999779095030015, 1.537459794428035e-12,
      4.13703174651381e-37, 1.6632016400488723e-106, 1.191076770672623e-301, 0.0, 2.0, 0.0, 2.0,
      0x7FF8000000000000]>
      : tensor<17xf64>}> : () -> tensor<17xf64>
  %z4 = "chlo.erfc"(%x4_0) : (tensor<17xf64>) -> tensor<17xf64>
  "stablehlo.custom_call"(%z4, %e4) <{call_target_name = "check.expect_close"}> : (tensor<17xf64>, tensor<17xf64>) -> ()
  // Infinite at -1 and 1.
  %x5_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 1.0e-20, 0.25, -0.5, 0.9, -0.99, 0.999, 0.9999, -0.99999, 0.9999999, 0.9999999999990905,
      -0.9999999999999998, 1.0, -1.0, 1.5, 0x7FF8000000000000]>
      : tensor<16xf64>}> : () -> tensor<16xf64>
  %e5 = "stablehlo.constant"() <{value = dense<[
      0.0, 8.86226925452758e-21, 0.2253120550121781, -0.4769362762044699, 1.1630871536766743,
      -1.8213863677184494, 2.3267537655135246, 2.75106390571208, -3.123413274341571, 3.7665625816384707,
      5.05125408524939, -5.805018683193453, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000,
      0x7FF8000000000000]>
      : tensor<16xf64>}> : () -> tensor<16xf64>
  %z5 = "chlo.erf_inv"(%x5_0) : (tensor<16xf64>) -> tensor<16xf64>
  "stablehlo.custom_call"(%z5, %e5) <{call_target_name = "check.expect_close"}> : (tensor<16xf64>, tensor<16xf64>) -> ()
  %x6_0 = "stablehlo.constant"() <{value = dense<[
      0.1, -1.0, 2.5, 4.0, 8.0, -8.25, 20.0, 300.0, 1.0e-20, 10000000000.0, 0.0, 0x7FF0000000000000,
      0xFFF0000000000000, 0x7FF8000000000000]>
      : tensor<14xf64>}> : () -> tensor<14xf64>
  %e6 = "stablehlo.constant"() <{value = dense<[
      0.045298446808809324, -0.20791041534970844, 0.20658464953126657, 0.17875083950243534,
      0.13414249329269817, -0.13231017396500142, 0.08750622218328867, 0.02300412204026895, 5.0e-21,
      3.989422803864723e-06, 0.0, 0.0, 0.0, 0x7FF8000000000000]>
      : tensor<14xf64>}> : () -> tensor<14xf64>
  %z6 = "chlo.bessel_i1e"(%x6_0) : (tensor<14xf64>) -> tensor<14xf64>
  "stablehlo.custom_call"(%z6, %e6) <{call_target_name = "check.expect_close"}> : (tensor<14xf64>, tensor<14xf64>) -> ()
  %x7_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e7 = "stablehlo.constant"() <{value = dense<[
      2.4188584057763776, 1.318116071652818, 1.5707963167948966, 1.0471975511965979]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z7 = "chlo.acos"(%x7_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z7, %e7) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x8_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e8 = "stablehlo.constant"() <{value = dense<[-0.848062078981481, 0.25268025514207865, 1.0e-08, 0.5235987755982989]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z8 = "chlo.asin"(%x8_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z8, %e8) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x9_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e9 = "stablehlo.constant"() <{value = dense<[-0.6435011087932844, 0.24497866312686414, 1.0e-08, 0.4636476090008061]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z9 = "chlo.atan"(%x9_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z9, %e9) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x10_0 = "stablehlo.constant"() <{value = dense<[1.25, 2.0, 30.0]>
      : tensor<3xf64>}> : () -> tensor<3xf64>
  %e10 = "stablehlo.constant"() <{value = dense<[0.6931471805599453, 1.3169578969248168, 4.0940666686320855]>
      : tensor<3xf64>}> : () -> tensor<3xf64>
  %z10 = "chlo.acosh"(%x10_0) : (tensor<3xf64>) -> tensor<3xf64>
  "stablehlo.custom_call"(%z10, %e10) <{call_target_name = "check.expect_close"}> : (tensor<3xf64>, tensor<3xf64>) -> ()
  %x11_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e11 = "stablehlo.constant"() <{value = dense<[
      -0.6931471805599453, 0.24746646154726346, 1.0e-08, 0.48121182505960347]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z11 = "chlo.asinh"(%x11_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z11, %e11) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x12_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e12 = "stablehlo.constant"() <{value = dense<[-0.9729550745276566, 0.25541281188299536, 1.0e-08, 0.5493061443340549]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z12 = "chlo.atanh"(%x12_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z12, %e12) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x13_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e13 = "stablehlo.constant"() <{value = dense<[-0.82231673193583, 0.2526123168081683, 1.0e-08, 0.5210953054937474]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z13 = "chlo.sinh"(%x13_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z13, %e13) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x14_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e14 = "stablehlo.constant"() <{value = dense<[1.2946832846768448, 1.0314130998795732, 1.0, 1.1276259652063807]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z14 = "chlo.cosh"(%x14_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z14, %e14) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x15_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e15 = "stablehlo.constant"() <{value = dense<[-0.9315964599440725, 0.25534192122103627, 1.0e-08, 0.5463024898437905]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z15 = "chlo.tan"(%x15_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z15, %e15) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  %x16_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e16 = "stablehlo.constant"() <{value = dense<[
      -0.7111556336535151, 0.27632639016823696, 1.1283791670955126e-08, 0.5204998778130465]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %z16 = "chlo.erf"(%x16_0) : (tensor<4xf64>) -> tensor<4xf64>
  "stablehlo.custom_call"(%z16, %e16) <{call_target_name = "check.expect_close"}> : (tensor<4xf64>, tensor<4xf64>) -> ()
  // The neighbours of 0 are the smallest numbers.
  %x17_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 0.0, 1.0, 1.0, -1.0, -1.0, 0x7FF0000000000000, 0xFFF0000000000000, 2.0, 1.0, 0x7FF8000000000000,
      1.0, 1.7976931348623157e+308]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %x17_1 = "stablehlo.constant"() <{value = dense<[
      1.0, -1.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 2.0, 0x7FF0000000000000, 1.0, 0x7FF8000000000000,
      0x7FF0000000000000]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %e17 = "stablehlo.constant"() <{value = dense<[
      5.0e-324, -5.0e-324, 1.0000000000000002, 0.9999999999999999, -0.9999999999999999, -1.0000000000000002,
      1.7976931348623157e+308, -1.7976931348623157e+308, 2.0, 1.0000000000000002, 0x7FF8000000000000,
      0x7FF8000000000000, 0x7FF0000000000000]>
      : tensor<13xf64>}> : () -> tensor<13xf64>
  %z17 = "chlo.next_after"(%x17_0, %x17_1) : (tensor<13xf64>, tensor<13xf64>) -> tensor<13xf64>
  "stablehlo.custom_call"(%z17, %e17) <{call_target_name = "check.expect_close"}> : (tensor<13xf64>, tensor<13xf64>) -> ()
  %x18_0 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf64>}> : () -> tensor<2xf64>
  %e18 = "stablehlo.constant"() <{value = dense<[9.0, 0.25]>
      : tensor<2xf64>}> : () -> tensor<2xf64>
  %z18 = "chlo.square"(%x18_0) : (tensor<2xf64>) -> tensor<2xf64>
  "stablehlo.custom_call"(%z18, %e18) <{call_target_name = "check.expect_close"}> : (tensor<2xf64>, tensor<2xf64>) -> ()
  %x19_0 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf64>}> : () -> tensor<2xf64>
  %e19 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf64>}> : () -> tensor<2xf64>
  %z19 = "chlo.conj"(%x19_0) : (tensor<2xf64>) -> tensor<2xf64>
  "stablehlo.custom_call"(%z19, %e19) <{call_target_name = "check.expect_close"}> : (tensor<2xf64>, tensor<2xf64>) -> ()
  %x20_0 = "stablehlo.constant"() <{value = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e20 = "stablehlo.constant"() <{value = dense<[true, true, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z20 = "chlo.is_inf"(%x20_0) : (tensor<4xf64>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z20, %e20) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  %x21_0 = "stablehlo.constant"() <{value = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e21 = "stablehlo.constant"() <{value = dense<[true, false, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z21 = "chlo.is_pos_inf"(%x21_0) : (tensor<4xf64>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z21, %e21) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  %x22_0 = "stablehlo.constant"() <{value = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0]>
      : tensor<4xf64>}> : () -> tensor<4xf64>
  %e22 = "stablehlo.constant"() <{value = dense<[false, true, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z22 = "chlo.is_neg_inf"(%x22_0) : (tensor<4xf64>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z22, %e22) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  %x23_0 = "stablehlo.constant"() <{value = dense<[
      0.3, 0.99986, 1.0, 1.0003, 1.9997, 2.0, 2.0002, 7.9, 8.0, -1.0e-05, 0.5, -0.3, -0.7, -3.6, -20.3, 30.5,
      1.0e+20, 0.0, -1.0, -7.0, 0x7F800000, 0xFF800000, 0x7FC00000]>
      : tensor<23xf32>}> : () -> tensor<23xf32>
  %e23 = "stablehlo.constant"() <{value = dense<[
      1.0957979, 8.083285e-05, 0.0, -0.00017311939, -0.00012682732, 0.0, 8.45838e-05, 8.324266, 8.525162,
      11.512931, 0.5723649, 1.46484, 1.4524729, -1.3989455, -41.887287, 72.95347, 4.5051703e+21, 0x7F800000,
      0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]>
      : tensor<23xf32>}> : () -> tensor<23xf32>
  %z23 = "chlo.lgamma"(%x23_0) : (tensor<23xf32>) -> tensor<23xf32>
  "stablehlo.custom_call"(%z23, %e23) <{call_target_name = "check.expect_close"}> : (tensor<23xf32>, tensor<23xf32>) -> ()
  %x24_0 = "stablehlo.constant"() <{value = dense<[
      0.3, 1.4, 1.4616, 1.5, 2.5, 9.9, 10.0, 1.0e-30, -1.0e-10, -0.3, -0.75, -1.75, -9.3, 1.0e+20, 30.5, 0.0,
      -1.0, -7.0, 0x7F800000, 0xFF800000, 0x7FC00000]>
      : tensor<21xf32>}> : () -> tensor<21xf32>
  %e24 = "stablehlo.constant"() <{value = dense<[
      -3.5025241, -0.06138457, -3.1158484e-05, 0.036489975, 0.70315665, 2.2411802, 2.2517526, -1.0e+30,
      1.0e+10, 2.1133096, -2.8941202, -2.3226917, 4.5653133, 46.0517, 3.4012437, 0x7FC00000, 0x7FC00000,
      0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]>
      : tensor<21xf32>}> : () -> tensor<21xf32>
  %z24 = "chlo.digamma"(%x24_0) : (tensor<21xf32>) -> tensor<21xf32>
  "stablehlo.custom_call"(%z24, %e24) <{call_target_name = "check.expect_close"}> : (tensor<21xf32>, tensor<21xf32>) -> ()
  %x25_0 = "stablehlo.constant"() <{value = dense<[
      2.0, 1.5, 1.0625, 3.0, 20.0, 60.0, 2.0, 2.0, 3.0, 4.0, 7.0, 3.0, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5,
      0x7FC00000]>
      : tensor<19xf32>}> : () -> tensor<19xf32>
  %x25_1 = "stablehlo.constant"() <{value = dense<[
      1.0, 0.25, 4.0, 100.0, 1.5, 0.5, 25.0, -1.5, -1.25, -0.25, -3.75, -20.75, 2.0, 2.0, 0.0, 0.0, -1.0,
      -1.5, 1.0]>
      : tensor<19xf32>}> : () -> tensor<19xf32>
  %e25 = "stablehlo.constant"() <{value = dense<[
      1.644934, 10.213056, 14.791733, 5.05025e-05, 0.00030073966, 1.1529215e+18, 0.040810663, 9.379247,
      -61.860683, 259.29388, 16376.701, 62.01366, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7F800000,
      0x7FC00000, 0x7FC00000]>
      : tensor<19xf32>}> : () -> tensor<19xf32>
  %z25 = "chlo.zeta"(%x25_0, %x25_1) : (tensor<19xf32>, tensor<19xf32>) -> tensor<19xf32>
  "stablehlo.custom_call"(%z25, %e25) <{call_target_name = "check.expect_close"}> : (tensor<19xf32>, tensor<19xf32>) -> ()
  %x26_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 18.0, 25.0, 1.0, 0.5, -1.0, 1.0, 2.0]>
      : tensor<14xf32>}> : () -> tensor<14xf32>
  %x26_1 = "stablehlo.constant"() <{value = dense<[
      0.75, -1.75, 1.0, -1.25, 0.25, -1.75, 2.5, 1.5, 2.0, 1000.0, 2.0, 2.0, 0.0, -1.0]>
      : tensor<14xf32>}> : () -> tensor<14xf32>
  %e26 = "stablehlo.constant"() <{value = dense<[
      -1.0858608, -2.3226917, 1.644934, 19.181879, -129.32774, -124.21382, 0.22390585, -2.8882423e+12,
      2.3114116e+17, 0.0010005002, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000]>
      : tensor<14xf32>}> : () -> tensor<14xf32>
  %z26 = "chlo.polygamma"(%x26_0, %x26_1) : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
  "stablehlo.custom_call"(%z26, %e26) <{call_target_name = "check.expect_close"}> : (tensor<14xf32>, tensor<14xf32>) -> ()
  %x27_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 0.25, -0.25, 0.5, 1.0, -1.0, 2.0, -3.0, 5.0, 9.0, 30.0, -30.0, 0x7F800000, 0xFF800000, 0x7FC00000]>
      : tensor<15xf32>}> : () -> tensor<15xf32>
  %e27 = "stablehlo.constant"() <{value = dense<[
      1.0, 0.7236736, 1.2763264, 0.47950011, 0.1572992, 1.8427008, 0.004677735, 1.999978, 1.5374598e-12,
      4.1370317e-37, 0.0, 2.0, 0.0, 2.0, 0x7FC00000]>
      : tensor<15xf32>}> : () -> tensor<15xf32>
  %z27 = "chlo.erfc"(%x27_0) : (tensor<15xf32>) -> tensor<15xf32>
  "stablehlo.custom_call"(%z27, %e27) <{call_target_name = "check.expect_close"}> : (tensor<15xf32>, tensor<15xf32>) -> ()
  %x28_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 1.0e-20, 0.25, -0.5, 0.9, -0.99, 0.999, 0.9999, -0.99999, 0.999999, 0.99999994, 1.0, -1.0, 1.5,
      0x7FC00000]>
      : tensor<15xf32>}> : () -> tensor<15xf32>
  %e28 = "stablehlo.constant"() <{value = dense<[
      0.0, 8.862269e-21, 0.22531205, -0.47693628, 1.1630871, -1.8213866, 2.3267562, 2.7510355, -3.1232057,
      3.4570746, 3.832507, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000]>
      : tensor<15xf32>}> : () -> tensor<15xf32>
  %z28 = "chlo.erf_inv"(%x28_0) : (tensor<15xf32>) -> tensor<15xf32>
  "stablehlo.custom_call"(%z28, %e28) <{call_target_name = "check.expect_close"}> : (tensor<15xf32>, tensor<15xf32>) -> ()
  %x29_0 = "stablehlo.constant"() <{value = dense<[
      0.1, -1.0, 2.5, 4.0, 8.0, -8.25, 20.0, 300.0, 1.0e-20, 1.0e+10, 0.0, 0x7F800000, 0xFF800000,
      0x7FC00000]>
      : tensor<14xf32>}> : () -> tensor<14xf32>
  %e29 = "stablehlo.constant"() <{value = dense<[
      0.045298446, -0.20791042, 0.20658465, 0.17875084, 0.13414249, -0.13231017, 0.08750622, 0.023004122,
      5.0e-21, 3.989423e-06, 0.0, 0.0, 0.0, 0x7FC00000]>
      : tensor<14xf32>}> : () -> tensor<14xf32>
  %z29 = "chlo.bessel_i1e"(%x29_0) : (tensor<14xf32>) -> tensor<14xf32>
  "stablehlo.custom_call"(%z29, %e29) <{call_target_name = "check.expect_close"}> : (tensor<14xf32>, tensor<14xf32>) -> ()
  %x30_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e30 = "stablehlo.constant"() <{value = dense<[2.4188583, 1.3181161, 1.5707964, 1.0471976]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z30 = "chlo.acos"(%x30_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z30, %e30) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x31_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e31 = "stablehlo.constant"() <{value = dense<[-0.8480621, 0.25268024, 1.0e-08, 0.5235988]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z31 = "chlo.asin"(%x31_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z31, %e31) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x32_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e32 = "stablehlo.constant"() <{value = dense<[-0.6435011, 0.24497867, 1.0e-08, 0.4636476]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z32 = "chlo.atan"(%x32_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z32, %e32) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x33_0 = "stablehlo.constant"() <{value = dense<[1.25, 2.0, 30.0]>
      : tensor<3xf32>}> : () -> tensor<3xf32>
  %e33 = "stablehlo.constant"() <{value = dense<[0.6931472, 1.316958, 4.0940666]>
      : tensor<3xf32>}> : () -> tensor<3xf32>
  %z33 = "chlo.acosh"(%x33_0) : (tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.custom_call"(%z33, %e33) <{call_target_name = "check.expect_close"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
  %x34_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e34 = "stablehlo.constant"() <{value = dense<[-0.6931472, 0.24746646, 1.0e-08, 0.4812118]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z34 = "chlo.asinh"(%x34_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z34, %e34) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x35_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e35 = "stablehlo.constant"() <{value = dense<[-0.97295505, 0.25541282, 1.0e-08, 0.54930615]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z35 = "chlo.atanh"(%x35_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z35, %e35) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x36_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e36 = "stablehlo.constant"() <{value = dense<[-0.8223167, 0.25261232, 1.0e-08, 0.5210953]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z36 = "chlo.sinh"(%x36_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z36, %e36) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x37_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e37 = "stablehlo.constant"() <{value = dense<[1.2946833, 1.0314131, 1.0, 1.127626]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z37 = "chlo.cosh"(%x37_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z37, %e37) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x38_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e38 = "stablehlo.constant"() <{value = dense<[-0.93159646, 0.25534192, 1.0e-08, 0.5463025]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z38 = "chlo.tan"(%x38_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z38, %e38) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x39_0 = "stablehlo.constant"() <{value = dense<[-0.75, 0.25, 1.0e-08, 0.5]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e39 = "stablehlo.constant"() <{value = dense<[-0.71115565, 0.2763264, 1.1283792e-08, 0.5204999]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %z39 = "chlo.erf"(%x39_0) : (tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.custom_call"(%z39, %e39) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
  %x40_0 = "stablehlo.constant"() <{value = dense<[
      0.0, 0.0, 1.0, 1.0, -1.0, -1.0, 0x7F800000, 0xFF800000, 2.0, 1.0, 0x7FC00000, 1.0, 3.4028235e+38]>
      : tensor<13xf32>}> : () -> tensor<13xf32>
  %x40_1 = "stablehlo.constant"() <{value = dense<[
      1.0, -1.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 2.0, 0x7F800000, 1.0, 0x7FC00000, 0x7F800000]>
      : tensor<13xf32>}> : () -> tensor<13xf32>
  %e40 = "stablehlo.constant"() <{value = dense<[
      1.0e-45, -1.0e-45, 1.0000001, 0.99999994, -0.99999994, -1.0000001, 3.4028235e+38, -3.4028235e+38, 2.0,
      1.0000001, 0x7FC00000, 0x7FC00000, 0x7F800000]>
      : tensor<13xf32>}> : () -> tensor<13xf32>
  %z40 = "chlo.next_after"(%x40_0, %x40_1) : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xf32>
  "stablehlo.custom_call"(%z40, %e40) <{call_target_name = "check.expect_close"}> : (tensor<13xf32>, tensor<13xf32>) -> ()
  %x41_0 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf32>}> : () -> tensor<2xf32>
  %e41 = "stablehlo.constant"() <{value = dense<[9.0, 0.25]>
      : tensor<2xf32>}> : () -> tensor<2xf32>
  %z41 = "chlo.square"(%x41_0) : (tensor<2xf32>) -> tensor<2xf32>
  "stablehlo.custom_call"(%z41, %e41) <{call_target_name = "check.expect_close"}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  %x42_0 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf32>}> : () -> tensor<2xf32>
  %e42 = "stablehlo.constant"() <{value = dense<[3.0, -0.5]>
      : tensor<2xf32>}> : () -> tensor<2xf32>
  %z42 = "chlo.conj"(%x42_0) : (tensor<2xf32>) -> tensor<2xf32>
  "stablehlo.custom_call"(%z42, %e42) <{call_target_name = "check.expect_close"}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  %x43_0 = "stablehlo.constant"() <{value = dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e43 = "stablehlo.constant"() <{value = dense<[true, true, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z43 = "chlo.is_inf"(%x43_0) : (tensor<4xf32>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z43, %e43) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  %x44_0 = "stablehlo.constant"() <{value = dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e44 = "stablehlo.constant"() <{value = dense<[true, false, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z44 = "chlo.is_pos_inf"(%x44_0) : (tensor<4xf32>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z44, %e44) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  %x45_0 = "stablehlo.constant"() <{value = dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]>
      : tensor<4xf32>}> : () -> tensor<4xf32>
  %e45 = "stablehlo.constant"() <{value = dense<[false, true, false, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
  %z45 = "chlo.is_neg_inf"(%x45_0) : (tensor<4xf32>) -> tensor<4xi1>
  "stablehlo.custom_call"(%z45, %e45) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
  return
}
