// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Sorting along an axis, of several arrays, with NaN; the greatest elements.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[-2.160000e-01, -5.310000e+00, -1.200000e-02, -2.194000e+00], [-0.913999974, 3.163000e+00, -2.297000e+00, -2.180000e+00], [2.962000e+00, 2.380000e-01, 3.169000e+00, 6.650000e-01], [-1.814000e+00, -1.360000e-01, 2.528000e+00, 1.935000e+00], [2.000000e-03, 1.000000e-01, -2.310000e-01, -1.189000e+00]]> : tensor<5x4xf32>}> : () -> tensor<5x4xf32>
    %1:2 = call @sort(%0) : (tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>)
    %2 = "stablehlo.constant"() <{value = dense<[[-1.814000e+00, -5.310000e+00, -2.297000e+00, -2.194000e+00], [-0.913999974, -1.360000e-01, -2.310000e-01, -2.180000e+00], [-2.160000e-01, 1.000000e-01, -1.200000e-02, -1.189000e+00], [2.000000e-03, 2.380000e-01, 2.528000e+00, 6.650000e-01], [2.962000e+00, 3.163000e+00, 3.169000e+00, 1.935000e+00]]> : tensor<5x4xf32>}> : () -> tensor<5x4xf32>
    "stablehlo.custom_call"(%1#0, %2) <{call_target_name = "check.expect_eq"}> : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[[-5.310000e+00, -2.194000e+00, -2.160000e-01, -1.200000e-02], [-2.297000e+00, -2.180000e+00, -0.913999974, 3.163000e+00], [2.380000e-01, 6.650000e-01, 2.962000e+00, 3.169000e+00], [-1.814000e+00, -1.360000e-01, 1.935000e+00, 2.528000e+00], [-1.189000e+00, -2.310000e-01, 2.000000e-03, 1.000000e-01]]> : tensor<5x4xf32>}> : () -> tensor<5x4xf32>
    "stablehlo.custom_call"(%1#1, %3) <{call_target_name = "check.expect_eq"}> : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[3.972000e+00, 1.500000e-02, -2.326000e+00, -9.810000e-01, 1.494000e+00, 1.319000e+00, -2.820000e-01]> : tensor<7xf32>}> : () -> tensor<7xf32>
    %5 = call @descending(%4) : (tensor<7xf32>) -> tensor<7xf32>
    %6 = "stablehlo.constant"() <{value = dense<[3.972000e+00, 1.494000e+00, 1.319000e+00, 1.500000e-02, -2.820000e-01, -9.810000e-01, -2.326000e+00]> : tensor<7xf32>}> : () -> tensor<7xf32>
    "stablehlo.custom_call"(%5, %6) <{call_target_name = "check.expect_eq"}> : (tensor<7xf32>, tensor<7xf32>) -> ()
    %7 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 0x7FC00000, -1.000000e+00, 0x7F800000, 0xFF800000, 0.000000e+00, -0.000000e+00, 2.000000e+00]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = call @nan(%7) : (tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<[0xFF800000, -1.000000e+00, 0.000000e+00, -0.000000e+00, 2.000000e+00, 3.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<8xf32>}> : () -> tensor<8xf32>
    "stablehlo.custom_call"(%8, %9) <{call_target_name = "check.expect_eq"}> : (tensor<8xf32>, tensor<8xf32>) -> ()
    %10 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %11 = call @argsort(%10) : (tensor<6xf32>) -> tensor<6xi64>
    %12 = "stablehlo.constant"() <{value = dense<[5, 1, 3, 2, 0, 4]> : tensor<6xi64>}> : () -> tensor<6xi64>
    "stablehlo.custom_call"(%11, %12) <{call_target_name = "check.expect_eq"}> : (tensor<6xi64>, tensor<6xi64>) -> ()
    %13 = "stablehlo.constant"() <{value = dense<[2, 0, 0, 2, 1, 0, 1, 2, 1]> : tensor<9xi32>}> : () -> tensor<9xi32>
    %14 = "stablehlo.constant"() <{value = dense<[6, 1, 1, 7, 7, 4, 4, 4, 1]> : tensor<9xi32>}> : () -> tensor<9xi32>
    %15:2 = call @pairs(%13, %14) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>)
    %16 = "stablehlo.constant"() <{value = dense<[0, 0, 0, 1, 1, 1, 2, 2, 2]> : tensor<9xi32>}> : () -> tensor<9xi32>
    "stablehlo.custom_call"(%15#0, %16) <{call_target_name = "check.expect_eq"}> : (tensor<9xi32>, tensor<9xi32>) -> ()
    %17 = "stablehlo.constant"() <{value = dense<[1, 1, 4, 1, 4, 7, 4, 6, 7]> : tensor<9xi32>}> : () -> tensor<9xi32>
    "stablehlo.custom_call"(%15#1, %17) <{call_target_name = "check.expect_eq"}> : (tensor<9xi32>, tensor<9xi32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[3, -3, 4, -2, 6, 6, 5, -5, 3, 4, 3, 6, -7, 2, 3, -3, -5]> : tensor<17xi32>}> : () -> tensor<17xi32>
    %19 = call @integers(%18) : (tensor<17xi32>) -> tensor<17xi32>
    %20 = "stablehlo.constant"() <{value = dense<[-7, -5, -5, -3, -3, -2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 6, 6]> : tensor<17xi32>}> : () -> tensor<17xi32>
    "stablehlo.custom_call"(%19, %20) <{call_target_name = "check.expect_eq"}> : (tensor<17xi32>, tensor<17xi32>) -> ()
    %21 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %22 = call @unsigned(%21) : (tensor<6xui32>) -> tensor<6xui32>
    %23 = "stablehlo.constant"() <{value = dense<[0, 7, 12, 3000000000, 4294967290, 4294967295]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%22, %23) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<[[-3.390000e-01, -4.043000e+00, -3.550000e-01, -5.820000e-01, -9.010000e-01, -3.382000e+00], [-7.290000e-01, -8.200000e-02, 2.100000e-01, -2.335000e+00, 1.300000e+00, -2.499000e+00]]> : tensor<2x6xf32>}> : () -> tensor<2x6xf32>
    %25:2 = call @top_k(%24) : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    %26 = "stablehlo.constant"() <{value = dense<[[-3.390000e-01, -3.550000e-01, -5.820000e-01], [1.300000e+00, 2.100000e-01, -8.200000e-02]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    "stablehlo.custom_call"(%25#0, %26) <{call_target_name = "check.expect_eq"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    %27 = "stablehlo.constant"() <{value = dense<[[0, 2, 3], [4, 2, 1]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    "stablehlo.custom_call"(%25#1, %27) <{call_target_name = "check.expect_eq"}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    %28 = "stablehlo.constant"() <{value = dense<[-4.600000e-01, 2.683000e+00, -1.424000e+00, -1.050000e+00, 2.207000e+00, -0.788999974, -6.110000e-01, 4.550000e-01, 2.157000e+00]> : tensor<9xf32>}> : () -> tensor<9xf32>
    %29 = call @median(%28) : (tensor<9xf32>) -> tensor<f32>
    %30 = "stablehlo.constant"() <{value = dense<-4.600000e-01> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%29, %30) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %31 = "stablehlo.constant"() <{value = dense<-4.529000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = call @one(%31) : (tensor<1xf32>) -> tensor<1xf32>
    %33 = "stablehlo.constant"() <{value = dense<-4.529000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    "stablehlo.custom_call"(%32, %33) <{call_target_name = "check.expect_eq"}> : (tensor<1xf32>, tensor<1xf32>) -> ()
    %34 = "stablehlo.constant"() <{value = dense<[-1.702000e+00, -2.070000e+00, -2.229000e+00, -1.756000e+00, -1.723000e+00, 0.61799997, -1.824000e+00, 2.510000e-01]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<[8.230000e-01, -1.496000e+00, 2.680000e-01, 3.355000e+00, 6.600000e-01]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %36 = call @search(%34, %35) : (tensor<8xf32>, tensor<5xf32>) -> tensor<5xi32>
    %37 = "stablehlo.constant"() <{value = dense<[8, 6, 7, 8, 8]> : tensor<5xi32>}> : () -> tensor<5xi32>
    "stablehlo.custom_call"(%36, %37) <{call_target_name = "check.expect_eq"}> : (tensor<5xi32>, tensor<5xi32>) -> ()
    %38 = "stablehlo.constant"() <{value = dense<[3, 2, 2, 0, 2, 2, 1, 1, 3]> : tensor<9xi32>}> : () -> tensor<9xi32>
    %39 = call @unique(%38) : (tensor<9xi32>) -> tensor<6xi32>
    %40 = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3, 0, 0]> : tensor<6xi32>}> : () -> tensor<6xi32>
    "stablehlo.custom_call"(%39, %40) <{call_target_name = "check.expect_eq"}> : (tensor<6xi32>, tensor<6xi32>) -> ()
    return
  }
  func.func private @sort(%arg0: tensor<5x4xf32>) -> (tensor<5x4xf32> {jax.result_info = "result[0]"}, tensor<5x4xf32> {jax.result_info = "result[1]"}) {
    %0 = call @sort_sort_(%arg0) : (tensor<5x4xf32>) -> tensor<5x4xf32>
    %1 = call @sort_sort_0_(%arg0) : (tensor<5x4xf32>) -> tensor<5x4xf32>
    return %0, %1 : tensor<5x4xf32>, tensor<5x4xf32>
  }
  func.func private @sort_sort_(%arg0: tensor<5x4xf32>) -> tensor<5x4xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<5x4xf32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
  func.func private @sort_sort_0_(%arg0: tensor<5x4xf32>) -> tensor<5x4xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<5x4xf32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
  func.func private @descending(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %0 = "stablehlo.negate"(%arg0) : (tensor<7xf32>) -> tensor<7xf32>
    %1 = call @descending_sort_(%0) : (tensor<7xf32>) -> tensor<7xf32>
    %2 = "stablehlo.negate"(%1) : (tensor<7xf32>) -> tensor<7xf32>
    return %2 : tensor<7xf32>
  }
  func.func private @descending_sort_(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<7xf32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @nan(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @nan_sort_(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @nan_sort_(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @argsort(%arg0: tensor<6xf32>) -> tensor<6xi64> {
    %0 = call @argsort_argsort_(%arg0) : (tensor<6xf32>) -> tensor<6xi64>
    return %0 : tensor<6xi64>
  }
  func.func private @argsort_argsort_(%arg0: tensor<6xf32>) -> tensor<6xi64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi64>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i64>, %arg4: tensor<i64>):
      %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.select"(%3, %4, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %6 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %8 = "stablehlo.select"(%6, %7, %5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %10 = "stablehlo.compare"(%arg2, %9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %12 = "stablehlo.select"(%10, %11, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %13 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %15 = "stablehlo.select"(%13, %14, %12) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %16 = "stablehlo.compare"(%8, %15) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%16) : (tensor<i1>) -> ()
    }) : (tensor<6xf32>, tensor<6xi64>) -> (tensor<6xf32>, tensor<6xi64>)
    return %1#1 : tensor<6xi64>
  }
  func.func private @pairs(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>) -> (tensor<9xi32> {jax.result_info = "result[0]"}, tensor<9xi32> {jax.result_info = "result[1]"}) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %1 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.compare"(%arg2, %arg3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = "stablehlo.compare"(%arg2, %arg3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = "stablehlo.and"(%3, %1) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %5 = "stablehlo.or"(%2, %4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>)
    return %0#0, %0#1 : tensor<9xi32>, tensor<9xi32>
  }
  func.func private @integers(%arg0: tensor<17xi32>) -> tensor<17xi32> {
    %0 = call @integers_sort_(%arg0) : (tensor<17xi32>) -> tensor<17xi32>
    return %0 : tensor<17xi32>
  }
  func.func private @integers_sort_(%arg0: tensor<17xi32>) -> tensor<17xi32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<17xi32>) -> tensor<17xi32>
    return %0 : tensor<17xi32>
  }
  func.func private @unsigned(%arg0: tensor<6xui32>) -> tensor<6xui32> {
    %0 = call @unsigned_sort_(%arg0) : (tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @unsigned_sort_(%arg0: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %1 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }) : (tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @top_k(%arg0: tensor<2x6xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3xi32> {jax.result_info = "result[1]"}) {
    %0:2 = "chlo.top_k"(%arg0) <{k = 3 : i64}> : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
  }
  func.func private @median(%arg0: tensor<9xf32>) -> tensor<f32> {
    %0 = call @median_median_(%arg0) : (tensor<9xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @median_median_(%arg0: tensor<9xf32>) -> tensor<f32> {
    %0 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f64>}> : () -> tensor<f64>
    %1 = call @median_quantile_(%arg0, %0) : (tensor<9xf32>, tensor<f64>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @median_quantile_(%arg0: tensor<9xf32>, %arg1: tensor<f64>) -> tensor<f32> {
    %0 = "stablehlo.compare"(%arg0, %arg0) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %1 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %32 = "stablehlo.or"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%32) : (tensor<i1>) -> ()
    }) : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %4 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %5 = call @median__where_(%3, %4, %arg0) : (tensor<1xi1>, tensor<f64>, tensor<9xf32>) -> tensor<9xf32>
    %6 = "stablehlo.sort"(%5) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %32 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %33 = "stablehlo.compare"(%arg2, %32) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %35 = "stablehlo.select"(%33, %34, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %36 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %37 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %38 = "stablehlo.select"(%36, %37, %35) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %40 = "stablehlo.compare"(%arg3, %39) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %42 = "stablehlo.select"(%40, %41, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %43 = "stablehlo.compare"(%arg3, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %44 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %45 = "stablehlo.select"(%43, %44, %42) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %46 = "stablehlo.compare"(%38, %45) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%46) : (tensor<i1>) -> ()
    }) : (tensor<9xf32>) -> tensor<9xf32>
    %7 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %9 = "stablehlo.subtract"(%7, %8) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %10 = "stablehlo.multiply"(%arg1, %9) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %11 = "stablehlo.floor"(%10) : (tensor<f64>) -> tensor<f64>
    %12 = "stablehlo.ceil"(%10) : (tensor<f64>) -> tensor<f64>
    %13 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %14 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %15 = "stablehlo.subtract"(%13, %14) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %17 = "stablehlo.clamp"(%16, %11, %15) : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
    %18 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %19 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %20 = "stablehlo.subtract"(%18, %19) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %22 = "stablehlo.clamp"(%21, %12, %20) : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
    %23 = "stablehlo.convert"(%17) : (tensor<f64>) -> tensor<i64>
    %24 = "stablehlo.convert"(%22) : (tensor<f64>) -> tensor<i64>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %26 = "stablehlo.gather"(%6, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<1xi64>) -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %28 = "stablehlo.gather"(%6, %27) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<1xi64>) -> tensor<f32>
    %29 = "stablehlo.add"(%26, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.multiply"(%29, %30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %31 : tensor<f32>
  }
  func.func private @median__where_(%arg0: tensor<1xi1>, %arg1: tensor<f64>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<9xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<9xf32>
    %3 = "stablehlo.select"(%1, %2, %arg2) : (tensor<9xi1>, tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    return %3 : tensor<9xf32>
  }
  func.func private @one(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = call @one_sort_(%arg0) : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @one_sort_(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @search(%arg0: tensor<8xf32>, %arg1: tensor<5xf32>) -> tensor<5xi32> {
    %0 = call @search_sort_(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = call @search_searchsorted_(%0, %arg1) : (tensor<8xf32>, tensor<5xf32>) -> tensor<5xi32>
    return %1 : tensor<5xi32>
  }
  func.func private @search_sort_(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @search_searchsorted_(%arg0: tensor<8xf32>, %arg1: tensor<5xf32>) -> tensor<5xi32> {
    %0 = call @search__searchsorted_scan_impl_(%arg0, %arg1) : (tensor<8xf32>, tensor<5xf32>) -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @search__searchsorted_scan_impl_(%arg0: tensor<8xf32>, %arg1: tensor<5xf32>) -> tensor<5xi32> {
    %0 = call @search__searchsorted_scan_impl_0_(%arg0, %arg1) : (tensor<8xf32>, tensor<5xf32>) -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @search__searchsorted_scan_impl_0_(%arg0: tensor<8xf32>, %arg1: tensor<5xf32>) -> tensor<5xi32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %2 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %5:5 = "stablehlo.while"(%arg0, %arg1, %4, %1, %3) ({
    ^bb0(%arg2: tensor<8xf32>, %arg3: tensor<5xf32>, %arg4: tensor<i64>, %arg5: tensor<5xui32>, %arg6: tensor<5xui32>):
      %7 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %8 = "stablehlo.compare"(%arg4, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<8xf32>, %arg3: tensor<5xf32>, %arg4: tensor<i64>, %arg5: tensor<5xui32>, %arg6: tensor<5xui32>):
      %7:2 = func.call @search_closed_call_(%arg2, %arg3, %arg5, %arg6) : (tensor<8xf32>, tensor<5xf32>, tensor<5xui32>, tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>)
      %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %9 = "stablehlo.add"(%arg4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg2, %arg3, %9, %7#0, %7#1) : (tensor<8xf32>, tensor<5xf32>, tensor<i64>, tensor<5xui32>, tensor<5xui32>) -> ()
    }) : (tensor<8xf32>, tensor<5xf32>, tensor<i64>, tensor<5xui32>, tensor<5xui32>) -> (tensor<8xf32>, tensor<5xf32>, tensor<i64>, tensor<5xui32>, tensor<5xui32>)
    %6 = "stablehlo.convert"(%5#4) : (tensor<5xui32>) -> tensor<5xi32>
    return %6 : tensor<5xi32>
  }
  func.func private @search_closed_call_(%arg0: tensor<8xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xui32>, %arg3: tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>) {
    %0 = "stablehlo.subtract"(%arg3, %arg2) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    %2 = call @search_floor_divide_(%0, %1) : (tensor<5xui32>, tensor<i64>) -> tensor<5xui32>
    %3 = "stablehlo.add"(%arg2, %2) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xui32>) -> tensor<5x1xui32>
    %5 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<5x1xui32>) -> tensor<5x1xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<5x1xf32>) -> tensor<5xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %9 = "stablehlo.compare"(%arg1, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %12 = "stablehlo.select"(%9, %11, %arg1) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %13 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %14 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %16 = "stablehlo.select"(%13, %15, %12) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %19 = "stablehlo.compare"(%6, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %22 = "stablehlo.select"(%19, %21, %6) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %23 = "stablehlo.compare"(%6, %6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %24 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %26 = "stablehlo.select"(%23, %25, %22) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %27 = "stablehlo.compare"(%16, %26) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %28 = "stablehlo.select"(%27, %arg2, %3) : (tensor<5xi1>, tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %29 = "stablehlo.select"(%27, %3, %arg3) : (tensor<5xi1>, tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    return %28, %29 : tensor<5xui32>, tensor<5xui32>
  }
  func.func private @search_floor_divide_(%arg0: tensor<5xui32>, %arg1: tensor<i64>) -> tensor<5xui32> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<ui32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %2 = "stablehlo.divide"(%arg0, %1) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    return %2 : tensor<5xui32>
  }
  func.func private @unique(%arg0: tensor<9xi32>) -> tensor<6xi32> {
    %0:2 = call @unique__unique_sorted_mask_(%arg0) : (tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi1>)
    %1 = call @unique_cumsum_(%0#1) : (tensor<9xi1>) -> tensor<9xi64>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %5 = call @unique_clip_(%1, %4) : (tensor<9xi64>, tensor<i64>) -> tensor<9xi64>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %8 = "stablehlo.compare"(%5, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %9 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %11 = "stablehlo.add"(%5, %10) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %12 = "stablehlo.select"(%8, %11, %5) : (tensor<9xi1>, tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %13 = "stablehlo.convert"(%12) : (tensor<9xi64>) -> tensor<9xi32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x1xi32>
    %15 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %17 = "stablehlo.scatter"(%3, %14, %16) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %42 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%42) : (tensor<i64>) -> ()
    }) : (tensor<6xi64>, tensor<9x1xi32>, tensor<9xi64>) -> tensor<6xi64>
    %18 = call @unique_cumsum_1_(%17) : (tensor<6xi64>) -> tensor<6xi64>
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %20 = call @unique_floor_divide_(%18, %19) : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
    %21 = "stablehlo.constant"() <{value = dense<9> : tensor<i64>}> : () -> tensor<i64>
    %22 = call @unique_remainder_(%20, %21) : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %25 = "stablehlo.compare"(%22, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %26 = "stablehlo.constant"() <{value = dense<9> : tensor<i64>}> : () -> tensor<i64>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %28 = "stablehlo.add"(%22, %27) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %29 = "stablehlo.select"(%25, %28, %22) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %30 = "stablehlo.convert"(%29) : (tensor<6xi64>) -> tensor<6xi32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
    %32 = "stablehlo.gather"(%0#0, %31) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %33 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi64>
    %34 = "stablehlo.convert"(%0#1) : (tensor<9xi1>) -> tensor<9xi32>
    %35 = "stablehlo.convert"(%34) : (tensor<9xi32>) -> tensor<9xi64>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %37 = "stablehlo.reduce"(%35, %36) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %42 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%42) : (tensor<i64>) -> ()
    }) : (tensor<9xi64>, tensor<i64>) -> tensor<i64>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %39 = "stablehlo.compare"(%33, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = call @unique__where_4_(%39, %32, %40) : (tensor<6xi1>, tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    return %41 : tensor<6xi32>
  }
  func.func private @unique__unique_sorted_mask_(%arg0: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi1>) {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<9xi32>) -> tensor<9x1xi32>
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<9x1xi32>) -> tensor<1x9xi32>
    %2 = "stablehlo.reverse"(%1) <{dimensions = array<i64: 0>}> : (tensor<1x9xi32>) -> tensor<1x9xi32>
    %3 = call @unique_lexsort_(%2) : (tensor<1x9xi32>) -> tensor<9xi64>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %6 = "stablehlo.compare"(%3, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %7 = "stablehlo.constant"() <{value = dense<9> : tensor<i64>}> : () -> tensor<i64>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %9 = "stablehlo.add"(%3, %8) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %10 = "stablehlo.select"(%6, %9, %3) : (tensor<9xi1>, tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %11 = "stablehlo.convert"(%10) : (tensor<9xi64>) -> tensor<9xi32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x1xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xi32>, tensor<9x1xi32>) -> tensor<9xi32>
    %14 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<9xi1>
    %16 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 9>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<9xi32>) -> tensor<8xi32>
    %17 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 8>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<9xi32>) -> tensor<8xi32>
    %18 = "stablehlo.compare"(%16, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %19 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %24 = "stablehlo.or"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%24) : (tensor<i1>) -> ()
    }) : (tensor<8xi1>, tensor<i1>) -> tensor<8xi1>
    %21 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.scatter"(%15, %22, %20) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      "stablehlo.return"(%arg2) : (tensor<i1>) -> ()
    }) : (tensor<9xi1>, tensor<1xi32>, tensor<8xi1>) -> tensor<9xi1>
    return %13, %23 : tensor<9xi32>, tensor<9xi1>
  }
  func.func private @unique_lexsort_(%arg0: tensor<1x9xi32>) -> tensor<9xi64> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 9>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<1x9xi32>) -> tensor<1x9xi32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1x9xi32>) -> tensor<9xi32>
    %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9xi64>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i64>, %arg4: tensor<i64>):
      %4 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<9xi32>, tensor<9xi64>) -> (tensor<9xi32>, tensor<9xi64>)
    return %3#1 : tensor<9xi64>
  }
  func.func private @unique_cumsum_(%arg0: tensor<9xi1>) -> tensor<9xi64> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<9xi1>) -> tensor<9xi64>
    %1 = call @unique_cumsum_0_(%0) : (tensor<9xi64>) -> tensor<9xi64>
    return %1 : tensor<9xi64>
  }
  func.func private @unique_cumsum_0_(%arg0: tensor<9xi64>) -> tensor<9xi64> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 9>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%3) : (tensor<i64>) -> ()
    }) : (tensor<9xi64>, tensor<i64>) -> tensor<9xi64>
    return %2 : tensor<9xi64>
  }
  func.func private @unique_clip_(%arg0: tensor<9xi64>, %arg1: tensor<i64>) -> tensor<9xi64> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    return %2 : tensor<9xi64>
  }
  func.func private @unique_cumsum_1_(%arg0: tensor<6xi64>) -> tensor<6xi64> {
    %0 = call @unique_cumsum_2_(%arg0) : (tensor<6xi64>) -> tensor<6xi64>
    return %0 : tensor<6xi64>
  }
  func.func private @unique_cumsum_2_(%arg0: tensor<6xi64>) -> tensor<6xi64> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%3) : (tensor<i64>) -> ()
    }) : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
    return %2 : tensor<6xi64>
  }
  func.func private @unique_floor_divide_(%arg0: tensor<6xi64>, %arg1: tensor<i64>) -> tensor<6xi64> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %1 = "stablehlo.divide"(%arg0, %0) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %2 = "stablehlo.sign"(%arg0) : (tensor<6xi64>) -> tensor<6xi64>
    %3 = "stablehlo.sign"(%arg1) : (tensor<i64>) -> tensor<i64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %5 = "stablehlo.compare"(%2, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %6 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %7 = "stablehlo.remainder"(%arg0, %6) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %11 = "stablehlo.and"(%5, %10) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %14 = "stablehlo.subtract"(%1, %13) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %15 = call @unique__where_(%11, %14, %1) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %15 : tensor<6xi64>
  }
  func.func private @unique__where_(%arg0: tensor<6xi1>, %arg1: tensor<6xi64>, %arg2: tensor<6xi64>) -> tensor<6xi64> {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %0 : tensor<6xi64>
  }
  func.func private @unique_remainder_(%arg0: tensor<6xi64>, %arg1: tensor<i64>) -> tensor<6xi64> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.compare"(%0, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %4 = call @unique__where_3_(%2, %3, %0) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %6 = "stablehlo.remainder"(%arg0, %5) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %9 = "stablehlo.compare"(%6, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %12 = "stablehlo.compare"(%6, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %14 = "stablehlo.compare"(%4, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6xi1>
    %16 = "stablehlo.compare"(%12, %15) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %17 = "stablehlo.and"(%16, %9) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %18 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<6xi64>
    %19 = "stablehlo.add"(%6, %18) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %20 = "stablehlo.select"(%17, %19, %6) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %20 : tensor<6xi64>
  }
  func.func private @unique__where_3_(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @unique__where_4_(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %1 = "stablehlo.select"(%arg0, %arg1, %0) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %1 : tensor<6xi32>
  }
}

