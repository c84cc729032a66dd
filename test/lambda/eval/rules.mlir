// RUN: mlopt run %s --entry @unary --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=UNARY
// RUN: mlopt run %s --entry @unary --arg 0.3 | FileCheck %s --check-prefix=UNARY
// RUN: mlopt run %s --entry @unary --interpret --pass-pipeline='builtin.module()' --arg 0.62 | FileCheck %s --check-prefix=UNARY
// RUN: mlopt run %s --entry @unary --arg 0.62 | FileCheck %s --check-prefix=UNARY
// RUN: mlopt run %s --entry @binary --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=BINARY
// RUN: mlopt run %s --entry @binary --arg 0.3 | FileCheck %s --check-prefix=BINARY
// RUN: mlopt run %s --entry @binary --interpret --pass-pipeline='builtin.module()' --arg 0.62 | FileCheck %s --check-prefix=BINARY
// RUN: mlopt run %s --entry @binary --arg 0.62 | FileCheck %s --check-prefix=BINARY
// The rules of elementwise functions: each derivative, and the derivative of each derivative, agrees with a difference
// quotient.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

// UNARY: Agree{exp: True, exp2: True, expm1: True, log: True, log2: True, log10: True,
// UNARY-SAME: log1p: True, sqrt: True, rsqrt: True, cbrt: True, sin: True, cos: True,
// UNARY-SAME: tan: True, asin: True, acos: True, atan: True, sinh: True, cosh: True,
// UNARY-SAME: tanh: True, asinh: True, atanh: True, erf: True, absf: True, negf: True,
// UNARY-SAME: acosh: True, fpowi: True, fma: True}
!unary = !lambda.record<"Agree", exp: i1, exp2: i1, expm1: i1, log: i1, log2: i1, log10: i1, log1p: i1, sqrt: i1, rsqrt: i1,
  cbrt: i1, sin: i1, cos: i1, tan: i1, asin: i1, acos: i1, atan: i1, sinh: i1, cosh: i1, tanh: i1, asinh: i1,
  atanh: i1, erf: i1, absf: i1, negf: i1, acosh: i1, fpowi: i1, fma: i1>
