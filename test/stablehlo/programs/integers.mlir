// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Integers: division by zero, overflow, shifts by the width and more, conversions that saturate.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %1 = "stablehlo.constant"() <{value = dense<[2, 2, -2, -2, 3, 0, -1, 0, 1, 32]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %2 = call @divide_signed(%0, %1) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    %3 = "stablehlo.constant"() <{value = dense<[3, -3, -3, 3, 0, -1, -2147483648, -1, 2147483647, 0]> : tensor<10xi32>}> : () -> tensor<10xi32>
    "stablehlo.custom_call"(%2, %3) <{call_target_name = "check.expect_eq"}> : (tensor<10xi32>, tensor<10xi32>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %5 = "stablehlo.constant"() <{value = dense<[2, 2, -2, -2, 3, 0, -1, 0, 1, 32]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %6 = call @remainder_signed(%4, %5) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    %7 = "stablehlo.constant"() <{value = dense<[1, -1, 1, -1, 0, 5, 0, -2147483648, 0, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    "stablehlo.custom_call"(%6, %7) <{call_target_name = "check.expect_eq"}> : (tensor<10xi32>, tensor<10xi32>) -> ()
    %8 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %9 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967295, 31]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %10 = call @divide_unsigned(%8, %9) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %11 = "stablehlo.constant"() <{value = dense<[3, 858993459, 4294967295, 4294967295, 0, 96774193]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %13 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967295, 31]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %14 = call @remainder_unsigned(%12, %13) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %15 = "stablehlo.constant"() <{value = dense<[1, 0, 0, 12, 4294967290, 17]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%14, %15) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %16 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %17 = "stablehlo.constant"() <{value = dense<[0, 1, 31, 32, 33, 40]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %18 = call @shift_left(%16, %17) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %19 = "stablehlo.constant"() <{value = dense<[7, 4294967294, 0, 0, 0, 0]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%18, %19) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %20 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %21 = "stablehlo.constant"() <{value = dense<[0, 1, 31, 32, 33, 40]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %22 = call @shift_right(%20, %21) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %23 = "stablehlo.constant"() <{value = dense<[7, 2147483647, 0, 0, 0, 0]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%22, %23) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %25 = "stablehlo.constant"() <{value = dense<[0, 1, 31, 32, 33, 40]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %26 = call @shift_signed(%24, %25) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %27 = "stablehlo.constant"() <{value = dense<[7, -4, 0, -1, 0, 0]> : tensor<6xi32>}> : () -> tensor<6xi32>
    "stablehlo.custom_call"(%26, %27) <{call_target_name = "check.expect_eq"}> : (tensor<6xi32>, tensor<6xi32>) -> ()
    %28 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %29 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967295, 31]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %30 = call @greater_unsigned(%28, %29) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xi1>
    %31 = "stablehlo.constant"() <{value = dense<[true, true, false, true, false, true]> : tensor<6xi1>}> : () -> tensor<6xi1>
    "stablehlo.custom_call"(%30, %31) <{call_target_name = "check.expect_eq"}> : (tensor<6xi1>, tensor<6xi1>) -> ()
    %32 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %33 = "stablehlo.constant"() <{value = dense<[2, 2, -2, -2, 3, 0, -1, 0, 1, 32]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %34 = call @greater_signed(%32, %33) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi1>
    %35 = "stablehlo.constant"() <{value = dense<[true, false, true, false, false, true, false, false, true, false]> : tensor<10xi1>}> : () -> tensor<10xi1>
    "stablehlo.custom_call"(%34, %35) <{call_target_name = "check.expect_eq"}> : (tensor<10xi1>, tensor<10xi1>) -> ()
    %36 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %37 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967295, 31]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %38 = call @max_unsigned(%36, %37) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %39 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967295, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%38, %39) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %40 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %41 = "stablehlo.constant"() <{value = dense<[2, 2, -2, -2, 3, 0, -1, 0, 1, 32]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %42 = call @min_signed(%40, %41) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    %43 = "stablehlo.constant"() <{value = dense<[2, -7, -2, -7, 0, 0, -2147483648, -2147483648, 1, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    "stablehlo.custom_call"(%42, %43) <{call_target_name = "check.expect_eq"}> : (tensor<10xi32>, tensor<10xi32>) -> ()
    %44 = "stablehlo.constant"() <{value = dense<[2, -3, 0, 1, -1, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %45 = "stablehlo.constant"() <{value = dense<[10, 3, 0, -2, -3, 1]> : tensor<6xi32>}> : () -> tensor<6xi32>
    %46 = call @power(%44, %45) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %47 = "stablehlo.constant"() <{value = dense<[1024, -27, 1, 1, -1, 5]> : tensor<6xi32>}> : () -> tensor<6xi32>
    "stablehlo.custom_call"(%46, %47) <{call_target_name = "check.expect_eq"}> : (tensor<6xi32>, tensor<6xi32>) -> ()
    %48 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %49 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967295, 31]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %50:4 = call @bits(%48, %49) : (tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>)
    %51 = "stablehlo.constant"() <{value = dense<[2, 5, 0, 0, 4294967290, 0]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%50#0, %51) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %52 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967295, 3000000031]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%50#1, %52) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %53 = "stablehlo.constant"() <{value = dense<[5, 4294967290, 0, 12, 5, 3000000031]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%50#2, %53) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %54 = "stablehlo.constant"() <{value = dense<[4294967288, 0, 4294967295, 4294967283, 5, 1294967295]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%50#3, %54) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %55 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    %56 = call @not_bool(%55) : (tensor<2xi1>) -> tensor<2xi1>
    %57 = "stablehlo.constant"() <{value = dense<[false, true]> : tensor<2xi1>}> : () -> tensor<2xi1>
    "stablehlo.custom_call"(%56, %57) <{call_target_name = "check.expect_eq"}> : (tensor<2xi1>, tensor<2xi1>) -> ()
    %58 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %59 = call @sign(%58) : (tensor<10xi32>) -> tensor<10xi32>
    %60 = "stablehlo.constant"() <{value = dense<[1, -1, 1, -1, 0, 1, -1, -1, 1, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    "stablehlo.custom_call"(%59, %60) <{call_target_name = "check.expect_eq"}> : (tensor<10xi32>, tensor<10xi32>) -> ()
    %61 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %62 = call @abs(%61) : (tensor<10xi32>) -> tensor<10xi32>
    %63 = "stablehlo.constant"() <{value = dense<[7, 7, 7, 7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    "stablehlo.custom_call"(%62, %63) <{call_target_name = "check.expect_eq"}> : (tensor<10xi32>, tensor<10xi32>) -> ()
    %64 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %65:2 = call @count(%64) : (tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %66 = "stablehlo.constant"() <{value = dense<[3, 32, 0, 2, 30, 12]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%65#0, %66) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %67 = "stablehlo.constant"() <{value = dense<[29, 0, 32, 28, 0, 0]> : tensor<6xui32>}> : () -> tensor<6xui32>
    "stablehlo.custom_call"(%65#1, %67) <{call_target_name = "check.expect_eq"}> : (tensor<6xui32>, tensor<6xui32>) -> ()
    %68 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.900000e+00, -1.900000e+00, 3.000000e+09, -3.000000e+09, 1.000000e+20, -1.000000e+20, 0x7FC00000, 0x7F800000, 0xFF800000, 2.555000e+02, -5.000000e-01]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %69 = call @to_i32(%68) : (tensor<12xf32>) -> tensor<12xi32>
    %70 = "stablehlo.constant"() <{value = dense<[0, 1, -1, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, -2147483648, 255, 0]> : tensor<12xi32>}> : () -> tensor<12xi32>
    "stablehlo.custom_call"(%69, %70) <{call_target_name = "check.expect_eq"}> : (tensor<12xi32>, tensor<12xi32>) -> ()
    %71 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.900000e+00, -1.900000e+00, 3.000000e+09, -3.000000e+09, 1.000000e+20, -1.000000e+20, 0x7FC00000, 0x7F800000, 0xFF800000, 2.555000e+02, -5.000000e-01]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %72 = call @to_u32(%71) : (tensor<12xf32>) -> tensor<12xui32>
    %73 = "stablehlo.constant"() <{value = dense<[0, 1, 0, 3000000000, 0, 4294967295, 0, 0, 4294967295, 0, 255, 0]> : tensor<12xui32>}> : () -> tensor<12xui32>
    "stablehlo.custom_call"(%72, %73) <{call_target_name = "check.expect_eq"}> : (tensor<12xui32>, tensor<12xui32>) -> ()
    %74 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.900000e+00, -1.900000e+00, 3.000000e+09, -3.000000e+09, 1.000000e+20, -1.000000e+20, 0x7FC00000, 0x7F800000, 0xFF800000, 2.555000e+02, -5.000000e-01]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %75 = call @to_i64(%74) : (tensor<12xf32>) -> tensor<12xi64>
    %76 = "stablehlo.constant"() <{value = dense<[0, 1, -1, 3000000000, -3000000000, 9223372036854775807, -9223372036854775808, 0, 9223372036854775807, -9223372036854775808, 255, 0]> : tensor<12xi64>}> : () -> tensor<12xi64>
    "stablehlo.custom_call"(%75, %76) <{call_target_name = "check.expect_eq"}> : (tensor<12xi64>, tensor<12xi64>) -> ()
    %77 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 2.000000e+00, 0x7FC00000, -0.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %78 = call @to_bool(%77) : (tensor<4xf32>) -> tensor<4xi1>
    %79 = "stablehlo.constant"() <{value = dense<[false, true, true, false]> : tensor<4xi1>}> : () -> tensor<4xi1>
    "stablehlo.custom_call"(%78, %79) <{call_target_name = "check.expect_eq"}> : (tensor<4xi1>, tensor<4xi1>) -> ()
    %80 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %81 = call @of_u32(%80) : (tensor<6xui32>) -> tensor<6xf64>
    %82 = "stablehlo.constant"() <{value = dense<[7.000000e+00, 0x41EFFFFFFFE00000, 0.000000e+00, 1.200000e+01, 0x41EFFFFFFF400000, 3.000000e+09]> : tensor<6xf64>}> : () -> tensor<6xf64>
    "stablehlo.custom_call"(%81, %82) <{call_target_name = "check.expect_eq"}> : (tensor<6xf64>, tensor<6xf64>) -> ()
    %83 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi32>}> : () -> tensor<10xi32>
    %84 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xui32>}> : () -> tensor<6xui32>
    %85:2 = call @widen(%83, %84) : (tensor<10xi32>, tensor<6xui32>) -> (tensor<10xi64>, tensor<6xi64>)
    %86 = "stablehlo.constant"() <{value = dense<[7, -7, 7, -7, 0, 5, -2147483648, -2147483648, 2147483647, 1]> : tensor<10xi64>}> : () -> tensor<10xi64>
    "stablehlo.custom_call"(%85#0, %86) <{call_target_name = "check.expect_eq"}> : (tensor<10xi64>, tensor<10xi64>) -> ()
    %87 = "stablehlo.constant"() <{value = dense<[7, 4294967295, 0, 12, 4294967290, 3000000000]> : tensor<6xi64>}> : () -> tensor<6xi64>
    "stablehlo.custom_call"(%85#1, %87) <{call_target_name = "check.expect_eq"}> : (tensor<6xi64>, tensor<6xi64>) -> ()
    %88 = "stablehlo.constant"() <{value = dense<[8589934592, -5, 2147483655]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %89 = call @narrow(%88) : (tensor<3xi64>) -> tensor<3xi32>
    %90 = "stablehlo.constant"() <{value = dense<[0, -5, -2147483641]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%89, %90) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %91 = "stablehlo.constant"() <{value = dense<[2.110000e-01, -1.861000e+00, -5.900000e-02, 1.391000e+00, -2.688000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %92:2 = call @bitcast(%91) : (tensor<5xf32>) -> (tensor<5xui32>, tensor<5xi32>)
    %93 = "stablehlo.constant"() <{value = dense<[1045958754, 3220059455, 3178342908, 1068633162, 3224111153]> : tensor<5xui32>}> : () -> tensor<5xui32>
    "stablehlo.custom_call"(%92#0, %93) <{call_target_name = "check.expect_eq"}> : (tensor<5xui32>, tensor<5xui32>) -> ()
    %94 = "stablehlo.constant"() <{value = dense<[1045958754, -1074907841, -1116624388, 1068633162, -1070856143]> : tensor<5xi32>}> : () -> tensor<5xi32>
    "stablehlo.custom_call"(%92#1, %94) <{call_target_name = "check.expect_eq"}> : (tensor<5xi32>, tensor<5xi32>) -> ()
    %95 = "stablehlo.constant"() <{value = dense<[1, 1099511627776, -3]> : tensor<3xi64>}> : () -> tensor<3xi64>
    %96 = call @bitcast_narrow(%95) : (tensor<3xi64>) -> tensor<3x2xui32>
    %97 = "stablehlo.constant"() <{value = dense<[[1, 0], [0, 256], [4294967293, 4294967295]]> : tensor<3x2xui32>}> : () -> tensor<3x2xui32>
    "stablehlo.custom_call"(%96, %97) <{call_target_name = "check.expect_eq"}> : (tensor<3x2xui32>, tensor<3x2xui32>) -> ()
    %98 = "stablehlo.constant"() <{value = dense<[[867222360, 851114254], [751913965, 668059860], [366173787, 1061887872]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %99 = call @bitcast_wide(%98) : (tensor<3x2xi32>) -> tensor<3xf64>
    %100 = "stablehlo.constant"() <{value = dense<[2.561227424328554E-64, 7.052499213956453E-117, 8.2772974169649114E-4]> : tensor<3xf64>}> : () -> tensor<3xf64>
    "stablehlo.custom_call"(%99, %100) <{call_target_name = "check.expect_eq"}> : (tensor<3xf64>, tensor<3xf64>) -> ()
    return
  }
  func.func private @divide_signed(%arg0: tensor<10xi32>, %arg1: tensor<10xi32>) -> tensor<10xi32> {
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @remainder_signed(%arg0: tensor<10xi32>, %arg1: tensor<10xi32>) -> tensor<10xi32> {
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @divide_unsigned(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @remainder_unsigned(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @shift_left(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @shift_right(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @shift_signed(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
    %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @greater_unsigned(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xi1> {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xi1>
    return %0 : tensor<6xi1>
  }
  func.func private @greater_signed(%arg0: tensor<10xi32>, %arg1: tensor<10xi32>) -> tensor<10xi1> {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi1>
    return %0 : tensor<10xi1>
  }
  func.func private @max_unsigned(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> tensor<6xui32> {
    %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    return %0 : tensor<6xui32>
  }
  func.func private @min_signed(%arg0: tensor<10xi32>, %arg1: tensor<10xi32>) -> tensor<10xi32> {
    %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @power(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %5 = "stablehlo.compare"(%arg1, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %6 = "stablehlo.and"(%2, %5) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %9 = call @power__where_(%6, %7, %8) : (tensor<6xi1>, tensor<i32>, tensor<i32>) -> tensor<6xi32>
    %10 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %12 = "stablehlo.and"(%arg1, %11) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %13 = "stablehlo.multiply"(%9, %arg0) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %14 = call @power__where_0_(%12, %13, %9) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %15 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %18 = "stablehlo.shift_right_logical"(%arg1, %17) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %21 = "stablehlo.and"(%18, %20) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %22 = "stablehlo.multiply"(%14, %15) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %23 = call @power__where_0_(%21, %22, %14) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %24 = "stablehlo.multiply"(%15, %15) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %25 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %27 = "stablehlo.shift_right_logical"(%18, %26) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %28 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %30 = "stablehlo.and"(%27, %29) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %31 = "stablehlo.multiply"(%23, %24) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %32 = call @power__where_0_(%30, %31, %23) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %33 = "stablehlo.multiply"(%24, %24) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %36 = "stablehlo.shift_right_logical"(%27, %35) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %37 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %39 = "stablehlo.and"(%36, %38) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %40 = "stablehlo.multiply"(%32, %33) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %41 = call @power__where_0_(%39, %40, %32) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %42 = "stablehlo.multiply"(%33, %33) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %43 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %45 = "stablehlo.shift_right_logical"(%36, %44) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %46 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %48 = "stablehlo.and"(%45, %47) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %49 = "stablehlo.multiply"(%41, %42) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %50 = call @power__where_0_(%48, %49, %41) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %51 = "stablehlo.multiply"(%42, %42) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %52 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %54 = "stablehlo.shift_right_logical"(%45, %53) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %55 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %57 = "stablehlo.and"(%54, %56) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %58 = "stablehlo.multiply"(%50, %51) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %59 = call @power__where_0_(%57, %58, %50) : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %59 : tensor<6xi32>
  }
  func.func private @power__where_(%arg0: tensor<6xi1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %2 = "stablehlo.select"(%arg0, %0, %1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %2 : tensor<6xi32>
  }
  func.func private @power__where_0_(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %3 = "stablehlo.select"(%2, %arg1, %arg2) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %3 : tensor<6xi32>
  }
  func.func private @bits(%arg0: tensor<6xui32>, %arg1: tensor<6xui32>) -> (tensor<6xui32> {jax.result_info = "result[0]"}, tensor<6xui32> {jax.result_info = "result[1]"}, tensor<6xui32> {jax.result_info = "result[2]"}, tensor<6xui32> {jax.result_info = "result[3]"}) {
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
    %3 = "stablehlo.not"(%arg0) : (tensor<6xui32>) -> tensor<6xui32>
    return %0, %1, %2, %3 : tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>
  }
  func.func private @not_bool(%arg0: tensor<2xi1>) -> tensor<2xi1> {
    %0 = "stablehlo.not"(%arg0) : (tensor<2xi1>) -> tensor<2xi1>
    return %0 : tensor<2xi1>
  }
  func.func private @sign(%arg0: tensor<10xi32>) -> tensor<10xi32> {
    %0 = "stablehlo.sign"(%arg0) : (tensor<10xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @abs(%arg0: tensor<10xi32>) -> tensor<10xi32> {
    %0 = "stablehlo.abs"(%arg0) : (tensor<10xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @count(%arg0: tensor<6xui32>) -> (tensor<6xui32> {jax.result_info = "result[0]"}, tensor<6xui32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.popcnt"(%arg0) : (tensor<6xui32>) -> tensor<6xui32>
    %1 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<6xui32>) -> tensor<6xui32>
    return %0, %1 : tensor<6xui32>, tensor<6xui32>
  }
  func.func private @to_i32(%arg0: tensor<12xf32>) -> tensor<12xi32> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<12xf32>) -> tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @to_u32(%arg0: tensor<12xf32>) -> tensor<12xui32> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<12xf32>) -> tensor<12xui32>
    return %0 : tensor<12xui32>
  }
  func.func private @to_i64(%arg0: tensor<12xf32>) -> tensor<12xi64> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<12xf32>) -> tensor<12xi64>
    return %0 : tensor<12xi64>
  }
  func.func private @to_bool(%arg0: tensor<4xf32>) -> tensor<4xi1> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %3 = "stablehlo.convert"(%2) : (tensor<4xi1>) -> tensor<4xi1>
    return %3 : tensor<4xi1>
  }
  func.func private @of_u32(%arg0: tensor<6xui32>) -> tensor<6xf64> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<6xui32>) -> tensor<6xf64>
    return %0 : tensor<6xf64>
  }
  func.func private @widen(%arg0: tensor<10xi32>, %arg1: tensor<6xui32>) -> (tensor<10xi64> {jax.result_info = "result[0]"}, tensor<6xi64> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<10xi32>) -> tensor<10xi64>
    %1 = "stablehlo.convert"(%arg1) : (tensor<6xui32>) -> tensor<6xi64>
    return %0, %1 : tensor<10xi64>, tensor<6xi64>
  }
  func.func private @narrow(%arg0: tensor<3xi64>) -> tensor<3xi32> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<3xi64>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @bitcast(%arg0: tensor<5xf32>) -> (tensor<5xui32> {jax.result_info = "result[0]"}, tensor<5xi32> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<5xf32>) -> tensor<5xui32>
    %1 = "stablehlo.bitcast_convert"(%arg0) : (tensor<5xf32>) -> tensor<5xi32>
    return %0, %1 : tensor<5xui32>, tensor<5xi32>
  }
  func.func private @bitcast_narrow(%arg0: tensor<3xi64>) -> tensor<3x2xui32> {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi64>) -> tensor<3x2xui32>
    return %0 : tensor<3x2xui32>
  }
  func.func private @bitcast_wide(%arg0: tensor<3x2xi32>) -> tensor<3xf64> {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x2xi32>) -> tensor<3xf64>
    return %0 : tensor<3xf64>
  }
}

