// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Reductions of windows and their transposes.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[1.738000e+00, 2.316000e+00, -1.493000e+00, -1.907000e+00, -2.190000e-01, -3.203000e+00], [2.941000e+00, -4.811000e+00, -2.214000e+00, -5.390000e-01, -4.540000e-01, 3.320000e-01], [5.430000e-01, -4.270000e-01, 2.274000e+00, -4.279000e+00, -0.000000e+00, -1.429000e+00], [2.650000e-01, 4.420000e-01, -1.824000e+00, -1.282000e+00, 1.585000e+00, 6.980000e-01], [-1.360000e+00, 4.080000e+00, 4.618000e+00, -2.925000e+00, 6.040000e-01, 5.018000e+00]]> : tensor<5x6xf32>}> : () -> tensor<5x6xf32>
    %1 = call @sum(%0) : (tensor<5x6xf32>) -> tensor<5x3xf32>
    %2 = "stablehlo.constant"() <{value = dense<[[-1.523000e+00, -6.826000e+00, -3.54400015], [-1.694000e+00, -5.212000e+00, -1.551000e+00], [1.27299988, -3.526000e+00, 0.854000031], [6.221000e+00, 0.776000142, 7.905000e+00], [7.338000e+00, 2.297000e+00, 5.622000e+00]]> : tensor<5x3xf32>}> : () -> tensor<5x3xf32>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_close"}> : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[[1.568000e+00, 4.420000e-01, -4.160000e-01, -1.082000e+00, -4.250000e-01, -1.101000e+00], [1.490000e+00, -7.960000e-01, -8.820000e-01, -2.404000e+00, -0.0989999994, -1.788000e+00], [-3.620000e-01, 2.084000e+00, 7.320000e-01, 1.009000e+00, 7.120000e-01, 1.180000e-01], [-2.550000e-01, -0.615999996, 1.518000e+00, -2.168000e+00, 2.681000e+00, 6.800000e-02]]> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
    %4 = call @max(%3) : (tensor<4x6xf32>) -> tensor<2x3xf32>
    %5 = "stablehlo.constant"() <{value = dense<[[1.568000e+00, -4.160000e-01, -0.0989999994], [2.084000e+00, 1.518000e+00, 2.681000e+00]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    "stablehlo.custom_call"(%4, %5) <{call_target_name = "check.expect_eq"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<[-1.497000e+00, -0.977999985, -1.354000e+00, 3.200000e-01, -1.436000e+00, 2.284000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %7 = call @dilated(%6) : (tensor<6xf32>) -> tensor<11xf32>
    %8 = "stablehlo.constant"() <{value = dense<[5.220000e-01, 0.00300002098, 0.146000028, 5.220000e-01, 1.81999993, 0.146000028, 0.0640000105, 1.81999993, 3.784000e+00, 0.0640000105, 1.500000e+00]> : tensor<11xf32>}> : () -> tensor<11xf32>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_close"}> : (tensor<11xf32>, tensor<11xf32>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[-1.563000e+00, -4.545000e+00, -1.462000e+00, -4.017000e+00, -8.000000e-02, 2.118000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %10 = call @general(%9) : (tensor<6xf32>) -> tensor<4xf32>
    %11 = "stablehlo.constant"() <{value = dense<[-0.922075748, -4.94121313, 1.28234577, -8.6544466]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[[[[1.296000e+00, -2.675000e+00], [-1.525000e+00, 3.557000e+00], [6.370000e-01, 8.000000e-03], [2.112000e+00, 4.905000e+00], [2.593000e+00, 2.790000e-01], [7.090000e-01, 1.234000e+00]], [[-1.225000e+00, -2.117000e+00], [1.050000e-01, -1.894000e+00], [-1.230000e-01, 1.920000e-01], [4.682000e+00, -1.702000e+00], [-2.440000e-01, -3.290000e-01], [8.750000e-01, 2.093000e+00]], [[-9.810000e-01, -1.643000e+00], [-3.281000e+00, -1.852000e+00], [1.073000e+00, 0.0909999981], [-2.031000e+00, -0.745999991], [6.300000e-02, 1.007000e+00], [-1.187000e+00, -5.010000e-01]], [[-3.637000e+00, -2.303000e+00], [3.235000e+00, -4.376000e+00], [-6.760000e-01, 4.380000e-01], [-7.490000e-01, -1.616000e+00], [-1.220000e-01, -0.00999999977], [-1.640000e-01, -3.755000e+00]], [[-2.950000e-01, -1.710000e+00], [-1.095000e+00, 4.540000e-01], [1.281000e+00, 1.794000e+00], [-0.99299997, 1.848000e+00], [2.347000e+00, 2.273000e+00], [2.780000e+00, -2.910000e-01]]]]> : tensor<1x5x6x2xf32>}> : () -> tensor<1x5x6x2xf32>
    %13 = call @pool_gradient(%12) : (tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
    %14 = "stablehlo.constant"() <{value = dense<[[[[2.592000e+00, 0.000000e+00], [0.000000e+00, 7.114000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 9.810000e+00], [5.186000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [1.872800e+01, 0.000000e+00], [0.000000e+00, 0.000000e+00], [1.750000e+00, 8.37199974]], [[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 2.014000e+00], [0.000000e+00, 0.000000e+00]], [[0.000000e+00, 0.000000e+00], [1.294000e+01, 0.000000e+00], [0.000000e+00, 0.875999987], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 3.588000e+00], [0.000000e+00, 0.000000e+00], [4.694000e+00, 9.092000e+00], [5.560000e+00, 0.000000e+00]]]]> : tensor<1x5x6x2xf32>}> : () -> tensor<1x5x6x2xf32>
    "stablehlo.custom_call"(%13, %14) <{call_target_name = "check.expect_close"}> : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<[[-3.480000e-01, 1.650000e+00, -2.733000e+00, 4.190000e-01], [-1.061000e+00, -0.737999975, -3.483000e+00, -1.781000e+00], [-4.100000e-02, 1.777000e+00, 1.980000e+00, -1.610000e-01], [-3.790000e-01, -1.661000e+00, 8.050000e-01, -4.950000e-01]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    %16 = call @average_gradient(%15) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %17 = "stablehlo.constant"() <{value = dense<[[-0.993999838, -11.6019993, -2.576400e+01, -1.515600e+01], [-1.120000e+00, -1.265600e+01, -3.358200e+01, -2.204600e+01], [-0.734000444, 4.13999939, 2.242000e+00, -2.63199949], [-0.608000278, 5.194000e+00, 1.006000e+01, 4.25800037]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    "stablehlo.custom_call"(%16, %17) <{call_target_name = "check.expect_close"}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[[1.212000e+00, 3.503000e+00, -6.500000e-02, -2.995000e+00, -1.722000e+00], [-2.916000e+00, -2.394000e+00, 2.611000e+00, 4.530000e-01, -3.040000e+00], [1.307000e+00, 2.521000e+00, -7.200000e-01, -1.352000e+00, -6.750000e-01]]> : tensor<3x5xf32>}> : () -> tensor<3x5xf32>
    %19:3 = call @cumulative(%18) : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>)
    %20 = "stablehlo.constant"() <{value = dense<[[1.212000e+00, 4.715000e+00, 4.650000e+00, 1.65500021, -0.0669997931], [-2.916000e+00, -5.310000e+00, -2.699000e+00, -2.24599981, -5.286000e+00], [1.307000e+00, 3.828000e+00, 3.108000e+00, 1.756000e+00, 1.08100009]]> : tensor<3x5xf32>}> : () -> tensor<3x5xf32>
    "stablehlo.custom_call"(%19#0, %20) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
    %21 = "stablehlo.constant"() <{value = dense<[[1.212000e+00, 3.503000e+00, -6.500000e-02, -2.995000e+00, -1.722000e+00], [1.22798657, 3.50574398, 2.67757201, 0.484313756, -1.48481929], [1.96142066, 3.82313156, 2.71047902, 0.632219791, -0.306933314]]> : tensor<3x5xf32>}> : () -> tensor<3x5xf32>
    "stablehlo.custom_call"(%19#1, %21) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
    %22 = "stablehlo.constant"() <{value = dense<[[-2.995000e+00, -2.995000e+00, -2.995000e+00, -2.995000e+00, -1.722000e+00], [-3.040000e+00, -3.040000e+00, -3.040000e+00, -3.040000e+00, -3.040000e+00], [-1.352000e+00, -1.352000e+00, -1.352000e+00, -1.352000e+00, -6.750000e-01]]> : tensor<3x5xf32>}> : () -> tensor<3x5xf32>
    "stablehlo.custom_call"(%19#2, %22) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
    return
  }
  func.func private @sum(%arg0: tensor<5x6xf32>) -> tensor<5x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<5x6xf32>, tensor<f32>) -> tensor<5x3xf32>
    return %2 : tensor<5x3xf32>
  }
  func.func private @max(%arg0: tensor<4x6xf32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
  func.func private @dilated(%arg0: tensor<6xf32>) -> tensor<11xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>, window_dilations = array<i64: 3>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<11xf32>
    return %1 : tensor<11xf32>
  }
  func.func private @general(%arg0: tensor<6xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.add"(%2, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @pool_gradient(%arg0: tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<1x5x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32>
    %5 = "stablehlo.multiply"(%4, %2) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32>
    %8 = "stablehlo.multiply"(%7, %5) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.pad"(%arg0, %9) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x5x6x2xf32>, tensor<f32>) -> tensor<1x7x7x2xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.select_and_scatter"(%10, %8, %11) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%14) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<1x7x7x2xf32>, tensor<1x3x3x2xf32>, tensor<f32>) -> tensor<1x7x7x2xf32>
    %13 = "stablehlo.slice"(%12) <{limit_indices = array<i64: 1, 6, 6, 2>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x7x7x2xf32>) -> tensor<1x5x6x2xf32>
    return %13 : tensor<1x5x6x2xf32>
  }
  func.func private @average_gradient(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %5 = "stablehlo.multiply"(%4, %2) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %8 = "stablehlo.multiply"(%7, %5) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.pad"(%8, %9) <{edge_padding_high = array<i64: 1, 1>, edge_padding_low = array<i64: 1, 1>, interior_padding = array<i64: 0, 0>}> : (tensor<3x3xf32>, tensor<f32>) -> tensor<5x5xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.reduce_window"(%10, %12) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %14 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %13 : tensor<4x4xf32>
  }
  func.func private @cumulative(%arg0: tensor<3x5xf32>) -> (tensor<3x5xf32> {jax.result_info = "result[0]"}, tensor<3x5xf32> {jax.result_info = "result[1]"}, tensor<3x5xf32> {jax.result_info = "result[2]"}) {
    %0 = call @cumulative_cumsum_(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = call @cumulative_cumlogsumexp_(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %2 = call @cumulative_cummin_(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func private @cumulative_cumsum_(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    return %2 : tensor<3x5xf32>
  }
  func.func private @cumulative_cumlogsumexp_(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.subtract"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %4 = "stablehlo.compare"(%3, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %6 = "stablehlo.abs"(%3) : (tensor<f32>) -> tensor<f32>
      %7 = "stablehlo.negate"(%6) : (tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.exponential"(%7) : (tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.log_plus_one"(%8) : (tensor<f32>) -> tensor<f32>
      %10 = "stablehlo.add"(%2, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %11 = "stablehlo.select"(%4, %5, %10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
  func.func private @cumulative_cummin_(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.minimum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    return %2 : tensor<3x5xf32>
  }
}

