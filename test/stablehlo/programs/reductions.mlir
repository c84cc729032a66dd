// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Reductions by known and by other functions, with NaN and without elements.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %1:3 = call @sum(%0) : (tensor<2x3x4xf32>) -> (tensor<f32>, tensor<3x4xf32>, tensor<3xf32>)
    %2 = "stablehlo.constant"() <{value = dense<1.01299977> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%1#0, %2) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[[0.760999918, -4.712000e+00, 3.841000e+00, -1.376000e+00], [-1.348000e+00, 5.770000e+00, 0.357999921, -2.622000e+00], [3.700000e-01, 1.281000e+00, -2.828000e+00, 1.518000e+00]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    "stablehlo.custom_call"(%1#1, %3) <{call_target_name = "check.expect_close"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[-1.4860003, 2.15799975, 0.340999961]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%1#2, %4) <{call_target_name = "check.expect_close"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %5 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %6 = call @prod(%5) : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
    %7 = "stablehlo.constant"() <{value = dense<[[0.0281123053, -3.663670e-01, 6.06711673, 0.0547420382], [-0.519591868, -14.2730951, -0.990917503, -0.783211112]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "stablehlo.custom_call"(%6, %7) <{call_target_name = "check.expect_close"}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    %8 = "stablehlo.constant"() <{value = dense<[[1.337000e+00, -6.800000e-01, 2.104000e+00, -1.100000e-02, 1.167000e+00], [-2.582000e+00, 6.930000e-01, 0x7FC00000, -4.071000e+00, -6.090000e-01], [-1.800000e+00, 3.280000e-01, 4.490000e+00, -1.663000e+00, -1.248000e+00], [4.110000e-01, 9.860000e-01, -3.530000e-01, -4.120000e-01, 1.405000e+00]]> : tensor<4x5xf32>}> : () -> tensor<4x5xf32>
    %9:3 = call @max_nan(%8) : (tensor<4x5xf32>) -> (tensor<5xf32>, tensor<4xf32>, tensor<f32>)
    %10 = "stablehlo.constant"() <{value = dense<[1.337000e+00, 9.860000e-01, 0x7FC00000, -1.100000e-02, 1.405000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    "stablehlo.custom_call"(%9#0, %10) <{call_target_name = "check.expect_eq"}> : (tensor<5xf32>, tensor<5xf32>) -> ()
    %11 = "stablehlo.constant"() <{value = dense<[2.104000e+00, 0x7FC00000, 4.490000e+00, 1.405000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%9#1, %11) <{call_target_name = "check.expect_eq"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%9#2, %12) <{call_target_name = "check.expect_eq"}> : (tensor<f32>, tensor<f32>) -> ()
    %13 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %14 = call @min(%13) : (tensor<2x3x4xf32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<-3.094000e+00> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%14, %15) <{call_target_name = "check.expect_eq"}> : (tensor<f32>, tensor<f32>) -> ()
    %16 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>
    %17:2 = call @empty(%16) : (tensor<0x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%17#0, %18) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %19 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%17#1, %19) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %20 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %21:3 = call @argmax(%20) : (tensor<2x3x4xf32>) -> (tensor<3x4xi64>, tensor<2x4xi64>, tensor<i64>)
    %22 = "stablehlo.constant"() <{value = dense<[[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 1]]> : tensor<3x4xi64>}> : () -> tensor<3x4xi64>
    "stablehlo.custom_call"(%21#0, %22) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xi64>, tensor<3x4xi64>) -> ()
    %23 = "stablehlo.constant"() <{value = dense<[[0, 0, 2, 0], [1, 0, 2, 1]]> : tensor<2x4xi64>}> : () -> tensor<2x4xi64>
    "stablehlo.custom_call"(%21#1, %23) <{call_target_name = "check.expect_eq"}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<17> : tensor<i64>}> : () -> tensor<i64>
    "stablehlo.custom_call"(%21#2, %24) <{call_target_name = "check.expect_eq"}> : (tensor<i64>, tensor<i64>) -> ()
    %25 = "stablehlo.constant"() <{value = dense<[[1.337000e+00, -6.800000e-01, 2.104000e+00, -1.100000e-02, 1.167000e+00], [-2.582000e+00, 6.930000e-01, 0x7FC00000, -4.071000e+00, -6.090000e-01], [-1.800000e+00, 3.280000e-01, 4.490000e+00, -1.663000e+00, -1.248000e+00], [4.110000e-01, 9.860000e-01, -3.530000e-01, -4.120000e-01, 1.405000e+00]]> : tensor<4x5xf32>}> : () -> tensor<4x5xf32>
    %26 = call @argmax_nan(%25) : (tensor<4x5xf32>) -> tensor<4xi64>
    %27 = "stablehlo.constant"() <{value = dense<[2, 2, 2, 4]> : tensor<4xi64>}> : () -> tensor<4xi64>
    "stablehlo.custom_call"(%26, %27) <{call_target_name = "check.expect_eq"}> : (tensor<4xi64>, tensor<4xi64>) -> ()
    %28 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %29:2 = call @any(%28) : (tensor<2x3x4xf32>) -> (tensor<3x4xi1>, tensor<2x4xi1>)
    %30 = "stablehlo.constant"() <{value = dense<[[true, false, true, false], [false, true, true, false], [false, true, false, true]]> : tensor<3x4xi1>}> : () -> tensor<3x4xi1>
    "stablehlo.custom_call"(%29#0, %30) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xi1>, tensor<3x4xi1>) -> ()
    %31 = "stablehlo.constant"() <{value = dense<[[true, true, true, true], [true, false, true, true]]> : tensor<2x4xi1>}> : () -> tensor<2x4xi1>
    "stablehlo.custom_call"(%29#1, %31) <{call_target_name = "check.expect_eq"}> : (tensor<2x4xi1>, tensor<2x4xi1>) -> ()
    %32 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %33:2 = call @max_unsigned(%32) : (tensor<6xui32>) -> (tensor<ui32>, tensor<ui32>)
    %34 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    "stablehlo.custom_call"(%33#0, %34) <{call_target_name = "check.expect_eq"}> : (tensor<ui32>, tensor<ui32>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    "stablehlo.custom_call"(%33#1, %35) <{call_target_name = "check.expect_eq"}> : (tensor<ui32>, tensor<ui32>) -> ()
    %36 = "stablehlo.constant"() <{value = dense<[[8, -7, -2, 7], [-4, -9, 1, 4], [4, 5, 2, -7]]> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
    %37:2 = call @sum_int(%36) : (tensor<3x4xi32>) -> (tensor<3xi64>, tensor<4xi32>)
    %38 = "stablehlo.constant"() <{value = dense<[6, -8, 4]> : tensor<3xi64>}> : () -> tensor<3xi64>
    "stablehlo.custom_call"(%37#0, %38) <{call_target_name = "check.expect_eq"}> : (tensor<3xi64>, tensor<3xi64>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<[8, 5, 2, 7]> : tensor<4xi32>}> : () -> tensor<4xi32>
    "stablehlo.custom_call"(%37#1, %39) <{call_target_name = "check.expect_eq"}> : (tensor<4xi32>, tensor<4xi32>) -> ()
    %40 = "stablehlo.constant"() <{value = dense<[[-1.716000e+00, 1.944000e+00, 3.850000e-01], [1.790000e-01, -1.182000e+00, -2.370000e-01]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %41 = call @general(%40) : (tensor<2x3xf32>) -> tensor<2xf32>
    %42 = "stablehlo.constant"() <{value = dense<[-2.91944695, -0.163723052]> : tensor<2xf32>}> : () -> tensor<2xf32>
    "stablehlo.custom_call"(%41, %42) <{call_target_name = "check.expect_close"}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    %43 = "stablehlo.constant"() <{value = dense<[[8, 71, 22], [22, 19, 19], [90, 35, 10], [17, 39, 34]]> : tensor<4x3xui32>}> : () -> tensor<4x3xui32>
    %44 = call @bits(%43) : (tensor<4x3xui32>) -> tensor<3xui32>
    %45 = "stablehlo.constant"() <{value = dense<[85, 80, 45]> : tensor<3xui32>}> : () -> tensor<3xui32>
    "stablehlo.custom_call"(%44, %45) <{call_target_name = "check.expect_eq"}> : (tensor<3xui32>, tensor<3xui32>) -> ()
    %46 = "stablehlo.constant"() <{value = dense<[[1.513000e+00, -1.691000e+00], [1.558000e+00, 2.620000e-01], [-3.074000e+00, 2.498000e+00]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %47 = call @init(%46) : (tensor<3x2xf32>) -> tensor<2xf32>
    %48 = "stablehlo.constant"() <{value = dense<[2.49700022, 3.56899977]> : tensor<2xf32>}> : () -> tensor<2xf32>
    "stablehlo.custom_call"(%47, %48) <{call_target_name = "check.expect_close"}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    %49 = "stablehlo.constant"() <{value = dense<[[2.883000e+00, -1.320000e-01, -5.480000e-01, -3.200000e-01], [-1.950000e+00, 2.197000e+00, -1.086000e+00, -1.020000e-01], [-1.587000e+00, -1.252000e+00, -2.555000e+00, 2.514000e+00]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %50 = call @logsumexp(%49) : (tensor<3x4xf32>) -> tensor<3xf32>
    %51 = "stablehlo.constant"() <{value = dense<[2.99814892, 2.33996248, 2.55896306]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%50, %51) <{call_target_name = "check.expect_close"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %52 = "stablehlo.constant"() <{value = dense<[[-3.080000e-01, 1.932000e+00, 2.700000e-02, -1.389000e+00], [-6.530000e-01, -1.120000e+00, 1.600000e-02, -0.750999987], [-6.000000e-01, -2.757000e+00, -1.614000e+00, 3.308000e+00]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %53 = call @softmax(%52) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %54 = "stablehlo.constant"() <{value = dense<[[0.0824366361, 0.774354636, 0.115241498, 0.0279671289], [0.222925037, 0.139747247, 0.43521297, 0.202114746], [0.01950166, 0.00225578831, 0.00707452046, 0.9711681]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    "stablehlo.custom_call"(%53, %54) <{call_target_name = "check.expect_close"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %55 = "stablehlo.constant"() <{value = dense<[-1.342000e+00, -2.108000e+00, 6.750000e-01, 2.815000e+00, -2.908000e+00, -4.170000e-01, -1.264000e+00, -3.522000e+00, 1.470000e+00]> : tensor<9xf32>}> : () -> tensor<9xf32>
    %56:3 = call @cumulative(%55) : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>)
    %57 = "stablehlo.constant"() <{value = dense<[-1.342000e+00, -3.450000e+00, -2.775000e+00, 0.0399999619, -2.868000e+00, -3.285000e+00, -4.54900026, -8.071000e+00, -6.601000e+00]> : tensor<9xf32>}> : () -> tensor<9xf32>
    "stablehlo.custom_call"(%56#0, %57) <{call_target_name = "check.expect_almost_eq"}> : (tensor<9xf32>, tensor<9xf32>) -> ()
    %58 = "stablehlo.constant"() <{value = dense<[-1.342000e+00, 2.8289361, 1.90953195, 5.37533236, -15.6314669, 6.51832151, -8.23915863, 29.0183182, 42.656929]> : tensor<9xf32>}> : () -> tensor<9xf32>
    "stablehlo.custom_call"(%56#1, %58) <{call_target_name = "check.expect_almost_eq"}> : (tensor<9xf32>, tensor<9xf32>) -> ()
    %59 = "stablehlo.constant"() <{value = dense<[-1.342000e+00, -1.342000e+00, 6.750000e-01, 2.815000e+00, 2.815000e+00, 2.815000e+00, 2.815000e+00, 2.815000e+00, 2.815000e+00]> : tensor<9xf32>}> : () -> tensor<9xf32>
    "stablehlo.custom_call"(%56#2, %59) <{call_target_name = "check.expect_almost_eq"}> : (tensor<9xf32>, tensor<9xf32>) -> ()
    return
  }
  func.func private @sum(%arg0: tensor<2x3x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
    return %1, %3, %5 : tensor<f32>, tensor<3x4xf32>, tensor<3xf32>
  }
  func.func private @prod(%arg0: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @max_nan(%arg0: tensor<4x5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    return %1, %3, %5 : tensor<5xf32>, tensor<4xf32>, tensor<f32>
  }
  func.func private @min(%arg0: tensor<2x3x4xf32>) -> tensor<f32> {
    %0 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.minimum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @empty(%arg0: tensor<0x3xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %1, %3 : tensor<3xf32>, tensor<3xf32>
  }
  func.func private @argmax(%arg0: tensor<2x3x4xf32>) -> (tensor<3x4xi64> {jax.result_info = "result[0]"}, tensor<2x4xi64> {jax.result_info = "result[1]"}, tensor<i64> {jax.result_info = "result[2]"}) {
    %0 = call @argmax_argmax_(%arg0) : (tensor<2x3x4xf32>) -> tensor<3x4xi64>
    %1 = call @argmax_argmin_(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x4xi64>
    %2 = "stablehlo.reshape"(%arg0) : (tensor<2x3x4xf32>) -> tensor<24xf32>
    %3 = call @argmax_argmax_0_(%2) : (tensor<24xf32>) -> tensor<i64>
    return %0, %1, %3 : tensor<3x4xi64>, tensor<2x4xi64>, tensor<i64>
  }
  func.func private @argmax_argmax_(%arg0: tensor<2x3x4xf32>) -> tensor<3x4xi64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x3x4xi64>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<i64>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i64>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<f32>, tensor<i64>) -> (tensor<3x4xf32>, tensor<3x4xi64>)
    return %3#1 : tensor<3x4xi64>
  }
  func.func private @argmax_argmin_(%arg0: tensor<2x3x4xf32>) -> tensor<2x4xi64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3x4xi64>
    %1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<i64>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i64>) -> ()
    }) : (tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<f32>, tensor<i64>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
    return %3#1 : tensor<2x4xi64>
  }
  func.func private @argmax_argmax_0_(%arg0: tensor<24xf32>) -> tensor<i64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi64>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<i64>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i64>) -> ()
    }) : (tensor<24xf32>, tensor<24xi64>, tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>)
    return %3#1 : tensor<i64>
  }
  func.func private @argmax_nan(%arg0: tensor<4x5xf32>) -> tensor<4xi64> {
    %0 = call @argmax_nan_argmax_(%arg0) : (tensor<4x5xf32>) -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
  func.func private @argmax_nan_argmax_(%arg0: tensor<4x5xf32>) -> tensor<4xi64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xi64>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<i64>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i64>) -> ()
    }) : (tensor<4x5xf32>, tensor<4x5xi64>, tensor<f32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xi64>)
    return %3#1 : tensor<4xi64>
  }
  func.func private @any(%arg0: tensor<2x3x4xf32>) -> (tensor<3x4xi1> {jax.result_info = "result[0]"}, tensor<2x4xi1> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x4xf32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %3 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %4 = "stablehlo.reduce"(%2, %3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %10 = "stablehlo.or"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }) : (tensor<2x3x4xi1>, tensor<i1>) -> tensor<3x4xi1>
    %5 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x4xf32>
    %7 = "stablehlo.compare"(%arg0, %6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %8 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %10 = "stablehlo.and"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }) : (tensor<2x3x4xi1>, tensor<i1>) -> tensor<2x4xi1>
    return %4, %9 : tensor<3x4xi1>, tensor<2x4xi1>
  }
  func.func private @max_unsigned(%arg0: tensor<6xui32>) -> (tensor<ui32> {jax.result_info = "result[0]"}, tensor<ui32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %4 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%4) : (tensor<ui32>) -> ()
    }) : (tensor<6xui32>, tensor<ui32>) -> tensor<ui32>
    %2 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %4 = "stablehlo.minimum"(%arg1, %arg2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%4) : (tensor<ui32>) -> ()
    }) : (tensor<6xui32>, tensor<ui32>) -> tensor<ui32>
    return %1, %3 : tensor<ui32>, tensor<ui32>
  }
  func.func private @sum_int(%arg0: tensor<3x4xi32>) -> (tensor<3xi64> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<3x4xi32>) -> tensor<3x4xi64>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %5 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%5) : (tensor<i64>) -> ()
    }) : (tensor<3x4xi64>, tensor<i64>) -> tensor<3xi64>
    %3 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.reduce"(%arg0, %3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %5 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%5) : (tensor<i32>) -> ()
    }) : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    return %2, %4 : tensor<3xi64>, tensor<4xi32>
  }
  func.func private @general(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.add"(%2, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @bits(%arg0: tensor<4x3xui32>) -> tensor<3xui32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %2 = "stablehlo.xor"(%arg1, %arg2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%2) : (tensor<ui32>) -> ()
    }) : (tensor<4x3xui32>, tensor<ui32>) -> tensor<3xui32>
    return %1 : tensor<3xui32>
  }
  func.func private @init(%arg0: tensor<3x2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @logsumexp(%arg0: tensor<3x4xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %18 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %4 = "stablehlo.maximum"(%3, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = "stablehlo.is_finite"(%4) : (tensor<3xf32>) -> tensor<3xi1>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %8 = "stablehlo.select"(%5, %4, %7) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x4xf32>
    %11 = "stablehlo.subtract"(%arg0, %10) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %12 = "stablehlo.exponential"(%11) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %18 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %15 = "stablehlo.abs"(%14) : (tensor<3xf32>) -> tensor<3xf32>
    %16 = "stablehlo.log"(%15) : (tensor<3xf32>) -> tensor<3xf32>
    %17 = "stablehlo.add"(%16, %8) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %17 : tensor<3xf32>
  }
  func.func private @softmax(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %4 = "stablehlo.maximum"(%3, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x4xf32>
    %7 = "stablehlo.subtract"(%arg0, %6) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %8 = "stablehlo.exponential"(%7) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x4xf32>
    %13 = "stablehlo.divide"(%8, %12) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %13 : tensor<3x4xf32>
  }
  func.func private @cumulative(%arg0: tensor<9xf32>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<9xf32> {jax.result_info = "result[1]"}, tensor<9xf32> {jax.result_info = "result[2]"}) {
    %0 = call @cumulative_cumsum_(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %1 = call @cumulative_cumprod_(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %2 = call @cumulative_cummax_(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    return %0, %1, %2 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
  }
  func.func private @cumulative_cumsum_(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %0 = call @cumulative_cumsum_0_(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @cumulative_cumsum_0_(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 9>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
  func.func private @cumulative_cumprod_(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %0 = call @cumulative_cumprod_1_(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @cumulative_cumprod_1_(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 9>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
  func.func private @cumulative_cummax_(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 9>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}

