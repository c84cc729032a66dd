// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// Fourier transforms: of each kind, of lengths with each method, over several axes.

func.func @main() {
  // A product with a matrix; NumPy computed the expected values. The imaginary part of the first row has no effect.
  %x0_0 = "stablehlo.constant"() <{value = dense<[[(-0.0, 0.0), (-0.5, -0.125), (-1.625, -0.25), (1.5, -2.0), (-1.375, -2.0)], [(0.875, 0.0), (-0.25, -0.125), (-0.0, -0.625), (0.75, -1.5), (-1.875, -0.5)]]>
      : tensor<2x5xcomplex<f64>>}> : () -> tensor<2x5xcomplex<f64>>
  %e0 = "stablehlo.constant"() <{value = dense<[[(-2.0, -4.375), (2.3335754194090823, 2.1682815859525877), (0.9160281846880267, -2.4624908334751376), (2.04053129562429, 4.5102365848814), (-3.290134899721399, 0.15897266264114895)], [(-0.5, -2.75), (0.48253443053862266, 0.4213975918021515), (2.2141688766793917, -1.8194689137590552), (3.4376788409765555, 1.5174179306342128), (-1.2593821481945704, 2.630653391322691)]]>
      : tensor<2x5xcomplex<f64>>}> : () -> tensor<2x5xcomplex<f64>>
  %z0 = "stablehlo.fft"(%x0_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  "stablehlo.custom_call"(%z0, %e0) <{call_target_name = "check.expect_close"}> : (tensor<2x5xcomplex<f64>>, tensor<2x5xcomplex<f64>>) -> ()
  %x1_0 = "stablehlo.constant"() <{value = dense<[[(-0.0, 0.0), (-0.5, -0.125), (-1.625, -0.25), (1.5, -2.0), (-1.375, -2.0)], [(0.875, 0.0), (-0.25, -0.125), (-0.0, -0.625), (0.75, -1.5), (-1.875, -0.5)]]>
      : tensor<2x5xcomplex<f64>>}> : () -> tensor<2x5xcomplex<f64>>
  %e1 = "stablehlo.constant"() <{value = dense<[[(-0.4, -0.875), (-0.6580269799442798, 0.031794532528229794), (0.40810625912485804, 0.90204731697628), (0.18320563693760536, -0.49249816669502755), (0.4667150838818165, 0.43365631719051756)], [(-0.1, -0.55), (-0.2518764296389141, 0.5261306782645382), (0.6875357681953111, 0.30348358612684256), (0.44283377533587837, -0.36389378275181106), (0.09650688610772454, 0.08427951836043031)]]>
      : tensor<2x5xcomplex<f64>>}> : () -> tensor<2x5xcomplex<f64>>
  %z1 = "stablehlo.fft"(%x1_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  "stablehlo.custom_call"(%z1, %e1) <{call_target_name = "check.expect_close"}> : (tensor<2x5xcomplex<f64>>, tensor<2x5xcomplex<f64>>) -> ()
  %x2_0 = "stablehlo.constant"() <{value = dense<[[0.75, 1.25, 1.0, -2.0, -0.625], [-0.0, 1.25, 0.25, 1.25, 0.75]]>
      : tensor<2x5xf64>}> : () -> tensor<2x5xf64>
  %e2 = "stablehlo.constant"() <{value = dense<[[(0.375, 0.0), (1.7521526158592895, -3.5465867249308323), (-0.06465261585928961, 1.7510722008370734)], [(3.5, 0.0), (-0.5954915028125263, 0.11225699414489637), (-1.1545084971874737, -1.24494914244139)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %z2 = "stablehlo.fft"(%x2_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x5xf64>) -> tensor<2x3xcomplex<f64>>
  "stablehlo.custom_call"(%z2, %e2) <{call_target_name = "check.expect_close"}> : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> ()
  %x3_0 = "stablehlo.constant"() <{value = dense<[[(-1.75, 2.0), (1.875, -0.625), (0.25, 0.0)], [(0.375, -1.75), (-1.0, 1.0), (1.625, 0.625)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %e3 = "stablehlo.constant"() <{value = dense<[[0.5, 0.03862517541750421, -0.7789147332705975, -1.0728073594168341, -0.43690308273007256], [0.325, -1.1018367636848745, 0.6021178722504938, 0.5968178159368958, -0.04709892450251507]]>
      : tensor<2x5xf64>}> : () -> tensor<2x5xf64>
  %z3 = "stablehlo.fft"(%x3_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3xcomplex<f64>>) -> tensor<2x5xf64>
  "stablehlo.custom_call"(%z3, %e3) <{call_target_name = "check.expect_close"}> : (tensor<2x5xf64>, tensor<2x5xf64>) -> ()
  %x4_0 = "stablehlo.constant"() <{value = dense<[[(-1.75, 2.0), (1.875, -0.625), (0.25, 0.0)], [(0.375, -1.75), (-1.0, 1.0), (1.625, 0.625)]]>
      : tensor<2x3xcomplex<f64>>}> : () -> tensor<2x3xcomplex<f64>>
  %e4 = "stablehlo.constant"() <{value = dense<[[0.5625, -0.1875, -1.3125, -0.8125], [0.0, -0.8125, 1.0, 0.1875]]>
      : tensor<2x4xf64>}> : () -> tensor<2x4xf64>
  %z4 = "stablehlo.fft"(%x4_0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3xcomplex<f64>>) -> tensor<2x4xf64>
  "stablehlo.custom_call"(%z4, %e4) <{call_target_name = "check.expect_close"}> : (tensor<2x4xf64>, tensor<2x4xf64>) -> ()
  %x5_0 = "stablehlo.constant"() <{value = dense<[[(-0.0, 0.0), (-0.5, -0.125), (-1.625, -0.25), (1.5, -2.0), (-1.375, -2.0)], [(0.875, 0.0), (-0.25, -0.125), (-0.0, -0.625), (0.75, -1.5), (-1.875, -0.5)]]>
      : tensor<2x5xcomplex<f32>>}> : () -> tensor<2x5xcomplex<f32>>
  %e5 = "stablehlo.constant"() <{value = dense<[[(-2.0, -4.375), (2.3335755, 2.1682816), (0.9160282, -2.4624908), (2.0405314, 4.5102367), (-3.290135, 0.15897267)], [(-0.5, -2.75), (0.48253444, 0.4213976), (2.2141688, -1.8194689), (3.4376788, 1.5174179), (-1.2593821, 2.6306534)]]>
      : tensor<2x5xcomplex<f32>>}> : () -> tensor<2x5xcomplex<f32>>
  %z5 = "stablehlo.fft"(%x5_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
  "stablehlo.custom_call"(%z5, %e5) <{call_target_name = "check.expect_close"}> : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> ()
  %x6_0 = "stablehlo.constant"() <{value = dense<[[(-0.0, 0.0), (-0.5, -0.125), (-1.625, -0.25), (1.5, -2.0), (-1.375, -2.0)], [(0.875, 0.0), (-0.25, -0.125), (-0.0, -0.625), (0.75, -1.5), (-1.875, -0.5)]]>
      : tensor<2x5xcomplex<f32>>}> : () -> tensor<2x5xcomplex<f32>>
  %e6 = "stablehlo.constant"() <{value = dense<[[(-0.4, -0.875), (-0.658027, 0.031794533), (0.40810627, 0.90204734), (0.18320563, -0.49249816), (0.4667151, 0.4336563)], [(-0.1, -0.55), (-0.25187644, 0.5261307), (0.68753576, 0.30348358), (0.44283378, -0.36389378), (0.096506886, 0.084279515)]]>
      : tensor<2x5xcomplex<f32>>}> : () -> tensor<2x5xcomplex<f32>>
  %z6 = "stablehlo.fft"(%x6_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
  "stablehlo.custom_call"(%z6, %e6) <{call_target_name = "check.expect_close"}> : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> ()
  %x7_0 = "stablehlo.constant"() <{value = dense<[[0.75, 1.25, 1.0, -2.0, -0.625], [-0.0, 1.25, 0.25, 1.25, 0.75]]>
      : tensor<2x5xf32>}> : () -> tensor<2x5xf32>
  %e7 = "stablehlo.constant"() <{value = dense<[[(0.375, 0.0), (1.7521526, -3.5465868), (-0.064652614, 1.7510722)], [(3.5, 0.0), (-0.5954915, 0.112257), (-1.1545085, -1.2449491)]]>
      : tensor<2x3xcomplex<f32>>}> : () -> tensor<2x3xcomplex<f32>>
  %z7 = "stablehlo.fft"(%x7_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x5xf32>) -> tensor<2x3xcomplex<f32>>
  "stablehlo.custom_call"(%z7, %e7) <{call_target_name = "check.expect_close"}> : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> ()
  %x8_0 = "stablehlo.constant"() <{value = dense<[[(-1.75, 2.0), (1.875, -0.625), (0.25, 0.0)], [(0.375, -1.75), (-1.0, 1.0), (1.625, 0.625)]]>
      : tensor<2x3xcomplex<f32>>}> : () -> tensor<2x3xcomplex<f32>>
  %e8 = "stablehlo.constant"() <{value = dense<[[0.5, 0.038625177, -0.77891475, -1.0728073, -0.4369031], [0.325, -1.1018368, 0.6021179, 0.5968178, -0.047098923]]>
      : tensor<2x5xf32>}> : () -> tensor<2x5xf32>
  %z8 = "stablehlo.fft"(%x8_0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3xcomplex<f32>>) -> tensor<2x5xf32>
  "stablehlo.custom_call"(%z8, %e8) <{call_target_name = "check.expect_close"}> : (tensor<2x5xf32>, tensor<2x5xf32>) -> ()
  %x9_0 = "stablehlo.constant"() <{value = dense<[[(-1.75, 2.0), (1.875, -0.625), (0.25, 0.0)], [(0.375, -1.75), (-1.0, 1.0), (1.625, 0.625)]]>
      : tensor<2x3xcomplex<f32>>}> : () -> tensor<2x3xcomplex<f32>>
  %e9 = "stablehlo.constant"() <{value = dense<[[0.5625, -0.1875, -1.3125, -0.8125], [0.0, -0.8125, 1.0, 0.1875]]>
      : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  %z9 = "stablehlo.fft"(%x9_0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  "stablehlo.custom_call"(%z9, %e9) <{call_target_name = "check.expect_close"}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  // Three axes, and two of three.
  %x10_0 = "stablehlo.constant"() <{value = dense<[[[(-1.125, -1.125), (1.375, 1.25), (0.25, -0.375), (1.75, 0.0)], [(1.25, -1.5), (-1.625, -1.0), (-1.0, -0.125), (1.375, 0.875)], [(-1.875, -0.125), (-1.5, 0.25), (1.625, 1.0), (1.25, -0.375)]], [[(-1.0, -1.875), (-0.625, 0.25), (-1.875, 1.75), (-1.5, -1.875)], [(-2.0, -0.125), (0.375, 0.625), (0.5, 0.0), (-1.375, -1.625)], [(1.375, 0.0), (-0.0, -1.625), (0.375, -1.75), (0.625, -0.625)]]]>
      : tensor<2x3x4xcomplex<f64>>}> : () -> tensor<2x3x4xcomplex<f64>>
  %e10 = "stablehlo.constant"() <{value = dense<[[[(-3.375, -8.125), (0.125, -1.125), (-3.625, -0.375), (-6.625, -9.375)], [(-2.1127404735808355, 4.851361141556919), (0.5693920339161358, -9.348076211353316), (-7.152803983041932, -0.7132214207425065), (-2.5, -2.424038105676658)], [(-2.7622595264191645, -2.7263611415569193), (7.930607966083864, -4.151923788646684), (-3.472196016958068, -2.6617785792574935), (-2.5, 0.174038105676658)]], [[(6.875, 5.625), (-5.375, 6.875), (-3.375, -6.125), (1.375, -9.375)], [(2.7826134546586427, -5.217386545341358), (1.6806079660838642, -0.28108891324553475), (-5.677323035880261, -5.152803983041932), (-3.6160254037844384, -5.865381056766578)], [(12.092386545341357, 4.092386545341358), (-5.680607966083864, 5.781088913245535), (-0.6976769641197391, -1.4721960169580681), (-1.8839745962155616, 20.11538105676658)]]]>
      : tensor<2x3x4xcomplex<f64>>}> : () -> tensor<2x3x4xcomplex<f64>>
  %z10 = "stablehlo.fft"(%x10_0) <{fft_length = array<i64: 2, 3, 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  "stablehlo.custom_call"(%z10, %e10) <{call_target_name = "check.expect_close"}> : (tensor<2x3x4xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>) -> ()
  %x11_0 = "stablehlo.constant"() <{value = dense<[[[(-1.125, -1.125), (1.375, 1.25), (0.25, -0.375), (1.75, 0.0)], [(1.25, -1.5), (-1.625, -1.0), (-1.0, -0.125), (1.375, 0.875)], [(-1.875, -0.125), (-1.5, 0.25), (1.625, 1.0), (1.25, -0.375)]], [[(-1.0, -1.875), (-0.625, 0.25), (-1.875, 1.75), (-1.5, -1.875)], [(-2.0, -0.125), (0.375, 0.625), (0.5, 0.0), (-1.375, -1.625)], [(1.375, 0.0), (-0.0, -1.625), (0.375, -1.75), (0.625, -0.625)]]]>
      : tensor<2x3x4xcomplex<f64>>}> : () -> tensor<2x3x4xcomplex<f64>>
  %e11 = "stablehlo.constant"() <{value = dense<[[[(0.14583333333333331, -0.10416666666666666), (-0.21875, -0.78125), (-0.29166666666666663, -0.2708333333333333), (-0.21875, 0.23958333333333331)], [(0.38875529245509133, 0.05691772515768494), (-0.1826656081756484, 0.8453924651018015), (-0.17374470754490862, -0.17224894150898173), (0.09375, 0.06788188019161878)], [(0.0279113742115753, -0.015251058491018274), (-0.2548343918243516, -0.3453924651018015), (-0.5345886257884247, -0.24441772515768492), (0.09375, -0.4012152135249521)]], [[(-0.4270833333333333, -0.5729166666666666), (-0.3333333333333333, 0.0), (-0.010416666666666666, 0.23958333333333331), (0.22916666666666666, -0.3333333333333333)], [(-0.618943586323355, -0.28411448695409486), (-0.02566772515768494, -0.8308892896287468), (-0.11560496053493037, -0.04956594009580939), (0.5671339971736553, -0.4138755292455091)], [(-0.20397308034331157, 0.41953115362076154), (0.04650105849101827, 0.14338928962874667), (-0.06147837279840296, 0.18498260676247605), (-0.04630066384032201, -0.37779113742115755)]]]>
      : tensor<2x3x4xcomplex<f64>>}> : () -> tensor<2x3x4xcomplex<f64>>
  %z11 = "stablehlo.fft"(%x11_0) <{fft_length = array<i64: 3, 4>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  "stablehlo.custom_call"(%z11, %e11) <{call_target_name = "check.expect_close"}> : (tensor<2x3x4xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>) -> ()
  %x12_0 = "stablehlo.constant"() <{value = dense<[[[-1.25, 0.0, 1.75, -1.125], [2.0, -0.625, 1.375, 0.125], [1.125, 1.5, 1.375, -1.375]], [[1.625, -1.5, 1.0, -1.875], [-0.75, -1.5, 0.5, -0.75], [0.25, -1.125, -0.375, 1.625]]]>
      : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
  %e12 = "stablehlo.constant"() <{value = dense<[[[(2.0, 0.0), (-2.625, -0.125), (15.25, 0.0)], [(-3.0625, 2.273316684934151), (-0.8427087188502873, -1.3214745962155616), (3.8125, -3.5723547906108095)], [(-3.0625, -2.273316684934151), (-3.6572912811497127, -3.053525403784439), (3.8125, 3.5723547906108095)]], [[(7.75, 0.0), (-2.625, -6.375), (0.5, 0.0)], [(-3.6875, -2.7063293868263707), (0.7463928962874671, -0.3190698604072061), (-6.8125, 0.9742785792574935)], [(-3.6875, 2.7063293868263707), (-8.996392896287468, 4.444069860407207), (-6.8125, -0.9742785792574935)]]]>
      : tensor<2x3x3xcomplex<f64>>}> : () -> tensor<2x3x3xcomplex<f64>>
  %z12 = "stablehlo.fft"(%x12_0) <{fft_length = array<i64: 2, 3, 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x3x4xf64>) -> tensor<2x3x3xcomplex<f64>>
  "stablehlo.custom_call"(%z12, %e12) <{call_target_name = "check.expect_close"}> : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> ()
  %x13_0 = "stablehlo.constant"() <{value = dense<[[[(0.375, 0.25), (0.0, 0.375), (0.875, -0.625)], [(2.0, 0.375), (-0.625, 1.0), (-1.5, -0.625)], [(-1.0, -0.125), (-1.375, -1.5), (-0.375, -1.0)]], [[(1.0, -1.875), (1.125, -1.75), (-1.625, -1.625)], [(-1.375, 1.625), (-0.5, 0.875), (1.375, 0.375)], [(-0.125, 1.25), (0.125, -1.25), (-0.875, -0.625)]]]>
      : tensor<2x3x3xcomplex<f64>>}> : () -> tensor<2x3x3xcomplex<f64>>
  %e13 = "stablehlo.constant"() <{value = dense<[[[-0.3020833333333333, 0.21875, 0.3645833333333333, 0.17708333333333331], [-0.1166999372694647, -0.3828992734291427, 0.2716545658842341, 0.04194041085030026], [0.731283270602798, -0.14835072657085724, -0.32373789921756735, -0.15652374418363357]], [[-0.010416666666666657, 0.40624999999999994, -0.26041666666666663, -0.3020833333333333], [-0.19761607469062226, 0.6978164693413185, -0.02168141367664489, -0.0034388231137728043], [0.6142827413572889, 0.4271835306586815, -0.4366519196566883, 0.08677215644710617]]]>
      : tensor<2x3x4xf64>}> : () -> tensor<2x3x4xf64>
  %z13 = "stablehlo.fft"(%x13_0) <{fft_length = array<i64: 3, 4>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x4xf64>
  "stablehlo.custom_call"(%z13, %e13) <{call_target_name = "check.expect_close"}> : (tensor<2x3x4xf64>, tensor<2x3x4xf64>) -> ()
  // Other lengths: two impulses. The transform of one is known, and the inverse gives the impulses.
  // Length 31, complex.
  %two14 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three14 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none14 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a14 = "stablehlo.pad"(%two14, %none14) <{edge_padding_low = array<i64: 13>, edge_padding_high = array<i64: 17>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<31xf64>
  %b14 = "stablehlo.pad"(%three14, %none14) <{edge_padding_low = array<i64: 30>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<31xf64>
  %x14 = "stablehlo.complex"(%a14, %b14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xcomplex<f64>>
  %k14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<31xi64>
  %n14 = "stablehlo.constant"() <{value = dense<31> : tensor<31xi64>}> : () -> tensor<31xi64>
  %u14 = "stablehlo.constant"() <{value = dense<0.2026833970057931> : tensor<31xf64>}> : () -> tensor<31xf64>
  %p14 = "stablehlo.constant"() <{value = dense<2.0> : tensor<31xf64>}> : () -> tensor<31xf64>
  %q14 = "stablehlo.constant"() <{value = dense<3.0> : tensor<31xf64>}> : () -> tensor<31xf64>
  %ja14 = "stablehlo.constant"() <{value = dense<13> : tensor<31xi64>}> : () -> tensor<31xi64>
  %ma14 = "stablehlo.multiply"(%k14, %ja14) : (tensor<31xi64>, tensor<31xi64>) -> tensor<31xi64>
  %ra14 = "stablehlo.remainder"(%ma14, %n14) : (tensor<31xi64>, tensor<31xi64>) -> tensor<31xi64>
  %fa14 = "stablehlo.convert"(%ra14) : (tensor<31xi64>) -> tensor<31xf64>
  %ta14 = "stablehlo.multiply"(%fa14, %u14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %ca14 = "stablehlo.cosine"(%ta14) : (tensor<31xf64>) -> tensor<31xf64>
  %wca14 = "stablehlo.multiply"(%ca14, %p14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %sa14 = "stablehlo.sine"(%ta14) : (tensor<31xf64>) -> tensor<31xf64>
  %wsa14 = "stablehlo.multiply"(%sa14, %p14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %jb14 = "stablehlo.constant"() <{value = dense<30> : tensor<31xi64>}> : () -> tensor<31xi64>
  %mb14 = "stablehlo.multiply"(%k14, %jb14) : (tensor<31xi64>, tensor<31xi64>) -> tensor<31xi64>
  %rb14 = "stablehlo.remainder"(%mb14, %n14) : (tensor<31xi64>, tensor<31xi64>) -> tensor<31xi64>
  %fb14 = "stablehlo.convert"(%rb14) : (tensor<31xi64>) -> tensor<31xf64>
  %tb14 = "stablehlo.multiply"(%fb14, %u14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %cb14 = "stablehlo.cosine"(%tb14) : (tensor<31xf64>) -> tensor<31xf64>
  %wcb14 = "stablehlo.multiply"(%cb14, %q14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %sb14 = "stablehlo.sine"(%tb14) : (tensor<31xf64>) -> tensor<31xf64>
  %wsb14 = "stablehlo.multiply"(%sb14, %q14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %er14 = "stablehlo.add"(%wca14, %wsb14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %ei14 = "stablehlo.subtract"(%wcb14, %wsa14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xf64>
  %e14 = "stablehlo.complex"(%er14, %ei14) : (tensor<31xf64>, tensor<31xf64>) -> tensor<31xcomplex<f64>>
  %z14 = "stablehlo.fft"(%x14) <{fft_length = array<i64: 31>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<31xcomplex<f64>>) -> tensor<31xcomplex<f64>>
  %y14 = "stablehlo.fft"(%z14) <{fft_length = array<i64: 31>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<31xcomplex<f64>>) -> tensor<31xcomplex<f64>>
  "stablehlo.custom_call"(%z14, %e14) <{call_target_name = "check.expect_close"}> : (tensor<31xcomplex<f64>>, tensor<31xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y14, %x14) <{call_target_name = "check.expect_close"}> : (tensor<31xcomplex<f64>>, tensor<31xcomplex<f64>>) -> ()
  // Length 36, complex.
  %two15 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three15 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none15 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a15 = "stablehlo.pad"(%two15, %none15) <{edge_padding_low = array<i64: 15>, edge_padding_high = array<i64: 20>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<36xf64>
  %b15 = "stablehlo.pad"(%three15, %none15) <{edge_padding_low = array<i64: 35>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<36xf64>
  %x15 = "stablehlo.complex"(%a15, %b15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xcomplex<f64>>
  %k15 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<36xi64>
  %n15 = "stablehlo.constant"() <{value = dense<36> : tensor<36xi64>}> : () -> tensor<36xi64>
  %u15 = "stablehlo.constant"() <{value = dense<0.17453292519943295> : tensor<36xf64>}> : () -> tensor<36xf64>
  %p15 = "stablehlo.constant"() <{value = dense<2.0> : tensor<36xf64>}> : () -> tensor<36xf64>
  %q15 = "stablehlo.constant"() <{value = dense<3.0> : tensor<36xf64>}> : () -> tensor<36xf64>
  %ja15 = "stablehlo.constant"() <{value = dense<15> : tensor<36xi64>}> : () -> tensor<36xi64>
  %ma15 = "stablehlo.multiply"(%k15, %ja15) : (tensor<36xi64>, tensor<36xi64>) -> tensor<36xi64>
  %ra15 = "stablehlo.remainder"(%ma15, %n15) : (tensor<36xi64>, tensor<36xi64>) -> tensor<36xi64>
  %fa15 = "stablehlo.convert"(%ra15) : (tensor<36xi64>) -> tensor<36xf64>
  %ta15 = "stablehlo.multiply"(%fa15, %u15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %ca15 = "stablehlo.cosine"(%ta15) : (tensor<36xf64>) -> tensor<36xf64>
  %wca15 = "stablehlo.multiply"(%ca15, %p15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %sa15 = "stablehlo.sine"(%ta15) : (tensor<36xf64>) -> tensor<36xf64>
  %wsa15 = "stablehlo.multiply"(%sa15, %p15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %jb15 = "stablehlo.constant"() <{value = dense<35> : tensor<36xi64>}> : () -> tensor<36xi64>
  %mb15 = "stablehlo.multiply"(%k15, %jb15) : (tensor<36xi64>, tensor<36xi64>) -> tensor<36xi64>
  %rb15 = "stablehlo.remainder"(%mb15, %n15) : (tensor<36xi64>, tensor<36xi64>) -> tensor<36xi64>
  %fb15 = "stablehlo.convert"(%rb15) : (tensor<36xi64>) -> tensor<36xf64>
  %tb15 = "stablehlo.multiply"(%fb15, %u15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %cb15 = "stablehlo.cosine"(%tb15) : (tensor<36xf64>) -> tensor<36xf64>
  %wcb15 = "stablehlo.multiply"(%cb15, %q15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %sb15 = "stablehlo.sine"(%tb15) : (tensor<36xf64>) -> tensor<36xf64>
  %wsb15 = "stablehlo.multiply"(%sb15, %q15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %er15 = "stablehlo.add"(%wca15, %wsb15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %ei15 = "stablehlo.subtract"(%wcb15, %wsa15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xf64>
  %e15 = "stablehlo.complex"(%er15, %ei15) : (tensor<36xf64>, tensor<36xf64>) -> tensor<36xcomplex<f64>>
  %z15 = "stablehlo.fft"(%x15) <{fft_length = array<i64: 36>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<36xcomplex<f64>>) -> tensor<36xcomplex<f64>>
  %y15 = "stablehlo.fft"(%z15) <{fft_length = array<i64: 36>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<36xcomplex<f64>>) -> tensor<36xcomplex<f64>>
  "stablehlo.custom_call"(%z15, %e15) <{call_target_name = "check.expect_close"}> : (tensor<36xcomplex<f64>>, tensor<36xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y15, %x15) <{call_target_name = "check.expect_close"}> : (tensor<36xcomplex<f64>>, tensor<36xcomplex<f64>>) -> ()
  // Length 67, complex.
  %two16 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three16 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none16 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a16 = "stablehlo.pad"(%two16, %none16) <{edge_padding_low = array<i64: 27>, edge_padding_high = array<i64: 39>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<67xf64>
  %b16 = "stablehlo.pad"(%three16, %none16) <{edge_padding_low = array<i64: 66>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<67xf64>
  %x16 = "stablehlo.complex"(%a16, %b16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xcomplex<f64>>
  %k16 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<67xi64>
  %n16 = "stablehlo.constant"() <{value = dense<67> : tensor<67xi64>}> : () -> tensor<67xi64>
  %u16 = "stablehlo.constant"() <{value = dense<0.09377888518178487> : tensor<67xf64>}> : () -> tensor<67xf64>
  %p16 = "stablehlo.constant"() <{value = dense<2.0> : tensor<67xf64>}> : () -> tensor<67xf64>
  %q16 = "stablehlo.constant"() <{value = dense<3.0> : tensor<67xf64>}> : () -> tensor<67xf64>
  %ja16 = "stablehlo.constant"() <{value = dense<27> : tensor<67xi64>}> : () -> tensor<67xi64>
  %ma16 = "stablehlo.multiply"(%k16, %ja16) : (tensor<67xi64>, tensor<67xi64>) -> tensor<67xi64>
  %ra16 = "stablehlo.remainder"(%ma16, %n16) : (tensor<67xi64>, tensor<67xi64>) -> tensor<67xi64>
  %fa16 = "stablehlo.convert"(%ra16) : (tensor<67xi64>) -> tensor<67xf64>
  %ta16 = "stablehlo.multiply"(%fa16, %u16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %ca16 = "stablehlo.cosine"(%ta16) : (tensor<67xf64>) -> tensor<67xf64>
  %wca16 = "stablehlo.multiply"(%ca16, %p16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %sa16 = "stablehlo.sine"(%ta16) : (tensor<67xf64>) -> tensor<67xf64>
  %wsa16 = "stablehlo.multiply"(%sa16, %p16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %jb16 = "stablehlo.constant"() <{value = dense<66> : tensor<67xi64>}> : () -> tensor<67xi64>
  %mb16 = "stablehlo.multiply"(%k16, %jb16) : (tensor<67xi64>, tensor<67xi64>) -> tensor<67xi64>
  %rb16 = "stablehlo.remainder"(%mb16, %n16) : (tensor<67xi64>, tensor<67xi64>) -> tensor<67xi64>
  %fb16 = "stablehlo.convert"(%rb16) : (tensor<67xi64>) -> tensor<67xf64>
  %tb16 = "stablehlo.multiply"(%fb16, %u16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %cb16 = "stablehlo.cosine"(%tb16) : (tensor<67xf64>) -> tensor<67xf64>
  %wcb16 = "stablehlo.multiply"(%cb16, %q16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %sb16 = "stablehlo.sine"(%tb16) : (tensor<67xf64>) -> tensor<67xf64>
  %wsb16 = "stablehlo.multiply"(%sb16, %q16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %er16 = "stablehlo.add"(%wca16, %wsb16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %ei16 = "stablehlo.subtract"(%wcb16, %wsa16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xf64>
  %e16 = "stablehlo.complex"(%er16, %ei16) : (tensor<67xf64>, tensor<67xf64>) -> tensor<67xcomplex<f64>>
  %z16 = "stablehlo.fft"(%x16) <{fft_length = array<i64: 67>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<67xcomplex<f64>>) -> tensor<67xcomplex<f64>>
  %y16 = "stablehlo.fft"(%z16) <{fft_length = array<i64: 67>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<67xcomplex<f64>>) -> tensor<67xcomplex<f64>>
  "stablehlo.custom_call"(%z16, %e16) <{call_target_name = "check.expect_close"}> : (tensor<67xcomplex<f64>>, tensor<67xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y16, %x16) <{call_target_name = "check.expect_close"}> : (tensor<67xcomplex<f64>>, tensor<67xcomplex<f64>>) -> ()
  // Length 134, real.
  %two17 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three17 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none17 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a17 = "stablehlo.pad"(%two17, %none17) <{edge_padding_low = array<i64: 54>, edge_padding_high = array<i64: 79>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<134xf64>
  %b17 = "stablehlo.pad"(%three17, %none17) <{edge_padding_low = array<i64: 133>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<134xf64>
  %x17 = "stablehlo.add"(%a17, %b17) : (tensor<134xf64>, tensor<134xf64>) -> tensor<134xf64>
  %k17 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<68xi64>
  %n17 = "stablehlo.constant"() <{value = dense<134> : tensor<68xi64>}> : () -> tensor<68xi64>
  %u17 = "stablehlo.constant"() <{value = dense<0.046889442590892436> : tensor<68xf64>}> : () -> tensor<68xf64>
  %p17 = "stablehlo.constant"() <{value = dense<2.0> : tensor<68xf64>}> : () -> tensor<68xf64>
  %q17 = "stablehlo.constant"() <{value = dense<3.0> : tensor<68xf64>}> : () -> tensor<68xf64>
  %ja17 = "stablehlo.constant"() <{value = dense<54> : tensor<68xi64>}> : () -> tensor<68xi64>
  %ma17 = "stablehlo.multiply"(%k17, %ja17) : (tensor<68xi64>, tensor<68xi64>) -> tensor<68xi64>
  %ra17 = "stablehlo.remainder"(%ma17, %n17) : (tensor<68xi64>, tensor<68xi64>) -> tensor<68xi64>
  %fa17 = "stablehlo.convert"(%ra17) : (tensor<68xi64>) -> tensor<68xf64>
  %ta17 = "stablehlo.multiply"(%fa17, %u17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %ca17 = "stablehlo.cosine"(%ta17) : (tensor<68xf64>) -> tensor<68xf64>
  %wca17 = "stablehlo.multiply"(%ca17, %p17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %sa17 = "stablehlo.sine"(%ta17) : (tensor<68xf64>) -> tensor<68xf64>
  %wsa17 = "stablehlo.multiply"(%sa17, %p17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %jb17 = "stablehlo.constant"() <{value = dense<133> : tensor<68xi64>}> : () -> tensor<68xi64>
  %mb17 = "stablehlo.multiply"(%k17, %jb17) : (tensor<68xi64>, tensor<68xi64>) -> tensor<68xi64>
  %rb17 = "stablehlo.remainder"(%mb17, %n17) : (tensor<68xi64>, tensor<68xi64>) -> tensor<68xi64>
  %fb17 = "stablehlo.convert"(%rb17) : (tensor<68xi64>) -> tensor<68xf64>
  %tb17 = "stablehlo.multiply"(%fb17, %u17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %cb17 = "stablehlo.cosine"(%tb17) : (tensor<68xf64>) -> tensor<68xf64>
  %wcb17 = "stablehlo.multiply"(%cb17, %q17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %sb17 = "stablehlo.sine"(%tb17) : (tensor<68xf64>) -> tensor<68xf64>
  %wsb17 = "stablehlo.multiply"(%sb17, %q17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %er17 = "stablehlo.add"(%wca17, %wcb17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %es17 = "stablehlo.add"(%wsa17, %wsb17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xf64>
  %ei17 = "stablehlo.negate"(%es17) : (tensor<68xf64>) -> tensor<68xf64>
  %e17 = "stablehlo.complex"(%er17, %ei17) : (tensor<68xf64>, tensor<68xf64>) -> tensor<68xcomplex<f64>>
  %z17 = "stablehlo.fft"(%x17) <{fft_length = array<i64: 134>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<134xf64>) -> tensor<68xcomplex<f64>>
  %y17 = "stablehlo.fft"(%z17) <{fft_length = array<i64: 134>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<68xcomplex<f64>>) -> tensor<134xf64>
  "stablehlo.custom_call"(%z17, %e17) <{call_target_name = "check.expect_close"}> : (tensor<68xcomplex<f64>>, tensor<68xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y17, %x17) <{call_target_name = "check.expect_close"}> : (tensor<134xf64>, tensor<134xf64>) -> ()
  // Length 360, real.
  %two18 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three18 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none18 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a18 = "stablehlo.pad"(%two18, %none18) <{edge_padding_low = array<i64: 145>, edge_padding_high = array<i64: 214>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<360xf64>
  %b18 = "stablehlo.pad"(%three18, %none18) <{edge_padding_low = array<i64: 359>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<360xf64>
  %x18 = "stablehlo.add"(%a18, %b18) : (tensor<360xf64>, tensor<360xf64>) -> tensor<360xf64>
  %k18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<181xi64>
  %n18 = "stablehlo.constant"() <{value = dense<360> : tensor<181xi64>}> : () -> tensor<181xi64>
  %u18 = "stablehlo.constant"() <{value = dense<0.017453292519943295> : tensor<181xf64>}> : () -> tensor<181xf64>
  %p18 = "stablehlo.constant"() <{value = dense<2.0> : tensor<181xf64>}> : () -> tensor<181xf64>
  %q18 = "stablehlo.constant"() <{value = dense<3.0> : tensor<181xf64>}> : () -> tensor<181xf64>
  %ja18 = "stablehlo.constant"() <{value = dense<145> : tensor<181xi64>}> : () -> tensor<181xi64>
  %ma18 = "stablehlo.multiply"(%k18, %ja18) : (tensor<181xi64>, tensor<181xi64>) -> tensor<181xi64>
  %ra18 = "stablehlo.remainder"(%ma18, %n18) : (tensor<181xi64>, tensor<181xi64>) -> tensor<181xi64>
  %fa18 = "stablehlo.convert"(%ra18) : (tensor<181xi64>) -> tensor<181xf64>
  %ta18 = "stablehlo.multiply"(%fa18, %u18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %ca18 = "stablehlo.cosine"(%ta18) : (tensor<181xf64>) -> tensor<181xf64>
  %wca18 = "stablehlo.multiply"(%ca18, %p18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %sa18 = "stablehlo.sine"(%ta18) : (tensor<181xf64>) -> tensor<181xf64>
  %wsa18 = "stablehlo.multiply"(%sa18, %p18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %jb18 = "stablehlo.constant"() <{value = dense<359> : tensor<181xi64>}> : () -> tensor<181xi64>
  %mb18 = "stablehlo.multiply"(%k18, %jb18) : (tensor<181xi64>, tensor<181xi64>) -> tensor<181xi64>
  %rb18 = "stablehlo.remainder"(%mb18, %n18) : (tensor<181xi64>, tensor<181xi64>) -> tensor<181xi64>
  %fb18 = "stablehlo.convert"(%rb18) : (tensor<181xi64>) -> tensor<181xf64>
  %tb18 = "stablehlo.multiply"(%fb18, %u18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %cb18 = "stablehlo.cosine"(%tb18) : (tensor<181xf64>) -> tensor<181xf64>
  %wcb18 = "stablehlo.multiply"(%cb18, %q18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %sb18 = "stablehlo.sine"(%tb18) : (tensor<181xf64>) -> tensor<181xf64>
  %wsb18 = "stablehlo.multiply"(%sb18, %q18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %er18 = "stablehlo.add"(%wca18, %wcb18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %es18 = "stablehlo.add"(%wsa18, %wsb18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xf64>
  %ei18 = "stablehlo.negate"(%es18) : (tensor<181xf64>) -> tensor<181xf64>
  %e18 = "stablehlo.complex"(%er18, %ei18) : (tensor<181xf64>, tensor<181xf64>) -> tensor<181xcomplex<f64>>
  %z18 = "stablehlo.fft"(%x18) <{fft_length = array<i64: 360>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<360xf64>) -> tensor<181xcomplex<f64>>
  %y18 = "stablehlo.fft"(%z18) <{fft_length = array<i64: 360>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<181xcomplex<f64>>) -> tensor<360xf64>
  "stablehlo.custom_call"(%z18, %e18) <{call_target_name = "check.expect_close"}> : (tensor<181xcomplex<f64>>, tensor<181xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y18, %x18) <{call_target_name = "check.expect_close"}> : (tensor<360xf64>, tensor<360xf64>) -> ()
  // Length 255, real.
  %two19 = "stablehlo.constant"() <{value = dense<[2.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %three19 = "stablehlo.constant"() <{value = dense<[3.0]> : tensor<1xf64>}> : () -> tensor<1xf64>
  %none19 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %a19 = "stablehlo.pad"(%two19, %none19) <{edge_padding_low = array<i64: 103>, edge_padding_high = array<i64: 151>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<255xf64>
  %b19 = "stablehlo.pad"(%three19, %none19) <{edge_padding_low = array<i64: 254>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1xf64>, tensor<f64>) -> tensor<255xf64>
  %x19 = "stablehlo.add"(%a19, %b19) : (tensor<255xf64>, tensor<255xf64>) -> tensor<255xf64>
  %k19 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi64>
  %n19 = "stablehlo.constant"() <{value = dense<255> : tensor<128xi64>}> : () -> tensor<128xi64>
  %u19 = "stablehlo.constant"() <{value = dense<0.024639942381096416> : tensor<128xf64>}> : () -> tensor<128xf64>
  %p19 = "stablehlo.constant"() <{value = dense<2.0> : tensor<128xf64>}> : () -> tensor<128xf64>
  %q19 = "stablehlo.constant"() <{value = dense<3.0> : tensor<128xf64>}> : () -> tensor<128xf64>
  %ja19 = "stablehlo.constant"() <{value = dense<103> : tensor<128xi64>}> : () -> tensor<128xi64>
  %ma19 = "stablehlo.multiply"(%k19, %ja19) : (tensor<128xi64>, tensor<128xi64>) -> tensor<128xi64>
  %ra19 = "stablehlo.remainder"(%ma19, %n19) : (tensor<128xi64>, tensor<128xi64>) -> tensor<128xi64>
  %fa19 = "stablehlo.convert"(%ra19) : (tensor<128xi64>) -> tensor<128xf64>
  %ta19 = "stablehlo.multiply"(%fa19, %u19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %ca19 = "stablehlo.cosine"(%ta19) : (tensor<128xf64>) -> tensor<128xf64>
  %wca19 = "stablehlo.multiply"(%ca19, %p19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %sa19 = "stablehlo.sine"(%ta19) : (tensor<128xf64>) -> tensor<128xf64>
  %wsa19 = "stablehlo.multiply"(%sa19, %p19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %jb19 = "stablehlo.constant"() <{value = dense<254> : tensor<128xi64>}> : () -> tensor<128xi64>
  %mb19 = "stablehlo.multiply"(%k19, %jb19) : (tensor<128xi64>, tensor<128xi64>) -> tensor<128xi64>
  %rb19 = "stablehlo.remainder"(%mb19, %n19) : (tensor<128xi64>, tensor<128xi64>) -> tensor<128xi64>
  %fb19 = "stablehlo.convert"(%rb19) : (tensor<128xi64>) -> tensor<128xf64>
  %tb19 = "stablehlo.multiply"(%fb19, %u19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %cb19 = "stablehlo.cosine"(%tb19) : (tensor<128xf64>) -> tensor<128xf64>
  %wcb19 = "stablehlo.multiply"(%cb19, %q19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %sb19 = "stablehlo.sine"(%tb19) : (tensor<128xf64>) -> tensor<128xf64>
  %wsb19 = "stablehlo.multiply"(%sb19, %q19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %er19 = "stablehlo.add"(%wca19, %wcb19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %es19 = "stablehlo.add"(%wsa19, %wsb19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
  %ei19 = "stablehlo.negate"(%es19) : (tensor<128xf64>) -> tensor<128xf64>
  %e19 = "stablehlo.complex"(%er19, %ei19) : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xcomplex<f64>>
  %z19 = "stablehlo.fft"(%x19) <{fft_length = array<i64: 255>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<255xf64>) -> tensor<128xcomplex<f64>>
  %y19 = "stablehlo.fft"(%z19) <{fft_length = array<i64: 255>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<128xcomplex<f64>>) -> tensor<255xf64>
  "stablehlo.custom_call"(%z19, %e19) <{call_target_name = "check.expect_close"}> : (tensor<128xcomplex<f64>>, tensor<128xcomplex<f64>>) -> ()
  "stablehlo.custom_call"(%y19, %x19) <{call_target_name = "check.expect_close"}> : (tensor<255xf64>, tensor<255xf64>) -> ()
  return
}