func.func @unary(%at: f64) -> !unary {
  %f_exp = lambda.lambda (%x: f64) -> f64 {
    %y = math.exp %x : f64
    lambda.return %y : f64
  }
  %exp = func.call @agrees(%f_exp, %at) : ((f64) -> f64, f64) -> i1
  %f_exp2 = lambda.lambda (%x: f64) -> f64 {
    %y = math.exp2 %x : f64
    lambda.return %y : f64
  }
  %exp2 = func.call @agrees(%f_exp2, %at) : ((f64) -> f64, f64) -> i1
  %f_expm1 = lambda.lambda (%x: f64) -> f64 {
    %y = math.expm1 %x : f64
    lambda.return %y : f64
  }
  %expm1 = func.call @agrees(%f_expm1, %at) : ((f64) -> f64, f64) -> i1
  %f_log = lambda.lambda (%x: f64) -> f64 {
    %y = math.log %x : f64
    lambda.return %y : f64
  }
  %log = func.call @agrees(%f_log, %at) : ((f64) -> f64, f64) -> i1
  %f_log2 = lambda.lambda (%x: f64) -> f64 {
    %y = math.log2 %x : f64
    lambda.return %y : f64
  }
  %log2 = func.call @agrees(%f_log2, %at) : ((f64) -> f64, f64) -> i1
  %f_log10 = lambda.lambda (%x: f64) -> f64 {
    %y = math.log10 %x : f64
    lambda.return %y : f64
  }
  %log10 = func.call @agrees(%f_log10, %at) : ((f64) -> f64, f64) -> i1
  %f_log1p = lambda.lambda (%x: f64) -> f64 {
    %y = math.log1p %x : f64
    lambda.return %y : f64
  }
  %log1p = func.call @agrees(%f_log1p, %at) : ((f64) -> f64, f64) -> i1
  %f_sqrt = lambda.lambda (%x: f64) -> f64 {
    %y = math.sqrt %x : f64
    lambda.return %y : f64
  }
  %sqrt = func.call @agrees(%f_sqrt, %at) : ((f64) -> f64, f64) -> i1
  %f_rsqrt = lambda.lambda (%x: f64) -> f64 {
    %y = math.rsqrt %x : f64
    lambda.return %y : f64
  }
  %rsqrt = func.call @agrees(%f_rsqrt, %at) : ((f64) -> f64, f64) -> i1
  %f_cbrt = lambda.lambda (%x: f64) -> f64 {
    %y = math.cbrt %x : f64
    lambda.return %y : f64
  }
  %cbrt = func.call @agrees(%f_cbrt, %at) : ((f64) -> f64, f64) -> i1
  %f_sin = lambda.lambda (%x: f64) -> f64 {
    %y = math.sin %x : f64
    lambda.return %y : f64
  }
  %sin = func.call @agrees(%f_sin, %at) : ((f64) -> f64, f64) -> i1
  %f_cos = lambda.lambda (%x: f64) -> f64 {
    %y = math.cos %x : f64
    lambda.return %y : f64
  }
  %cos = func.call @agrees(%f_cos, %at) : ((f64) -> f64, f64) -> i1
  %f_tan = lambda.lambda (%x: f64) -> f64 {
    %y = math.tan %x : f64
    lambda.return %y : f64
  }
  %tan = func.call @agrees(%f_tan, %at) : ((f64) -> f64, f64) -> i1
  %f_asin = lambda.lambda (%x: f64) -> f64 {
    %y = math.asin %x : f64
    lambda.return %y : f64
  }
  %asin = func.call @agrees(%f_asin, %at) : ((f64) -> f64, f64) -> i1
  %f_acos = lambda.lambda (%x: f64) -> f64 {
    %y = math.acos %x : f64
    lambda.return %y : f64
  }
  %acos = func.call @agrees(%f_acos, %at) : ((f64) -> f64, f64) -> i1
  %f_atan = lambda.lambda (%x: f64) -> f64 {
    %y = math.atan %x : f64
    lambda.return %y : f64
  }
  %atan = func.call @agrees(%f_atan, %at) : ((f64) -> f64, f64) -> i1
  %f_sinh = lambda.lambda (%x: f64) -> f64 {
    %y = math.sinh %x : f64
    lambda.return %y : f64
  }
  %sinh = func.call @agrees(%f_sinh, %at) : ((f64) -> f64, f64) -> i1
  %f_cosh = lambda.lambda (%x: f64) -> f64 {
    %y = math.cosh %x : f64
    lambda.return %y : f64
  }
  %cosh = func.call @agrees(%f_cosh, %at) : ((f64) -> f64, f64) -> i1
  %f_tanh = lambda.lambda (%x: f64) -> f64 {
    %y = math.tanh %x : f64
    lambda.return %y : f64
  }
  %tanh = func.call @agrees(%f_tanh, %at) : ((f64) -> f64, f64) -> i1
  %f_asinh = lambda.lambda (%x: f64) -> f64 {
    %y = math.asinh %x : f64
    lambda.return %y : f64
  }
  %asinh = func.call @agrees(%f_asinh, %at) : ((f64) -> f64, f64) -> i1
  %f_atanh = lambda.lambda (%x: f64) -> f64 {
    %y = math.atanh %x : f64
    lambda.return %y : f64
  }
  %atanh = func.call @agrees(%f_atanh, %at) : ((f64) -> f64, f64) -> i1
  %f_erf = lambda.lambda (%x: f64) -> f64 {
    %y = math.erf %x : f64
    lambda.return %y : f64
  }
  %erf = func.call @agrees(%f_erf, %at) : ((f64) -> f64, f64) -> i1
  %f_absf = lambda.lambda (%x: f64) -> f64 {
    %y = math.absf %x : f64
    lambda.return %y : f64
  }
  %absf = func.call @agrees(%f_absf, %at) : ((f64) -> f64, f64) -> i1
  %f_negf = lambda.lambda (%x: f64) -> f64 {
    %y = arith.negf %x : f64
    lambda.return %y : f64
  }
  %negf = func.call @agrees(%f_negf, %at) : ((f64) -> f64, f64) -> i1
  %f_acosh = lambda.lambda (%x: f64) -> f64 {
    %o = arith.constant 1.5 : f64
    %s = arith.addf %x, %o : f64
    %y = math.acosh %s : f64
    lambda.return %y : f64
  }
  %acosh = func.call @agrees(%f_acosh, %at) : ((f64) -> f64, f64) -> i1
  %f_fpowi = lambda.lambda (%x: f64) -> f64 {
    %n = arith.constant 3 : i32
    %y = math.fpowi %x, %n : f64, i32
    lambda.return %y : f64
  }
  %fpowi = func.call @agrees(%f_fpowi, %at) : ((f64) -> f64, f64) -> i1
  %f_fma = lambda.lambda (%x: f64) -> f64 {
    %y = math.fma %x, %x, %x : f64
    lambda.return %y : f64
  }
  %fma = func.call @agrees(%f_fma, %at) : ((f64) -> f64, f64) -> i1
  %all = lambda.record %exp, %exp2, %expm1, %log, %log2, %log10, %log1p, %sqrt, %rsqrt, %cbrt, %sin, %cos, %tan,
      %asin, %acos, %atan, %sinh, %cosh, %tanh, %asinh, %atanh, %erf, %absf, %negf, %acosh, %fpowi, %fma
    : (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) -> !unary
  return %all : !unary
}

