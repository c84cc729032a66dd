// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Gathers and scatters: positions out of range, repeated positions, batches.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[5.690000e-01, 1.280000e+00, 2.364000e+00], [2.425000e+00, 2.371000e+00, 2.724000e+00], [1.323000e+00, -3.062000e+00, -2.620000e-01], [6.280000e-01, -0.765999972, 1.823000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<[2, 0, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %2 = call @rows(%0, %1) : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
    %3 = "stablehlo.constant"() <{value = dense<[[1.323000e+00, -3.062000e+00, -2.620000e-01], [5.690000e-01, 1.280000e+00, 2.364000e+00], [6.280000e-01, -0.765999972, 1.823000e+00]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    "stablehlo.custom_call"(%2, %3) <{call_target_name = "check.expect_eq"}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[[-7.200000e-01, -1.851000e+00, 2.889000e+00], [1.332000e+00, 4.390000e-01, 1.853000e+00], [2.125000e+00, 0.681999981, -4.915000e+00], [-1.351000e+00, -0.912999987, -1.968000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %5 = "stablehlo.constant"() <{value = dense<[2, 0, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %6 = "stablehlo.constant"() <{value = dense<[1, 1, 0]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %7 = call @elements(%4, %5, %6) : (tensor<4x3xf32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xf32>
    %8 = "stablehlo.constant"() <{value = dense<[0.681999981, -1.851000e+00, -1.351000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_eq"}> : (tensor<3xf32>, tensor<3xf32>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[[3.970000e-01, 2.384000e+00, -9.700000e-01], [-2.270000e+00, 4.056000e+00, -0.902999997], [-2.466000e+00, 4.750000e-01, 8.510000e-01], [-1.410000e+00, 1.581000e+00, -9.750000e-01]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %10 = "stablehlo.constant"() <{value = dense<[2, 0, 5, -1, 7]> : tensor<5xi32>}> : () -> tensor<5xi32>
    %11 = call @clip(%9, %10) : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
    %12 = "stablehlo.constant"() <{value = dense<[[-2.466000e+00, 4.750000e-01, 8.510000e-01], [3.970000e-01, 2.384000e+00, -9.700000e-01], [-1.410000e+00, 1.581000e+00, -9.750000e-01], [3.970000e-01, 2.384000e+00, -9.700000e-01], [-1.410000e+00, 1.581000e+00, -9.750000e-01]]> : tensor<5x3xf32>}> : () -> tensor<5x3xf32>
    "stablehlo.custom_call"(%11, %12) <{call_target_name = "check.expect_eq"}> : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
    %13 = "stablehlo.constant"() <{value = dense<[[-1.846000e+00, 3.570000e-01, 1.542000e+00], [-1.268000e+00, 6.610000e-01, -1.870000e-01], [5.649000e+00, -1.417000e+00, 2.768000e+00], [-1.050000e-01, -2.540000e-01, 1.443000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %14 = "stablehlo.constant"() <{value = dense<[2, 0, 5, -1, 7]> : tensor<5xi32>}> : () -> tensor<5xi32>
    %15 = call @fill(%13, %14) : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
    %16 = "stablehlo.constant"() <{value = dense<[[5.649000e+00, -1.417000e+00, 2.768000e+00], [-1.846000e+00, 3.570000e-01, 1.542000e+00], [0x7FC00000, 0x7FC00000, 0x7FC00000], [-1.050000e-01, -2.540000e-01, 1.443000e+00], [0x7FC00000, 0x7FC00000, 0x7FC00000]]> : tensor<5x3xf32>}> : () -> tensor<5x3xf32>
    "stablehlo.custom_call"(%15, %16) <{call_target_name = "check.expect_eq"}> : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
    %17 = "stablehlo.constant"() <{value = dense<[[1.788000e+00, 2.534000e+00, 6.570000e-01], [-1.201000e+00, -1.075000e+00, 1.019000e+00], [1.162000e+00, 2.796000e+00, 8.370000e-01], [2.120000e+00, 3.034000e+00, 3.300000e-01]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %18 = "stablehlo.constant"() <{value = dense<[2, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %19 = call @columns(%17, %18) : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<4x2xf32>
    %20 = "stablehlo.constant"() <{value = dense<[[6.570000e-01, 1.788000e+00], [1.019000e+00, -1.201000e+00], [8.370000e-01, 1.162000e+00], [3.300000e-01, 2.120000e+00]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
    "stablehlo.custom_call"(%19, %20) <{call_target_name = "check.expect_eq"}> : (tensor<4x2xf32>, tensor<4x2xf32>) -> ()
    %21 = "stablehlo.constant"() <{value = dense<[[-2.971000e+00, -2.359000e+00, -2.876000e+00, 3.183000e+00], [-1.695000e+00, 2.464000e+00, 1.171000e+00, 3.431000e+00], [2.006000e+00, -2.050000e-01, -4.000000e-01, 1.700000e-01]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %22 = "stablehlo.constant"() <{value = dense<[[1, 1], [2, 2], [1, 1]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %23 = call @along(%21, %22) : (tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
    %24 = "stablehlo.constant"() <{value = dense<[[-2.359000e+00, -2.359000e+00], [1.171000e+00, 1.171000e+00], [-2.050000e-01, -2.050000e-01]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    "stablehlo.custom_call"(%23, %24) <{call_target_name = "check.expect_eq"}> : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
    %25 = "stablehlo.constant"() <{value = dense<[[[3.219000e+00, -3.404000e+00], [5.170000e-01, -1.814000e+00], [3.740000e-01, 1.680000e+00], [-1.150000e-01, 1.546000e+00]], [[-3.180000e+00, 2.214000e+00], [-1.206000e+00, 1.245000e+00], [3.650000e-01, -5.171000e+00], [-1.512000e+00, 4.410000e-01]], [[3.108000e+00, 5.750000e-01], [5.150000e-01, -2.825000e+00], [2.862000e+00, 3.614000e+00], [5.700000e-02, -4.400000e-01]]]> : tensor<3x4x2xf32>}> : () -> tensor<3x4x2xf32>
    %26 = "stablehlo.constant"() <{value = dense<[[1, 0, 0, 1, 1], [1, 0, 0, 0, 1], [3, 1, 1, 2, 1]]> : tensor<3x5xi32>}> : () -> tensor<3x5xi32>
    %27 = call @batched(%25, %26) : (tensor<3x4x2xf32>, tensor<3x5xi32>) -> tensor<3x5x2xf32>
    %28 = "stablehlo.constant"() <{value = dense<[[[5.170000e-01, -1.814000e+00], [3.219000e+00, -3.404000e+00], [3.219000e+00, -3.404000e+00], [5.170000e-01, -1.814000e+00], [5.170000e-01, -1.814000e+00]], [[-1.206000e+00, 1.245000e+00], [-3.180000e+00, 2.214000e+00], [-3.180000e+00, 2.214000e+00], [-3.180000e+00, 2.214000e+00], [-1.206000e+00, 1.245000e+00]], [[5.700000e-02, -4.400000e-01], [5.150000e-01, -2.825000e+00], [5.150000e-01, -2.825000e+00], [2.862000e+00, 3.614000e+00], [5.150000e-01, -2.825000e+00]]]> : tensor<3x5x2xf32>}> : () -> tensor<3x5x2xf32>
    "stablehlo.custom_call"(%27, %28) <{call_target_name = "check.expect_eq"}> : (tensor<3x5x2xf32>, tensor<3x5x2xf32>) -> ()
    %29 = "stablehlo.constant"() <{value = dense<[[-2.469000e+00, -4.210000e-01, 5.580000e-01], [1.766000e+00, 8.320000e-01, 0.773999989], [-1.523000e+00, -2.579000e+00, 1.230000e-01], [-1.420000e+00, -2.616000e+00, -2.532000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %30 = "stablehlo.constant"() <{value = dense<[2, 0, 2, 9]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %31 = "stablehlo.constant"() <{value = dense<[[-9.800000e-01, -3.705000e+00, -2.695000e+00], [-3.270000e+00, 3.650000e-01, 8.160000e-01], [4.014000e+00, -2.995000e+00, -1.359000e+00], [1.825000e+00, -4.340000e-01, -0.653999984]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %32 = call @add(%29, %30, %31) : (tensor<4x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %33 = "stablehlo.constant"() <{value = dense<[[-5.73900032, -0.0559999943, 1.37400007], [1.766000e+00, 8.320000e-01, 0.773999989], [1.51099992, -9.27899932, -3.931000e+00], [-1.420000e+00, -2.616000e+00, -2.532000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    "stablehlo.custom_call"(%32, %33) <{call_target_name = "check.expect_close"}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
    %34 = "stablehlo.constant"() <{value = dense<[[3.418000e+00, -0.676999986, -2.312000e+00], [-2.634000e+00, 6.710000e-01, 6.100000e-01], [-2.743000e+00, -1.971000e+00, 1.069000e+00], [1.155000e+00, -1.286000e+00, 1.244000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %35 = "stablehlo.constant"() <{value = dense<[1.144000e+00, -3.566000e+00, -6.240000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %36 = call @set_one(%34, %35) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
    %37 = "stablehlo.constant"() <{value = dense<[[3.418000e+00, -0.676999986, -2.312000e+00], [1.144000e+00, -3.566000e+00, -6.240000e-01], [-2.743000e+00, -1.971000e+00, 1.069000e+00], [1.155000e+00, -1.286000e+00, 1.244000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    "stablehlo.custom_call"(%36, %37) <{call_target_name = "check.expect_eq"}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
    %38 = "stablehlo.constant"() <{value = dense<[0.829999983, -1.146000e+00, -4.278000e+00, -5.660000e-01, 1.504000e+00, 3.161000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %39 = "stablehlo.constant"() <{value = dense<[4, 1, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %40 = "stablehlo.constant"() <{value = dense<[-4.382000e+00, 5.227000e+00, -2.254000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %41 = call @set_unique(%38, %39, %40) : (tensor<6xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<6xf32>
    %42 = "stablehlo.constant"() <{value = dense<[0.829999983, 5.227000e+00, -2.254000e+00, -5.660000e-01, -4.382000e+00, 3.161000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
    "stablehlo.custom_call"(%41, %42) <{call_target_name = "check.expect_eq"}> : (tensor<6xf32>, tensor<6xf32>) -> ()
    %43 = "stablehlo.constant"() <{value = dense<[[1.914000e+00, 2.468000e+00, 1.966000e+00], [2.990000e-01, -2.323000e+00, 1.253000e+00], [-1.430000e+00, -5.045000e+00, 5.658000e+00], [1.416000e+00, 3.636000e+00, -1.823000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %44 = "stablehlo.constant"() <{value = dense<[[2.935000e+00, 3.180000e+00], [3.109000e+00, -4.200000e-02]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %45 = call @set_window(%43, %44) : (tensor<4x3xf32>, tensor<2x2xf32>) -> tensor<4x3xf32>
    %46 = "stablehlo.constant"() <{value = dense<[[1.914000e+00, 2.468000e+00, 1.966000e+00], [2.990000e-01, 2.935000e+00, 3.180000e+00], [-1.430000e+00, 3.109000e+00, -4.200000e-02], [1.416000e+00, 3.636000e+00, -1.823000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    "stablehlo.custom_call"(%45, %46) <{call_target_name = "check.expect_eq"}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
    %47 = "stablehlo.constant"() <{value = dense<[-2.405000e+00, -3.550000e-01, -4.406000e+00, -3.404000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %48 = "stablehlo.constant"() <{value = dense<[2, 0, 2, 1, 9]> : tensor<5xi32>}> : () -> tensor<5xi32>
    %49 = "stablehlo.constant"() <{value = dense<[1.840000e-01, -1.983000e+00, -3.290000e-01, -2.180000e-01, 3.861000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %50 = call @max(%47, %48, %49) : (tensor<4xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<4xf32>
    %51 = "stablehlo.constant"() <{value = dense<[-1.983000e+00, -2.180000e-01, 1.840000e-01, -3.404000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%50, %51) <{call_target_name = "check.expect_eq"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    %52 = "stablehlo.constant"() <{value = dense<[2.595000e+00, -9.000000e-02, 2.418000e+00, -1.559000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %53 = "stablehlo.constant"() <{value = dense<[2, 0, 2, 1]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %54 = "stablehlo.constant"() <{value = dense<[-6.740000e-01, 1.820000e+00, -2.483000e+00, -5.580000e-01]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %55 = call @multiply(%52, %53, %54) : (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32>
    %56 = "stablehlo.constant"() <{value = dense<[4.72290039, 0.0502200052, 4.04662466, -1.559000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.custom_call"(%55, %56) <{call_target_name = "check.expect_close"}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    %57 = "stablehlo.constant"() <{value = dense<[[-2.642000e+00, 2.350000e-01], [3.265000e+00, -1.504000e+00], [4.520000e-01, -1.795000e+00], [-2.299000e+00, -2.472000e+00], [2.910000e+00, 4.725000e+00], [9.660000e-01, -1.433000e+00], [1.410000e+00, -6.690000e-01]]> : tensor<7x2xf32>}> : () -> tensor<7x2xf32>
    %58 = "stablehlo.constant"() <{value = dense<[0, 2, 1, 2, 3, 0, 2]> : tensor<7xi32>}> : () -> tensor<7xi32>
    %59 = call @segments(%57, %58) : (tensor<7x2xf32>, tensor<7xi32>) -> tensor<4x2xf32>
    %60 = "stablehlo.constant"() <{value = dense<[[-1.67599988, -1.198000e+00], [4.520000e-01, -1.795000e+00], [2.376000e+00, -4.645000e+00], [2.910000e+00, 4.725000e+00]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
    "stablehlo.custom_call"(%59, %60) <{call_target_name = "check.expect_close"}> : (tensor<4x2xf32>, tensor<4x2xf32>) -> ()
    %61 = "stablehlo.constant"() <{value = dense<[1.603000e+00, 5.820000e-01, 5.590000e-01, 1.215000e+00, -1.159000e+00, -8.090000e-01, -3.442000e+00]> : tensor<7xf32>}> : () -> tensor<7xf32>
    %62 = "stablehlo.constant"() <{value = dense<[0, 2, 1, 2, 3, 0, 2]> : tensor<7xi32>}> : () -> tensor<7xi32>
    %63 = call @segment_max(%61, %62) : (tensor<7xf32>, tensor<7xi32>) -> tensor<5xf32>
    %64 = "stablehlo.constant"() <{value = dense<[1.603000e+00, 5.590000e-01, 1.215000e+00, -1.159000e+00, 0xFF800000]> : tensor<5xf32>}> : () -> tensor<5xf32>
    "stablehlo.custom_call"(%63, %64) <{call_target_name = "check.expect_eq"}> : (tensor<5xf32>, tensor<5xf32>) -> ()
    %65 = "stablehlo.constant"() <{value = dense<[[-8.840000e-01, -2.845000e+00, -2.890000e-01, -1.915000e+00], [2.020000e-01, 9.060000e-01, -2.840000e+00, -1.627000e+00]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %66 = "stablehlo.constant"() <{value = dense<[[3, 0, 1], [0, 2, 0]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %67 = "stablehlo.constant"() <{value = dense<[[1.703000e+00, -6.990000e-01, 2.930000e+00], [-3.028000e+00, 2.999000e+00, -1.312000e+00]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    %68 = call @batched_add(%65, %66, %67) : (tensor<2x4xf32>, tensor<2x3xi32>, tensor<2x3xf32>) -> tensor<2x4xf32>
    %69 = "stablehlo.constant"() <{value = dense<[[-1.583000e+00, 0.0850000381, -2.890000e-01, -0.212000012], [-4.13800049, 9.060000e-01, 0.159000158, -1.627000e+00]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "stablehlo.custom_call"(%68, %69) <{call_target_name = "check.expect_close"}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    %70 = "stablehlo.constant"() <{value = dense<[[-5.561000e+00, 5.302000e+00, 3.156000e+00], [-2.064000e+00, 3.380000e-01, -4.290000e-01], [2.040000e-01, -2.967000e+00, -1.363000e+00], [0.935999989, 4.450000e-01, 2.398000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    %71 = "stablehlo.constant"() <{value = dense<[2, 0, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %72 = call @gather_gradient(%70, %71) : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<4x3xf32>
    %73 = "stablehlo.constant"() <{value = dense<[[-1.112200e+01, 1.060400e+01, 6.312000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00], [8.160000e-01, -1.186800e+01, -5.452000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x3xf32>}> : () -> tensor<4x3xf32>
    "stablehlo.custom_call"(%72, %73) <{call_target_name = "check.expect_close"}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
    %74 = "stablehlo.constant"() <{value = dense<[4, 4, 1, 1, 2, 2, 3, 2, 3, 1, 3, 4, 0, 0, 0, 1, 1, 3, 1, 4]> : tensor<20xi32>}> : () -> tensor<20xi32>
    %75 = call @count(%74) : (tensor<20xi32>) -> tensor<5xi64>
    %76 = "stablehlo.constant"() <{value = dense<[3, 6, 3, 4, 4]> : tensor<5xi64>}> : () -> tensor<5xi64>
    "stablehlo.custom_call"(%75, %76) <{call_target_name = "check.expect_eq"}> : (tensor<5xi64>, tensor<5xi64>) -> ()
    return
  }
  func.func private @rows(%arg0: tensor<4x3xf32>, %arg1: tensor<3xi32>) -> tensor<3x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    return %8 : tensor<3x3xf32>
  }
  func.func private @elements(%arg0: tensor<4x3xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> tensor<3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %10 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %12 = "stablehlo.add"(%arg2, %11) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %13 = "stablehlo.select"(%9, %12, %arg2) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %14 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %16 = "stablehlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %17 = "stablehlo.gather"(%arg0, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x3xf32>, tensor<3x2xi32>) -> tensor<3xf32>
    return %17 : tensor<3xf32>
  }
  func.func private @clip(%arg0: tensor<4x3xf32>, %arg1: tensor<5xi32>) -> tensor<5x3xf32> {
    %0 = call @clip__take_(%arg0, %arg1) : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
  func.func private @clip__take_(%arg0: tensor<4x3xf32>, %arg1: tensor<5xi32>) -> tensor<5x3xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
    return %1 : tensor<5x3xf32>
  }
  func.func private @fill(%arg0: tensor<4x3xf32>, %arg1: tensor<5xi32>) -> tensor<5x3xf32> {
    %0 = call @fill__take_(%arg0, %arg1) : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
  func.func private @fill__take_(%arg0: tensor<4x3xf32>, %arg1: tensor<5xi32>) -> tensor<5x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %6 = call @fill__where_(%2, %5, %arg1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %8 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x1xi32>
    %11 = "stablehlo.compare"(%7, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %12 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<5x1xi32>
    %14 = "stablehlo.compare"(%7, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %15 = "stablehlo.and"(%11, %14) : (tensor<5x1xi1>, tensor<5x1xi1>) -> tensor<5x1xi1>
    %16 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %23 = "stablehlo.and"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%23) : (tensor<i1>) -> ()
    }) : (tensor<5x1xi1>, tensor<i1>) -> tensor<5xi1>
    %18 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi1>) -> tensor<5x3xi1>
    %20 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x3xf32>
    %22 = "stablehlo.select"(%19, %18, %21) : (tensor<5x3xi1>, tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    return %22 : tensor<5x3xf32>
  }
  func.func private @fill__where_(%arg0: tensor<5xi1>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>) -> tensor<5xi32> {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @columns(%arg0: tensor<4x3xf32>, %arg1: tensor<2xi32>) -> tensor<4x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %3 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<4x2xf32>
    return %8 : tensor<4x2xf32>
  }
  func.func private @along(%arg0: tensor<3x4xf32>, %arg1: tensor<3x2xi32>) -> tensor<3x2xf32> {
    %0 = call @along_take_along_axis_(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
  func.func private @along_take_along_axis_(%arg0: tensor<3x4xf32>, %arg1: tensor<3x2xi32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x2xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x2xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3x2xi1>, tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %7 = "stablehlo.reshape"(%6) : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %8 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x2x1xi32>
    %11 = "stablehlo.compare"(%7, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> tensor<3x2x1xi1>
    %12 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<3x2x1xi32>
    %14 = "stablehlo.compare"(%7, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> tensor<3x2x1xi1>
    %15 = "stablehlo.and"(%11, %14) : (tensor<3x2x1xi1>, tensor<3x2x1xi1>) -> tensor<3x2x1xi1>
    %16 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %22 = "stablehlo.and"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%22) : (tensor<i1>) -> ()
    }) : (tensor<3x2x1xi1>, tensor<i1>) -> tensor<3x2xi1>
    %18 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
    %19 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2xf32>
    %21 = "stablehlo.select"(%17, %18, %20) : (tensor<3x2xi1>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %21 : tensor<3x2xf32>
  }
  func.func private @batched(%arg0: tensor<3x4x2xf32>, %arg1: tensor<3x5xi32>) -> tensor<3x5x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x5xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x5xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3x5xi1>, tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x5xi32>) -> tensor<3x5x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x4x2xf32>, tensor<3x5x1xi32>) -> tensor<3x5x2xf32>
    return %8 : tensor<3x5x2xf32>
  }
  func.func private @add(%arg0: tensor<4x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    return %8 : tensor<4x3xf32>
  }
  func.func private @set_one(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %2 = "stablehlo.scatter"(%arg0, %1, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      "stablehlo.return"(%arg3) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
  func.func private @set_unique(%arg0: tensor<6xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %3 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }) : (tensor<6xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<6xf32>
    return %8 : tensor<6xf32>
  }
  func.func private @set_window(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.concatenate"(%1, %3) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = "stablehlo.scatter"(%arg0, %4, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      "stablehlo.return"(%arg3) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<2xi32>, tensor<2x2xf32>) -> tensor<4x3xf32>
    return %5 : tensor<4x3xf32>
  }
  func.func private @max(%arg0: tensor<4xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4xf32>
    return %8 : tensor<4xf32>
  }
  func.func private @multiply(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.multiply"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
    return %8 : tensor<4xf32>
  }
  func.func private @segments(%arg0: tensor<7x2xf32>, %arg1: tensor<7xi32>) -> tensor<4x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %3 = "stablehlo.scatter"(%1, %2, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<4x2xf32>, tensor<7x1xi32>, tensor<7x2xf32>) -> tensor<4x2xf32>
    return %3 : tensor<4x2xf32>
  }
  func.func private @segment_max(%arg0: tensor<7xf32>, %arg1: tensor<7xi32>) -> tensor<5xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %3 = "stablehlo.scatter"(%1, %2, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<5xf32>
    return %3 : tensor<5xf32>
  }
  func.func private @batched_add(%arg0: tensor<2x4xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x3xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x4xf32>
    return %8 : tensor<2x4xf32>
  }
  func.func private @gather_gradient(%arg0: tensor<4x3xf32>, %arg1: tensor<3xi32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    %9 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %11 = "stablehlo.multiply"(%10, %8) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %14 = "stablehlo.multiply"(%13, %11) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x3xf32>
    %17 = "stablehlo.scatter"(%16, %7, %14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %18 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    return %17 : tensor<4x3xf32>
  }
  func.func private @count(%arg0: tensor<20xi32>) -> tensor<5xi64> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<5xi64>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3 = call @count_clip_(%arg0, %2) : (tensor<20xi32>, tensor<i64>) -> tensor<20xi32>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<20xi32>
    %6 = "stablehlo.compare"(%3, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi1>
    %7 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<20xi32>
    %9 = "stablehlo.add"(%3, %8) : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
    %10 = "stablehlo.select"(%6, %9, %3) : (tensor<20xi1>, tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xi32>) -> tensor<20x1xi32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<20xi64>
    %14 = "stablehlo.scatter"(%1, %11, %13) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i64>, %arg2: tensor<i64>):
      %15 = "stablehlo.add"(%arg1, %arg2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%15) : (tensor<i64>) -> ()
    }) : (tensor<5xi64>, tensor<20x1xi32>, tensor<20xi64>) -> tensor<5xi64>
    return %14 : tensor<5xi64>
  }
  func.func private @count_clip_(%arg0: tensor<20xi32>, %arg1: tensor<i64>) -> tensor<20xi32> {
    %0 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<20xi32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
    return %2 : tensor<20xi32>
  }
}

