// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Loops and branches.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = call @fori(%0) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<23.96875> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4:3 = call @while_loop(%3) : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %5 = "stablehlo.constant"() <{value = dense<487.265625> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%4#0, %5) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<6.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%4#1, %6) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %7 = "stablehlo.constant"() <{value = dense<119.15625> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%4#2, %7) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %8 = "stablehlo.constant"() <{value = dense<[[-2.089000e+00, -6.960000e-01, -1.028000e+00], [-9.750000e-01, 1.507000e+00, 1.305000e+00], [-1.155000e+00, -1.814000e+00, 5.650000e-01], [-2.000000e-01, 2.057000e+00, 5.311000e+00], [1.686000e+00, -6.900000e-02, -3.440000e-01], [-1.713000e+00, -1.813000e+00, -2.007000e+00]]> : tensor<6x3xf32>}> : () -> tensor<6x3xf32>
    %9 = "stablehlo.constant"() <{value = dense<[[-7.910000e-01, -0.853999972, 1.487000e+00], [-0.797999978, -3.950000e-01, -2.437000e+00], [3.289000e+00, 1.014000e+00, 3.578000e+00]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %10:3 = call @scan(%8, %9) : (tensor<6x3xf32>, tensor<3x3xf32>) -> (tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>)
    %11 = "stablehlo.constant"() <{value = dense<[-0.999909877, -0.998409807, -0.999804198]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%10#0, %11) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[-2.34473228, -0.926255643, -2.97774553, 1.01136827, 1.33071959, -2.99812388]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%10#1, %12) <{call_target_name = "check.expect_almost_eq"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %13 = "stablehlo.constant"() <{value = dense<[[-1.93960917, -1.20364535, -1.546210e+00], [-1.95778823, 1.89131069, -1.78603375], [-1.9988395, -1.95666325, -1.99998856], [-1.915460e+00, 1.95882618, 1.97937047], [1.99978578, 1.75535917, -1.09370589], [-1.99981976, -1.99681962, -1.9996084]]> : tensor<6x3xf32>}> : () -> tensor<6x3xf32>
    "stablehlo.custom_call"(%10#2, %13) <{call_target_name = "check.expect_almost_eq"}> : (tensor<6x3xf32>, tensor<6x3xf32>) -> ()
    %14 = "stablehlo.constant"() <{value = dense<[[1.594000e+00, 2.979000e+00, -4.970000e-01], [1.434000e+00, 5.411000e+00, -2.447000e+00], [2.353000e+00, 3.396000e+00, 8.420000e-01], [1.530000e+00, 2.559000e+00, -1.341000e+00], [0.834999978, -1.776000e+00, -1.382000e+00], [-1.263000e+00, -2.930000e-01, 3.000000e-01]]> : tensor<6x3xf32>}> : () -> tensor<6x3xf32>
    %15 = "stablehlo.constant"() <{value = dense<[[0.925999999, -2.902000e+00, 4.054000e+00], [2.367000e+00, 1.487000e+00, -0.73299998], [-1.830000e-01, 1.122000e+00, 0.842999994]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %16:2 = call @scan_gradient(%14, %15) : (tensor<6x3xf32>, tensor<3x3xf32>) -> (tensor<6x3xf32>, tensor<3x3xf32>)
    %17 = "stablehlo.constant"() <{value = dense<[[6.61325339E-6, -8.0699408E-8, 7.17549164E-6], [-8.70907612E-9, 3.48576243E-8, 1.07449878E-5], [-1.58780988E-8, 9.74247632E-6, 1.43214763E-7], [-2.66553275E-6, 1.4916397E-4, 3.37183847E-5], [5.24676716E-6, 0.00220873021, 1.9893756E-5], [0.0141712232, 0.0034780011, 3.00405154E-5]]> : tensor<6x3xf32>}> : () -> tensor<6x3xf32>
    "stablehlo.custom_call"(%16#0, %17) <{call_target_name = "check.expect_almost_eq"}> : (tensor<6x3xf32>, tensor<6x3xf32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[[0.0141619761, 0.00584230246, 9.36592914E-5], [-0.0137583045, -0.0010642464, 3.39447324E-5], [0.0140677309, 0.00579644926, 7.83645446E-5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    "stablehlo.custom_call"(%16#1, %18) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
    %19 = "stablehlo.constant"() <{value = dense<[-3.442000e+00, 1.519000e+00, 5.976000e+00, -3.787000e+00, 2.039000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %20:2 = call @reverse_scan(%19) : (tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>)
    %21 = "stablehlo.constant"() <{value = dense<-1.53443742> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%20#0, %21) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %22 = "stablehlo.constant"() <{value = dense<[3.81512499, 4.592250e+00, -2.767500e+00, 2.039000e+00, 0.000000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    "stablehlo.custom_call"(%20#1, %22) <{call_target_name = "check.expect_close"}> : (tensor<5xf32>, tensor<5xf32>) -> ()
    %23 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.constant"() <{value = dense<[7.570000e-01, -2.290000e-01, 2.814000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %25 = call @branch(%23, %24) : (tensor<i1>, tensor<3xf32>) -> tensor<3xf32>
    %26 = "stablehlo.constant"() <{value = dense<[0.686743855, -0.227003753, 0.321764737]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%25, %26) <{call_target_name = "check.expect_close"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %27 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.constant"() <{value = dense<[-2.427000e+00, 3.340000e-01, 3.004000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %29 = call @switch(%27, %28) : (tensor<i32>, tensor<3xf32>) -> tensor<3xf32>
    %30 = "stablehlo.constant"() <{value = dense<[-7.281000e+00, 1.002000e+00, 9.012000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%29, %30) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %31 = "stablehlo.constant"() <{value = dense<-4> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.constant"() <{value = dense<[-4.040000e-01, -8.590000e-01, 2.360000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %33 = call @switch_low(%31, %32) : (tensor<i32>, tensor<3xf32>) -> tensor<3xf32>
    %34 = "stablehlo.constant"() <{value = dense<[-4.040000e-01, -8.590000e-01, 2.360000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%33, %34) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<-3> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<[-0.913999974, 3.178000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %37 = call @no_iterations(%35, %36) : (tensor<i32>, tensor<2xf32>) -> tensor<2xf32>
    %38 = "stablehlo.constant"() <{value = dense<[-0.913999974, 3.178000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    "stablehlo.custom_call"(%37, %38) <{call_target_name = "check.expect_eq"}> : (tensor<2xf32>, tensor<2xf32>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = call @nested(%39) : (tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%40, %41) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %42 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %43 = call @newton(%42) : (tensor<f64>) -> tensor<f64>
    %44 = "stablehlo.constant"() <{value = dense<1.4142156862745097> : tensor<f64>}> : () -> tensor<f64>
    "stablehlo.custom_call"(%43, %44) <{call_target_name = "check.expect_close"}> : (tensor<f64>, tensor<f64>) -> ()
    %45 = "stablehlo.constant"() <{value = dense<[-1.864000e+00, 1.794000e+00, -2.573000e+00, 1.375000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %46:4 = call @two_lists(%45) : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>)
    %47 = "stablehlo.constant"() <{value = dense<-1.26799989> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%46#0, %47) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %48 = "stablehlo.constant"() <{value = dense<0.656099916> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.custom_call"(%46#1, %48) <{call_target_name = "check.expect_close"}> : (tensor<f32>, tensor<f32>) -> ()
    %49 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -1.864000e+00, -0.0699999332, -2.643000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%46#2, %49) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    %50 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 0.899999976, 0.809999942, 0.728999912]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%46#3, %50) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    return
  }
  func.func private @fori(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2:3 = "stablehlo.while"(%1, %0, %arg0) ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<f32>):
      %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %4 = "stablehlo.compare"(%arg1, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<f32>):
      %3:2 = func.call @fori_closed_call_(%arg2, %arg3) : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
      %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %5 = "stablehlo.add"(%arg1, %4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%5, %3#0, %3#1) : (tensor<i64>, tensor<i64>, tensor<f32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<i64>, tensor<f32>)
    return %2#2 : tensor<f32>
  }
  func.func private @fori_closed_call_(%arg0: tensor<i64>, %arg1: tensor<f32>) -> (tensor<i64>, tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.multiply"(%arg1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.convert"(%arg0) : (tensor<i64>) -> tensor<f32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %1, %5 : tensor<i64>, tensor<f32>
  }
  func.func private @while_loop(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0:3 = "stablehlo.while"(%arg0, %arg0, %arg0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %3 = "stablehlo.add"(%arg2, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %4 = "stablehlo.add"(%arg3, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1, %3, %4) : (tensor<f32>, tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @scan(%arg0: tensor<6x3xf32>, %arg1: tensor<3x3xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1][0]"}, tensor<6x3xf32> {jax.result_info = "result[1][1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %7:6 = "stablehlo.while"(%arg0, %arg1, %6, %1, %3, %5) ({
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<3x3xf32>, %arg4: tensor<i64>, %arg5: tensor<3xf32>, %arg6: tensor<6xf32>, %arg7: tensor<6x3xf32>):
      %8 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
      %9 = "stablehlo.compare"(%arg4, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%9) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<3x3xf32>, %arg4: tensor<i64>, %arg5: tensor<3xf32>, %arg6: tensor<6xf32>, %arg7: tensor<6x3xf32>):
      %8 = func.call @scan_dynamic_index_in_dim_(%arg2, %arg4) : (tensor<6x3xf32>, tensor<i64>) -> tensor<3xf32>
      %9:3 = func.call @scan_closed_call_(%arg3, %arg5, %8) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>, tensor<3xf32>)
      %10 = func.call @scan_dynamic_update_index_in_dim_(%arg6, %9#1, %arg4) : (tensor<6xf32>, tensor<f32>, tensor<i64>) -> tensor<6xf32>
      %11 = func.call @scan_dynamic_update_index_in_dim_0_(%arg7, %9#2, %arg4) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<6x3xf32>
      %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.add"(%arg4, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg2, %arg3, %13, %9#0, %10, %11) : (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>)
    return %7#3, %7#4, %7#5 : tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>
  }
  func.func private @scan_dynamic_index_in_dim_(%arg0: tensor<6x3xf32>, %arg1: tensor<i64>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.dynamic_slice"(%arg0, %arg1, %0) <{slice_sizes = array<i64: 1, 3>}> : (tensor<6x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x3xf32>) -> tensor<3xf32>
    return %2 : tensor<3xf32>
  }
  func.func private @scan_closed_call_(%arg0: tensor<3x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>, tensor<3xf32>) {
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %1 = "stablehlo.add"(%0, %arg2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.tanh"(%1) : (tensor<3xf32>) -> tensor<3xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.reduce"(%2, %3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %8 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %7 = "stablehlo.multiply"(%2, %6) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %2, %4, %7 : tensor<3xf32>, tensor<f32>, tensor<3xf32>
  }
  func.func private @scan_dynamic_update_index_in_dim_(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<6xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<6xf32>, tensor<1xf32>, tensor<i64>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @scan_dynamic_update_index_in_dim_0_(%arg0: tensor<6x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i64>) -> tensor<6x3xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<6x3xf32>, tensor<1x3xf32>, tensor<i64>, tensor<i64>) -> tensor<6x3xf32>
    return %2 : tensor<6x3xf32>
  }
  func.func private @scan_gradient(%arg0: tensor<6x3xf32>, %arg1: tensor<3x3xf32>) -> (tensor<6x3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %9:7 = "stablehlo.while"(%arg0, %arg1, %8, %1, %3, %5, %7) ({
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<3x3xf32>, %arg4: tensor<i64>, %arg5: tensor<3xf32>, %arg6: tensor<6x3xf32>, %arg7: tensor<6x3xf32>, %arg8: tensor<6x3xf32>):
      %18 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
      %19 = "stablehlo.compare"(%arg4, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%19) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<3x3xf32>, %arg4: tensor<i64>, %arg5: tensor<3xf32>, %arg6: tensor<6x3xf32>, %arg7: tensor<6x3xf32>, %arg8: tensor<6x3xf32>):
      %18 = func.call @scan_gradient_dynamic_index_in_dim_(%arg2, %arg4) : (tensor<6x3xf32>, tensor<i64>) -> tensor<3xf32>
      %19:4 = func.call @scan_gradient_closed_call_(%arg3, %arg5, %18) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      %20 = func.call @scan_gradient_dynamic_update_index_in_dim_(%arg6, %19#1, %arg4) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<6x3xf32>
      %21 = func.call @scan_gradient_dynamic_update_index_in_dim_(%arg7, %19#2, %arg4) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<6x3xf32>
      %22 = func.call @scan_gradient_dynamic_update_index_in_dim_(%arg8, %19#3, %arg4) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<6x3xf32>
      %23 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %24 = "stablehlo.add"(%arg4, %23) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg2, %arg3, %24, %19#0, %20, %21, %22) : (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>)
    %10 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %17:8 = "stablehlo.while"(%9#4, %9#5, %9#6, %arg1, %16, %13, %11, %15) ({
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<6x3xf32>, %arg4: tensor<6x3xf32>, %arg5: tensor<3x3xf32>, %arg6: tensor<i64>, %arg7: tensor<3x3xf32>, %arg8: tensor<3xf32>, %arg9: tensor<6x3xf32>):
      %18 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
      %19 = "stablehlo.compare"(%arg6, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%19) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<6x3xf32>, %arg3: tensor<6x3xf32>, %arg4: tensor<6x3xf32>, %arg5: tensor<3x3xf32>, %arg6: tensor<i64>, %arg7: tensor<3x3xf32>, %arg8: tensor<3xf32>, %arg9: tensor<6x3xf32>):
      %18 = "stablehlo.constant"() <{value = dense<6> : tensor<i64>}> : () -> tensor<i64>
      %19 = "stablehlo.subtract"(%18, %arg6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %21 = "stablehlo.subtract"(%19, %20) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %22 = func.call @scan_gradient_dynamic_index_in_dim_(%arg2, %21) : (tensor<6x3xf32>, tensor<i64>) -> tensor<3xf32>
      %23 = func.call @scan_gradient_dynamic_index_in_dim_(%arg3, %21) : (tensor<6x3xf32>, tensor<i64>) -> tensor<3xf32>
      %24 = func.call @scan_gradient_dynamic_index_in_dim_(%arg4, %21) : (tensor<6x3xf32>, tensor<i64>) -> tensor<3xf32>
      %25:3 = func.call @scan_gradient_closed_call_0_(%arg5, %arg7, %arg8, %22, %23, %24) : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
      %26 = func.call @scan_gradient_dynamic_update_index_in_dim_(%arg9, %25#2, %21) : (tensor<6x3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<6x3xf32>
      %27 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %28 = "stablehlo.add"(%arg6, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg2, %arg3, %arg4, %arg5, %28, %25#0, %25#1, %26) : (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3x3xf32>, tensor<3xf32>, tensor<6x3xf32>) -> ()
    }) : (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3x3xf32>, tensor<3xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<3x3xf32>, tensor<i64>, tensor<3x3xf32>, tensor<3xf32>, tensor<6x3xf32>)
    return %17#7, %17#5 : tensor<6x3xf32>, tensor<3x3xf32>
  }
  func.func private @scan_gradient_dynamic_index_in_dim_(%arg0: tensor<6x3xf32>, %arg1: tensor<i64>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.dynamic_slice"(%arg0, %arg1, %0) <{slice_sizes = array<i64: 1, 3>}> : (tensor<6x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x3xf32>) -> tensor<3xf32>
    return %2 : tensor<3xf32>
  }
  func.func private @scan_gradient_closed_call_(%arg0: tensor<3x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %1 = "stablehlo.add"(%0, %arg2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.tanh"(%1) : (tensor<3xf32>) -> tensor<3xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %5 = "stablehlo.subtract"(%4, %2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %2, %arg1, %2, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @scan_gradient_dynamic_update_index_in_dim_(%arg0: tensor<6x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i64>) -> tensor<6x3xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<6x3xf32>, tensor<1x3xf32>, tensor<i64>, tensor<i64>) -> tensor<6x3xf32>
    return %2 : tensor<6x3xf32>
  }
  func.func private @scan_gradient_closed_call_0_(%arg0: tensor<3x3xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>, %arg5: tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0 = "stablehlo.multiply"(%arg2, %arg5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %1 = "stablehlo.multiply"(%0, %arg4) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.add"(%0, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %3 = "stablehlo.dot_general"(%2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %6 = "stablehlo.dot_general"(%2, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    return %5, %6, %2 : tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @reverse_scan(%arg0: tensor<5xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %4:4 = "stablehlo.while"(%arg0, %3, %0, %2) ({
    ^bb0(%arg1: tensor<5xf32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<5xf32>):
      %5 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %6 = "stablehlo.compare"(%arg2, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<5xf32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<5xf32>):
      %5 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %6 = "stablehlo.subtract"(%5, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %7 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %8 = "stablehlo.subtract"(%6, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %9 = func.call @reverse_scan_dynamic_index_in_dim_(%arg1, %8) : (tensor<5xf32>, tensor<i64>) -> tensor<f32>
      %10:2 = func.call @reverse_scan_closed_call_(%arg3, %9) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %11 = func.call @reverse_scan_dynamic_update_index_in_dim_(%arg4, %10#1, %8) : (tensor<5xf32>, tensor<f32>, tensor<i64>) -> tensor<5xf32>
      %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.add"(%arg2, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg1, %13, %10#0, %11) : (tensor<5xf32>, tensor<i64>, tensor<f32>, tensor<5xf32>) -> ()
    }) : (tensor<5xf32>, tensor<i64>, tensor<f32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<i64>, tensor<f32>, tensor<5xf32>)
    return %4#2, %4#3 : tensor<f32>, tensor<5xf32>
  }
  func.func private @reverse_scan_dynamic_index_in_dim_(%arg0: tensor<5xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1) <{slice_sizes = array<i64: 1>}> : (tensor<5xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @reverse_scan_closed_call_(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.multiply"(%arg0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.add"(%1, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %2, %arg0 : tensor<f32>, tensor<f32>
  }
  func.func private @reverse_scan_dynamic_update_index_in_dim_(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<5xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<5xf32>, tensor<1xf32>, tensor<i64>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @branch(%arg0: tensor<i1>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<i1>) -> tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %2 = "stablehlo.sine"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%2) : (tensor<3xf32>) -> ()
    }, {
      %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %4 = "stablehlo.multiply"(%arg1, %3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%4) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @switch(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.clamp"(%0, %arg0, %1) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }, {
      %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %6 = "stablehlo.multiply"(%arg1, %5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%6) : (tensor<3xf32>) -> ()
    }, {
      %4 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %6 = "stablehlo.multiply"(%arg1, %5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%6) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  }
  func.func private @switch_low(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.clamp"(%0, %arg0, %1) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }, {
      %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %6 = "stablehlo.multiply"(%arg1, %5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%6) : (tensor<3xf32>) -> ()
    }, {
      %4 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
      %6 = "stablehlo.multiply"(%arg1, %5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%6) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  }
  func.func private @no_iterations(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1:3 = "stablehlo.while"(%0, %arg0, %arg1) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<2xf32>):
      %2 = "stablehlo.compare"(%arg2, %arg3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<2xf32>):
      %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %4 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %6 = "stablehlo.add"(%arg4, %5) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%3, %arg3, %6) : (tensor<i32>, tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<i32>, tensor<2xf32>)
    return %1#2 : tensor<2xf32>
  }
  func.func private @nested(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2:4 = "stablehlo.while"(%arg0, %1, %0, %arg0) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<i64>, %arg4: tensor<f32>):
      %3 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
      %4 = "stablehlo.compare"(%arg2, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i64>, %arg3: tensor<i64>, %arg4: tensor<f32>):
      %3:2 = func.call @nested_closed_call_(%arg1, %arg3, %arg4) : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
      %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %5 = "stablehlo.add"(%arg2, %4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg1, %5, %3#0, %3#1) : (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>) -> ()
    }) : (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>)
    return %2#3 : tensor<f32>
  }
  func.func private @nested_closed_call_(%arg0: tensor<f32>, %arg1: tensor<i64>, %arg2: tensor<f32>) -> (tensor<i64>, tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.add"(%arg1, %2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %5:4 = "stablehlo.while"(%arg0, %4, %3, %arg2) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<f32>):
      %6 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<f32>):
      %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %7 = "stablehlo.add"(%arg4, %6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %8 = "stablehlo.convert"(%arg4) : (tensor<i64>) -> tensor<f32>
      %9 = "stablehlo.multiply"(%8, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %10 = "stablehlo.add"(%arg6, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%arg3, %7, %arg5, %10) : (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>) -> ()
    }) : (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<i64>, tensor<i64>, tensor<f32>)
    return %1, %5#3 : tensor<i64>, tensor<f32>
  }
  func.func private @newton(%arg0: tensor<f64>) -> tensor<f64> {
    %0:3 = "stablehlo.while"(%arg0, %arg0, %arg0) ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.multiply"(%arg3, %arg3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %2 = "stablehlo.subtract"(%1, %arg1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %3 = "stablehlo.abs"(%2) : (tensor<f64>) -> tensor<f64>
      %4 = "stablehlo.constant"() <{value = dense<1.000000e-05> : tensor<f64>}> : () -> tensor<f64>
      %5 = "stablehlo.multiply"(%4, %arg1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %6 = "stablehlo.compare"(%3, %5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>, %arg3: tensor<f64>):
      %1 = "stablehlo.divide"(%arg2, %arg3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %2 = "stablehlo.add"(%arg3, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %3 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f64>}> : () -> tensor<f64>
      %4 = "stablehlo.multiply"(%3, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%arg1, %arg2, %4) : (tensor<f64>, tensor<f64>, tensor<f64>) -> ()
    }) : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
    return %0#2 : tensor<f64>
  }
  func.func private @two_lists(%arg0: tensor<4xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<f32> {jax.result_info = "result[0][1]"}, tensor<4xf32> {jax.result_info = "result[1][0]"}, tensor<4xf32> {jax.result_info = "result[1][1]"}) {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %7:6 = "stablehlo.while"(%arg0, %6, %0, %1, %3, %5) ({
    ^bb0(%arg1: tensor<4xf32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>):
      %8 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%9) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<4xf32>, %arg2: tensor<i64>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>):
      %8 = func.call @two_lists_dynamic_index_in_dim_(%arg1, %arg2) : (tensor<4xf32>, tensor<i64>) -> tensor<f32>
      %9:4 = func.call @two_lists_closed_call_(%arg3, %arg4, %8) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      %10 = func.call @two_lists_dynamic_update_index_in_dim_(%arg5, %9#2, %arg2) : (tensor<4xf32>, tensor<f32>, tensor<i64>) -> tensor<4xf32>
      %11 = func.call @two_lists_dynamic_update_index_in_dim_(%arg6, %9#3, %arg2) : (tensor<4xf32>, tensor<f32>, tensor<i64>) -> tensor<4xf32>
      %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.add"(%arg2, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg1, %13, %9#0, %9#1, %10, %11) : (tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> ()
    }) : (tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>)
    return %7#2, %7#3, %7#4, %7#5 : tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @two_lists_dynamic_index_in_dim_(%arg0: tensor<4xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @two_lists_closed_call_(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %0 = "stablehlo.add"(%arg0, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.multiply"(%arg1, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0, %2, %arg0, %arg1 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @two_lists_dynamic_update_index_in_dim_(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<4xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<4xf32>, tensor<1xf32>, tensor<i64>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