// Both operands vary, differently; each is the first one once.
// BINARY: Agree{addf: True, addf_swapped: True, subf: True, subf_swapped: True, mulf: True, mulf_swapped: True,
// BINARY-SAME: divf: True, divf_swapped: True, remf: True, remf_swapped: True, powf: True, powf_swapped: True,
// BINARY-SAME: atan2: True, atan2_swapped: True, maximumf: True, maximumf_swapped: True, minimumf: True, minimumf_swapped: True,
// BINARY-SAME: maxnumf: True, maxnumf_swapped: True, minnumf: True, minnumf_swapped: True, copysign: True, copysign_swapped: True}
!binary = !lambda.record<"Agree", addf: i1, addf_swapped: i1, subf: i1, subf_swapped: i1, mulf: i1, mulf_swapped: i1, divf: i1,
  divf_swapped: i1, remf: i1, remf_swapped: i1, powf: i1, powf_swapped: i1, atan2: i1, atan2_swapped: i1,
  maximumf: i1, maximumf_swapped: i1, minimumf: i1, minimumf_swapped: i1, maxnumf: i1, maxnumf_swapped: i1,
  minnumf: i1, minnumf_swapped: i1, copysign: i1, copysign_swapped: i1>
func.func @binary(%at: f64) -> !binary {
  %f_addf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.addf %x, %s : f64
    lambda.return %y : f64
  }
  %addf = func.call @agrees(%f_addf, %at) : ((f64) -> f64, f64) -> i1
  %f_addf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.addf %s, %x : f64
    lambda.return %y : f64
  }
  %addf_swapped = func.call @agrees(%f_addf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_subf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.subf %x, %s : f64
    lambda.return %y : f64
  }
  %subf = func.call @agrees(%f_subf, %at) : ((f64) -> f64, f64) -> i1
  %f_subf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.subf %s, %x : f64
    lambda.return %y : f64
  }
  %subf_swapped = func.call @agrees(%f_subf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_mulf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.mulf %x, %s : f64
    lambda.return %y : f64
  }
  %mulf = func.call @agrees(%f_mulf, %at) : ((f64) -> f64, f64) -> i1
  %f_mulf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.mulf %s, %x : f64
    lambda.return %y : f64
  }
  %mulf_swapped = func.call @agrees(%f_mulf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_divf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.divf %x, %s : f64
    lambda.return %y : f64
  }
  %divf = func.call @agrees(%f_divf, %at) : ((f64) -> f64, f64) -> i1
  %f_divf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.divf %s, %x : f64
    lambda.return %y : f64
  }
  %divf_swapped = func.call @agrees(%f_divf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_remf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.remf %x, %s : f64
    lambda.return %y : f64
  }
  %remf = func.call @agrees(%f_remf, %at) : ((f64) -> f64, f64) -> i1
  %f_remf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.remf %s, %x : f64
    lambda.return %y : f64
  }
  %remf_swapped = func.call @agrees(%f_remf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_powf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.powf %x, %s : f64
    lambda.return %y : f64
  }
  %powf = func.call @agrees(%f_powf, %at) : ((f64) -> f64, f64) -> i1
  %f_powf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.powf %s, %x : f64
    lambda.return %y : f64
  }
  %powf_swapped = func.call @agrees(%f_powf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_atan2 = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.atan2 %x, %s : f64
    lambda.return %y : f64
  }
  %atan2 = func.call @agrees(%f_atan2, %at) : ((f64) -> f64, f64) -> i1
  %f_atan2_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.atan2 %s, %x : f64
    lambda.return %y : f64
  }
  %atan2_swapped = func.call @agrees(%f_atan2_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_maximumf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.maximumf %x, %s : f64
    lambda.return %y : f64
  }
  %maximumf = func.call @agrees(%f_maximumf, %at) : ((f64) -> f64, f64) -> i1
  %f_maximumf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.maximumf %s, %x : f64
    lambda.return %y : f64
  }
  %maximumf_swapped = func.call @agrees(%f_maximumf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_minimumf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.minimumf %x, %s : f64
    lambda.return %y : f64
  }
  %minimumf = func.call @agrees(%f_minimumf, %at) : ((f64) -> f64, f64) -> i1
  %f_minimumf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.minimumf %s, %x : f64
    lambda.return %y : f64
  }
  %minimumf_swapped = func.call @agrees(%f_minimumf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_maxnumf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.maxnumf %x, %s : f64
    lambda.return %y : f64
  }
  %maxnumf = func.call @agrees(%f_maxnumf, %at) : ((f64) -> f64, f64) -> i1
  %f_maxnumf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.maxnumf %s, %x : f64
    lambda.return %y : f64
  }
  %maxnumf_swapped = func.call @agrees(%f_maxnumf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_minnumf = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.minnumf %x, %s : f64
    lambda.return %y : f64
  }
  %minnumf = func.call @agrees(%f_minnumf, %at) : ((f64) -> f64, f64) -> i1
  %f_minnumf_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = arith.minnumf %s, %x : f64
    lambda.return %y : f64
  }
  %minnumf_swapped = func.call @agrees(%f_minnumf_swapped, %at) : ((f64) -> f64, f64) -> i1
  %f_copysign = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.copysign %x, %s : f64
    lambda.return %y : f64
  }
  %copysign = func.call @agrees(%f_copysign, %at) : ((f64) -> f64, f64) -> i1
  %f_copysign_swapped = lambda.lambda (%x: f64) -> f64 {
    %c = arith.constant 0.7 : f64
    %q = arith.mulf %x, %x : f64
    %s = arith.addf %q, %c : f64
    %y = math.copysign %s, %x : f64
    lambda.return %y : f64
  }
  %copysign_swapped = func.call @agrees(%f_copysign_swapped, %at) : ((f64) -> f64, f64) -> i1
  %all = lambda.record %addf, %addf_swapped, %subf, %subf_swapped, %mulf, %mulf_swapped, %divf, %divf_swapped, %remf,
      %remf_swapped, %powf, %powf_swapped, %atan2, %atan2_swapped, %maximumf, %maximumf_swapped, %minimumf,
      %minimumf_swapped, %maxnumf, %maxnumf_swapped, %minnumf, %minnumf_swapped, %copysign, %copysign_swapped
    : (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) -> !binary
  return %all : !binary
}

