// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Calls of LAPACK.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[[1.1875e+01, 6.25e-02, -2.5e+00, 4.6875e+00], [6.25e-02, 9.4375e+00, -4.8125e+00, -3.625e+00], [-2.5e+00, -4.8125e+00, 1.18125e+01, -1.25e-01], [4.6875e+00, -3.625e+00, -1.25e-01, 1.2625e+01]], [[1.0125e+01, -1.4375e+00, -5.6875e+00, -4.375e-01], [-1.4375e+00, 7.6875e+00, 7.5e-01, -4.375e-01], [-5.6875e+00, 7.5e-01, 1.00625e+01, 4.375e-01], [-4.375e-01, -4.375e-01, 4.375e-01, 4.125e+00]]]> : tensor<2x4x4xf64>}> : () -> tensor<2x4x4xf64>
    %1 = call @cholesky(%0) : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %2 = "stablehlo.constant"() <{value = dense<[[[3.4460121880225554e+00, 0.0e+00, 0.0e+00, 0.0e+00], [1.813690625275029e-02, 3.0719978926801983e+00, 0.0e+00, 0.0e+00], [-7.254762501100116e-01, -1.5622869132491228e+00, 2.9741290844912642e+00, 0.0e+00], [1.3602679689562718e+00, -1.188044777415971e+00, -3.342910393608039e-01, 3.0416229484420465e+00]], [[3.181980515339464e+00, 0.0e+00, 0.0e+00, 0.0e+00], [-4.51762665758072e-01, 2.7355822952028257e+00, 0.0e+00, 0.0e+00], [-1.7874088079993284e+00, -2.101364963577978e-02, 2.6205396733526864e+00, 0.0e+00], [-1.3749298523071757e-01, -1.8263541126399235e-01, 7.170507377844851e-02, 2.016828789947031e+00]]]> : tensor<2x4x4xf64>}> : () -> tensor<2x4x4xf64>
    "stablehlo.custom_call"(%1, %2) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> ()
    %3 = "stablehlo.constant"() <{value = dense<[[-8.5625e+00, -2.125e+00, -3.6875e+00], [-2.125e+00, -5.375e+00, -4.375e-01], [-3.6875e+00, -4.375e-01, -7.625e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %4 = call @cholesky_fails(%3) : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %5 = "stablehlo.constant"() <{value = dense<[[0x7FF8000000000000, 0.0e+00, 0.0e+00], [0x7FF8000000000000, 0x7FF8000000000000, 0.0e+00], [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%4, %5) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %6 = "stablehlo.constant"() <{value = dense<[[1.23125e+01, -6.25e-01, 3.25e+00, 1.4375e+00], [-6.25e-01, 1.1375e+01, 1.125e+00, -6.125e+00], [3.25e+00, 1.125e+00, 1.425e+01, 1.125e+00], [1.4375e+00, -6.125e+00, 1.125e+00, 1.025e+01]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    %7 = call @cholesky_upper(%6) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %8 = "stablehlo.constant"() <{value = dense<[[3.508917e+00, -1.7811762e-01, 9.2621166e-01, 4.0967053e-01], [0.0e+00, 3.3679779e+00, 3.830116e-01, -1.796933e+00], [0.0e+00, 0.0e+00, 3.6394277e+00, 3.9396432e-01], [0.0e+00, 0.0e+00, 0.0e+00, 2.5880482e+00]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    "stablehlo.custom_call"(%7, %8) <{call_target_name = "check.expect_almost_eq"}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    %9 = "stablehlo.constant"() <{value = dense<[[[3.5e+00, -2.5e-01, 0.0e+00], [-1.0e+00, 3.0e+00, -5.0e-01], [-1.0e+00, 2.0e+00, 1.0e+00]], [[1.25e+00, -1.25e+00, 2.0e+00], [7.5e-01, 4.5e+00, -1.25e+00], [1.0e+00, -5.0e-01, 3.0e+00]]]> : tensor<2x3x3xf64>}> : () -> tensor<2x3x3xf64>
    %10 = "stablehlo.constant"() <{value = dense<[[[-2.0e+00, 5.0e-01], [1.5e+00, 7.5e-01], [-1.5e+00, 2.5e-01]], [[-1.0e+00, 2.0e+00], [1.5e+00, -1.25e+00], [0.0e+00, 1.75e+00]]]> : tensor<2x3x2xf64>}> : () -> tensor<2x3x2xf64>
    %11 = call @solve(%9, %10) : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
    %12 = "stablehlo.constant"() <{value = dense<[[[-5.733944954128439e-01, 1.628440366972477e-01], [-2.752293577981641e-02, 2.798165137614679e-01], [-2.0183486238532105e+00, -1.4678899082568805e-01]], [[-8.163265306122449e-01, 8.673469387755104e-01], [5.714285714285715e-01, -3.5714285714285715e-01], [3.673469387755103e-01, 2.346938775510204e-01]]]> : tensor<2x3x2xf64>}> : () -> tensor<2x3x2xf64>
    "stablehlo.custom_call"(%11, %12) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3x2xf64>, tensor<2x3x2xf64>) -> ()
    %13 = "stablehlo.constant"() <{value = dense<[[4.5e+00, 1.0e+00, 5.0e-01, -2.0e+00], [1.0e+00, 3.0e+00, -1.75e+00, -1.0e+00], [2.5e-01, 1.0e+00, 3.0e+00, 5.0e-01], [1.5e+00, 7.5e-01, -5.0e-01, 3.5e+00]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    %14 = call @inverse(%13) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %15 = "stablehlo.constant"() <{value = dense<[[2.0711716e-01, -7.5169936e-02, -6.077569e-02, 1.0555778e-01], [-7.980808e-02, 2.9460216e-01, 1.8712516e-01, 1.1835267e-02], [2.0791685e-02, -8.47661e-02, 2.7189124e-01, -5.117953e-02], [-6.869253e-02, -4.3022793e-02, 2.4790082e-02, 2.3062775e-01]]> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    "stablehlo.custom_call"(%14, %15) <{call_target_name = "check.expect_almost_eq"}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    %16 = "stablehlo.constant"() <{value = dense<[[[5.0e-01, -1.75e+00, -1.75e+00, 7.5e-01], [-5.0e-01, 5.0e-01, -7.5e-01, -1.25e+00], [-1.5e+00, -5.0e-01, 1.25e+00, -5.0e-01], [-5.0e-01, 2.5e-01, 2.0e+00, -5.0e-01]], [[5.0e-01, -2.5e-01, 5.0e-01, -2.5e-01], [5.0e-01, 2.5e-01, 7.5e-01, 2.0e+00], [-1.5e+00, 2.5e-01, -2.5e-01, -5.0e-01], [-1.0e+00, -2.0e+00, -5.0e-01, 1.5e+00]]]> : tensor<2x4x4xf64>}> : () -> tensor<2x4x4xf64>
    %17:2 = call @determinant(%16) : (tensor<2x4x4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    %18 = "stablehlo.constant"() <{value = dense<[1.0e+00, 1.0e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    "stablehlo.custom_call"(%17#0, %18) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2xf64>, tensor<2xf64>) -> ()
    %19 = "stablehlo.constant"() <{value = dense<[1.4450790560143187e+00, 1.4246132254220272e+00]> : tensor<2xf64>}> : () -> tensor<2xf64>
    "stablehlo.custom_call"(%17#1, %19) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2xf64>, tensor<2xf64>) -> ()
    %20 = "stablehlo.constant"() <{value = dense<[[[-1.75e+00, -5.0e-01, 2.0e+00], [2.0e+00, -1.25e+00, -2.0e+00], [7.5e-01, -2.0e+00, -7.5e-01], [0.0e+00, 1.5e+00, -1.75e+00], [7.5e-01, 2.5e-01, -1.5e+00]], [[1.5e+00, 1.5e+00, 0.0e+00], [2.0e+00, 5.0e-01, 1.75e+00], [2.0e+00, 2.5e-01, -1.0e+00], [-1.5e+00, 2.5e-01, -1.25e+00], [1.0e+00, 1.75e+00, -1.0e+00]]]> : tensor<2x5x3xf64>}> : () -> tensor<2x5x3xf64>
    %21:3 = call @lu(%20) : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2x5xi32>)
    %22 = "stablehlo.constant"() <{value = dense<[[[2.0e+00, -1.25e+00, -2.0e+00], [-8.75e-01, -1.59375e+00, 2.5e-01], [0.0e+00, -9.411764705882353e-01, -1.5147058823529411e+00], [3.75e-01, 9.607843137254902e-01, 1.585760517799353e-01], [3.75e-01, -4.5098039215686275e-01, 4.2071197411003236e-01]], [[2.0e+00, 5.0e-01, 1.75e+00], [5.0e-01, 1.5e+00, -1.875e+00], [1.0e+00, -1.6666666666666666e-01, -3.0625e+00], [-7.5e-01, 4.1666666666666663e-01, -2.755102040816326e-01], [7.5e-01, 7.5e-01, -3.0612244897959183e-02]]]> : tensor<2x5x3xf64>}> : () -> tensor<2x5x3xf64>
    "stablehlo.custom_call"(%21#0, %22) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> ()
    %23 = "stablehlo.constant"() <{value = dense<[[1, 1, 3], [1, 4, 2]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    "stablehlo.custom_call"(%21#1, %23) <{call_target_name = "check.expect_eq"}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    %24 = "stablehlo.constant"() <{value = dense<[[1, 0, 3, 2, 4], [1, 4, 2, 3, 0]]> : tensor<2x5xi32>}> : () -> tensor<2x5xi32>
    "stablehlo.custom_call"(%21#2, %24) <{call_target_name = "check.expect_eq"}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> ()
    %25 = "stablehlo.constant"() <{value = dense<[[2.5e-01, -2.0e+00, -1.25e+00, -5.0e-01, 1.75e+00], [2.0e+00, 5.0e-01, 2.5e-01, 2.5e-01, -1.75e+00], [-5.0e-01, 2.0e+00, -5.0e-01, -1.25e+00, -1.0e+00]]> : tensor<3x5xf64>}> : () -> tensor<3x5xf64>
    %26:3 = call @lu_wide(%25) : (tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3xi32>, tensor<3xi32>)
    %27 = "stablehlo.constant"() <{value = dense<[[2.0e+00, 5.0e-01, 2.5e-01, 2.5e-01, -1.75e+00], [-2.5e-01, 2.125e+00, -4.375e-01, -1.1875e+00, -1.4375e+00], [1.25e-01, -9.705882352941176e-01, -1.7058823529411764e+00, -1.6838235294117647e+00, 5.735294117647058e-01]]> : tensor<3x5xf64>}> : () -> tensor<3x5xf64>
    "stablehlo.custom_call"(%26#0, %27) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x5xf64>, tensor<3x5xf64>) -> ()
    %28 = "stablehlo.constant"() <{value = dense<[1, 2, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%26#1, %28) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %29 = "stablehlo.constant"() <{value = dense<[1, 2, 0]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%26#2, %29) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %30 = "stablehlo.constant"() <{value = dense<[[1.0e+00, 2.0e+00, 3.0e+00], [2.0e+00, 4.0e+00, 6.0e+00], [1.0e+00, 0.0e+00, 1.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %31:3 = call @lu_singular(%30) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3xi32>)
    %32 = "stablehlo.constant"() <{value = dense<[[2.0e+00, 4.0e+00, 6.0e+00], [5.0e-01, -2.0e+00, -2.0e+00], [5.0e-01, -0.0e+00, 0.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%31#0, %32) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %33 = "stablehlo.constant"() <{value = dense<[1, 2, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%31#1, %33) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %34 = "stablehlo.constant"() <{value = dense<[1, 2, 0]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%31#2, %34) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %35 = "stablehlo.constant"() <{value = dense<[[1.0e+00, -2.0e+00, 2.0e+00, 1.5e+00], [2.5e-01, -2.5e-01, 1.0e+00, 2.5e-01], [0.0e+00, -7.5e-01, -2.5e-01, 1.0e+00], [-2.0e+00, -2.0e+00, 1.0e+00, -5.0e-01]]> : tensor<4x4xf64>}> : () -> tensor<4x4xf64>
    %36 = "stablehlo.constant"() <{value = dense<[[1.25e+00, -2.0e+00], [1.75e+00, -1.5e+00], [-2.5e-01, 2.0e+00], [-1.75e+00, 7.5e-01]]> : tensor<4x2xf64>}> : () -> tensor<4x2xf64>
    %37 = call @triangular_left(%35, %36) : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
    %38 = "stablehlo.constant"() <{value = dense<[[1.25e+00, -2.0e+00], [4.25e+00, -5.5e+00], [-7.0e+00, 1.15e+01], [2.3125e+00, -6.375e+00]]> : tensor<4x2xf64>}> : () -> tensor<4x2xf64>
    "stablehlo.custom_call"(%37, %38) <{call_target_name = "check.expect_almost_eq"}> : (tensor<4x2xf64>, tensor<4x2xf64>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<[[4.0e+00, 0.0e+00, 0.0e+00], [0.0e+00, 2.75e+00, 0.0e+00], [7.5e-01, -7.5e-01, 1.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %40 = "stablehlo.constant"() <{value = dense<[[5.0e-01, -1.0e+00, 7.5e-01], [1.5e+00, -5.0e-01, 1.75e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %41 = call @triangular_right(%39, %40) : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    %42 = "stablehlo.constant"() <{value = dense<[[1.25e-01, -3.6363636363636365e-01, 3.835227272727273e-01], [3.75e-01, -1.8181818181818182e-01, 1.3323863636363638e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%41, %42) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %43 = "stablehlo.constant"() <{value = dense<[[0.0e+00, 2.5e-01, 1.25e+00], [1.25e+00, 1.75e+00, 2.0e+00], [-1.5e+00, -2.5e-01, 1.75e+00], [-7.5e-01, -2.0e+00, 2.5e-01], [1.0e+00, 1.0e+00, 1.25e+00]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    %44:2 = call @qr(%43) : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3x3xf64>)
    %45 = "stablehlo.constant"() <{value = dense<[[0.0e+00, -1.3519773372768104e-01, -3.825204714924195e-01], [-5.39163866017192e-01, -3.096971342366648e-01, -4.678772741428997e-01], [6.469966392206304e-01, -6.288266685008423e-01, -3.433133270685743e-01], [3.234983196103152e-01, 6.995696687071871e-01, -6.06968331024218e-01], [-4.3133109281375365e-01, -3.144133342504212e-02, -3.8534964619240025e-01]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    "stablehlo.custom_call"(%44#0, %45) <{call_target_name = "check.expect_almost_eq"}> : (tensor<5x3xf64>, tensor<5x3xf64>) -> ()
    %46 = "stablehlo.constant"() <{value = dense<[[-2.318404623873926e+00, -2.183613657369628e+00, -4.043728995128939e-01], [0.0e+00, -1.8491434220602894e+00, -1.7532473551139107e+00], [0.0e+00, 0.0e+00, -2.6481326005178842e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%44#1, %46) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %47 = "stablehlo.constant"() <{value = dense<[[5.0e-01, -1.5e+00], [1.5e+00, -2.5e-01], [1.5e+00, 1.25e+00], [2.0e+00, -2.0e+00]]> : tensor<4x2xf64>}> : () -> tensor<4x2xf64>
    %48:2 = call @qr_complete(%47) : (tensor<4x2xf64>) -> (tensor<4x4xf64>, tensor<4x2xf64>)
    %49 = "stablehlo.constant"() <{value = dense<[[-1.6903085094570325e-01, 5.089752261706453e-01, 1.9111996629866296e-01, -8.220985032556074e-01], [-5.0709255283711e-01, -1.1894529742031382e-01, -8.377175668971544e-01, -1.6412933068360358e-01], [-5.0709255283711e-01, -6.998409359846373e-01, 4.5027888178912934e-01, -2.2434066905494646e-01], [-6.761234037828132e-01, 4.868458685110521e-01, 2.4279902225635314e-01, 4.968771256178144e-01]]> : tensor<4x4xf64>}> : () -> tensor<4x4xf64>
    "stablehlo.custom_call"(%48#0, %49) <{call_target_name = "check.expect_almost_eq"}> : (tensor<4x4xf64>, tensor<4x4xf64>) -> ()
    %50 = "stablehlo.constant"() <{value = dense<[[-2.958039891549808e+00, 1.0987005311470712e+00], [0.0e+00, -2.58221942190379e+00], [0.0e+00, 0.0e+00], [0.0e+00, 0.0e+00]]> : tensor<4x2xf64>}> : () -> tensor<4x2xf64>
    "stablehlo.custom_call"(%48#1, %50) <{call_target_name = "check.expect_almost_eq"}> : (tensor<4x2xf64>, tensor<4x2xf64>) -> ()
    %51 = "stablehlo.constant"() <{value = dense<[[1.5e+00, 5.5e+00, 1.0e+00], [1.25e+00, 7.0e+00, 1.0e+00], [-1.75e+00, 6.0e+00, -2.5e-01], [-1.25e+00, 3.75e+00, -2.5e-01], [1.75e+00, 4.5e+00, -7.5e-01]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    %52:3 = call @qr_pivoted(%51) : (tensor<5x3xf64>) -> (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>)
    %53 = "stablehlo.constant"() <{value = dense<[[-4.497294538904639e-01, -3.468702194295027e-01, 3.9250412230107257e-01, -3.233383863998734e-01, 6.471609313248937e-01], [-5.723829413151361e-01, -2.4158617310467273e-01, 3.848853351089856e-01, 3.516868151359277e-01, -5.84973121035201e-01], [-4.9061394969868816e-01, 6.485915474919027e-01, -1.1936803538041128e-01, -5.371664928255965e-01, -1.892891650305982e-01], [-3.066337185616801e-01, 4.5275625097256067e-01, -1.218401679259533e-01, 6.949831397985193e-01, 4.507116026040102e-01], [-3.6796046227401613e-01, -4.4233240166745413e-01, -8.177469280920012e-01, -1.4807644009568474e-02, -4.2237321382132004e-03]]> : tensor<5x5xf64>}> : () -> tensor<5x5xf64>
    "stablehlo.custom_call"(%52#0, %53) <{call_target_name = "check.expect_almost_eq"}> : (tensor<5x5xf64>, tensor<5x5xf64>) -> ()
    %54 = "stablehlo.constant"() <{value = dense<[[-1.222957480863501e+01, -7.921371062843399e-01, -5.468301314349959e-01], [0.0e+00, -3.2973502702696713e+00, -5.320440408997007e-01], [0.0e+00, 0.0e+00, 1.4510017043056502e+00], [0.0e+00, 0.0e+00, 0.0e+00], [0.0e+00, 0.0e+00, 0.0e+00]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    "stablehlo.custom_call"(%52#1, %54) <{call_target_name = "check.expect_almost_eq"}> : (tensor<5x3xf64>, tensor<5x3xf64>) -> ()
    %55 = "stablehlo.constant"() <{value = dense<[1, 0, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%52#2, %55) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %56 = "stablehlo.constant"() <{value = dense<[[-1.25e+00, -5.0e-01, -7.5e-01], [-7.5e-01, 2.0e+00, 1.5e+00], [2.5e-01, 2.0e+00, -7.5e-01], [-1.5e+00, -1.0e+00, -1.75e+00]]> : tensor<4x3xf64>}> : () -> tensor<4x3xf64>
    %57 = "stablehlo.constant"() <{value = dense<[[2.0e+00, -1.25e+00, -2.5e-01, -1.25e+00], [2.0e+00, -1.5e+00, 0.0e+00, 2.0e+00]]> : tensor<2x4xf64>}> : () -> tensor<2x4xf64>
    %58 = call @reflections(%56, %57) : (tensor<4x3xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
    %59 = "stablehlo.constant"() <{value = dense<[[-2.53996317553736e-01, -1.723136908811434e-01, 1.37317838068385e+00, -2.2820330842094596e+00], [-2.8828388719511038e+00, 7.646167646275839e-01, 9.818071836315369e-01, -6.250247161414015e-01]]> : tensor<2x4xf64>}> : () -> tensor<2x4xf64>
    "stablehlo.custom_call"(%58, %59) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> ()
    %60 = "stablehlo.constant"() <{value = dense<[3.0e+00, 4.75e+00, 4.75e+00, 4.25e+00, 4.0e+00, 3.25e+00]> : tensor<6xf64>}> : () -> tensor<6xf64>
    %61 = "stablehlo.constant"() <{value = dense<[6.25e-02, 3.75e-01, -6.25e-02, 5.0e-01, 3.75e-01, -1.25e-01]> : tensor<6xf64>}> : () -> tensor<6xf64>
    %62 = "stablehlo.constant"() <{value = dense<[-3.5e+00, -2.0e+00, -1.25e+00, -4.75e+00, -4.75e+00, -4.0e+00]> : tensor<6xf64>}> : () -> tensor<6xf64>
    %63 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, -1.5e+00], [0.0e+00, 2.5e-01], [2.0e+00, 1.0e+00], [-1.0e+00, 1.25e+00], [1.25e+00, 7.5e-01], [7.5e-01, -7.5e-01]]> : tensor<6x2xf64>}> : () -> tensor<6x2xf64>
    %64 = call @tridiagonal(%60, %61, %62, %63) : (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6x2xf64>) -> tensor<6x2xf64>
    %65 = "stablehlo.constant"() <{value = dense<[[4.4978558956192606e-02, 2.389335577983852e-03], [7.223175998136051e-02, 4.286140952781784e-01], [1.2036753251746254e-01, -3.8960185137629895e-02], [-1.3315376886967032e+00, 8.306815713139591e-01], [1.7806171975807666e-01, -2.105768423532521e-01], [-1.370395286290007e+00, 5.250020988154457e-01]]> : tensor<6x2xf64>}> : () -> tensor<6x2xf64>
    "stablehlo.custom_call"(%64, %65) <{call_target_name = "check.expect_almost_eq"}> : (tensor<6x2xf64>, tensor<6x2xf64>) -> ()
    %66 = "stablehlo.constant"() <{value = dense<[7.0e+00]> : tensor<1xf64>}> : () -> tensor<1xf64>
    %67 = "stablehlo.constant"() <{value = dense<[2.0e+00]> : tensor<1xf64>}> : () -> tensor<1xf64>
    %68 = "stablehlo.constant"() <{value = dense<[5.0e+00]> : tensor<1xf64>}> : () -> tensor<1xf64>
    %69 = "stablehlo.constant"() <{value = dense<[[3.0e+00]]> : tensor<1x1xf64>}> : () -> tensor<1x1xf64>
    %70 = call @tridiagonal_one(%66, %67, %68, %69) : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
    %71 = "stablehlo.constant"() <{value = dense<[[1.5e+00]]> : tensor<1x1xf64>}> : () -> tensor<1x1xf64>
    "stablehlo.custom_call"(%70, %71) <{call_target_name = "check.expect_almost_eq"}> : (tensor<1x1xf64>, tensor<1x1xf64>) -> ()
    %72 = "stablehlo.constant"() <{value = dense<[[[1.05625e+01, 3.625e+00, -5.25e+00, -3.5625e+00], [3.625e+00, 9.375e+00, -1.5625e+00, -3.25e+00], [-5.25e+00, -1.5625e+00, 9.0625e+00, 3.4375e+00], [-3.5625e+00, -3.25e+00, 3.4375e+00, 1.01875e+01]], [[1.1125e+01, -1.875e-01, -1.25e+00, -1.1875e+00], [-1.875e-01, 1.1375e+01, -1.6875e+00, -4.8125e+00], [-1.25e+00, -1.6875e+00, 6.5625e+00, 7.5e-01], [-1.1875e+00, -4.8125e+00, 7.5e-01, 7.625e+00]]]> : tensor<2x4x4xf64>}> : () -> tensor<2x4x4xf64>
    %73 = call @eigenvalues(%72) : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
    %74 = "stablehlo.constant"() <{value = dense<[[4.005989769184289e+00, 6.778657796028444e+00, 8.019128404792594e+00, 2.0383724029994674e+01], [4.038508446619214e+00, 6.087504301332729e+00, 1.1357729112625188e+01, 1.5203758139422867e+01]]> : tensor<2x4xf64>}> : () -> tensor<2x4xf64>
    "stablehlo.custom_call"(%73, %74) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> ()
    %75 = "stablehlo.constant"() <{value = dense<[[2.0e+00, 1.0e+00, -2.5e-01], [-1.25e+00, 5.0e-01, -2.5e-01], [5.0e-01, -1.75e+00, -1.25e+00], [1.0e+00, -1.75e+00, 7.5e-01], [-5.0e-01, -2.0e+00, 1.0e+00]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    %76 = call @singular_values(%75) : (tensor<5x3xf64>) -> tensor<3xf64>
    %77 = "stablehlo.constant"() <{value = dense<[3.412893559755913e+00, 2.672739052870425e+00, 1.7018000778698736e+00]> : tensor<3xf64>}> : () -> tensor<3xf64>
    "stablehlo.custom_call"(%76, %77) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3xf64>, tensor<3xf64>) -> ()
    %78 = "stablehlo.constant"() <{value = dense<[[7.5e-01, 1.25e+00, 1.75e+00], [1.0e+00, 1.5e+00, -1.75e+00], [1.75e+00, 1.75e+00, 7.5e-01], [1.25e+00, 1.0e+00, 1.5e+00], [1.75e+00, 0.0e+00, 1.25e+00]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    %79 = "stablehlo.constant"() <{value = dense<[[1.75e+00, -7.5e-01], [-2.0e+00, -1.5e+00], [-2.0e+00, -2.5e-01], [-2.0e+00, -1.0e+00], [-1.0e+00, 1.0e+00]]> : tensor<5x2xf64>}> : () -> tensor<5x2xf64>
    %80 = call @least_squares(%78, %79) : (tensor<5x3xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>
    %81 = "stablehlo.constant"() <{value = dense<[[-1.4719460218628984e+00, 4.95870584884856e-01], [2.4468701394484016e-01, -1.0379472924521649e+00], [7.142001737932447e-01, 8.492988635284866e-02]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%80, %81) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %82 = "stablehlo.constant"() <{value = dense<[[-1.0e+00, 2.0e+00, -1.25e+00, 2.0e+00, 2.5e-01], [-1.0e+00, -2.0e+00, -7.5e-01, 5.0e-01, -1.75e+00], [-1.5e+00, -1.75e+00, 7.5e-01, -1.75e+00, -2.0e+00]]> : tensor<3x5xf64>}> : () -> tensor<3x5xf64>
    %83 = call @pseudoinverse(%82) : (tensor<3x5xf64>) -> tensor<5x3xf64>
    %84 = "stablehlo.constant"() <{value = dense<[[-2.936838730362296e-01, 9.772362936838719e-02, -3.267714010900931e-01], [2.622635460083359e-01, -3.2761782622635455e-01, 1.8421288874639308e-01], [-5.450464892593795e-02, -2.061429945495351e-01, 1.4127605001603066e-01], [6.79705033664637e-02, 2.589547932029497e-01, -2.4017954472587363e-01], [-8.913113177300432e-02, -9.051619108688695e-02, -1.529721064443733e-01]]> : tensor<5x3xf64>}> : () -> tensor<5x3xf64>
    "stablehlo.custom_call"(%83, %84) <{call_target_name = "check.expect_almost_eq"}> : (tensor<5x3xf64>, tensor<5x3xf64>) -> ()
    return
  }
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>, sym_name = "cholesky", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x4x4xf64>):
    %24 = "func.call"(%arg1) <{callee = @cholesky_cholesky}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    "func.return"(%24) : (tensor<2x4x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>, sym_name = "cholesky_cholesky", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x4xf64>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %4 = "stablehlo.divide"(%1, %3) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %5:2 = "stablehlo.custom_call"(%4) <{call_target_name = "lapack_dpotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2xi32>)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %8 = "stablehlo.compare"(%5#1, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %10 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %12 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = "stablehlo.select"(%12, %5#0, %11) : (tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi64>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4x4xi64>
    %17 = "stablehlo.add"(%14, %16) : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi64>
    %18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi64>
    %19 = "stablehlo.compare"(%17, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %23 = "stablehlo.select"(%20, %13, %22) : (tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    "func.return"(%23) : (tensor<2x4x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>) -> tensor<3x3xf64>, sym_name = "cholesky_fails", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<3x3xf64>):
    %23 = "func.call"(%arg1) <{callee = @cholesky_fails_cholesky}> : (tensor<3x3xf64>) -> tensor<3x3xf64>
    "func.return"(%23) : (tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>) -> tensor<3x3xf64>, sym_name = "cholesky_fails_cholesky", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %4 = "stablehlo.divide"(%1, %3) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %5:2 = "stablehlo.custom_call"(%4) <{call_target_name = "lapack_dpotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.compare"(%5#1, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %10 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %12 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %13 = "stablehlo.select"(%12, %5#0, %11) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi64>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<3x3xi64>
    %17 = "stablehlo.add"(%14, %16) : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
    %18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi64>
    %19 = "stablehlo.compare"(%17, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %22 = "stablehlo.select"(%19, %13, %21) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    "func.return"(%22) : (tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "cholesky_upper", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x4xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.add"(%0, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %5 = "stablehlo.divide"(%2, %4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %6:2 = "stablehlo.custom_call"(%5) <{call_target_name = "lapack_spotrf_ffi"}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.compare"(%6#1, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %11 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %13 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %14 = "stablehlo.select"(%13, %6#0, %12) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %15 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi64>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4x4xi64>
    %18 = "stablehlo.add"(%15, %17) : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi64>
    %19 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi64>
    %20 = "stablehlo.compare"(%18, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %23 = "stablehlo.select"(%20, %14, %22) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%24) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>, sym_name = "solve", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<2x3x3xf64>, %arg21: tensor<2x3x2xf64>):
    %90 = "func.call"(%arg20, %arg21) <{callee = @solve_solve}> : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
    "func.return"(%90) : (tensor<2x3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>, sym_name = "solve_solve", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<2x3x3xf64>, %arg11: tensor<2x3x2xf64>):
    %66:3 = "stablehlo.custom_call"(%arg10) <{call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
    %67 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %69 = "stablehlo.subtract"(%66#1, %68) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %70 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %72 = "stablehlo.compare"(%66#2, %71) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %74 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x3x3xf64>
    %76 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %77 = "stablehlo.select"(%76, %66#0, %75) : (tensor<2x3x3xi1>, tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
    %78 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
    %79 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %81:4 = "stablehlo.while"(%69, %80, %79, %78) ({
    ^bb0(%arg16: tensor<2x3xi32>, %arg17: tensor<i64>, %arg18: tensor<i64>, %arg19: tensor<2x3xi32>):
      %88 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
      %89 = "stablehlo.compare"(%arg17, %88) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%89) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<2x3xi32>, %arg13: tensor<i64>, %arg14: tensor<i64>, %arg15: tensor<2x3xi32>):
      %85:2 = "func.call"(%arg12, %arg14, %arg15) <{callee = @solve_closed_call}> : (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>)
      %86 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %87 = "stablehlo.add"(%arg13, %86) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg12, %87, %85#0, %85#1) : (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x3xi32>)
    %82 = "stablehlo.transpose"(%arg11) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x2xf64>) -> tensor<2x2x3xf64>
    %83 = "func.call"(%77, %81#3, %82) <{callee = @solve_lu_solve}> : (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>
    %84 = "stablehlo.transpose"(%83) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x2x3xf64>) -> tensor<2x3x2xf64>
    "func.return"(%84) : (tensor<2x3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xi32>, tensor<i64>, tensor<2x3xi32>) -> (tensor<i64>, tensor<2x3xi32>), sym_name = "solve_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x3xi32>, %arg4: tensor<i64>, %arg5: tensor<2x3xi32>):
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %20 = "stablehlo.add"(%arg4, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %22 = "stablehlo.compare"(%arg4, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %23 = "stablehlo.convert"(%arg4) : (tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %25 = "stablehlo.add"(%23, %24) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %26 = "stablehlo.select"(%22, %25, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %28 = "stablehlo.gather"(%arg3, %27) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x1xi32>) -> tensor<2xi32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %31 = "stablehlo.compare"(%arg4, %30) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %32 = "stablehlo.convert"(%arg4) : (tensor<i64>) -> tensor<i64>
    %33 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %34 = "stablehlo.add"(%32, %33) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %35 = "stablehlo.select"(%31, %34, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %37 = "stablehlo.gather"(%arg5, %36) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %38 = "stablehlo.reshape"(%37) : (tensor<2x1xi32>) -> tensor<2xi32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %41 = "stablehlo.compare"(%29, %40) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %42 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %44 = "stablehlo.add"(%29, %43) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %45 = "stablehlo.select"(%41, %44, %29) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %47 = "stablehlo.gather"(%arg5, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x1xi32>) -> tensor<2xi32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %50 = "stablehlo.compare"(%arg4, %49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %51 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %52 = "stablehlo.add"(%arg4, %51) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %53 = "stablehlo.select"(%50, %52, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %54 = "stablehlo.convert"(%53) : (tensor<i64>) -> tensor<i32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %56 = "stablehlo.scatter"(%arg5, %55, %48) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>):
      "stablehlo.return"(%arg9) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x3xi32>
    %57 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %59 = "stablehlo.compare"(%29, %58) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %60 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %62 = "stablehlo.add"(%29, %61) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %63 = "stablehlo.select"(%59, %62, %29) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %65 = "stablehlo.scatter"(%56, %64, %38) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
      "stablehlo.return"(%arg7) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x3xi32>
    "func.return"(%20, %65) : (tensor<i64>, tensor<2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>, sym_name = "solve_lu_solve", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x3xf64>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x2x3xf64>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x3xf64>) -> tensor<2x2x3x1xf64>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %4 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %6 = "stablehlo.add"(%arg1, %5) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %7 = "stablehlo.select"(%3, %6, %arg1) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %9 = "stablehlo.gather"(%0, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x3x1xf64>, tensor<2x3x1xi32>) -> tensor<2x2x3x1xf64>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x2x3x1xf64>) -> tensor<2x3x1x2xf64>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x3x1x2xf64>) -> tensor<2x3x2xf64>
    %12 = "stablehlo.custom_call"(%arg0, %11) <{call_target_name = "lapack_dtrsm_ffi"}> {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x3x2xf64>) -> tensor<2x3x1x2xf64>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x3x1x2xf64>) -> tensor<2x3x2xf64>
    %15 = "stablehlo.custom_call"(%arg0, %14) <{call_target_name = "lapack_dtrsm_ffi"}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}} : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
    %16 = "stablehlo.reshape"(%15) : (tensor<2x3x2xf64>) -> tensor<2x3x1x2xf64>
    %17 = "stablehlo.transpose"(%16) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x1x2xf64>) -> tensor<2x2x3x1xf64>
    %18 = "stablehlo.reshape"(%17) : (tensor<2x2x3x1xf64>) -> tensor<2x2x3xf64>
    "func.return"(%18) : (tensor<2x2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "inverse", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<4x4xf32>):
    %91 = "func.call"(%arg21) <{callee = @inverse_inv}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%91) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "inverse_inv", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<4x4xf32>):
    %83 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi64>
    %84 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi64>
    %85 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4x4xi64>
    %87 = "stablehlo.add"(%83, %86) : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi64>
    %88 = "stablehlo.compare"(%87, %84) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %89 = "stablehlo.convert"(%88) : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %90 = "func.call"(%arg20, %89) <{callee = @inverse_solve}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%90) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "inverse_solve", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<4x4xf32>, %arg11: tensor<4x4xf32>):
    %59:3 = "stablehlo.custom_call"(%arg10) <{call_target_name = "lapack_sgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
    %60 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %62 = "stablehlo.subtract"(%59#1, %61) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %65 = "stablehlo.compare"(%59#2, %64) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %67 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %69 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %70 = "stablehlo.select"(%69, %59#0, %68) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %71 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %74:4 = "stablehlo.while"(%62, %73, %72, %71) ({
    ^bb0(%arg16: tensor<4xi32>, %arg17: tensor<i64>, %arg18: tensor<i64>, %arg19: tensor<4xi32>):
      %81 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %82 = "stablehlo.compare"(%arg17, %81) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%82) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<4xi32>, %arg13: tensor<i64>, %arg14: tensor<i64>, %arg15: tensor<4xi32>):
      %78:2 = "func.call"(%arg12, %arg14, %arg15) <{callee = @inverse_closed_call}> : (tensor<4xi32>, tensor<i64>, tensor<4xi32>) -> (tensor<i64>, tensor<4xi32>)
      %79 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %80 = "stablehlo.add"(%arg13, %79) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg12, %80, %78#0, %78#1) : (tensor<4xi32>, tensor<i64>, tensor<i64>, tensor<4xi32>) -> ()
    }) : (tensor<4xi32>, tensor<i64>, tensor<i64>, tensor<4xi32>) -> (tensor<4xi32>, tensor<i64>, tensor<i64>, tensor<4xi32>)
    %75 = "stablehlo.transpose"(%arg11) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %76 = "func.call"(%70, %74#3, %75) <{callee = @inverse_lu_solve}> : (tensor<4x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %77 = "stablehlo.transpose"(%76) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%77) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>, tensor<i64>, tensor<4xi32>) -> (tensor<i64>, tensor<4xi32>), sym_name = "inverse_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4xi32>, %arg4: tensor<i64>, %arg5: tensor<4xi32>):
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %20 = "stablehlo.add"(%arg4, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %22 = "stablehlo.compare"(%arg4, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %23 = "stablehlo.convert"(%arg4) : (tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %25 = "stablehlo.add"(%23, %24) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %26 = "stablehlo.select"(%22, %25, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %27 = "stablehlo.dynamic_slice"(%arg3, %26) <{slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<i64>) -> tensor<1xi32>
    %28 = "stablehlo.reshape"(%27) : (tensor<1xi32>) -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %30 = "stablehlo.compare"(%arg4, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %31 = "stablehlo.convert"(%arg4) : (tensor<i64>) -> tensor<i64>
    %32 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %33 = "stablehlo.add"(%31, %32) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %34 = "stablehlo.select"(%30, %33, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %35 = "stablehlo.dynamic_slice"(%arg5, %34) <{slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<i64>) -> tensor<1xi32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xi32>) -> tensor<i32>
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.compare"(%28, %37) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %39 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.add"(%28, %39) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %41 = "stablehlo.select"(%38, %40, %28) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %42 = "stablehlo.dynamic_slice"(%arg5, %41) <{slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %43 = "stablehlo.reshape"(%42) : (tensor<1xi32>) -> tensor<i32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %45 = "stablehlo.compare"(%arg4, %44) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %46 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %47 = "stablehlo.add"(%arg4, %46) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %48 = "stablehlo.select"(%45, %47, %arg4) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %49 = "stablehlo.convert"(%48) : (tensor<i64>) -> tensor<i32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %51 = "stablehlo.scatter"(%arg5, %50, %43) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>):
      "stablehlo.return"(%arg9) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.compare"(%28, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %54 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.add"(%28, %54) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %56 = "stablehlo.select"(%53, %55, %28) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %58 = "stablehlo.scatter"(%51, %57, %36) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
      "stablehlo.return"(%arg7) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%20, %58) : (tensor<i64>, tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "inverse_lu_solve", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x4xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %4 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %6 = "stablehlo.add"(%arg1, %5) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.select"(%3, %6, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %9 = "stablehlo.gather"(%0, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x4x1xf32>, tensor<4x1xi32>) -> tensor<4x4x1xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 1, 2, 0>}> : (tensor<4x4x1xf32>) -> tensor<4x1x4xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
    %12 = "stablehlo.custom_call"(%arg0, %11) <{call_target_name = "lapack_strsm_ffi"}> {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %13 = "stablehlo.reshape"(%12) : (tensor<4x4xf32>) -> tensor<4x1x4xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<4x1x4xf32>) -> tensor<4x4xf32>
    %15 = "stablehlo.custom_call"(%arg0, %14) <{call_target_name = "lapack_strsm_ffi"}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<4x4xf32>) -> tensor<4x1x4xf32>
    %17 = "stablehlo.transpose"(%16) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x1x4xf32>) -> tensor<4x4x1xf32>
    %18 = "stablehlo.reshape"(%17) : (tensor<4x4x1xf32>) -> tensor<4x4xf32>
    "func.return"(%18) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> (tensor<2xf64>, tensor<2xf64>), sym_name = "determinant", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<2x4x4xf64>):
    %160:2 = "func.call"(%arg32) <{callee = @determinant_slogdet}> : (tensor<2x4x4xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    "func.return"(%160#0, %160#1) : (tensor<2xf64>, tensor<2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> (tensor<2xf64>, tensor<2xf64>), sym_name = "determinant_slogdet", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<2x4x4xf64>):
    %101:3 = "stablehlo.custom_call"(%arg19) <{call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2xi32>)
    %102 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %104 = "stablehlo.subtract"(%101#1, %103) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %105 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %107 = "stablehlo.compare"(%101#2, %106) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %109 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %111 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %112 = "stablehlo.select"(%111, %101#0, %110) : (tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %113 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xi32>
    %114 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %115 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %116:4 = "stablehlo.while"(%104, %115, %114, %113) ({
    ^bb0(%arg28: tensor<2x4xi32>, %arg29: tensor<i64>, %arg30: tensor<i64>, %arg31: tensor<2x4xi32>):
      %158 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
      %159 = "stablehlo.compare"(%arg29, %158) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%159) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg24: tensor<2x4xi32>, %arg25: tensor<i64>, %arg26: tensor<i64>, %arg27: tensor<2x4xi32>):
      %155:2 = "func.call"(%arg24, %arg26, %arg27) <{callee = @determinant_closed_call}> : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %156 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %157 = "stablehlo.add"(%arg25, %156) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg24, %157, %155#0, %155#1) : (tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>) -> ()
    }) : (tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>)
    %117 = "func.call"(%112) <{callee = @determinant_diagonal}> : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4xf64>
    %120 = "stablehlo.compare"(%117, %119) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xi1>
    %121 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %122 = "stablehlo.reduce"(%120, %121) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg22: tensor<i1>, %arg23: tensor<i1>):
      %154 = "stablehlo.or"(%arg22, %arg23) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%154) : (tensor<i1>) -> ()
    }) : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %123 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %126 = "stablehlo.compare"(%104, %125) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %127 = "func.call"(%126) <{callee = @determinant_count_nonzero}> : (tensor<2x4xi1>) -> tensor<2xi64>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4xf64>
    %130 = "stablehlo.compare"(%117, %129) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xi1>
    %131 = "func.call"(%130) <{callee = @determinant_count_nonzero}> : (tensor<2x4xi1>) -> tensor<2xi64>
    %132 = "stablehlo.add"(%127, %131) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %133 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    %134 = "func.call"(%132, %133) <{callee = @determinant_remainder}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
    %135 = "stablehlo.constant"() <{value = dense<-2> : tensor<i64>}> : () -> tensor<i64>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %137 = "stablehlo.multiply"(%136, %134) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %138 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %140 = "stablehlo.add"(%137, %139) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %141 = "stablehlo.convert"(%140) : (tensor<2xi64>) -> tensor<2xf64>
    %142 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2xf64>
    %144 = "stablehlo.multiply"(%143, %141) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %146 = "func.call"(%122, %145, %144) <{callee = @determinant_where_0}> : (tensor<2xi1>, tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
    %147 = "stablehlo.abs"(%117) : (tensor<2x4xf64>) -> tensor<2x4xf64>
    %148 = "stablehlo.log"(%147) : (tensor<2x4xf64>) -> tensor<2x4xf64>
    %149 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %150 = "stablehlo.reduce"(%148, %149) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg20: tensor<f64>, %arg21: tensor<f64>):
      %153 = "stablehlo.add"(%arg20, %arg21) : (tensor<f64>, tensor<f64>) -> tensor<f64>
      "stablehlo.return"(%153) : (tensor<f64>) -> ()
    }) : (tensor<2x4xf64>, tensor<f64>) -> tensor<2xf64>
    %151 = "stablehlo.constant"() <{value = dense<0xFFF0000000000000> : tensor<f64>}> : () -> tensor<f64>
    %152 = "func.call"(%122, %151, %150) <{callee = @determinant_where_0}> : (tensor<2xi1>, tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
    "func.return"(%146, %152) : (tensor<2xf64>, tensor<2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>), sym_name = "determinant_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x4xi32>, %arg13: tensor<i64>, %arg14: tensor<2x4xi32>):
    %54 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %55 = "stablehlo.add"(%arg13, %54) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %57 = "stablehlo.compare"(%arg13, %56) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %58 = "stablehlo.convert"(%arg13) : (tensor<i64>) -> tensor<i64>
    %59 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %60 = "stablehlo.add"(%58, %59) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %61 = "stablehlo.select"(%57, %60, %arg13) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %63 = "stablehlo.gather"(%arg12, %62) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %64 = "stablehlo.reshape"(%63) : (tensor<2x1xi32>) -> tensor<2xi32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %66 = "stablehlo.compare"(%arg13, %65) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %67 = "stablehlo.convert"(%arg13) : (tensor<i64>) -> tensor<i64>
    %68 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %69 = "stablehlo.add"(%67, %68) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %70 = "stablehlo.select"(%66, %69, %arg13) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %72 = "stablehlo.gather"(%arg14, %71) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %73 = "stablehlo.reshape"(%72) : (tensor<2x1xi32>) -> tensor<2xi32>
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %76 = "stablehlo.compare"(%64, %75) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %77 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %79 = "stablehlo.add"(%64, %78) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %80 = "stablehlo.select"(%76, %79, %64) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %82 = "stablehlo.gather"(%arg14, %81) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %83 = "stablehlo.reshape"(%82) : (tensor<2x1xi32>) -> tensor<2xi32>
    %84 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %85 = "stablehlo.compare"(%arg13, %84) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %86 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %87 = "stablehlo.add"(%arg13, %86) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %88 = "stablehlo.select"(%85, %87, %arg13) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %89 = "stablehlo.convert"(%88) : (tensor<i64>) -> tensor<i32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %91 = "stablehlo.scatter"(%arg14, %90, %83) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg17: tensor<i32>, %arg18: tensor<i32>):
      "stablehlo.return"(%arg18) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %94 = "stablehlo.compare"(%64, %93) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %95 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %97 = "stablehlo.add"(%64, %96) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %98 = "stablehlo.select"(%94, %97, %64) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %100 = "stablehlo.scatter"(%91, %99, %73) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>):
      "stablehlo.return"(%arg16) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    "func.return"(%55, %100) : (tensor<i64>, tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4xf64>, sym_name = "determinant_diagonal", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<2x4x4xf64>):
    %32 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi64>
    %33 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi64>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4xi64>
    %36 = "stablehlo.compare"(%32, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %37 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4xi64>
    %39 = "stablehlo.add"(%32, %38) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %40 = "stablehlo.select"(%36, %39, %32) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4xi64>
    %43 = "stablehlo.compare"(%33, %42) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %44 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4xi64>
    %46 = "stablehlo.add"(%33, %45) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %47 = "stablehlo.select"(%43, %46, %33) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %48 = "stablehlo.convert"(%40) : (tensor<4xi64>) -> tensor<4xi32>
    %49 = "stablehlo.convert"(%47) : (tensor<4xi64>) -> tensor<4xi32>
    %50 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %51 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %52 = "stablehlo.concatenate"(%50, %51) <{dimension = 1 : i64}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %53 = "stablehlo.gather"(%arg11, %52) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x4x4xf64>, tensor<4x2xi32>) -> tensor<2x4xf64>
    "func.return"(%53) : (tensor<2x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xi1>) -> tensor<2xi64>, sym_name = "determinant_count_nonzero", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x4xi1>):
    %24 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x4xi1>
    %26 = "stablehlo.compare"(%arg8, %25) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %27 = "stablehlo.convert"(%26) : (tensor<2x4xi1>) -> tensor<2x4xi32>
    %28 = "stablehlo.convert"(%27) : (tensor<2x4xi32>) -> tensor<2x4xi64>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg9: tensor<i64>, %arg10: tensor<i64>):
      %31 = "stablehlo.add"(%arg9, %arg10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%31) : (tensor<i64>) -> ()
    }) : (tensor<2x4xi64>, tensor<i64>) -> tensor<2xi64>
    "func.return"(%30) : (tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>, sym_name = "determinant_remainder", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2xi64>, %arg7: tensor<i64>):
    %3 = "stablehlo.convert"(%arg7) : (tensor<i64>) -> tensor<i64>
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %7 = "func.call"(%5, %6, %3) <{callee = @determinant_where}> : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %9 = "stablehlo.remainder"(%arg6, %8) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %12 = "stablehlo.compare"(%9, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %15 = "stablehlo.compare"(%9, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %17 = "stablehlo.compare"(%7, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2xi1>
    %19 = "stablehlo.compare"(%15, %18) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %20 = "stablehlo.and"(%19, %12) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %21 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %22 = "stablehlo.add"(%9, %21) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %23 = "stablehlo.select"(%20, %22, %9) : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    "func.return"(%23) : (tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>, sym_name = "determinant_where", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i64>, %arg5: tensor<i64>):
    %2 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    "func.return"(%2) : (tensor<i64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi1>, tensor<f64>, tensor<2xf64>) -> tensor<2xf64>, sym_name = "determinant_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xi1>, %arg1: tensor<f64>, %arg2: tensor<2xf64>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2xf64>
    %1 = "stablehlo.select"(%arg0, %0, %arg2) : (tensor<2xi1>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    "func.return"(%1) : (tensor<2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2x5xi32>), sym_name = "lu", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x5x3xf64>):
    %47:3 = "stablehlo.custom_call"(%arg7) <{call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
    %48 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %50 = "stablehlo.subtract"(%47#1, %49) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %53 = "stablehlo.compare"(%47#2, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %55 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x5x3xf64>
    %57 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
    %58 = "stablehlo.select"(%57, %47#0, %56) : (tensor<2x5x3xi1>, tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xf64>
    %59 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x5xi32>
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %62:4 = "stablehlo.while"(%50, %61, %60, %59) ({
    ^bb0(%arg12: tensor<2x3xi32>, %arg13: tensor<i64>, %arg14: tensor<i64>, %arg15: tensor<2x5xi32>):
      %66 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
      %67 = "stablehlo.compare"(%arg13, %66) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%67) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg8: tensor<2x3xi32>, %arg9: tensor<i64>, %arg10: tensor<i64>, %arg11: tensor<2x5xi32>):
      %63:2 = "func.call"(%arg8, %arg10, %arg11) <{callee = @lu_closed_call}> : (tensor<2x3xi32>, tensor<i64>, tensor<2x5xi32>) -> (tensor<i64>, tensor<2x5xi32>)
      %64 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %65 = "stablehlo.add"(%arg9, %64) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg8, %65, %63#0, %63#1) : (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x5xi32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x5xi32>) -> (tensor<2x3xi32>, tensor<i64>, tensor<i64>, tensor<2x5xi32>)
    "func.return"(%58, %50, %62#3) : (tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xi32>, tensor<i64>, tensor<2x5xi32>) -> (tensor<i64>, tensor<2x5xi32>), sym_name = "lu_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3xi32>, %arg1: tensor<i64>, %arg2: tensor<2x5xi32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %4 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.add"(%4, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.select"(%3, %6, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %9 = "stablehlo.gather"(%arg0, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %10 = "stablehlo.reshape"(%9) : (tensor<2x1xi32>) -> tensor<2xi32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %12 = "stablehlo.compare"(%arg1, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %13 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %14 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
    %15 = "stablehlo.add"(%13, %14) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.select"(%12, %15, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi64>
    %18 = "stablehlo.gather"(%arg2, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = array<i64: 2, 1>}> : (tensor<2x5xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x1xi32>) -> tensor<2xi32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %22 = "stablehlo.compare"(%10, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %23 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %25 = "stablehlo.add"(%10, %24) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %26 = "stablehlo.select"(%22, %25, %10) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %28 = "stablehlo.gather"(%arg2, %27) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<2x5xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x1xi32>) -> tensor<2xi32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %31 = "stablehlo.compare"(%arg1, %30) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %32 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
    %33 = "stablehlo.add"(%arg1, %32) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %34 = "stablehlo.select"(%31, %33, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %35 = "stablehlo.convert"(%34) : (tensor<i64>) -> tensor<i32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %37 = "stablehlo.scatter"(%arg2, %36, %29) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      "stablehlo.return"(%arg6) : (tensor<i32>) -> ()
    }) : (tensor<2x5xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x5xi32>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %40 = "stablehlo.compare"(%10, %39) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %41 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %43 = "stablehlo.add"(%10, %42) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %44 = "stablehlo.select"(%40, %43, %10) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %46 = "stablehlo.scatter"(%37, %45, %19) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      "stablehlo.return"(%arg4) : (tensor<i32>) -> ()
    }) : (tensor<2x5xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x5xi32>
    "func.return"(%1, %46) : (tensor<i64>, tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3xi32>, tensor<3xi32>), sym_name = "lu_wide", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3x5xf64>):
    %40:3 = "stablehlo.custom_call"(%arg7) <{call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3xi32>, tensor<i32>)
    %41 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %43 = "stablehlo.subtract"(%40#1, %42) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %46 = "stablehlo.compare"(%40#2, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %48 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x5xf64>
    %50 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x5xi1>
    %51 = "stablehlo.select"(%50, %40#0, %49) : (tensor<3x5xi1>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %52 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %55:4 = "stablehlo.while"(%43, %54, %53, %52) ({
    ^bb0(%arg12: tensor<3xi32>, %arg13: tensor<i64>, %arg14: tensor<i64>, %arg15: tensor<3xi32>):
      %59 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
      %60 = "stablehlo.compare"(%arg13, %59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%60) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg8: tensor<3xi32>, %arg9: tensor<i64>, %arg10: tensor<i64>, %arg11: tensor<3xi32>):
      %56:2 = "func.call"(%arg8, %arg10, %arg11) <{callee = @lu_wide_closed_call}> : (tensor<3xi32>, tensor<i64>, tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>)
      %57 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %58 = "stablehlo.add"(%arg9, %57) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg8, %58, %56#0, %56#1) : (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>) -> ()
    }) : (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>) -> (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>)
    "func.return"(%51, %43, %55#3) : (tensor<3x5xf64>, tensor<3xi32>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xi32>, tensor<i64>, tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>), sym_name = "lu_wide_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xi32>, %arg1: tensor<i64>, %arg2: tensor<3xi32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %4 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.add"(%4, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.select"(%3, %6, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.dynamic_slice"(%arg0, %7) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i64>) -> tensor<1xi32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1xi32>) -> tensor<i32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11 = "stablehlo.compare"(%arg1, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %12 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %14 = "stablehlo.add"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.select"(%11, %14, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.dynamic_slice"(%arg2, %15) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i64>) -> tensor<1xi32>
    %17 = "stablehlo.reshape"(%16) : (tensor<1xi32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.compare"(%9, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %20 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.add"(%9, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %22 = "stablehlo.select"(%19, %21, %9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %23 = "stablehlo.dynamic_slice"(%arg2, %22) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %24 = "stablehlo.reshape"(%23) : (tensor<1xi32>) -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %26 = "stablehlo.compare"(%arg1, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %27 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %28 = "stablehlo.add"(%arg1, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %29 = "stablehlo.select"(%26, %28, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %30 = "stablehlo.convert"(%29) : (tensor<i64>) -> tensor<i32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %32 = "stablehlo.scatter"(%arg2, %31, %24) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      "stablehlo.return"(%arg6) : (tensor<i32>) -> ()
    }) : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.compare"(%9, %33) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %35 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.add"(%9, %35) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %37 = "stablehlo.select"(%34, %36, %9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %39 = "stablehlo.scatter"(%32, %38, %17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      "stablehlo.return"(%arg4) : (tensor<i32>) -> ()
    }) : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%1, %39) : (tensor<i64>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<3xi32>), sym_name = "lu_singular", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3x3xf64>):
    %40:3 = "stablehlo.custom_call"(%arg7) <{call_target_name = "lapack_dgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xi32>, tensor<i32>)
    %41 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %43 = "stablehlo.subtract"(%40#1, %42) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %46 = "stablehlo.compare"(%40#2, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %48 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %50 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %51 = "stablehlo.select"(%50, %40#0, %49) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %52 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %55:4 = "stablehlo.while"(%43, %54, %53, %52) ({
    ^bb0(%arg12: tensor<3xi32>, %arg13: tensor<i64>, %arg14: tensor<i64>, %arg15: tensor<3xi32>):
      %59 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
      %60 = "stablehlo.compare"(%arg13, %59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%60) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg8: tensor<3xi32>, %arg9: tensor<i64>, %arg10: tensor<i64>, %arg11: tensor<3xi32>):
      %56:2 = "func.call"(%arg8, %arg10, %arg11) <{callee = @lu_singular_closed_call}> : (tensor<3xi32>, tensor<i64>, tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>)
      %57 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %58 = "stablehlo.add"(%arg9, %57) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%arg8, %58, %56#0, %56#1) : (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>) -> ()
    }) : (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>) -> (tensor<3xi32>, tensor<i64>, tensor<i64>, tensor<3xi32>)
    "func.return"(%51, %43, %55#3) : (tensor<3x3xf64>, tensor<3xi32>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xi32>, tensor<i64>, tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>), sym_name = "lu_singular_closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xi32>, %arg1: tensor<i64>, %arg2: tensor<3xi32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %4 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.add"(%4, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.select"(%3, %6, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.dynamic_slice"(%arg0, %7) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i64>) -> tensor<1xi32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1xi32>) -> tensor<i32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %11 = "stablehlo.compare"(%arg1, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %12 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %14 = "stablehlo.add"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.select"(%11, %14, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %16 = "stablehlo.dynamic_slice"(%arg2, %15) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i64>) -> tensor<1xi32>
    %17 = "stablehlo.reshape"(%16) : (tensor<1xi32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.compare"(%9, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %20 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.add"(%9, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %22 = "stablehlo.select"(%19, %21, %9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %23 = "stablehlo.dynamic_slice"(%arg2, %22) <{slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %24 = "stablehlo.reshape"(%23) : (tensor<1xi32>) -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %26 = "stablehlo.compare"(%arg1, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %27 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %28 = "stablehlo.add"(%arg1, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %29 = "stablehlo.select"(%26, %28, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %30 = "stablehlo.convert"(%29) : (tensor<i64>) -> tensor<i32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %32 = "stablehlo.scatter"(%arg2, %31, %24) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      "stablehlo.return"(%arg6) : (tensor<i32>) -> ()
    }) : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.compare"(%9, %33) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %35 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.add"(%9, %35) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %37 = "stablehlo.select"(%34, %36, %9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %39 = "stablehlo.scatter"(%32, %38, %17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      "stablehlo.return"(%arg4) : (tensor<i32>) -> ()
    }) : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
    "func.return"(%1, %39) : (tensor<i64>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>, sym_name = "triangular_left", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<4x4xf64>, %arg3: tensor<4x2xf64>):
    %1 = "func.call"(%arg2, %arg3) <{callee = @triangular_left_solve_triangular}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
    "func.return"(%1) : (tensor<4x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>, sym_name = "triangular_left_solve_triangular", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x4xf64>, %arg1: tensor<4x2xf64>):
    %0 = "stablehlo.custom_call"(%arg0, %arg1) <{call_target_name = "lapack_dtrsm_ffi"}> {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
    "func.return"(%0) : (tensor<4x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>, sym_name = "triangular_right", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<2x3xf64>):
    %0 = "stablehlo.custom_call"(%arg0, %arg1) <{call_target_name = "lapack_dtrsm_ffi"}> {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3x3xf64>), sym_name = "qr", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<5x3xf64>):
    %12:2 = "func.call"(%arg1) <{callee = @qr_qr}> : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3x3xf64>)
    "func.return"(%12#0, %12#1) : (tensor<5x3xf64>, tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3x3xf64>), sym_name = "qr_qr", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x3xf64>):
    %0:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "lapack_dgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>)
    %1 = "stablehlo.custom_call"(%0#0, %0#1) <{call_target_name = "lapack_dorgqr_ffi"}> {mhlo.backend_config = {}} : (tensor<5x3xf64>, tensor<3xf64>) -> tensor<5x3xf64>
    %2 = "stablehlo.slice"(%0#0) <{limit_indices = array<i64: 3, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<5x3xf64>) -> tensor<3x3xf64>
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi64>
    %4 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<3x3xi64>
    %6 = "stablehlo.add"(%3, %5) : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
    %7 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi64>
    %8 = "stablehlo.compare"(%6, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %11 = "stablehlo.select"(%8, %10, %2) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    "func.return"(%1, %11) : (tensor<5x3xf64>, tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x2xf64>) -> (tensor<4x4xf64>, tensor<4x2xf64>), sym_name = "qr_complete", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<4x2xf64>):
    %13:2 = "func.call"(%arg1) <{callee = @qr_complete_qr}> : (tensor<4x2xf64>) -> (tensor<4x4xf64>, tensor<4x2xf64>)
    "func.return"(%13#0, %13#1) : (tensor<4x4xf64>, tensor<4x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x2xf64>) -> (tensor<4x4xf64>, tensor<4x2xf64>), sym_name = "qr_complete_qr", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x2xf64>):
    %0:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "lapack_dgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<2xf64>)
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %2 = "stablehlo.pad"(%0#0, %1) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<4x2xf64>, tensor<f64>) -> tensor<4x4xf64>
    %3 = "stablehlo.custom_call"(%2, %0#1) <{call_target_name = "lapack_dorgqr_ffi"}> {mhlo.backend_config = {}} : (tensor<4x4xf64>, tensor<2xf64>) -> tensor<4x4xf64>
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x2xi64>
    %5 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4x2xi64>
    %7 = "stablehlo.add"(%4, %6) : (tensor<4x2xi64>, tensor<4x2xi64>) -> tensor<4x2xi64>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x2xi64>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x2xi64>, tensor<4x2xi64>) -> tensor<4x2xi1>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<4x2xf64>
    %12 = "stablehlo.select"(%9, %11, %0#0) : (tensor<4x2xi1>, tensor<4x2xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
    "func.return"(%3, %12) : (tensor<4x4xf64>, tensor<4x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>), sym_name = "qr_pivoted", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<5x3xf64>):
    %18:3 = "func.call"(%arg1) <{callee = @qr_pivoted_qr}> : (tensor<5x3xf64>) -> (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>)
    "func.return"(%18#0, %18#1, %18#2) : (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>), sym_name = "qr_pivoted_qr", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %2:3 = "stablehlo.custom_call"(%arg0, %1) <{call_target_name = "lapack_dgeqp3_ffi"}> {mhlo.backend_config = {}} : (tensor<5x3xf64>, tensor<3xi32>) -> (tensor<5x3xf64>, tensor<3xi32>, tensor<3xf64>)
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "stablehlo.subtract"(%2#1, %4) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %7 = "stablehlo.pad"(%2#0, %6) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<5x3xf64>, tensor<f64>) -> tensor<5x5xf64>
    %8 = "stablehlo.custom_call"(%7, %2#2) <{call_target_name = "lapack_dorgqr_ffi"}> {mhlo.backend_config = {}} : (tensor<5x5xf64>, tensor<3xf64>) -> tensor<5x5xf64>
    %9 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x3xi64>
    %10 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<5x3xi64>
    %12 = "stablehlo.add"(%9, %11) : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi64>
    %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x3xi64>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi1>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<5x3xf64>
    %17 = "stablehlo.select"(%14, %16, %2#0) : (tensor<5x3xi1>, tensor<5x3xf64>, tensor<5x3xf64>) -> tensor<5x3xf64>
    "func.return"(%8, %17, %5) : (tensor<5x5xf64>, tensor<5x3xf64>, tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x3xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>, sym_name = "reflections", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3xf64>, %arg1: tensor<2x4xf64>):
    %0:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "lapack_dgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
    %1 = "stablehlo.custom_call"(%0#0, %0#1, %arg1) <{call_target_name = "lapack_dormqr_ffi"}> {mhlo.backend_config = {left = false, transpose = true}} : (tensor<4x3xf64>, tensor<3xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
    "func.return"(%1) : (tensor<2x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6x2xf64>) -> tensor<6x2xf64>, sym_name = "tridiagonal", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6xf64>, %arg1: tensor<6xf64>, %arg2: tensor<6xf64>, %arg3: tensor<6x2xf64>):
    %0:5 = "stablehlo.custom_call"(%arg0, %arg1, %arg2, %arg3) <{call_target_name = "lapack_dgtsv_ffi"}> {mhlo.backend_config = {}} : (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6x2xf64>) -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6x2xf64>, tensor<i32>)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.compare"(%0#4, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %5 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<6x2xf64>
    %7 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<6x2xi1>
    %8 = "stablehlo.select"(%7, %0#3, %6) : (tensor<6x2xi1>, tensor<6x2xf64>, tensor<6x2xf64>) -> tensor<6x2xf64>
    "func.return"(%8) : (tensor<6x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>, sym_name = "tridiagonal_one", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1xf64>, %arg1: tensor<1xf64>, %arg2: tensor<1xf64>, %arg3: tensor<1x1xf64>):
    %0:5 = "stablehlo.custom_call"(%arg0, %arg1, %arg2, %arg3) <{call_target_name = "lapack_dgtsv_ffi"}> {mhlo.backend_config = {}} : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x1xf64>) -> (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1x1xf64>, tensor<i32>)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.compare"(%0#4, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %5 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1x1xf64>
    %7 = "stablehlo.select"(%4, %0#3, %6) : (tensor<1x1xi1>, tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
    "func.return"(%7) : (tensor<1x1xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4xf64>, sym_name = "eigenvalues", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x4x4xf64>):
    %20 = "func.call"(%arg2) <{callee = @eigenvalues_eigvalsh}> : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
    "func.return"(%20) : (tensor<2x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4xf64>, sym_name = "eigenvalues_eigvalsh", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x4x4xf64>):
    %19 = "func.call"(%arg1) <{callee = @eigenvalues_eigh}> : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
    "func.return"(%19) : (tensor<2x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf64>) -> tensor<2x4xf64>, sym_name = "eigenvalues_eigh", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x4xf64>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %4 = "stablehlo.divide"(%1, %3) : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %5:3 = "stablehlo.custom_call"(%4) <{call_target_name = "lapack_dsyevd_ffi"}> {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2xi32>)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %8 = "stablehlo.compare"(%5#2, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %10 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %12 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = "stablehlo.select"(%12, %5#0, %11) : (tensor<2x4x4xi1>, tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %14 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi1>) -> tensor<2x1xi1>
    %15 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x4xf64>
    %17 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %18 = "stablehlo.select"(%17, %5#1, %16) : (tensor<2x4xi1>, tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
    "func.return"(%18) : (tensor<2x4xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> tensor<3xf64>, sym_name = "singular_values", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<5x3xf64>):
    %9 = "func.call"(%arg1) <{callee = @singular_values_svd}> : (tensor<5x3xf64>) -> tensor<3xf64>
    "func.return"(%9) : (tensor<3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> tensor<3xf64>, sym_name = "singular_values_svd", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x3xf64>):
    %0:5 = "stablehlo.custom_call"(%arg0) <{call_target_name = "lapack_dgesdd_ffi"}> {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>, tensor<5x5xf64>, tensor<3x3xf64>, tensor<i32>)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.compare"(%0#4, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %5 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %7 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<3xi1>
    %8 = "stablehlo.select"(%7, %0#1, %6) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"(%8) : (tensor<3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>, sym_name = "least_squares", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<5x3xf64>, %arg7: tensor<5x2xf64>):
    %47 = "func.call"(%arg6, %arg7) <{callee = @least_squares_lstsq}> : (tensor<5x3xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>
    "func.return"(%47) : (tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>, sym_name = "least_squares_lstsq", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<5x3xf64>, %arg5: tensor<5x2xf64>):
    %22:3 = "func.call"(%arg4) <{callee = @least_squares_svd}> : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>, tensor<3x3xf64>)
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %25 = "stablehlo.compare"(%22#1, %24) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %26 = "stablehlo.slice"(%22#1) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xf64>) -> tensor<1xf64>
    %27 = "stablehlo.reshape"(%26) : (tensor<1xf64>) -> tensor<f64>
    %28 = "stablehlo.constant"() <{value = dense<1.1102230246251565E-15> : tensor<f64>}> : () -> tensor<f64>
    %29 = "stablehlo.multiply"(%28, %27) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %31 = "stablehlo.compare"(%22#1, %30) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %32 = "stablehlo.and"(%25, %31) : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %33 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
    %34 = "func.call"(%32, %22#1, %33) <{callee = @least_squares_where}> : (tensor<3xi1>, tensor<3xf64>, tensor<i64>) -> tensor<3xf64>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %37 = "stablehlo.divide"(%36, %34) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %39 = "func.call"(%32, %37, %38) <{callee = @least_squares_where}> : (tensor<3xi1>, tensor<3xf64>, tensor<i64>) -> tensor<3xf64>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf64>) -> tensor<3x1xf64>
    %41 = "stablehlo.transpose"(%22#0) <{permutation = array<i64: 1, 0>}> : (tensor<5x3xf64>) -> tensor<3x5xf64>
    %42 = "stablehlo.dot_general"(%41, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<3x5xf64>, tensor<5x2xf64>) -> tensor<3x2xf64>
    %43 = "stablehlo.transpose"(%22#2) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %44 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf64>) -> tensor<3x2xf64>
    %45 = "stablehlo.multiply"(%44, %42) : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %46 = "stablehlo.dot_general"(%43, %45) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    "func.return"(%46) : (tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>, tensor<3x3xf64>), sym_name = "least_squares_svd", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<5x3xf64>):
    %3:5 = "stablehlo.custom_call"(%arg3) <{call_target_name = "lapack_dgesdd_ffi"}> {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<3xf64>, tensor<5x3xf64>, tensor<3x3xf64>, tensor<i32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.compare"(%3#4, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %8 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %10 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<3xi1>
    %11 = "stablehlo.select"(%10, %3#1, %9) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %12 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %13 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<5x3xf64>
    %15 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<5x3xi1>
    %16 = "stablehlo.select"(%15, %3#2, %14) : (tensor<5x3xi1>, tensor<5x3xf64>, tensor<5x3xf64>) -> tensor<5x3xf64>
    %17 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %18 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %20 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %21 = "stablehlo.select"(%20, %3#3, %19) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    "func.return"(%16, %11, %21) : (tensor<5x3xf64>, tensor<3xf64>, tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xi1>, tensor<3xf64>, tensor<i64>) -> tensor<3xf64>, sym_name = "least_squares_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xi1>, %arg1: tensor<3xf64>, %arg2: tensor<i64>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i64>) -> tensor<f64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"(%2) : (tensor<3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf64>) -> tensor<5x3xf64>, sym_name = "pseudoinverse", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<3x5xf64>):
    %39 = "func.call"(%arg5) <{callee = @pseudoinverse_pinv}> : (tensor<3x5xf64>) -> tensor<5x3xf64>
    "func.return"(%39) : (tensor<5x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf64>) -> tensor<5x3xf64>, sym_name = "pseudoinverse_pinv", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<3x5xf64>):
    %22 = "stablehlo.constant"() <{value = dense<5.000000e+01> : tensor<f64>}> : () -> tensor<f64>
    %23 = "stablehlo.constant"() <{value = dense<2.2204460492503131E-16> : tensor<f64>}> : () -> tensor<f64>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %25:3 = "func.call"(%arg4) <{callee = @pseudoinverse_svd}> : (tensor<3x5xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x5xf64>)
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<1xf64>
    %27 = "stablehlo.slice"(%25#1) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xf64>) -> tensor<1xf64>
    %28 = "stablehlo.multiply"(%26, %27) : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf64>) -> tensor<3xf64>
    %30 = "stablehlo.compare"(%25#1, %29) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %31 = "stablehlo.constant"() <{value = dense<0x7FF0000000000000> : tensor<f64>}> : () -> tensor<f64>
    %32 = "func.call"(%30, %25#1, %31) <{callee = @pseudoinverse_where}> : (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
    %33 = "stablehlo.transpose"(%25#2) <{permutation = array<i64: 1, 0>}> : (tensor<3x5xf64>) -> tensor<5x3xf64>
    %34 = "stablehlo.transpose"(%25#0) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %35 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf64>) -> tensor<3x1xf64>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %37 = "stablehlo.divide"(%34, %36) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %38 = "stablehlo.dot_general"(%33, %37) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<5x3xf64>, tensor<3x3xf64>) -> tensor<5x3xf64>
    "func.return"(%38) : (tensor<5x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x5xf64>), sym_name = "pseudoinverse_svd", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x5xf64>):
    %3:5 = "stablehlo.custom_call"(%arg3) <{call_target_name = "lapack_dgesdd_ffi"}> {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<3x5xf64>, tensor<i32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.compare"(%3#4, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1xi1>
    %8 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %10 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<3xi1>
    %11 = "stablehlo.select"(%10, %3#1, %9) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %12 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %13 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x3xf64>
    %15 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %16 = "stablehlo.select"(%15, %3#2, %14) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %17 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %18 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3x5xf64>
    %20 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<3x5xi1>
    %21 = "stablehlo.select"(%20, %3#3, %19) : (tensor<3x5xi1>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    "func.return"(%16, %11, %21) : (tensor<3x3xf64>, tensor<3xf64>, tensor<3x5xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xi1>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>, sym_name = "pseudoinverse_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xi1>, %arg1: tensor<3xf64>, %arg2: tensor<f64>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<3xf64>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "func.return"(%2) : (tensor<3xf64>) -> ()
  }) : () -> ()
}
