// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Random numbers from threefry: the bits are equal.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %1 = call @bits(%0) : (tensor<2xui32>) -> tensor<5xui64>
    %2 = "stablehlo.constant"() <{value = dense<[14606832030768481280, 4392640439706134191, 16605038691030049098, 2949621722407737842, 745801065177170795]> : tensor<5xui64>}> : () -> tensor<5xui64>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_eq"}> : (tensor<5xui64>, tensor<5xui64>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %4 = call @split(%3) : (tensor<2xui32>) -> tensor<3x2xui32>
    %5 = "stablehlo.constant"() <{value = dense<[[3400918103, 2009121792], [1022741300, 3937609391], [3866161846, 1417060682]]> : tensor<3x2xui32>}> : () -> tensor<3x2xui32>
    "stablehlo.custom_call"(%4, %5) <{call_target_name = "check.expect_eq"}> : (tensor<3x2xui32>, tensor<3x2xui32>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %7 = call @uniform(%6) : (tensor<2xui32>) -> tensor<3x3xf64>
    %8 = "stablehlo.constant"() <{value = dense<[[0.79183795104450194, 0.23812551538385351, 0.90016095115103178], [0.15989931397224511, 0.040429956755354546, 0.92170080394887233], [0.073836841098473549, 0.55265108489142034, 0.99686998080656131]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_close"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %10 = call @integers(%9) : (tensor<2xui32>) -> tensor<6xi64>
    %11 = "stablehlo.constant"() <{value = dense<[44, 48, 17, 18, 40, 28]> : tensor<6xi64>}> : () -> tensor<6xi64>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_eq"}> : (tensor<6xi64>, tensor<6xi64>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %13 = call @bernoulli(%12) : (tensor<2xui32>) -> tensor<9xi1>
    %14 = "stablehlo.constant"() <{value = dense<[false, true, false, true, true, false, true, false, false]> : tensor<9xi1>}> : () -> tensor<9xi1>
    "stablehlo.custom_call"(%13, %14) <{call_target_name = "check.expect_eq"}> : (tensor<9xi1>, tensor<9xi1>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<[12, 345]> : tensor<2xui32>}> : () -> tensor<2xui32>
    %16 = call @permutation(%15) : (tensor<2xui32>) -> tensor<7xi64>
    %17 = "stablehlo.constant"() <{value = dense<[2, 1, 6, 0, 5, 4, 3]> : tensor<7xi64>}> : () -> tensor<7xi64>
    "stablehlo.custom_call"(%16, %17) <{call_target_name = "check.expect_eq"}> : (tensor<7xi64>, tensor<7xi64>) -> ()
    return
  }
  func.func private @bits(%arg0: tensor<2xui32>) -> tensor<5xui64> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xui32>) -> tensor<ui32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xui64>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<5xui64>
    %7 = "stablehlo.multiply"(%6, %4) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    %8 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<5xui64>
    %10 = "stablehlo.shift_right_logical"(%7, %9) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    %11 = "stablehlo.convert"(%7) : (tensor<5xui64>) -> tensor<5xui32>
    %12 = "stablehlo.convert"(%10) : (tensor<5xui64>) -> tensor<5xui32>
    %13:2 = call @bits_threefry2x32_(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<5xui32>, tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>)
    %14 = "stablehlo.convert"(%13#0) : (tensor<5xui32>) -> tensor<5xui64>
    %15 = "stablehlo.convert"(%13#1) : (tensor<5xui32>) -> tensor<5xui64>
    %16 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<5xui64>
    %18 = "stablehlo.shift_left"(%14, %17) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    %19 = "stablehlo.or"(%18, %15) : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
    return %19 : tensor<5xui64>
  }
  func.func private @bits_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<5xui32>, %arg3: tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<5xui32>, %arg7: tensor<5xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<5xui32>, %arg7: tensor<5xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @bits_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<5xui32>, tensor<5xui32>
  }
  func.func private @bits_closed_call_(%arg0: tensor<i64>, %arg1: tensor<5xui32>, %arg2: tensor<5xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<5xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<5xui32>, tensor<5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @split(%arg0: tensor<2xui32>) -> tensor<3x2xui32> {
    %0 = call @split__threefry_split_(%arg0) : (tensor<2xui32>) -> tensor<3x2xui32>
    return %0 : tensor<3x2xui32>
  }
  func.func private @split__threefry_split_(%arg0: tensor<2xui32>) -> tensor<3x2xui32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xui32>) -> tensor<ui32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xui64>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3xui64>
    %7 = "stablehlo.multiply"(%6, %4) : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xui64>
    %8 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3xui64>
    %10 = "stablehlo.shift_right_logical"(%7, %9) : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xui64>
    %11 = "stablehlo.convert"(%7) : (tensor<3xui64>) -> tensor<3xui32>
    %12 = "stablehlo.convert"(%10) : (tensor<3xui64>) -> tensor<3xui32>
    %13:2 = call @split_threefry2x32_(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
    %14 = "stablehlo.broadcast_in_dim"(%13#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xui32>) -> tensor<3x1xui32>
    %15 = "stablehlo.broadcast_in_dim"(%13#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xui32>) -> tensor<3x1xui32>
    %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
    return %16 : tensor<3x2xui32>
  }
  func.func private @split_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3xui32>, %arg3: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<3xui32>, %arg7: tensor<3xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<3xui32>, %arg7: tensor<3xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @split_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<3xui32>, tensor<3xui32>
  }
  func.func private @split_closed_call_(%arg0: tensor<i64>, %arg1: tensor<3xui32>, %arg2: tensor<3xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @uniform(%arg0: tensor<2xui32>) -> tensor<3x3xf64> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %2 = call @uniform__uniform_(%arg0, %0, %1) : (tensor<2xui32>, tensor<f64>, tensor<f64>) -> tensor<3x3xf64>
    return %2 : tensor<3x3xf64>
  }
  func.func private @uniform__uniform_(%arg0: tensor<2xui32>, %arg1: tensor<f64>, %arg2: tensor<f64>) -> tensor<3x3xf64> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.convert"(%arg2) : (tensor<f64>) -> tensor<f64>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1x1xf64>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1x1xf64>
    %4 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1xui32>) -> tensor<ui32>
    %6 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %7 = "stablehlo.reshape"(%6) : (tensor<1xui32>) -> tensor<ui32>
    %8 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xui64>
    %9 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xui64>
    %10 = "stablehlo.constant"() <{value = dense<3> : tensor<ui64>}> : () -> tensor<ui64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %12 = "stablehlo.multiply"(%11, %8) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %13 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %15 = "stablehlo.multiply"(%14, %9) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %16 = "stablehlo.add"(%12, %15) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %17 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %19 = "stablehlo.shift_right_logical"(%16, %18) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %20 = "stablehlo.convert"(%16) : (tensor<3x3xui64>) -> tensor<3x3xui32>
    %21 = "stablehlo.convert"(%19) : (tensor<3x3xui64>) -> tensor<3x3xui32>
    %22:2 = call @uniform_threefry2x32_(%5, %7, %21, %20) : (tensor<ui32>, tensor<ui32>, tensor<3x3xui32>, tensor<3x3xui32>) -> (tensor<3x3xui32>, tensor<3x3xui32>)
    %23 = "stablehlo.convert"(%22#0) : (tensor<3x3xui32>) -> tensor<3x3xui64>
    %24 = "stablehlo.convert"(%22#1) : (tensor<3x3xui32>) -> tensor<3x3xui64>
    %25 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %27 = "stablehlo.shift_left"(%23, %26) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %28 = "stablehlo.or"(%27, %24) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %29 = "stablehlo.constant"() <{value = dense<12> : tensor<ui64>}> : () -> tensor<ui64>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %31 = "stablehlo.shift_right_logical"(%28, %30) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %32 = "stablehlo.constant"() <{value = dense<4607182418800017408> : tensor<ui64>}> : () -> tensor<ui64>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<3x3xui64>
    %34 = "stablehlo.or"(%31, %33) : (tensor<3x3xui64>, tensor<3x3xui64>) -> tensor<3x3xui64>
    %35 = "stablehlo.bitcast_convert"(%34) : (tensor<3x3xui64>) -> tensor<3x3xf64>
    %36 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %38 = "stablehlo.subtract"(%35, %37) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %39 = "stablehlo.subtract"(%3, %2) : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf64>) -> tensor<3x3xf64>
    %41 = "stablehlo.multiply"(%38, %40) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %42 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf64>) -> tensor<3x3xf64>
    %43 = "stablehlo.add"(%41, %42) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %44 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf64>) -> tensor<3x3xf64>
    %45 = "stablehlo.maximum"(%44, %43) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    return %45 : tensor<3x3xf64>
  }
  func.func private @uniform_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3x3xui32>, %arg3: tensor<3x3xui32>) -> (tensor<3x3xui32>, tensor<3x3xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<3x3xui32>, %arg7: tensor<3x3xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<3x3xui32>, %arg7: tensor<3x3xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @uniform_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<3x3xui32>, tensor<3x3xui32>
  }
  func.func private @uniform_closed_call_(%arg0: tensor<i64>, %arg1: tensor<3x3xui32>, %arg2: tensor<3x3xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x3xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<3x3xui32>, tensor<3x3xui32>) -> tensor<3x3xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<3x3xui32>, tensor<3x3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @integers(%arg0: tensor<2xui32>) -> tensor<6xi64> {
    %0 = "stablehlo.constant"() <{value = dense<-5> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<50> : tensor<i64>}> : () -> tensor<i64>
    %2 = call @integers__randint_(%arg0, %0, %1) : (tensor<2xui32>, tensor<i64>, tensor<i64>) -> tensor<6xi64>
    return %2 : tensor<6xi64>
  }
  func.func private @integers__randint_(%arg0: tensor<2xui32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<6xi64> {
    %0 = "stablehlo.constant"() <{value = dense<9223372036854775807> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<-9223372036854775808> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<9223372036854775807> : tensor<i64>}> : () -> tensor<i64>
    %3 = call @integers_clip_(%0, %1, %2) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %4 = "stablehlo.compare"(%arg2, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %5 = "stablehlo.constant"() <{value = dense<-9223372036854775808> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.constant"() <{value = dense<9223372036854775807> : tensor<i64>}> : () -> tensor<i64>
    %7 = call @integers_clip_0_(%arg1, %5, %6) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.convert"(%7) : (tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.constant"() <{value = dense<-9223372036854775808> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<9223372036854775807> : tensor<i64>}> : () -> tensor<i64>
    %11 = call @integers_clip_0_(%arg2, %9, %10) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.convert"(%11) : (tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %14 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %15 = call @integers__threefry_split_(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
    %16 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 1, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %17 = "stablehlo.reshape"(%16) : (tensor<1x2xui32>) -> tensor<2xui32>
    %18 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %19 = "stablehlo.reshape"(%18) : (tensor<1x2xui32>) -> tensor<2xui32>
    %20 = "stablehlo.slice"(%17) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %21 = "stablehlo.reshape"(%20) : (tensor<1xui32>) -> tensor<ui32>
    %22 = "stablehlo.slice"(%17) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %23 = "stablehlo.reshape"(%22) : (tensor<1xui32>) -> tensor<ui32>
    %24 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xui64>
    %25 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %27 = "stablehlo.multiply"(%26, %24) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %28 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %30 = "stablehlo.shift_right_logical"(%27, %29) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %31 = "stablehlo.convert"(%27) : (tensor<6xui64>) -> tensor<6xui32>
    %32 = "stablehlo.convert"(%30) : (tensor<6xui64>) -> tensor<6xui32>
    %33:2 = call @integers_threefry2x32_1_(%21, %23, %32, %31) : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %34 = "stablehlo.convert"(%33#0) : (tensor<6xui32>) -> tensor<6xui64>
    %35 = "stablehlo.convert"(%33#1) : (tensor<6xui32>) -> tensor<6xui64>
    %36 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %38 = "stablehlo.shift_left"(%34, %37) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %39 = "stablehlo.or"(%38, %35) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %40 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %41 = "stablehlo.reshape"(%40) : (tensor<1xui32>) -> tensor<ui32>
    %42 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %43 = "stablehlo.reshape"(%42) : (tensor<1xui32>) -> tensor<ui32>
    %44 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xui64>
    %45 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %47 = "stablehlo.multiply"(%46, %44) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %48 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %50 = "stablehlo.shift_right_logical"(%47, %49) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %51 = "stablehlo.convert"(%47) : (tensor<6xui64>) -> tensor<6xui32>
    %52 = "stablehlo.convert"(%50) : (tensor<6xui64>) -> tensor<6xui32>
    %53:2 = call @integers_threefry2x32_1_(%41, %43, %52, %51) : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %54 = "stablehlo.convert"(%53#0) : (tensor<6xui32>) -> tensor<6xui64>
    %55 = "stablehlo.convert"(%53#1) : (tensor<6xui32>) -> tensor<6xui64>
    %56 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<6xui64>
    %58 = "stablehlo.shift_left"(%54, %57) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %59 = "stablehlo.or"(%58, %55) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %60 = "stablehlo.subtract"(%14, %13) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %61 = "stablehlo.convert"(%60) : (tensor<1xi64>) -> tensor<1xui64>
    %62 = "stablehlo.compare"(%14, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %63 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<1xui64>
    %65 = "stablehlo.select"(%62, %64, %61) : (tensor<1xi1>, tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %66 = "stablehlo.compare"(%14, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %67 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %68 = "stablehlo.and"(%67, %66) : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
    %69 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<1xui64>
    %71 = "stablehlo.add"(%65, %70) : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %72 = "stablehlo.select"(%68, %71, %65) : (tensor<1xi1>, tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %73 = "stablehlo.constant"() <{value = dense<4294967296> : tensor<ui64>}> : () -> tensor<ui64>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<1xui64>
    %75 = "stablehlo.remainder"(%74, %72) : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %76 = "stablehlo.multiply"(%75, %75) : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %77 = "stablehlo.remainder"(%76, %72) : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
    %78 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xui64>) -> tensor<6xui64>
    %79 = "stablehlo.remainder"(%39, %78) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %80 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xui64>) -> tensor<6xui64>
    %81 = "stablehlo.multiply"(%79, %80) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %82 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xui64>) -> tensor<6xui64>
    %83 = "stablehlo.remainder"(%59, %82) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %84 = "stablehlo.add"(%81, %83) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %85 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xui64>) -> tensor<6xui64>
    %86 = "stablehlo.remainder"(%84, %85) : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
    %87 = "stablehlo.convert"(%86) : (tensor<6xui64>) -> tensor<6xi64>
    %88 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi64>) -> tensor<6xi64>
    %89 = "stablehlo.add"(%88, %87) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %89 : tensor<6xi64>
  }
  func.func private @integers_clip_(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.maximum"(%arg1, %arg0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %1 = "stablehlo.minimum"(%arg2, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    return %1 : tensor<i64>
  }
  func.func private @integers_clip_0_(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.maximum"(%arg1, %arg0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %1 = "stablehlo.minimum"(%arg2, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    return %1 : tensor<i64>
  }
  func.func private @integers__threefry_split_(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xui32>) -> tensor<ui32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %7 = "stablehlo.multiply"(%6, %4) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %8 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %10 = "stablehlo.shift_right_logical"(%7, %9) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %11 = "stablehlo.convert"(%7) : (tensor<2xui64>) -> tensor<2xui32>
    %12 = "stablehlo.convert"(%10) : (tensor<2xui64>) -> tensor<2xui32>
    %13:2 = call @integers_threefry2x32_(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %14 = "stablehlo.broadcast_in_dim"(%13#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %15 = "stablehlo.broadcast_in_dim"(%13#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    return %16 : tensor<2x2xui32>
  }
  func.func private @integers_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<2xui32>, %arg7: tensor<2xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<2xui32>, %arg7: tensor<2xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @integers_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @integers_closed_call_(%arg0: tensor<i64>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @integers_threefry2x32_1_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<6xui32>, %arg3: tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<6xui32>, %arg7: tensor<6xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<6xui32>, %arg7: tensor<6xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @integers_closed_call_2_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<6xui32>, tensor<6xui32>
  }
  func.func private @integers_closed_call_2_(%arg0: tensor<i64>, %arg1: tensor<6xui32>, %arg2: tensor<6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<6xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @bernoulli(%arg0: tensor<2xui32>) -> tensor<9xi1> {
    %0 = "stablehlo.constant"() <{value = dense<3.000000e-01> : tensor<f64>}> : () -> tensor<f64>
    %1 = call @bernoulli__bernoulli_(%arg0, %0) : (tensor<2xui32>, tensor<f64>) -> tensor<9xi1>
    return %1 : tensor<9xi1>
  }
  func.func private @bernoulli__bernoulli_(%arg0: tensor<2xui32>, %arg1: tensor<f64>) -> tensor<9xi1> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %2 = call @bernoulli__uniform_(%arg0, %0, %1) : (tensor<2xui32>, tensor<f64>, tensor<f64>) -> tensor<9xf64>
    %3 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<9xf64>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xi1>
    return %4 : tensor<9xi1>
  }
  func.func private @bernoulli__uniform_(%arg0: tensor<2xui32>, %arg1: tensor<f64>, %arg2: tensor<f64>) -> tensor<9xf64> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.convert"(%arg2) : (tensor<f64>) -> tensor<f64>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1xf64>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1xf64>
    %4 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1xui32>) -> tensor<ui32>
    %6 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %7 = "stablehlo.reshape"(%6) : (tensor<1xui32>) -> tensor<ui32>
    %8 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9xui64>
    %9 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %11 = "stablehlo.multiply"(%10, %8) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %12 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %14 = "stablehlo.shift_right_logical"(%11, %13) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %15 = "stablehlo.convert"(%11) : (tensor<9xui64>) -> tensor<9xui32>
    %16 = "stablehlo.convert"(%14) : (tensor<9xui64>) -> tensor<9xui32>
    %17:2 = call @bernoulli_threefry2x32_(%5, %7, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>)
    %18 = "stablehlo.convert"(%17#0) : (tensor<9xui32>) -> tensor<9xui64>
    %19 = "stablehlo.convert"(%17#1) : (tensor<9xui32>) -> tensor<9xui64>
    %20 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %22 = "stablehlo.shift_left"(%18, %21) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %23 = "stablehlo.or"(%22, %19) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %24 = "stablehlo.constant"() <{value = dense<12> : tensor<ui64>}> : () -> tensor<ui64>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %26 = "stablehlo.shift_right_logical"(%23, %25) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %27 = "stablehlo.constant"() <{value = dense<4607182418800017408> : tensor<ui64>}> : () -> tensor<ui64>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %29 = "stablehlo.or"(%26, %28) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %30 = "stablehlo.bitcast_convert"(%29) : (tensor<9xui64>) -> tensor<9xf64>
    %31 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<9xf64>
    %33 = "stablehlo.subtract"(%30, %32) : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
    %34 = "stablehlo.subtract"(%3, %2) : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf64>) -> tensor<9xf64>
    %36 = "stablehlo.multiply"(%33, %35) : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
    %37 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf64>) -> tensor<9xf64>
    %38 = "stablehlo.add"(%36, %37) : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
    %39 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf64>) -> tensor<9xf64>
    %40 = "stablehlo.maximum"(%39, %38) : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xf64>
    return %40 : tensor<9xf64>
  }
  func.func private @bernoulli_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<9xui32>, %arg3: tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<9xui32>, %arg7: tensor<9xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<9xui32>, %arg7: tensor<9xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @bernoulli_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<9xui32>, tensor<9xui32>
  }
  func.func private @bernoulli_closed_call_(%arg0: tensor<i64>, %arg1: tensor<9xui32>, %arg2: tensor<9xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<9xui32>, tensor<9xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @permutation(%arg0: tensor<2xui32>) -> tensor<7xi64> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi64>
    %1 = call @permutation__shuffle_(%arg0, %0) : (tensor<2xui32>, tensor<7xi64>) -> tensor<7xi64>
    return %1 : tensor<7xi64>
  }
  func.func private @permutation__shuffle_(%arg0: tensor<2xui32>, %arg1: tensor<7xi64>) -> tensor<7xi64> {
    %0 = call @permutation__threefry_split_(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
    %1 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x2xui32>) -> tensor<2xui32>
    %3 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %4 = "stablehlo.reshape"(%3) : (tensor<1xui32>) -> tensor<ui32>
    %5 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1xui32>) -> tensor<ui32>
    %7 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xui64>
    %8 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<7xui64>
    %10 = "stablehlo.multiply"(%9, %7) : (tensor<7xui64>, tensor<7xui64>) -> tensor<7xui64>
    %11 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<7xui64>
    %13 = "stablehlo.shift_right_logical"(%10, %12) : (tensor<7xui64>, tensor<7xui64>) -> tensor<7xui64>
    %14 = "stablehlo.convert"(%10) : (tensor<7xui64>) -> tensor<7xui32>
    %15 = "stablehlo.convert"(%13) : (tensor<7xui64>) -> tensor<7xui32>
    %16:2 = call @permutation_threefry2x32_0_(%4, %6, %15, %14) : (tensor<ui32>, tensor<ui32>, tensor<7xui32>, tensor<7xui32>) -> (tensor<7xui32>, tensor<7xui32>)
    %17 = "stablehlo.xor"(%16#0, %16#1) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %18:2 = "stablehlo.sort"(%17, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<ui32>, %arg3: tensor<ui32>, %arg4: tensor<i64>, %arg5: tensor<i64>):
      %19 = "stablehlo.compare"(%arg2, %arg3) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.return"(%19) : (tensor<i1>) -> ()
    }) : (tensor<7xui32>, tensor<7xi64>) -> (tensor<7xui32>, tensor<7xi64>)
    return %18#1 : tensor<7xi64>
  }
  func.func private @permutation__threefry_split_(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xui32>) -> tensor<ui32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %7 = "stablehlo.multiply"(%6, %4) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %8 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %10 = "stablehlo.shift_right_logical"(%7, %9) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %11 = "stablehlo.convert"(%7) : (tensor<2xui64>) -> tensor<2xui32>
    %12 = "stablehlo.convert"(%10) : (tensor<2xui64>) -> tensor<2xui32>
    %13:2 = call @permutation_threefry2x32_(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %14 = "stablehlo.broadcast_in_dim"(%13#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %15 = "stablehlo.broadcast_in_dim"(%13#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    return %16 : tensor<2x2xui32>
  }
  func.func private @permutation_threefry2x32_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<2xui32>, %arg7: tensor<2xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<2xui32>, %arg7: tensor<2xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @permutation_closed_call_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @permutation_closed_call_(%arg0: tensor<i64>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @permutation_threefry2x32_0_(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<7xui32>, %arg3: tensor<7xui32>) -> (tensor<7xui32>, tensor<7xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %1 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %3 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.xor"(%2, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %6 = "stablehlo.add"(%arg2, %5) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %8 = "stablehlo.add"(%arg3, %7) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11:9 = "stablehlo.while"(%10, %9, %6, %8, %arg1, %4, %arg0, %0, %1) ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<7xui32>, %arg7: tensor<7xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
      %13 = "stablehlo.compare"(%arg4, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>, %arg6: tensor<7xui32>, %arg7: tensor<7xui32>, %arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<4xui32>, %arg12: tensor<4xui32>):
      %12:8 = func.call @permutation_closed_call_1_(%arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %14 = "stablehlo.add"(%arg4, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%14, %12#0, %12#1, %12#2, %12#3, %12#4, %12#5, %12#6, %12#7) : (tensor<i64>, tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i64>, tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i64>, tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    return %11#2, %11#3 : tensor<7xui32>, tensor<7xui32>
  }
  func.func private @permutation_closed_call_1_(%arg0: tensor<i64>, %arg1: tensor<7xui32>, %arg2: tensor<7xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %52 = "stablehlo.convert"(%51) : (tensor<i64>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<7xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xui32>
    return %1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i64>, tensor<7xui32>, tensor<7xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
}

