// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Functions of elements, with special values.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %1 = call @abs(%0) : (tensor<12xf32>) -> tensor<12xf32>
    %2 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.500000e+00, 2.500000e+00, 1.000000e-03, 7.250000e+00, 0x7FC00000, 0x7F800000, 0x7F800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %4 = call @sign(%3) : (tensor<12xf32>) -> tensor<12xf32>
    %5 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000, 1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%4, %5) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %7 = call @negate(%6) : (tensor<12xf32>) -> tensor<12xf32>
    %8 = "stablehlo.constant"() <{value = dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.500000e+00, -2.500000e+00, -1.000000e-03, 7.250000e+00, 0xFFC00000, 0xFF800000, 0x7F800000, -5.000000e-01, -3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %10 = call @floor(%9) : (tensor<12xf32>) -> tensor<12xf32>
    %11 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -2.000000e+00, 2.000000e+00, 0.000000e+00, -8.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 0.000000e+00, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%10, %11) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %13 = call @ceil(%12) : (tensor<12xf32>) -> tensor<12xf32>
    %14 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 3.000000e+00, 1.000000e+00, -7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 1.000000e+00, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%13, %14) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.500000e+00, -2.500000e+00, 2.400000e+00, -5.000000e-01]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %16 = call @round_even(%15) : (tensor<5xf32>) -> tensor<5xf32>
    %17 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 2.000000e+00, -2.000000e+00, 2.000000e+00, -0.000000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    "stablehlo.custom_call"(%16, %17) <{call_target_name = "check.expect_close"}> : (tensor<5xf32>, tensor<5xf32>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.500000e+00, -2.500000e+00, 2.400000e+00, -5.000000e-01]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %19 = call @round_away(%18) : (tensor<5xf32>) -> tensor<5xf32>
    %20 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, -3.000000e+00, 2.000000e+00, -1.000000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    "stablehlo.custom_call"(%19, %20) <{call_target_name = "check.expect_close"}> : (tensor<5xf32>, tensor<5xf32>) -> ()
    %21 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %22 = call @exp(%21) : (tensor<12xf32>) -> tensor<12xf32>
    %23 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 1.000000e+00, 2.71828175, 0.223130167, 12.1824942, 1.00100052, 7.10174383E-4, 0x7FC00000, 0x7F800000, 0.000000e+00, 1.64872122, 20.085537]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%22, %23) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %25 = call @expm1(%24) : (tensor<12xf32>) -> tensor<12xf32>
    %26 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.71828175, -0.776869833, 11.1824942, 1.000500e-03, -0.99928981, 0x7FC00000, 0x7F800000, -1.000000e+00, 0.648721277, 19.085537]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%25, %26) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %27 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %28 = call @log(%27) : (tensor<6xf32>) -> tensor<6xf32>
    %29 = "stablehlo.constant"() <{value = dense<[-0.693147182, 0.000000e+00, 0.810930192, -6.90775537, 3.68887949, 1.9459101]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%28, %29) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %30 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %31 = call @log1p(%30) : (tensor<6xf32>) -> tensor<6xf32>
    %32 = "stablehlo.constant"() <{value = dense<[0.405465096, 0.693147182, 1.17865503, 9.99500392E-4, 3.71357203, 2.07944155]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%31, %32) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %33 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %34 = call @sqrt(%33) : (tensor<6xf32>) -> tensor<6xf32>
    %35 = "stablehlo.constant"() <{value = dense<[0.707106769, 1.000000e+00, 1.500000e+00, 0.0316227786, 6.32455539, 2.64575124]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%34, %35) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %36 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %37 = call @rsqrt(%36) : (tensor<6xf32>) -> tensor<6xf32>
    %38 = "stablehlo.constant"() <{value = dense<[1.41421354, 1.000000e+00, 0.666666686, 31.622776, 0.158113882, 0.377964467]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%37, %38) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %40 = call @cbrt(%39) : (tensor<12xf32>) -> tensor<12xf32>
    %41 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.14471424, 1.35720885, 1.000000e-01, -1.93543828, 0x7FC00000, 0x7F800000, 0xFF800000, 0.793700516, 1.44224954]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%40, %41) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %42 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %43 = call @sin(%42) : (tensor<6xf32>) -> tensor<6xf32>
    %44 = "stablehlo.constant"() <{value = dense<[0.47942555, 0.841470957, 0.778073191, 9.99999931E-4, 0.745113134, 0.656986594]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%43, %44) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %45 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %46 = call @cos(%45) : (tensor<6xf32>) -> tensor<6xf32>
    %47 = "stablehlo.constant"() <{value = dense<[0.87758255, 0.540302277, -0.628173649, 0.999999523, -0.666938066, 0.753902256]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%46, %47) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %48 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %49 = call @tanh(%48) : (tensor<12xf32>) -> tensor<12xf32>
    %50 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 0.761594176, -0.905148208, 0.986614346, 9.99999581E-4, -0.999999046, 0x7FC00000, 1.000000e+00, -1.000000e+00, 0.462117165, 0.995054721]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%49, %50) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %51 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %52 = call @logistic(%51) : (tensor<12xf32>) -> tensor<12xf32>
    %53 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 5.000000e-01, 0.731058597, 0.182425529, 0.924141824, 5.002500e-01, 7.09670421E-4, 0xFFC00000, 1.000000e+00, 0.000000e+00, 0.622459352, 0.952574133]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%52, %53) <{call_target_name = "check.expect_close"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %54 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %55 = call @is_finite(%54) : (tensor<12xf32>) -> tensor<12xi1>
    %56 = "stablehlo.constant"() <{value = dense<[true, true, true, true, true, true, true, false, false, false, true, true]> : tensor<12xi1>}> : () -> tensor<12xi1>
    "stablehlo.custom_call"(%55, %56) <{call_target_name = "check.expect_eq"}> : (tensor<12xi1>, tensor<12xi1>) -> ()
    %57 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %58 = "stablehlo.constant"() <{value = dense<[2.000000e-03, 5.970000e-01, -5.480000e-01, -1.781000e+00, -0.908999979, -1.983000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %59 = call @power(%57, %58) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %60 = "stablehlo.constant"() <{value = dense<[0.998614668, 1.000000e+00, 0.641215444, 220292.656, 0.0349725671, 0.0210945643]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%59, %60) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %61 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %62 = "stablehlo.constant"() <{value = dense<[-7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %63 = call @atan2(%61, %62) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %64 = "stablehlo.constant"() <{value = dense<[3.14159274, 0x7FC00000, 0.000000e+00, -3.14159274, 1.37340081, 3.33333359E-4]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%63, %64) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %65 = "stablehlo.constant"() <{value = dense<[1.200000e-01, 2.680000e+00, -9.840000e-01, -1.241000e+00, 9.800000e-01, 7.140000e-01]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %66 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 1.000000e-03, 4.000000e+01, 7.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %67 = call @remainder(%65, %66) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %68 = "stablehlo.constant"() <{value = dense<[1.200000e-01, 0.680000067, -9.840000e-01, -9.99997369E-4, 9.800000e-01, 7.140000e-01]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%67, %68) <{call_target_name = "check.expect_close"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %69 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %70 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 0xFF800000, 0x7F800000, 0x7FC00000, -7.250000e+00, 1.000000e-03, 2.500000e+00, -1.500000e+00, 1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %71 = call @maximum(%69, %70) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %72 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 1.000000e+00, 0x7F800000, 0x7FC00000, 1.000000e-03, 1.000000e-03, 0x7FC00000, 0x7F800000, 1.000000e+00, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%71, %72) <{call_target_name = "check.expect_eq"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %73 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %74 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 0xFF800000, 0x7F800000, 0x7FC00000, -7.250000e+00, 1.000000e-03, 2.500000e+00, -1.500000e+00, 1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %75 = call @minimum(%73, %74) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %76 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 0xFF800000, -1.500000e+00, 0x7FC00000, -7.250000e+00, -7.250000e+00, 0x7FC00000, -1.500000e+00, 0xFF800000, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%75, %76) <{call_target_name = "check.expect_eq"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %77 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %78 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 0xFF800000, 0x7F800000, 0x7FC00000, -7.250000e+00, 1.000000e-03, 2.500000e+00, -1.500000e+00, 1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %79 = call @divide(%77, %78) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %80 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, -0.000000e+00, -0.000000e+00, 0x7FC00000, -1.37931042E-4, -7249.99951, 0x7FC00000, 0xFF800000, 0xFF800000, 0xFF800000, 0x7F800000]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%79, %80) <{call_target_name = "check.expect_eq"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %81 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %82 = call @clamp(%81) : (tensor<12xf32>) -> tensor<12xf32>
    %83 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 2.000000e+00, 1.000000e-03, -1.000000e+00, 0x7FC00000, 2.000000e+00, -1.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%82, %83) <{call_target_name = "check.expect_eq"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %84 = "stablehlo.constant"() <{value = dense<[false, false, true, false, true, true, false, false, true, false, true, true]> : tensor<12xi1>}> : () -> tensor<12xi1>
    %85 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %86 = "stablehlo.constant"() <{value = dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.500000e+00, -2.500000e+00, -1.000000e-03, 7.250000e+00, 0xFFC00000, 0xFF800000, 0x7F800000, -5.000000e-01, -3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %87 = call @select(%84, %85, %86) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %88 = "stablehlo.constant"() <{value = dense<[-0.000000e+00, 0.000000e+00, 1.000000e+00, 1.500000e+00, 2.500000e+00, 1.000000e-03, 7.250000e+00, 0xFFC00000, 0x7F800000, 0x7F800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    "stablehlo.custom_call"(%87, %88) <{call_target_name = "check.expect_eq"}> : (tensor<12xf32>, tensor<12xf32>) -> ()
    %89 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %90 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 0xFF800000, 0x7F800000, 0x7FC00000, -7.250000e+00, 1.000000e-03, 2.500000e+00, -1.500000e+00, 1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %91 = call @less(%89, %90) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %92 = "stablehlo.constant"() <{value = dense<[true, true, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>}> : () -> tensor<12xi1>
    "stablehlo.custom_call"(%91, %92) <{call_target_name = "check.expect_eq"}> : (tensor<12xi1>, tensor<12xi1>) -> ()
    %93 = "stablehlo.constant"() <{value = dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e+00, 1.000000e-03, -7.250000e+00, 0x7FC00000, 0x7F800000, 0xFF800000, 5.000000e-01, 3.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %94 = "stablehlo.constant"() <{value = dense<[3.000000e+00, 5.000000e-01, 0xFF800000, 0x7F800000, 0x7FC00000, -7.250000e+00, 1.000000e-03, 2.500000e+00, -1.500000e+00, 1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<12xf32>}> : () -> tensor<12xf32>
    %95 = call @not_equal(%93, %94) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %96 = "stablehlo.constant"() <{value = dense<true> : tensor<12xi1>}> : () -> tensor<12xi1>
    "stablehlo.custom_call"(%95, %96) <{call_target_name = "check.expect_eq"}> : (tensor<12xi1>, tensor<12xi1>) -> ()
    %97 = "stablehlo.constant"() <{value = dense<[5.000000e-01, 1.000000e+00, 2.250000e+00, 0.0010000000474974513, 4.000000e+01, 7.000000e+00]> : tensor<6xf64>}> : () -> tensor<6xf64>
    %98 = call @f64(%97) : (tensor<6xf64>) -> tensor<6xf64>
    %99 = "stablehlo.constant"() <{value = dense<[1.1658219907985623, 2.7182818284590455, 14.23160375453779, 0.031654415948201071, 1.4887071417029624E+18, 2901.4186166689969]> : tensor<6xf64>}> : () -> tensor<6xf64>
    "stablehlo.custom_call"(%98, %99) <{call_target_name = "check.expect_close"}> : (tensor<6xf64>, tensor<6xf64>) -> ()
    return
  }
  func.func private @abs(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.abs"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @sign(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.sign"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @negate(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.negate"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @floor(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.floor"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @ceil(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.ceil"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @round_even(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @round_away(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @exp(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.exponential"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @expm1(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @log(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.log"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @log1p(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @sqrt(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.sqrt"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @rsqrt(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.rsqrt"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @cbrt(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.cbrt"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @sin(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.sine"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @cos(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.cosine"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @tanh(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.tanh"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @logistic(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.negate"(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<12xf32>) -> tensor<12xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %7 : tensor<12xf32>
  }
  func.func private @is_finite(%arg0: tensor<12xf32>) -> tensor<12xi1> {
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<12xf32>) -> tensor<12xi1>
    return %0 : tensor<12xi1>
  }
  func.func private @power(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @atan2(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @remainder(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @maximum(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @minimum(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @divide(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @clamp(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %4 : tensor<12xf32>
  }
  func.func private @select(%arg0: tensor<12xi1>, %arg1: tensor<12xf32>, %arg2: tensor<12xf32>) -> tensor<12xf32> {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @less(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> tensor<12xi1> {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    return %0 : tensor<12xi1>
  }
  func.func private @not_equal(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> tensor<12xi1> {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    return %0 : tensor<12xi1>
  }
  func.func private @f64(%arg0: tensor<6xf64>) -> tensor<6xf64> {
    %0 = "stablehlo.exponential"(%arg0) : (tensor<6xf64>) -> tensor<6xf64>
    %1 = "stablehlo.sqrt"(%arg0) : (tensor<6xf64>) -> tensor<6xf64>
    %2 = "stablehlo.multiply"(%0, %1) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    return %2 : tensor<6xf64>
  }
}