// Checks that the first two derivatives of %f at %x agree with difference quotients.
func.func private @agrees(%f: (f64) -> f64, %x: f64) -> i1 {
  %d = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %first = func.call @agrees_once(%f, %d, %x) : ((f64) -> f64, (f64) -> f64, f64) -> i1
  %dd = lambda.grad %d : ((f64) -> f64) -> ((f64) -> f64)
  %second = func.call @agrees_once(%d, %dd, %x) : ((f64) -> f64, (f64) -> f64, f64) -> i1
  %both = arith.andi %first, %second : i1
  return %both : i1
}
func.func private @agrees_once(%f: (f64) -> f64, %d: (f64) -> f64, %x: f64) -> i1 {
  %h = arith.constant 1.0e-5 : f64
  %width = arith.constant 2.0e-5 : f64
  %above = arith.addf %x, %h : f64
  %below = arith.subf %x, %h : f64
  %y1 = lambda.apply %f(%above) : (f64) -> f64
  %y0 = lambda.apply %f(%below) : (f64) -> f64
  %rise = arith.subf %y1, %y0 : f64
  %quotient = arith.divf %rise, %width : f64
  %found = lambda.apply %d(%x) : (f64) -> f64
  %difference = arith.subf %found, %quotient : f64
  %error = math.absf %difference : f64
  %tolerance = arith.constant 1.0e-6 : f64
  %one = arith.constant 1.0 : f64
  %size = math.absf %quotient : f64
  %scale = arith.maximumf %size, %one : f64
  %bound = arith.mulf %tolerance, %scale : f64
  %ok = arith.cmpf olt, %error, %bound : f64
  return %ok : i1
}
