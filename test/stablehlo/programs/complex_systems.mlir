// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Complex triangular systems and Cholesky factors.
// The programs and the expected values are those of JAX 0.10.2 on the CPU.

module {
  func.func public @main() {
    %0 = "stablehlo.constant"() <{value = dense<[[6.0625e+00, -1.875e-01, -1.3125e+00], [-1.875e-01, 1.19375e+01, 1.0625e+00], [-1.3125e+00, 1.0625e+00, 9.1875e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %1 = "stablehlo.constant"() <{value = dense<[[0.0e+00, -1.875e+00, -1.125e+00], [1.875e+00, 0.0e+00, -1.5e+00], [1.125e+00, 1.5e+00, 0.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %2:2 = call @cholesky_complex(%0, %1) : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    %3 = "stablehlo.constant"() <{value = dense<[[2.462214450449026e+00, 0.0e+00, 0.0e+00], [-7.615096238502143e-02, 3.3692438504375635e+00, 0.0e+00], [-5.330567366951501e-01, 2.0003570595741238e-01, 2.922723845690874e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%2#0, %3) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %4 = "stablehlo.constant"() <{value = dense<[[0.0e+00, 0.0e+00, 0.0e+00], [7.615096238502144e-01, 0.0e+00, 0.0e+00], [4.5690577431012863e-01, 3.3505024554243457e-01, 0.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    "stablehlo.custom_call"(%2#1, %4) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
    %5 = "stablehlo.constant"() <{value = dense<[[3.0e+00, 1.25e+00, -2.5e-01], [2.0e+00, 5.75e+00, 1.5e+00], [-2.0e+00, -2.0e+00, 4.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %6 = "stablehlo.constant"() <{value = dense<[[-7.5e-01, 1.5e+00, -7.5e-01], [-1.5e+00, -1.75e+00, -7.5e-01], [5.0e-01, -1.5e+00, 1.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %7 = "stablehlo.constant"() <{value = dense<[[-7.5e-01, -7.5e-01], [7.5e-01, 1.5e+00], [-2.5e-01, 1.25e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %8 = "stablehlo.constant"() <{value = dense<[[-7.5e-01, -1.5e+00], [1.5e+00, 1.25e+00], [1.0e+00, 1.75e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %9:2 = call @solve_true_true_false_false(%5, %6, %7, %8) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %10 = "stablehlo.constant"() <{value = dense<[[-1.764705882352941e-01, -1.1764705882352941e-01], [1.5743944636678198e-01, 2.9930795847750863e-01], [-1.1942124170762351e-01, 2.77213320697331e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%9#0, %10) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %11 = "stablehlo.constant"() <{value = dense<[[-2.9411764705882354e-01, -5.294117647058824e-01], [3.650519031141869e-01, 4.6193771626297575e-01], [3.801269477442532e-01, 4.179578163224825e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%9#1, %11) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %12 = "stablehlo.constant"() <{value = dense<[[4.0e+00, -1.25e+00, 2.5e-01], [2.5e-01, 3.5e+00, 5.0e-01], [-1.0e+00, 5.0e-01, 5.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %13 = "stablehlo.constant"() <{value = dense<[[-1.75e+00, -2.5e-01, 7.5e-01], [-2.0e+00, 5.0e-01, 1.75e+00], [1.5e+00, 7.5e-01, 1.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %14 = "stablehlo.constant"() <{value = dense<[[-5.0e-01, -7.5e-01], [-1.75e+00, 1.0e+00], [-7.5e-01, 1.5e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %15 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 1.75e+00], [-1.5e+00, -1.5e+00], [-7.5e-01, -2.0e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %16:2 = call @solve_true_true_true_false(%12, %13, %14, %15) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %17 = "stablehlo.constant"() <{value = dense<[[8.392345036234428e-02, -2.0634855414057557e-01], [-5.411158798283261e-01, 1.0789699570815449e-01], [-1.6738197424892703e-01, 1.8454935622317598e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%16#0, %17) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %18 = "stablehlo.constant"() <{value = dense<[[-2.4053134454372754e-01, 2.5216885949482865e-01], [-3.006866952789699e-01, -4.22832618025751e-01], [-1.0300429184549356e-01, -4.24892703862661e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%16#1, %18) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %19 = "stablehlo.constant"() <{value = dense<[[4.0e+00, 7.5e-01, 7.5e-01], [-1.25e+00, 2.5e+00, 2.5e-01], [5.0e-01, 2.0e+00, 5.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %20 = "stablehlo.constant"() <{value = dense<[[-5.0e-01, -1.5e+00, -1.0e+00], [1.5e+00, -2.5e-01, 2.0e+00], [7.5e-01, 5.0e-01, -1.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %21 = "stablehlo.constant"() <{value = dense<[[5.0e-01, -5.0e-01], [1.5e+00, -1.5e+00], [-1.25e+00, 7.5e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %22 = "stablehlo.constant"() <{value = dense<[[7.5e-01, 1.5e+00], [0.0e+00, -5.0e-01], [-7.5e-01, -5.0e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %23:2 = call @solve_true_true_true_true(%19, %20, %21, %22) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %24 = "stablehlo.constant"() <{value = dense<[[4.8792168809641145e-01, -2.8758660401573827e-01], [7.920792079207921e-01, -6.552125800815376e-01], [-2.3529411764705882e-01, 9.515570934256055e-02]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%23#0, %24) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %25 = "stablehlo.constant"() <{value = dense<[[3.6202231082836794e-01, 1.9047678656606676e-01], [-7.920792079207922e-02, -2.2714036109493296e-02], [-5.8823529411764705e-02, -1.1591695501730104e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%23#1, %25) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %26 = "stablehlo.constant"() <{value = dense<[[4.75e+00, 2.5e-01, -7.5e-01], [-1.25e+00, 5.0e+00, -1.0e+00], [-1.25e+00, -7.5e-01, 5.5e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %27 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 5.0e-01, -1.75e+00], [-7.5e-01, 1.0e+00, 1.25e+00], [2.5e-01, 1.5e+00, -7.5e-01]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %28 = "stablehlo.constant"() <{value = dense<[[-1.5e+00, -1.75e+00], [-1.25e+00, 1.0e+00], [1.75e+00, -1.5e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %29 = "stablehlo.constant"() <{value = dense<[[0.0e+00, -1.5e+00], [1.5e+00, -1.5e+00], [5.0e-01, -1.75e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %30:2 = call @solve_true_false_false_false(%26, %27, %28, %29) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %31 = "stablehlo.constant"() <{value = dense<[[-2.888792004337823e-01, -2.8496087166786344e-01], [-1.0262911530660007e-01, 4.856451864565455e-03], [3.002028397565923e-01, -2.2515212981744423e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%30#0, %31) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %32 = "stablehlo.constant"() <{value = dense<[[1.1271011328165073e-01, -4.5278587862889647e-01], [2.718442814791699e-01, -3.144601341863005e-01], [1.3184584178498984e-01, -3.488843813387424e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%30#1, %32) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %33 = "stablehlo.constant"() <{value = dense<[[5.0e+00, 1.75e+00, 1.0e+00], [-1.0e+00, 5.5e+00, -7.5e-01], [1.0e+00, 1.5e+00, 4.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %34 = "stablehlo.constant"() <{value = dense<[[5.0e-01, 1.5e+00, -1.25e+00], [-2.0e+00, -2.5e-01, -1.25e+00], [1.75e+00, 1.5e+00, -5.0e-01]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %35 = "stablehlo.constant"() <{value = dense<[[-7.5e-01, 1.0e+00], [-2.5e-01, -1.75e+00], [7.5e-01, 1.0e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %36 = "stablehlo.constant"() <{value = dense<[[-1.75e+00, 1.25e+00], [2.5e-01, 1.5e+00], [1.5e+00, 7.5e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %37:2 = call @solve_true_false_true_false(%33, %34, %35, %36) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %38 = "stablehlo.constant"() <{value = dense<[[-1.8316831683168316e-01, 2.2277227722772278e-01], [-8.658773093804227e-02, -3.3261202408900686e-01], [2.0462504220287214e-01, 6.85217609786354e-03]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%37#0, %38) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %39 = "stablehlo.constant"() <{value = dense<[[-3.316831683168317e-01, 2.2772277227722773e-01], [1.9700928855772176e-01, 1.243952230274574e-01], [4.361393990311006e-01, 1.20425012366423e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%37#1, %39) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %40 = "stablehlo.constant"() <{value = dense<[[3.25e+00, -5.0e-01, 1.0e+00], [-1.75e+00, 2.75e+00, 0.0e+00], [2.0e+00, 1.0e+00, 5.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %41 = "stablehlo.constant"() <{value = dense<[[-1.25e+00, -1.0e+00, -1.0e+00], [1.0e+00, 2.5e-01, -1.25e+00], [1.0e+00, 5.0e-01, 1.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %42 = "stablehlo.constant"() <{value = dense<[[2.5e-01, -1.5e+00], [1.75e+00, -1.25e+00], [-2.0e+00, 1.25e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %43 = "stablehlo.constant"() <{value = dense<[[-2.5e-01, 5.0e-01], [-1.5e+00, 1.0e+00], [-5.0e-01, 2.0e+00]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    %44:2 = call @solve_true_false_true_true(%40, %41, %42, %43) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    %45 = "stablehlo.constant"() <{value = dense<[[4.123711340206185e-02, -3.5051546391752575e-01], [6.571742437045801e-01, -4.5893189116106137e-01], [-4.041744127091431e-01, 2.8079866727830216e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%44#0, %45) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %46 = "stablehlo.constant"() <{value = dense<[[-9.278350515463918e-02, 2.8865979381443296e-01], [-5.175764745648133e-01, 5.018590501943553e-01], [-3.76614597165552e-01, 5.956034670078948e-01]]> : tensor<3x2xf64>}> : () -> tensor<3x2xf64>
    "stablehlo.custom_call"(%44#1, %46) <{call_target_name = "check.expect_almost_eq"}> : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
    %47 = "stablehlo.constant"() <{value = dense<[[4.5e+00, 1.75e+00, 1.25e+00], [1.5e+00, 2.25e+00, 1.25e+00], [5.0e-01, -5.0e-01, 3.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %48 = "stablehlo.constant"() <{value = dense<[[5.0e-01, -1.25e+00, -1.25e+00], [1.5e+00, 1.0e+00, 5.0e-01], [1.0e+00, -7.5e-01, 1.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %49 = "stablehlo.constant"() <{value = dense<[[-1.25e+00, -2.5e-01, -1.5e+00], [-5.0e-01, -7.5e-01, -2.5e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %50 = "stablehlo.constant"() <{value = dense<[[0.0e+00, -2.0e+00, -7.5e-01], [1.5e+00, -2.5e-01, 2.5e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %51:2 = call @solve_false_true_false_false(%47, %48, %49, %50) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %52 = "stablehlo.constant"() <{value = dense<[[-2.624737510958281e-01, -5.57258289217052e-01, -4.864864864864864e-01], [9.599929323338927e-02, -3.5263304541655055e-01, -4.864864864864864e-02]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%51#0, %52) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %53 = "stablehlo.constant"() <{value = dense<[[6.058332030798713e-01, -8.213987183059347e-01, -8.108108108108106e-02], [4.2420539725040607e-01, 4.981889105600446e-02, 9.189189189189188e-02]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%51#1, %53) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %54 = "stablehlo.constant"() <{value = dense<[[2.25e+00, -5.0e-01, 2.0e+00], [2.5e-01, 2.0e+00, 1.0e+00], [1.25e+00, -5.0e-01, 2.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %55 = "stablehlo.constant"() <{value = dense<[[1.5e+00, -1.0e+00, 1.75e+00], [-5.0e-01, -5.0e-01, 1.25e+00], [-1.5e+00, -2.0e+00, 1.0e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %56 = "stablehlo.constant"() <{value = dense<[[1.75e+00, 2.0e+00, -1.5e+00], [-1.5e+00, -7.5e-01, 1.0e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %57 = "stablehlo.constant"() <{value = dense<[[1.75e+00, 1.5e+00, -5.0e-01], [1.75e+00, -1.0e+00, -1.5e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %58:2 = call @solve_false_true_true_false(%54, %55, %56, %57) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %59 = "stablehlo.constant"() <{value = dense<[[8.974358974358975e-01, 5.693815987933635e-01, -1.4564102564102566e+00], [-1.0256410256410259e-01, -3.9140271493212664e-01, -3.2307692307692315e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%58#0, %59) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %60 = "stablehlo.constant"() <{value = dense<[[1.7948717948717957e-01, 1.0942684766214177e+00, 1.882051282051282e+00], [8.461538461538463e-01, -7.29260935143288e-01, -1.7679487179487179e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%58#1, %60) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %61 = "stablehlo.constant"() <{value = dense<[[3.75e+00, -1.75e+00, 7.5e-01], [2.0e+00, 2.25e+00, -1.75e+00], [-1.25e+00, -1.25e+00, 4.25e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %62 = "stablehlo.constant"() <{value = dense<[[2.5e-01, 2.0e+00, -2.5e-01], [1.75e+00, 1.0e+00, 1.5e+00], [-1.25e+00, -2.5e-01, 1.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %63 = "stablehlo.constant"() <{value = dense<[[1.0e+00, -1.25e+00, 1.5e+00], [1.25e+00, -1.5e+00, -1.75e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %64 = "stablehlo.constant"() <{value = dense<[[-1.0e+00, 0.0e+00, -1.5e+00], [-2.0e+00, -1.75e+00, -7.5e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %65:2 = call @solve_false_true_true_true(%61, %62, %63, %64) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %66 = "stablehlo.constant"() <{value = dense<[[2.831858407079646e-01, -6.766718365112672e-01, 2.9829373534678355e-01], [3.672566371681416e-01, -4.840343034394672e-01, -3.5299925664364623e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%65#0, %66) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %67 = "stablehlo.constant"() <{value = dense<[[-2.4778761061946905e-01, 1.3976826931849284e-01, -3.053704662415266e-01], [-5.088495575221239e-01, -2.549493659337651e-01, -6.260140174227181e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%65#1, %67) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %68 = "stablehlo.constant"() <{value = dense<[[3.5e+00, -7.5e-01, -2.5e-01], [1.0e+00, 3.0e+00, -2.5e-01], [1.0e+00, -2.0e+00, 5.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %69 = "stablehlo.constant"() <{value = dense<[[2.0e+00, -1.0e+00, 1.75e+00], [-1.0e+00, 1.75e+00, 7.5e-01], [-1.0e+00, -1.75e+00, -5.0e-01]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %70 = "stablehlo.constant"() <{value = dense<[[1.0e+00, -1.25e+00, 0.0e+00], [-1.5e+00, -2.5e-01, -2.0e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %71 = "stablehlo.constant"() <{value = dense<[[2.0e+00, 0.0e+00, 1.5e+00], [-1.5e+00, -1.5e+00, -1.5e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %72:2 = call @solve_false_false_false_false(%68, %69, %70, %71) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %73 = "stablehlo.constant"() <{value = dense<[[4.6153846153846156e-01, -2.0087684336388995e-01, 1.3412203870942657e-01], [-5.076923076923077e-01, -4.28776404942208e-01, -4.7961387784463727e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%72#0, %73) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %74 = "stablehlo.constant"() <{value = dense<[[3.076923076923077e-01, 3.4794738939816655e-01, 1.867715249492072e-01], [-1.3846153846153847e-01, -4.537265842965324e-01, -1.1788002216411164e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%72#1, %74) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %75 = "stablehlo.constant"() <{value = dense<[[4.25e+00, 1.5e+00, 5.0e-01], [0.0e+00, 6.0e+00, -1.25e+00], [-1.5e+00, 7.5e-01, 5.5e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %76 = "stablehlo.constant"() <{value = dense<[[-1.0e+00, -1.0e+00, 0.0e+00], [1.25e+00, -1.0e+00, 1.5e+00], [0.0e+00, 7.5e-01, 5.0e-01]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %77 = "stablehlo.constant"() <{value = dense<[[0.0e+00, 2.5e-01, 2.0e+00], [-5.0e-01, 2.0e+00, 1.25e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %78 = "stablehlo.constant"() <{value = dense<[[-1.25e+00, 1.5e+00, -5.0e-01], [-1.25e+00, -1.0e+00, -1.5e+00]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %79:2 = call @solve_false_false_true_false(%75, %76, %77, %78) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %80 = "stablehlo.constant"() <{value = dense<[[-2.1247920858240656e-02, 5.9980062029242366e-02, 3.524590163934426e-01], [-1.752963457948677e-01, 3.3925011076650424e-01, 2.0081967213114754e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%79#0, %80) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %81 = "stablehlo.constant"() <{value = dense<[[-3.221631064012144e-01, 1.462671688081524e-01, -1.2295081967213115e-01], [-1.4332404831598597e-01, -2.2095148427115643e-01, -2.909836065573771e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%79#1, %81) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %82 = "stablehlo.constant"() <{value = dense<[[3.25e+00, -1.75e+00, 2.5e-01], [2.0e+00, 6.0e+00, 2.0e+00], [-1.0e+00, -1.25e+00, 4.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %83 = "stablehlo.constant"() <{value = dense<[[2.0e+00, 1.5e+00, -1.25e+00], [1.0e+00, 0.0e+00, -2.5e-01], [0.0e+00, 2.5e-01, 1.75e+00]]> : tensor<3x3xf64>}> : () -> tensor<3x3xf64>
    %84 = "stablehlo.constant"() <{value = dense<[[1.25e+00, -2.0e+00, 1.0e+00], [-7.5e-01, -7.5e-01, 5.0e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %85 = "stablehlo.constant"() <{value = dense<[[2.0e+00, -1.75e+00, 0.0e+00], [-1.0e+00, 1.75e+00, -2.5e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    %86:2 = call @solve_false_false_true_true(%82, %83, %84, %85) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
    %87 = "stablehlo.constant"() <{value = dense<[[1.6004745455179875e-01, -3.922764227642276e-01, 1.8536585365853656e-01], [-2.1850683903834747e-01, -1.6209349593495934e-01, 1.097560975609756e-01]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%86#0, %87) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    %88 = "stablehlo.constant"() <{value = dense<[[2.828090652151157e-01, -3.2215447154471544e-01, 6.829268292682926e-02], [-4.014685613594333e-01, 2.9115853658536583e-01, -1.219512195121951e-02]]> : tensor<2x3xf64>}> : () -> tensor<2x3xf64>
    "stablehlo.custom_call"(%86#1, %88) <{call_target_name = "check.expect_almost_eq"}> : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
    return
  }
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>), sym_name = "cholesky_complex", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %3 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %4 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.multiply"(%5, %4) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %7 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %8 = "stablehlo.add"(%7, %6) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %9 = "stablehlo.transpose"(%8) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %10 = "stablehlo.real"(%9) : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %11 = "stablehlo.imag"(%9) : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %12 = "stablehlo.negate"(%11) : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %13 = "stablehlo.complex"(%10, %12) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %14 = "stablehlo.add"(%8, %13) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %15 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %16 = "stablehlo.divide"(%14, %15) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %17 = "stablehlo.cholesky"(%16) <{lower = true}> : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi64>
    %19 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<3x3xi64>
    %20 = "stablehlo.add"(%18, %19) : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi64>
    %21 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi64>
    %22 = "stablehlo.compare"(%20, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %23 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %24 = "stablehlo.select"(%22, %17, %23) : (tensor<3x3xi1>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %25 = "stablehlo.real"(%24) : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %26 = "stablehlo.imag"(%24) : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    "func.return"(%25, %26) : (tensor<3x3xf64>, tensor<3x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_true_false_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_true_true_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_true_true_true", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_false_false_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_false_true_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2xf64>), sym_name = "solve_true_false_true_true", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<3x2xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<3x2xf64>) -> tensor<3x2xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    "func.return"(%12, %13) : (tensor<3x2xf64>, tensor<3x2xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_true_false_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_true_true_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_true_true_true", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_false_false_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_false_true_false", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>), sym_name = "solve_false_false_true_true", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f64>>}> : () -> tensor<complex<f64>>
    %1 = "stablehlo.convert"(%arg1) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %4 = "stablehlo.convert"(%arg0) : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %5 = "stablehlo.add"(%4, %3) : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %9 = "stablehlo.convert"(%arg2) : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
    %10 = "stablehlo.add"(%9, %8) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %11 = "stablehlo.triangular_solve"(%5, %10) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    %12 = "stablehlo.real"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    %13 = "stablehlo.imag"(%11) : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xf64>
    "func.return"(%12, %13) : (tensor<2x3xf64>, tensor<2x3xf64>) -> ()
  }) : () -> ()
}
