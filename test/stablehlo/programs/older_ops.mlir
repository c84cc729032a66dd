// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Ops that StableHLO keeps for older programs, and ops with computed sizes. The expected values are those of NumPy.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00], [-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00]]]> : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[[-5.0e-01, 1.75e+00, 1.5e+00, 5.0e-01, 2.0e+00], [-7.5e-01, 1.5e+00, 1.75e+00, 5.0e-01, -1.5e+00], [-1.0e+00, 0.0e+00, -1.0e+00, -1.75e+00, -1.5e+00], [2.0e+00, -5.0e-01, 2.5e-01, -2.5e-01, 1.25e+00]], [[-1.75e+00, -1.0e+00, 2.5e-01, 1.25e+00, -2.5e-01], [7.5e-01, 1.25e+00, 5.0e-01, 1.25e+00, 2.0e+00], [-1.25e+00, -2.5e-01, -1.25e+00, -2.5e-01, -2.0e+00], [7.5e-01, -1.0e+00, 1.5e+00, 1.0e+00, -7.5e-01]]]> : tensor<2x4x5xf64>}> : () -> tensor<2x4x5xf64>
    %2 = "stablehlo.einsum"(%0, %1) <{einsum_config = "bij,bjk->kbi"}> : (tensor<2x3x4xf64>, tensor<2x4x5xf64>) -> tensor<5x2x3xf64>
    %3 = "stablehlo.constant"() <{value = dense<[[[1.875e+00, -1.75e+00, 2.25e+00], [-2.5e+00, 5.625e-01, 1.125e+00]], [[4.375e+00, 3.9375e+00, 3.375e+00], [-1.3125e+00, 1.5e+00, 4.1875e+00]], [[6.875e+00, 2.75e+00, 5.125e+00], [-4.375e-01, -1.875e+00, -3.75e+00]], [[4.3125e+00, -2.375e+00, 2.1875e+00], [2.375e+00, -3.1875e+00, -2.75e+00]], [[4.625e+00, -1.5e+00, 4.5e+00], [-3.4375e+00, 1.3125e+00, 1.0625e+00]]]> : tensor<5x2x3xf64>}> : () -> tensor<5x2x3xf64>
    "stablehlo.custom_call"(%2, %3) <{call_target_name = "check.expect_eq"}> : (tensor<5x2x3xf64>, tensor<5x2x3xf64>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 7.5e-01, -2.5e-01], [-1.25e+00, -2.0e+00, 2.5e-01], [2.5e-01, 1.25e+00, -1.5e+00]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %5 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 7.5e-01, -2.5e-01], [-1.25e+00, -2.0e+00, 2.5e-01], [2.5e-01, 1.25e+00, -1.5e+00]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %6 = "stablehlo.einsum"(%4, %5) <{einsum_config = "ii,ij -> j"}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %7 = "stablehlo.constant"() <{value = dense<[2.1875e+00, 1.9375e+00, 1.8125e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%6, %7) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %8 = "stablehlo.constant"() <{value = dense<[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]]> : tensor<3x4xf64>}> : () -> tensor<3x4xf64>
    %9 = "stablehlo.constant"() <{value = dense<[-5.0e-01, 1.75e+00, 1.5e+00, 5.0e-01, 2.0e+00]> : tensor<5xf64>}> : () -> tensor<5xf64>
    %10 = "stablehlo.einsum"(%8, %9) <{einsum_config = "ij,k->ki"}> : (tensor<3x4xf64>, tensor<5xf64>) -> tensor<5x3xf64>
    %11 = "stablehlo.constant"() <{value = dense<[[-1.125e+00, -2.875e+00, -1.625e+00], [3.9375e+00, 1.00625e+01, 5.6875e+00], [3.375e+00, 8.625e+00, 4.875e+00], [1.125e+00, 2.875e+00, 1.625e+00], [4.5e+00, 1.15e+01, 6.5e+00]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_eq"}> : (tensor<5x3xf64>, tensor<5x3xf64>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]]> : tensor<3x4xf64>}> : () -> tensor<3x4xf64>
    %13 = "stablehlo.unary_einsum"(%12) <{einsum_config = "ij->ji"}> : (tensor<3x4xf64>) -> tensor<4x3xf64>
    %14 = "stablehlo.constant"() <{value = dense<[[1.5e+00, 1.25e+00, 1.5e+00], [1.5e+00, 1.5e+00, 1.0e+00], [-1.75e+00, 2.0e+00, -7.5e-01], [1.0e+00, 1.0e+00, 1.5e+00]]> : tensor<4x3xf64>}> : () -> tensor<4x3xf64>
    "stablehlo.custom_call"(%13, %14) <{call_target_name = "check.expect_eq"}> : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 7.5e-01, -2.5e-01], [-1.25e+00, -2.0e+00, 2.5e-01], [2.5e-01, 1.25e+00, -1.5e+00]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %16 = "stablehlo.unary_einsum"(%15) <{einsum_config = "ii->i"}> : (tensor<3x3xf32>) -> tensor<3xf32>
    %17 = "stablehlo.constant"() <{value = dense<[-2.5e-01, -2.0e+00, -1.5e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%16, %17) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00], [-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00]]]> : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
    %19 = "stablehlo.unary_einsum"(%18) <{einsum_config = "ijk->"}> : (tensor<2x3x4xf64>) -> tensor<f64>
    %20 = "stablehlo.constant"() <{value = dense<1.1e+01> : tensor<f64>}> : () -> tensor<f64>
    "stablehlo.custom_call"(%19, %20) <{call_target_name = "check.expect_eq"}> : (tensor<f64>, tensor<f64>) -> ()
    %21 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00], [-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00]]]> : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
    %22 = "stablehlo.constant"() <{value = dense<[2, 0, -1, 7]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %23 = "stablehlo.torch_index_select"(%21, %22) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3x4xf64>, tensor<4xi32>) -> tensor<2x4x4xf64>
    %24 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00], [1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00], [7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00]]]> : tensor<2x4x4xf64>}> : () -> tensor<2x4x4xf64>
    "stablehlo.custom_call"(%23, %24) <{call_target_name = "check.expect_eq"}> : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> ()
    %25 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[7.5e-01, 7.5e-01, 2.0e+00, 1.0e+00], [-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00], [-1.75e+00, 1.0e+00, 1.25e+00, -1.5e+00]]]> : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
    %26 = "stablehlo.constant"() <{value = dense<[[0, 2], [1, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %27 = "stablehlo.torch_index_select"(%25, %26) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x3x4xf64>, tensor<2x2xi32>) -> tensor<2x2x4xf64>
    %28 = "stablehlo.constant"() <{value = dense<[[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]], [[-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00], [-7.5e-01, -7.5e-01, -7.5e-01, -1.5e+00]]]> : tensor<2x2x4xf64>}> : () -> tensor<2x2x4xf64>
    "stablehlo.custom_call"(%27, %28) <{call_target_name = "check.expect_eq"}> : (tensor<2x2x4xf64>, tensor<2x2x4xf64>) -> ()
    %29 = "stablehlo.constant"() <{value = dense<[[1.5e+00, 1.5e+00, -1.75e+00, 1.0e+00], [1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]]> : tensor<3x4xf64>}> : () -> tensor<3x4xf64>
    %30 = "stablehlo.constant"() <{value = dense<[[1], [5]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
    %31 = "stablehlo.constant"() <{value = dense<[1, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %32 = "stablehlo.dynamic_gather"(%29, %30, %31) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf64>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x?xf64>
    %33 = "stablehlo.convert"(%32) : (tensor<2x?xf64>) -> tensor<2x4xf64>
    %34 = "stablehlo.constant"() <{value = dense<[[1.25e+00, 1.5e+00, 2.0e+00, 1.0e+00], [1.5e+00, 1.0e+00, -7.5e-01, 1.5e+00]]> : tensor<2x4xf64>}> : () -> tensor<2x4xf64>
    "stablehlo.custom_call"(%33, %34) <{call_target_name = "check.expect_eq"}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<[[[-1.75e+00, 1.0e+00], [1.0e+00, 1.25e+00], [-2.0e+00, 7.5e-01], [2.0e+00, 1.0e+00], [-2.5e-01, 0.0e+00], [-5.0e-01, -2.0e+00]]]> : tensor<1x6x2xf32>}> : () -> tensor<1x6x2xf32>
    %36 = "stablehlo.constant"() <{value = dense<[[[1.0e+00, 2.5e-01, 0.0e+00, 1.75e+00], [1.0e+00, 2.0e+00, -1.75e+00, 2.0e+00]], [[2.5e-01, -5.0e-01, 2.5e-01, -2.0e+00], [1.75e+00, 5.0e-01, -2.0e+00, 1.75e+00]], [[-2.5e-01, -1.5e+00, 5.0e-01, -1.75e+00], [2.5e-01, 1.0e+00, -1.75e+00, 1.25e+00]]]> : tensor<3x2x4xf32>}> : () -> tensor<3x2x4xf32>
    %37 = "stablehlo.constant"() <{value = dense<[[1, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %38 = "stablehlo.dynamic_conv"(%35, %36, %37) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x6x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
    %39 = "stablehlo.convert"(%38) : (tensor<1x?x4xf32>) -> tensor<1x6x4xf32>
    %40 = "stablehlo.constant"() <{value = dense<[[[1.375e+00, 1.125e+00, -4.125e+00, 5.0625e+00], [2.375e+00, 5.4375e+00, -6.3125e+00, 3.5625e+00], [2.8125e+00, 2.125e+00, -4.9375e+00, 7.3125e+00], [1.0625e+00, 8.75e-01, -2.9375e+00, -3.8125e+00], [2.5625e+00, 1.375e+00, 1.4375e+00, 4.375e+00], [-3.875e+00, -8.125e-01, 3.875e+00, -2.9375e+00]]]> : tensor<1x6x4xf32>}> : () -> tensor<1x6x4xf32>
    "stablehlo.custom_call"(%39, %40) <{call_target_name = "check.expect_eq"}> : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> ()
    return
  }
}
