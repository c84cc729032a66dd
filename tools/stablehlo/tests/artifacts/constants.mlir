"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[(1.000000e+00,-2.500000e+00), (1.000000e-01,3.000000e+10)]> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %1 = "stablehlo.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<3xcomplex<f64>>}> : () -> tensor<3xcomplex<f64>>
    %2 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 0x7FC0], [-3.140625e+00, 0xFF80]]> : tensor<2x2xbf16>}> : () -> tensor<2x2xbf16>
    %3 = "stablehlo.constant"() <{value = dense<[1.353516e+00, 6.097555e-05, 6.550400e+04, 1.192093e-07]> : tensor<4xf16>}> : () -> tensor<4xf16>
    %4 = "stablehlo.constant"() <{value = dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>}> : () -> tensor<9xi1>
    %5 = "stablehlo.constant"() <{value = dense<[[true], [false]]> : tensor<2x1xi1>}> : () -> tensor<2x1xi1>
    %6 = "stablehlo.constant"() <{value = dense<false> : tensor<5xi1>}> : () -> tensor<5xi1>
    %7 = "stablehlo.constant"() <{value = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
    %8 = "stablehlo.constant"() <{value = dense<"0x000000000000803E0000003F0000403F0000803F0000A03F0000C03F0000E03F0000004000001040000020400000304000004040000050400000604000007040000080400000884000009040000098400000A0400000A8400000B0400000B8400000C0400000C8400000D0400000D8400000E0400000E8400000F0400000F84000000041000004410000084100000C4100001041000014410000184100001C4100002041000024410000284100002C4100003041000034410000384100003C4100004041000044410000484100004C4100005041000054410000584100005C4100006041000064410000684100006C4100007041000074410000784100007C41000080410000824100008441000086410000884100008A4100008C4100008E41000090410000924100009441000096410000984100009A4100009C4100009E410000A0410000A2410000A4410000A6410000A8410000AA410000AC410000AE410000B0410000B2410000B4410000B6410000B8410000BA410000BC410000BE410000C0410000C2410000C4410000C6410000C8410000CA410000CC410000CE410000D0410000D2410000D4410000D6410000D8410000DA410000DC410000DE410000E0410000E2410000E4410000E6410000E8410000EA410000EC410000EE41"> : tensor<120xf32>}> : () -> tensor<120xf32>
    %9 = "stablehlo.constant"() <{value = dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<90xi1>}> : () -> tensor<90xi1>
    %10 = "stablehlo.constant"() <{value = dense<[-8, 7, 0]> : tensor<3xi4>}> : () -> tensor<3xi4>
    %11 = "stablehlo.constant"() <{value = dense<[255, 0]> : tensor<2xui8>}> : () -> tensor<2xui8>
    %12 = "stablehlo.constant"() <{value = dense<18446744073709551615> : tensor<2x2xui64>}> : () -> tensor<2x2xui64>
    %13 = "stablehlo.constant"() <{value = dense<[1.000000e-01, 9.999946e-41, 3.4028235e+38, 1.6777216e+07, -0.000000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %14 = "stablehlo.constant"() <{value = dense<[1.000000e-01, 4.940656e-324, 0x7FF0000000000000]> : tensor<3xf64>}> : () -> tensor<3xf64>
    %15 = "stablehlo.constant"() <{value = dense<> : tensor<0x4xi32>}> : () -> tensor<0x4xi32>
    %16 = "stablehlo.constant"() <{value = dense<[0x38, 0xB0]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %17 = "stablehlo.constant"() <{value = dense<[[[1, 2], [3, 4]], [[5, 6], [7, -8]]]> : tensor<2x2x2xi64>}> : () -> tensor<2x2x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
