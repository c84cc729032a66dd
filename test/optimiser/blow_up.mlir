// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,%S/blow_up.rules report=true}))' -o %t 2>&1 | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=egg rules=all,%S/blow_up.rules report=true}))' -o %t 2>&1 | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,%S/blow_up.rules fuel=200 report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=USUAL
// A sum of 64 products with associativity, commutativity and distributivity: the number of forms explodes. Fuel stops the rules,
// even inside an iteration, and the forms found so far are used. The built-in rules reach a fixpoint.

// CHECK:  blow_up.mlir:{{[0-9]+}}:1: remark: cost {{[0-9]+}} before, {{[0-9]+}} after; fuel used up after {{[0-9]+}} iterations with {{[0-9][0-9]?[0-9]?[0-9]?}} e-nodes
// SMALL:  remark: cost {{[0-9]+}} before, {{[0-9]+}} after; fuel used up after {{[0-9]+}} iteration{{s?}} with {{[0-9][0-9]?[0-9]?}} e-nodes
// USUAL:  remark: cost {{[0-9]+}} before, {{[0-9]+}} after; saturated after {{[0-9]+}} iterations

func.func @f(%x0: f64, %x1: f64, %x2: f64, %x3: f64, %x4: f64, %x5: f64, %x6: f64, %x7: f64, %y0: f64, %y1: f64, %y2: f64, %y3: f64, %y4: f64, %y5: f64, %y6: f64, %y7: f64) -> f64 {
  %p00 = arith.mulf %x0, %y0 fastmath<reassoc> : f64
  %p01 = arith.mulf %x0, %y1 fastmath<reassoc> : f64
  %p02 = arith.mulf %x0, %y2 fastmath<reassoc> : f64
  %p03 = arith.mulf %x0, %y3 fastmath<reassoc> : f64
  %p04 = arith.mulf %x0, %y4 fastmath<reassoc> : f64
  %p05 = arith.mulf %x0, %y5 fastmath<reassoc> : f64
  %p06 = arith.mulf %x0, %y6 fastmath<reassoc> : f64
  %p07 = arith.mulf %x0, %y7 fastmath<reassoc> : f64
  %p10 = arith.mulf %x1, %y0 fastmath<reassoc> : f64
  %p11 = arith.mulf %x1, %y1 fastmath<reassoc> : f64
  %p12 = arith.mulf %x1, %y2 fastmath<reassoc> : f64
  %p13 = arith.mulf %x1, %y3 fastmath<reassoc> : f64
  %p14 = arith.mulf %x1, %y4 fastmath<reassoc> : f64
  %p15 = arith.mulf %x1, %y5 fastmath<reassoc> : f64
  %p16 = arith.mulf %x1, %y6 fastmath<reassoc> : f64
  %p17 = arith.mulf %x1, %y7 fastmath<reassoc> : f64
  %p20 = arith.mulf %x2, %y0 fastmath<reassoc> : f64
  %p21 = arith.mulf %x2, %y1 fastmath<reassoc> : f64
  %p22 = arith.mulf %x2, %y2 fastmath<reassoc> : f64
  %p23 = arith.mulf %x2, %y3 fastmath<reassoc> : f64
  %p24 = arith.mulf %x2, %y4 fastmath<reassoc> : f64
  %p25 = arith.mulf %x2, %y5 fastmath<reassoc> : f64
  %p26 = arith.mulf %x2, %y6 fastmath<reassoc> : f64
  %p27 = arith.mulf %x2, %y7 fastmath<reassoc> : f64
  %p30 = arith.mulf %x3, %y0 fastmath<reassoc> : f64
  %p31 = arith.mulf %x3, %y1 fastmath<reassoc> : f64
  %p32 = arith.mulf %x3, %y2 fastmath<reassoc> : f64
  %p33 = arith.mulf %x3, %y3 fastmath<reassoc> : f64
  %p34 = arith.mulf %x3, %y4 fastmath<reassoc> : f64
  %p35 = arith.mulf %x3, %y5 fastmath<reassoc> : f64
  %p36 = arith.mulf %x3, %y6 fastmath<reassoc> : f64
  %p37 = arith.mulf %x3, %y7 fastmath<reassoc> : f64
  %p40 = arith.mulf %x4, %y0 fastmath<reassoc> : f64
  %p41 = arith.mulf %x4, %y1 fastmath<reassoc> : f64
  %p42 = arith.mulf %x4, %y2 fastmath<reassoc> : f64
  %p43 = arith.mulf %x4, %y3 fastmath<reassoc> : f64
  %p44 = arith.mulf %x4, %y4 fastmath<reassoc> : f64
  %p45 = arith.mulf %x4, %y5 fastmath<reassoc> : f64
  %p46 = arith.mulf %x4, %y6 fastmath<reassoc> : f64
  %p47 = arith.mulf %x4, %y7 fastmath<reassoc> : f64
  %p50 = arith.mulf %x5, %y0 fastmath<reassoc> : f64
  %p51 = arith.mulf %x5, %y1 fastmath<reassoc> : f64
  %p52 = arith.mulf %x5, %y2 fastmath<reassoc> : f64
  %p53 = arith.mulf %x5, %y3 fastmath<reassoc> : f64
  %p54 = arith.mulf %x5, %y4 fastmath<reassoc> : f64
  %p55 = arith.mulf %x5, %y5 fastmath<reassoc> : f64
  %p56 = arith.mulf %x5, %y6 fastmath<reassoc> : f64
  %p57 = arith.mulf %x5, %y7 fastmath<reassoc> : f64
  %p60 = arith.mulf %x6, %y0 fastmath<reassoc> : f64
  %p61 = arith.mulf %x6, %y1 fastmath<reassoc> : f64
  %p62 = arith.mulf %x6, %y2 fastmath<reassoc> : f64
  %p63 = arith.mulf %x6, %y3 fastmath<reassoc> : f64
  %p64 = arith.mulf %x6, %y4 fastmath<reassoc> : f64
  %p65 = arith.mulf %x6, %y5 fastmath<reassoc> : f64
  %p66 = arith.mulf %x6, %y6 fastmath<reassoc> : f64
  %p67 = arith.mulf %x6, %y7 fastmath<reassoc> : f64
  %p70 = arith.mulf %x7, %y0 fastmath<reassoc> : f64
  %p71 = arith.mulf %x7, %y1 fastmath<reassoc> : f64
  %p72 = arith.mulf %x7, %y2 fastmath<reassoc> : f64
  %p73 = arith.mulf %x7, %y3 fastmath<reassoc> : f64
  %p74 = arith.mulf %x7, %y4 fastmath<reassoc> : f64
  %p75 = arith.mulf %x7, %y5 fastmath<reassoc> : f64
  %p76 = arith.mulf %x7, %y6 fastmath<reassoc> : f64
  %p77 = arith.mulf %x7, %y7 fastmath<reassoc> : f64
  %s1 = arith.addf %p00, %p01 fastmath<reassoc> : f64
  %s2 = arith.addf %s1, %p02 fastmath<reassoc> : f64
  %s3 = arith.addf %s2, %p03 fastmath<reassoc> : f64
  %s4 = arith.addf %s3, %p04 fastmath<reassoc> : f64
  %s5 = arith.addf %s4, %p05 fastmath<reassoc> : f64
  %s6 = arith.addf %s5, %p06 fastmath<reassoc> : f64
  %s7 = arith.addf %s6, %p07 fastmath<reassoc> : f64
  %s8 = arith.addf %s7, %p10 fastmath<reassoc> : f64
  %s9 = arith.addf %s8, %p11 fastmath<reassoc> : f64
  %s10 = arith.addf %s9, %p12 fastmath<reassoc> : f64
  %s11 = arith.addf %s10, %p13 fastmath<reassoc> : f64
  %s12 = arith.addf %s11, %p14 fastmath<reassoc> : f64
  %s13 = arith.addf %s12, %p15 fastmath<reassoc> : f64
  %s14 = arith.addf %s13, %p16 fastmath<reassoc> : f64
  %s15 = arith.addf %s14, %p17 fastmath<reassoc> : f64
  %s16 = arith.addf %s15, %p20 fastmath<reassoc> : f64
  %s17 = arith.addf %s16, %p21 fastmath<reassoc> : f64
  %s18 = arith.addf %s17, %p22 fastmath<reassoc> : f64
  %s19 = arith.addf %s18, %p23 fastmath<reassoc> : f64
  %s20 = arith.addf %s19, %p24 fastmath<reassoc> : f64
  %s21 = arith.addf %s20, %p25 fastmath<reassoc> : f64
  %s22 = arith.addf %s21, %p26 fastmath<reassoc> : f64
  %s23 = arith.addf %s22, %p27 fastmath<reassoc> : f64
  %s24 = arith.addf %s23, %p30 fastmath<reassoc> : f64
  %s25 = arith.addf %s24, %p31 fastmath<reassoc> : f64
  %s26 = arith.addf %s25, %p32 fastmath<reassoc> : f64
  %s27 = arith.addf %s26, %p33 fastmath<reassoc> : f64
  %s28 = arith.addf %s27, %p34 fastmath<reassoc> : f64
  %s29 = arith.addf %s28, %p35 fastmath<reassoc> : f64
  %s30 = arith.addf %s29, %p36 fastmath<reassoc> : f64
  %s31 = arith.addf %s30, %p37 fastmath<reassoc> : f64
  %s32 = arith.addf %s31, %p40 fastmath<reassoc> : f64
  %s33 = arith.addf %s32, %p41 fastmath<reassoc> : f64
  %s34 = arith.addf %s33, %p42 fastmath<reassoc> : f64
  %s35 = arith.addf %s34, %p43 fastmath<reassoc> : f64
  %s36 = arith.addf %s35, %p44 fastmath<reassoc> : f64
  %s37 = arith.addf %s36, %p45 fastmath<reassoc> : f64
  %s38 = arith.addf %s37, %p46 fastmath<reassoc> : f64
  %s39 = arith.addf %s38, %p47 fastmath<reassoc> : f64
  %s40 = arith.addf %s39, %p50 fastmath<reassoc> : f64
  %s41 = arith.addf %s40, %p51 fastmath<reassoc> : f64
  %s42 = arith.addf %s41, %p52 fastmath<reassoc> : f64
  %s43 = arith.addf %s42, %p53 fastmath<reassoc> : f64
  %s44 = arith.addf %s43, %p54 fastmath<reassoc> : f64
  %s45 = arith.addf %s44, %p55 fastmath<reassoc> : f64
  %s46 = arith.addf %s45, %p56 fastmath<reassoc> : f64
  %s47 = arith.addf %s46, %p57 fastmath<reassoc> : f64
  %s48 = arith.addf %s47, %p60 fastmath<reassoc> : f64
  %s49 = arith.addf %s48, %p61 fastmath<reassoc> : f64
  %s50 = arith.addf %s49, %p62 fastmath<reassoc> : f64
  %s51 = arith.addf %s50, %p63 fastmath<reassoc> : f64
  %s52 = arith.addf %s51, %p64 fastmath<reassoc> : f64
  %s53 = arith.addf %s52, %p65 fastmath<reassoc> : f64
  %s54 = arith.addf %s53, %p66 fastmath<reassoc> : f64
  %s55 = arith.addf %s54, %p67 fastmath<reassoc> : f64
  %s56 = arith.addf %s55, %p70 fastmath<reassoc> : f64
  %s57 = arith.addf %s56, %p71 fastmath<reassoc> : f64
  %s58 = arith.addf %s57, %p72 fastmath<reassoc> : f64
  %s59 = arith.addf %s58, %p73 fastmath<reassoc> : f64
  %s60 = arith.addf %s59, %p74 fastmath<reassoc> : f64
  %s61 = arith.addf %s60, %p75 fastmath<reassoc> : f64
  %s62 = arith.addf %s61, %p76 fastmath<reassoc> : f64
  %s63 = arith.addf %s62, %p77 fastmath<reassoc> : f64
  return %s63 : f64
}
