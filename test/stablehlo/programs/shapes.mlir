// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Ops that move elements.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %1 = call @transpose(%0) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %2 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -6.500000e-02, 2.210000e-01], [2.718000e+00, -1.283000e+00, 1.490000e-01]], [[-1.618000e+00, 1.769000e+00, 1.280000e-01], [-3.094000e+00, 4.001000e+00, 1.153000e+00]], [[2.122000e+00, -1.167000e+00, -2.450000e+00], [1.719000e+00, 1.525000e+00, -3.780000e-01]], [[-1.615000e+00, -2.230000e-01, 1.520000e-01], [2.390000e-01, -2.399000e+00, 1.366000e+00]]]> : tensor<4x2x3xf32>}> : () -> tensor<4x2x3xf32>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_eq"}> : (tensor<4x2x3xf32>, tensor<4x2x3xf32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %4 = call @reshape(%3) : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
    %5 = "stablehlo.constant"() <{value = dense<[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00, -6.500000e-02, 1.769000e+00], [-1.167000e+00, -2.230000e-01, 2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01], [2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01, -1.283000e+00, 4.001000e+00], [1.525000e+00, -2.399000e+00, 1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
    "stablehlo.custom_call"(%4, %5) <{call_target_name = "check.expect_eq"}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %7 = call @reverse(%6) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %8 = "stablehlo.constant"() <{value = dense<[[[2.390000e-01, 1.719000e+00, -3.094000e+00, 2.718000e+00], [-2.399000e+00, 1.525000e+00, 4.001000e+00, -1.283000e+00], [1.366000e+00, -3.780000e-01, 1.153000e+00, 1.490000e-01]], [[-1.615000e+00, 2.122000e+00, -1.618000e+00, -1.957000e+00], [-2.230000e-01, -1.167000e+00, 1.769000e+00, -6.500000e-02], [1.520000e-01, -2.450000e+00, 1.280000e-01, 2.210000e-01]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_eq"}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %10 = call @broadcast(%9) : (tensor<3x4xf32>) -> tensor<3x5x4xf32>
    %11 = "stablehlo.constant"() <{value = dense<[[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01]], [[3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00]], [[-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]]> : tensor<3x5x4xf32>}> : () -> tensor<3x5x4xf32>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_eq"}> : (tensor<3x5x4xf32>, tensor<3x5x4xf32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[[-1.330000e-01], [1.334000e+00], [2.877000e+00]]> : tensor<3x1xf32>}> : () -> tensor<3x1xf32>
    %13 = call @broadcast_one(%12) : (tensor<3x1xf32>) -> tensor<4x3x5xf32>
    %14 = "stablehlo.constant"() <{value = dense<[[[-1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01], [1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00], [2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00]], [[-1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01], [1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00], [2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00]], [[-1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01], [1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00], [2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00]], [[-1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01, -1.330000e-01], [1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00, 1.334000e+00], [2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00, 2.877000e+00]]]> : tensor<4x3x5xf32>}> : () -> tensor<4x3x5xf32>
    "stablehlo.custom_call"(%13, %14) <{call_target_name = "check.expect_eq"}> : (tensor<4x3x5xf32>, tensor<4x3x5xf32>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = call @broadcast_scalar(%15) : (tensor<f32>) -> tensor<2x3xf32>
    %17 = "stablehlo.constant"() <{value = dense<2.500000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    "stablehlo.custom_call"(%16, %17) <{call_target_name = "check.expect_eq"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[[-1.351000e+00], [4.060000e-01]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
    %19 = "stablehlo.constant"() <{value = dense<[[-0.926999986, 2.550000e-01, -2.374000e+00], [-1.159000e+00, -3.920000e-01, 1.798000e+00]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %20 = "stablehlo.constant"() <{value = dense<[[2.290000e+00, -2.647000e+00], [-1.589000e+00, 1.294000e+00]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %21 = call @concatenate(%18, %19, %20) : (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
    %22 = "stablehlo.constant"() <{value = dense<[[-1.351000e+00, -0.926999986, 2.550000e-01, -2.374000e+00, 2.290000e+00, -2.647000e+00], [4.060000e-01, -1.159000e+00, -3.920000e-01, 1.798000e+00, -1.589000e+00, 1.294000e+00]]> : tensor<2x6xf32>}> : () -> tensor<2x6xf32>
    "stablehlo.custom_call"(%21, %22) <{call_target_name = "check.expect_eq"}> : (tensor<2x6xf32>, tensor<2x6xf32>) -> ()
    %23 = "stablehlo.constant"() <{value = dense<[[[-1.957000e+00, -1.618000e+00, 2.122000e+00, -1.615000e+00], [-6.500000e-02, 1.769000e+00, -1.167000e+00, -2.230000e-01], [2.210000e-01, 1.280000e-01, -2.450000e+00, 1.520000e-01]], [[2.718000e+00, -3.094000e+00, 1.719000e+00, 2.390000e-01], [-1.283000e+00, 4.001000e+00, 1.525000e+00, -2.399000e+00], [1.490000e-01, 1.153000e+00, -3.780000e-01, 1.366000e+00]]]> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
    %24 = call @slice(%23) : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    %25 = "stablehlo.constant"() <{value = dense<[[[1.769000e+00, -2.230000e-01], [1.280000e-01, 1.520000e-01]], [[4.001000e+00, -2.399000e+00], [1.153000e+00, 1.366000e+00]]]> : tensor<2x2x2xf32>}> : () -> tensor<2x2x2xf32>
    "stablehlo.custom_call"(%24, %25) <{call_target_name = "check.expect_eq"}> : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> ()
    %26 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %27 = call @slice_rows(%26) : (tensor<3x4xf32>) -> tensor<2x4xf32>
    %28 = "stablehlo.constant"() <{value = dense<[[3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "stablehlo.custom_call"(%27, %28) <{call_target_name = "check.expect_eq"}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    %29 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %30 = call @pad(%29) : (tensor<3x4xf32>) -> tensor<6x11xf32>
    %31 = "stablehlo.constant"() <{value = dense<[[9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00], [-3.683000e+00, 9.000000e+00, 9.000000e+00, -4.700000e-01, 9.000000e+00, 9.000000e+00, -2.535000e+00, 9.000000e+00, 9.000000e+00, 5.430000e-01, 9.000000e+00], [3.140000e-01, 9.000000e+00, 9.000000e+00, -3.740000e-01, 9.000000e+00, 9.000000e+00, -5.034000e+00, 9.000000e+00, 9.000000e+00, -1.077000e+00, 9.000000e+00], [-9.700000e-02, 9.000000e+00, 9.000000e+00, 2.270000e-01, 9.000000e+00, 9.000000e+00, -3.060000e+00, 9.000000e+00, 9.000000e+00, -0.95599997, 9.000000e+00], [9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00], [9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00]]> : tensor<6x11xf32>}> : () -> tensor<6x11xf32>
    "stablehlo.custom_call"(%30, %31) <{call_target_name = "check.expect_eq"}> : (tensor<6x11xf32>, tensor<6x11xf32>) -> ()
    %32 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %33 = call @pad_negative(%32) : (tensor<3x4xf32>) -> tensor<5x4xf32>
    %34 = "stablehlo.constant"() <{value = dense<[[9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00], [9.000000e+00, 9.000000e+00, 3.140000e-01, -3.740000e-01], [9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00], [9.000000e+00, 9.000000e+00, -9.700000e-02, 2.270000e-01], [9.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00]]> : tensor<5x4xf32>}> : () -> tensor<5x4xf32>
    "stablehlo.custom_call"(%33, %34) <{call_target_name = "check.expect_eq"}> : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %36 = call @pad_zero(%35) : (tensor<3x4xf32>) -> tensor<4x6xf32>
    %37 = "stablehlo.constant"() <{value = dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01, 0.000000e+00, 0.000000e+00], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00, 0.000000e+00, 0.000000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997, 0.000000e+00, 0.000000e+00]]> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
    "stablehlo.custom_call"(%36, %37) <{call_target_name = "check.expect_eq"}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
    %38 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %39 = call @iota(%38) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %40 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, 5.300000e-01, -0.535000086, 3.543000e+00], [3.140000e-01, 0.625999987, -3.034000e+00, 1.923000e+00], [-9.700000e-02, 1.227000e+00, -1.060000e+00, 2.04400015]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    "stablehlo.custom_call"(%39, %40) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %41 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %44 = call @dynamic_slice(%41, %42, %43) : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    %45 = "stablehlo.constant"() <{value = dense<[[-5.034000e+00, -1.077000e+00], [-3.060000e+00, -0.95599997]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    "stablehlo.custom_call"(%44, %45) <{call_target_name = "check.expect_eq"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
    %46 = "stablehlo.constant"() <{value = dense<[-3.985000e+00, -0.925999999, -1.950000e-01, 2.514000e+00, 1.379000e+00, -0.653999984]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %47 = "stablehlo.constant"() <{value = dense<-9> : tensor<i64>}> : () -> tensor<i64>
    %48 = call @dynamic_slice_low(%46, %47) : (tensor<6xf32>, tensor<i64>) -> tensor<3xf32>
    %49 = "stablehlo.constant"() <{value = dense<[-3.985000e+00, -0.925999999, -1.950000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%48, %49) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %50 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %51 = "stablehlo.constant"() <{value = dense<[[-0.736999988, -5.000000e-01], [3.047000e+00, -8.560000e-01]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %52 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %54 = call @dynamic_update(%50, %51, %52, %53) : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %55 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -0.736999988, -5.000000e-01], [-9.700000e-02, 2.270000e-01, 3.047000e+00, -8.560000e-01]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    "stablehlo.custom_call"(%54, %55) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %56 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %57 = "stablehlo.constant"() <{value = dense<[[-6.070000e-01, 0.704999983, -2.420000e-01, -3.950000e-01]]> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
    %58 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %59 = call @dynamic_update_row(%56, %57, %58) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>) -> tensor<3x4xf32>
    %60 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [-6.070000e-01, 0.704999983, -2.420000e-01, -3.950000e-01], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    "stablehlo.custom_call"(%59, %60) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %61 = "stablehlo.constant"() <{value = dense<[[-3.683000e+00, -4.700000e-01, -2.535000e+00, 5.430000e-01], [3.140000e-01, -3.740000e-01, -5.034000e+00, -1.077000e+00], [-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %62 = call @empty(%61) : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %63 = "stablehlo.constant"() <{value = dense<[[-9.700000e-02, 2.270000e-01, -3.060000e+00, -0.95599997]]> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
    "stablehlo.custom_call"(%62, %63) <{call_target_name = "check.expect_eq"}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> ()
    %64 = "stablehlo.constant"() <{value = dense<[[-2.228000e+00, -2.300000e-02, -8.870000e-01], [2.332000e+00, 1.306000e+00, -4.800000e-02]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %65 = call @tile(%64) : (tensor<2x3xf32>) -> tensor<4x6xf32>
    %66 = "stablehlo.constant"() <{value = dense<[[-2.228000e+00, -2.300000e-02, -8.870000e-01, -2.228000e+00, -2.300000e-02, -8.870000e-01], [2.332000e+00, 1.306000e+00, -4.800000e-02, 2.332000e+00, 1.306000e+00, -4.800000e-02], [-2.228000e+00, -2.300000e-02, -8.870000e-01, -2.228000e+00, -2.300000e-02, -8.870000e-01], [2.332000e+00, 1.306000e+00, -4.800000e-02, 2.332000e+00, 1.306000e+00, -4.800000e-02]]> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
    "stablehlo.custom_call"(%65, %66) <{call_target_name = "check.expect_eq"}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
    return
  }
  func.func private @transpose(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %0 : tensor<4x2x3xf32>
  }
  func.func private @reshape(%arg0: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @reverse(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func private @broadcast(%arg0: tensor<3x4xf32>) -> tensor<3x5x4xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x4xf32>) -> tensor<3x5x4xf32>
    return %0 : tensor<3x5x4xf32>
  }
  func.func private @broadcast_one(%arg0: tensor<3x1xf32>) -> tensor<4x3x5xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x1xf32>) -> tensor<4x3x5xf32>
    return %0 : tensor<4x3x5xf32>
  }
  func.func private @broadcast_scalar(%arg0: tensor<f32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func private @concatenate(%arg0: tensor<2x1xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x2xf32>) -> tensor<2x6xf32> {
    %0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2) <{dimension = 1 : i64}> : (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
  func.func private @slice(%arg0: tensor<2x3x4xf32>) -> tensor<2x2x2xf32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3, 4>, start_indices = array<i64: 0, 1, 1>, strides = array<i64: 1, 1, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    return %0 : tensor<2x2x2xf32>
  }
  func.func private @slice_rows(%arg0: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 4>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<3x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @pad(%arg0: tensor<3x4xf32>) -> tensor<6x11xf32> {
    %0 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 2, 1>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 2>}> : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x11xf32>
    return %1 : tensor<6x11xf32>
  }
  func.func private @pad_negative(%arg0: tensor<3x4xf32>) -> tensor<5x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 1, -2>, edge_padding_low = array<i64: -1, 2>, interior_padding = array<i64: 1, 0>}> : (tensor<3x4xf32>, tensor<f32>) -> tensor<5x4xf32>
    return %1 : tensor<5x4xf32>
  }
  func.func private @pad_zero(%arg0: tensor<3x4xf32>) -> tensor<4x6xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @iota(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
  func.func private @dynamic_slice(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.compare"(%arg1, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.add"(%arg1, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.select"(%1, %3, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.compare"(%arg2, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.add"(%arg2, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.select"(%6, %8, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.dynamic_slice"(%arg0, %4, %9) <{slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    return %10 : tensor<2x2xf32>
  }
  func.func private @dynamic_slice_low(%arg0: tensor<6xf32>, %arg1: tensor<i64>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.compare"(%arg1, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.add"(%arg1, %2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %4 = "stablehlo.select"(%1, %3, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.dynamic_slice"(%arg0, %4) <{slice_sizes = array<i64: 3>}> : (tensor<6xf32>, tensor<i64>) -> tensor<3xf32>
    return %5 : tensor<3xf32>
  }
  func.func private @dynamic_update(%arg0: tensor<3x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.compare"(%arg2, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.select"(%1, %3, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.compare"(%arg3, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.select"(%6, %8, %arg3) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %4, %9) : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    return %10 : tensor<3x4xf32>
  }
  func.func private @dynamic_update_row(%arg0: tensor<3x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<i32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.compare"(%arg2, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.select"(%1, %3, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %4, %5) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    return %6 : tensor<3x4xf32>
  }
  func.func private @empty(%arg0: tensor<3x4xf32>) -> tensor<1x4xf32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 0, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x4xf32>) -> tensor<0x4xf32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 4>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>}> : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %2 = "stablehlo.concatenate"(%0, %1) <{dimension = 0 : i64}> : (tensor<0x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    return %2 : tensor<1x4xf32>
  }
  func.func private @tile(%arg0: tensor<2x3xf32>) -> tensor<4x6xf32> {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x1x3xf32>) -> tensor<2x2x2x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<2x2x2x3xf32>) -> tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
}

