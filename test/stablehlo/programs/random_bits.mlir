// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Random bits of the generators Threefry and Philox: the bits and the next states are equal.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %1:2 = call @threefry_uint32_5(%0) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %2 = "stablehlo.constant"() <{value = dense<[3, 8]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%1#0, %2) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[1109507171, 3604763515, 3802093305, 3166652467, 849634428]> : tensor<5xui32>}> : () -> tensor<5xui32>
    "stablehlo.custom_call"(%1#1, %3) <{call_target_name = "check.expect_eq"}> : (tensor<5xui32>, tensor<5xui32>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %5:2 = call @threefry_uint32_3x4(%4) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %6 = "stablehlo.constant"() <{value = dense<[3, 11]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%5#0, %6) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %7 = "stablehlo.constant"() <{value = dense<[[1109507171, 3604763515, 3802093305, 3166652467], [849634428, 1054234490, 4095841382, 1951865270], [2263954335, 1016631374, 167328752, 1424749559]]> : tensor<3x4xui32>}> : () -> tensor<3x4xui32>
    "stablehlo.custom_call"(%5#1, %7) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
    %8 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %9:2 = call @threefry_uint32_3x5(%8) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %10 = "stablehlo.constant"() <{value = dense<[3, 14]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%9#0, %10) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %11 = "stablehlo.constant"() <{value = dense<[[1109507171, 3604763515, 3802093305, 3166652467, 849634428], [4095841382, 1951865270, 2263954335, 1016631374, 167328752], [446042894, 2274340253, 114450230, 2450569984, 4257800847]]> : tensor<3x5xui32>}> : () -> tensor<3x5xui32>
    "stablehlo.custom_call"(%9#1, %11) <{call_target_name = "check.expect_eq"}> : (tensor<3x5xui32>, tensor<3x5xui32>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %13:2 = call @threefry_uint64_3(%12) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    %14 = "stablehlo.constant"() <{value = dense<[3, 8]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%13#0, %14) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %15 = "stablehlo.constant"() <{value = dense<[15482341407848512611, 13600668787364812537, 4527902657714873468]> : tensor<3xui64>}> : () -> tensor<3xui64>
    "stablehlo.custom_call"(%13#1, %15) <{call_target_name = "check.expect_eq"}> : (tensor<3xui64>, tensor<3xui64>) -> ()
    %16 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %17:2 = call @threefry_uint8_5(%16) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %18 = "stablehlo.constant"() <{value = dense<[3, 8]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%17#0, %18) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %19 = "stablehlo.constant"() <{value = dense<[99, 123, 249, 51, 124]> : tensor<5xui8>}> : () -> tensor<5xui8>
    "stablehlo.custom_call"(%17#1, %19) <{call_target_name = "check.expect_eq"}> : (tensor<5xui8>, tensor<5xui8>) -> ()
    %20 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %21:2 = call @threefry_uint16_3x3(%20) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    %22 = "stablehlo.constant"() <{value = dense<[3, 11]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%21#0, %22) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %23 = "stablehlo.constant"() <{value = dense<[[48227, 22265, 25724], [21371, 18483, 22394], [37990, 13215, 15344]]> : tensor<3x3xui16>}> : () -> tensor<3x3xui16>
    "stablehlo.custom_call"(%21#1, %23) <{call_target_name = "check.expect_eq"}> : (tensor<3x3xui16>, tensor<3x3xui16>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %25:2 = call @threefry_uint32_scalar(%24) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %26 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%25#0, %26) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %27 = "stablehlo.constant"() <{value = dense<1109507171> : tensor<ui32>}> : () -> tensor<ui32>
    "stablehlo.custom_call"(%25#1, %27) <{call_target_name = "check.expect_eq"}> : (tensor<ui32>, tensor<ui32>) -> ()
    %28 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %29:2 = call @threefry_uint64_scalar(%28) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    %30 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%29#0, %30) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %31 = "stablehlo.constant"() <{value = dense<15482341407848512611> : tensor<ui64>}> : () -> tensor<ui64>
    "stablehlo.custom_call"(%29#1, %31) <{call_target_name = "check.expect_eq"}> : (tensor<ui64>, tensor<ui64>) -> ()
    %32 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %33:2 = call @philox_uint32_5(%32) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %34 = "stablehlo.constant"() <{value = dense<[3, 7]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%33#0, %34) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<[514065308, 1112787925, 433431800, 1887756390, 1925109534]> : tensor<5xui32>}> : () -> tensor<5xui32>
    "stablehlo.custom_call"(%33#1, %35) <{call_target_name = "check.expect_eq"}> : (tensor<5xui32>, tensor<5xui32>) -> ()
    %36 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %37:2 = call @philox_uint32_3x4(%36) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %38 = "stablehlo.constant"() <{value = dense<[3, 8]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%37#0, %38) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<[[514065308, 1112787925, 433431800, 1887756390], [1925109534, 224787284, 510661433, 916515813], [2350238537, 593189726, 1255079973, 2382037381]]> : tensor<3x4xui32>}> : () -> tensor<3x4xui32>
    "stablehlo.custom_call"(%37#1, %39) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
    %40 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %41:2 = call @philox_uint32_3x5(%40) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %42 = "stablehlo.constant"() <{value = dense<[3, 9]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%41#0, %42) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %43 = "stablehlo.constant"() <{value = dense<[[514065308, 1112787925, 433431800, 1887756390, 1925109534], [224787284, 510661433, 916515813, 2350238537, 593189726], [1255079973, 2382037381, 779469603, 343552278, 3435715069]]> : tensor<3x5xui32>}> : () -> tensor<3x5xui32>
    "stablehlo.custom_call"(%41#1, %43) <{call_target_name = "check.expect_eq"}> : (tensor<3x5xui32>, tensor<3x5xui32>) -> ()
    %44 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %45:2 = call @philox_uint64_3(%44) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    %46 = "stablehlo.constant"() <{value = dense<[3, 7]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%45#0, %46) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %47 = "stablehlo.constant"() <{value = dense<[4779387745772766108, 8107851958298453240, 965454035261773598]> : tensor<3xui64>}> : () -> tensor<3xui64>
    "stablehlo.custom_call"(%45#1, %47) <{call_target_name = "check.expect_eq"}> : (tensor<3xui64>, tensor<3xui64>) -> ()
    %48 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %49:2 = call @philox_uint8_5(%48) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %50 = "stablehlo.constant"() <{value = dense<[3, 7]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%49#0, %50) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %51 = "stablehlo.constant"() <{value = dense<[156, 213, 248, 102, 30]> : tensor<5xui8>}> : () -> tensor<5xui8>
    "stablehlo.custom_call"(%49#1, %51) <{call_target_name = "check.expect_eq"}> : (tensor<5xui8>, tensor<5xui8>) -> ()
    %52 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %53:2 = call @philox_uint16_3x3(%52) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    %54 = "stablehlo.constant"() <{value = dense<[3, 8]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%53#0, %54) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %55 = "stablehlo.constant"() <{value = dense<[[924, 52181, 42232], [57446, 55070, 64340], [4921, 60389, 52041]]> : tensor<3x3xui16>}> : () -> tensor<3x3xui16>
    "stablehlo.custom_call"(%53#1, %55) <{call_target_name = "check.expect_eq"}> : (tensor<3x3xui16>, tensor<3x3xui16>) -> ()
    %56 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %57:2 = call @philox_uint32_scalar(%56) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %58 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%57#0, %58) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %59 = "stablehlo.constant"() <{value = dense<514065308> : tensor<ui32>}> : () -> tensor<ui32>
    "stablehlo.custom_call"(%57#1, %59) <{call_target_name = "check.expect_eq"}> : (tensor<ui32>, tensor<ui32>) -> ()
    %60 = "stablehlo.constant"() <{value = dense<[3, 5]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %61:2 = call @philox_uint64_scalar(%60) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    %62 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%61#0, %62) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %63 = "stablehlo.constant"() <{value = dense<4779387745772766108> : tensor<ui64>}> : () -> tensor<ui64>
    "stablehlo.custom_call"(%61#1, %63) <{call_target_name = "check.expect_eq"}> : (tensor<ui64>, tensor<ui64>) -> ()
    %64 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %65:2 = call @default_carry_uint32_5(%64) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %66 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 1]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%65#0, %66) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %67 = "stablehlo.constant"() <{value = dense<[121449754, 4090177777, 4016560026, 3766537116, 3100515285]> : tensor<5xui32>}> : () -> tensor<5xui32>
    "stablehlo.custom_call"(%65#1, %67) <{call_target_name = "check.expect_eq"}> : (tensor<5xui32>, tensor<5xui32>) -> ()
    %68 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %69:2 = call @default_carry_uint32_3x4(%68) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %70 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 2]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%69#0, %70) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %71 = "stablehlo.constant"() <{value = dense<[[121449754, 4090177777, 4016560026, 3766537116], [3100515285, 1022109955, 3337422131, 1500221763], [4284557571, 3060185422, 3200795306, 3690072478]]> : tensor<3x4xui32>}> : () -> tensor<3x4xui32>
    "stablehlo.custom_call"(%69#1, %71) <{call_target_name = "check.expect_eq"}> : (tensor<3x4xui32>, tensor<3x4xui32>) -> ()
    %72 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %73:2 = call @default_carry_uint32_3x5(%72) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %74 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 3]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%73#0, %74) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %75 = "stablehlo.constant"() <{value = dense<[[121449754, 4090177777, 4016560026, 3766537116, 3100515285], [1022109955, 3337422131, 1500221763, 4284557571, 3060185422], [3200795306, 3690072478, 2017054965, 2706751670, 1859389349]]> : tensor<3x5xui32>}> : () -> tensor<3x5xui32>
    "stablehlo.custom_call"(%73#1, %75) <{call_target_name = "check.expect_eq"}> : (tensor<3x5xui32>, tensor<3x5xui32>) -> ()
    %76 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %77:2 = call @default_carry_uint64_3(%76) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    %78 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 1]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%77#0, %78) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %79 = "stablehlo.constant"() <{value = dense<[17567179787162430746, 16177153736406718362, 4389928832741546965]> : tensor<3xui64>}> : () -> tensor<3xui64>
    "stablehlo.custom_call"(%77#1, %79) <{call_target_name = "check.expect_eq"}> : (tensor<3xui64>, tensor<3xui64>) -> ()
    %80 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %81:2 = call @default_carry_uint8_5(%80) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %82 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 1]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%81#0, %82) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %83 = "stablehlo.constant"() <{value = dense<[26, 241, 154, 156, 213]> : tensor<5xui8>}> : () -> tensor<5xui8>
    "stablehlo.custom_call"(%81#1, %83) <{call_target_name = "check.expect_eq"}> : (tensor<5xui8>, tensor<5xui8>) -> ()
    %84 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %85:2 = call @default_carry_uint16_3x3(%84) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    %86 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 2]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%85#0, %86) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %87 = "stablehlo.constant"() <{value = dense<[[11546, 10481, 55194], [52124, 7125, 10499], [1331, 37187, 10499]]> : tensor<3x3xui16>}> : () -> tensor<3x3xui16>
    "stablehlo.custom_call"(%85#1, %87) <{call_target_name = "check.expect_eq"}> : (tensor<3x3xui16>, tensor<3x3xui16>) -> ()
    %88 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %89:2 = call @default_carry_uint32_scalar(%88) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %90 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 0]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%89#0, %90) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %91 = "stablehlo.constant"() <{value = dense<121449754> : tensor<ui32>}> : () -> tensor<ui32>
    "stablehlo.custom_call"(%89#1, %91) <{call_target_name = "check.expect_eq"}> : (tensor<ui32>, tensor<ui32>) -> ()
    %92 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 18446744073709551615]> : tensor<2xui64>}> : () -> tensor<2xui64>
    %93:2 = call @default_carry_uint64_scalar(%92) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    %94 = "stablehlo.constant"() <{value = dense<[9223372036854775815, 0]> : tensor<2xui64>}> : () -> tensor<2xui64>
    "stablehlo.custom_call"(%93#0, %94) <{call_target_name = "check.expect_eq"}> : (tensor<2xui64>, tensor<2xui64>) -> ()
    %95 = "stablehlo.constant"() <{value = dense<17567179787162430746> : tensor<ui64>}> : () -> tensor<ui64>
    "stablehlo.custom_call"(%93#1, %95) <{call_target_name = "check.expect_eq"}> : (tensor<ui64>, tensor<ui64>) -> ()
    return
  }
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>), sym_name = "threefry_uint32_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>), sym_name = "threefry_uint32_3x4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>), sym_name = "threefry_uint32_3x5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>), sym_name = "threefry_uint64_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>), sym_name = "threefry_uint8_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui8>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>), sym_name = "threefry_uint16_3x3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x3xui16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>), sym_name = "threefry_uint32_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>), sym_name = "threefry_uint64_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>), sym_name = "philox_uint32_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>), sym_name = "philox_uint32_3x4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>), sym_name = "philox_uint32_3x5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>), sym_name = "philox_uint64_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>), sym_name = "philox_uint8_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui8>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>), sym_name = "philox_uint16_3x3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x3xui16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>), sym_name = "philox_uint32_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>), sym_name = "philox_uint64_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>), sym_name = "default_carry_uint32_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>), sym_name = "default_carry_uint32_3x4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>), sym_name = "default_carry_uint32_3x5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>), sym_name = "default_carry_uint64_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>), sym_name = "default_carry_uint8_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<5xui8>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>), sym_name = "default_carry_uint16_3x3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3x3xui16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>), sym_name = "default_carry_uint32_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>), sym_name = "default_carry_uint64_scalar", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<ui64>) -> ()
  }) : () -> ()
}
