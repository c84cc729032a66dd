// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=eg}))' 2>&1 | FileCheck %s --check-prefix=DRIVER
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=ring,ifolds}))' 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{fuel=-1}))' 2>&1 | FileCheck %s --check-prefix=FUEL
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=array}))' | FileCheck %s --check-prefix=ARRAY
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{fuel=2 report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=SMALL
// Options of egg-optimize: invalid values, sets of rules, reports.

// DRIVER: error: egg-optimize: unknown driver `eg`; did you mean `egg`?
// RULES:  error: egg-optimize: unknown rule set `ifolds`; did you mean `ifold`?
// FUEL:   error: egg-optimize: `fuel` must not be negative, found -1
// REPORT: remark: cost {{[0-9]+}} before, {{[0-9]+}} after; saturated after {{[0-9]+}} iteration{{s?}}
// SMALL:  remark: cost {{[0-9]+}} before, {{[0-9]+}} after; fuel used up

// Fusion is a law of arrays, 1·x = x one of rings.
// ARRAY-LABEL: func.func @f
// ARRAY:         array.build
// ARRAY:           math.sin
// ARRAY:           arith.mulf
// ARRAY-NOT:     array.build
func.func @f(%v: tensor<9xf64>) -> tensor<9xf64> {
  %one = arith.constant dense<1.0> : tensor<9xf64>
  %s = math.sin %v : tensor<9xf64>
  %e = array.build (%i < 9) -> (tensor<9xf64>) {
    %x = array.get %s[%i] : (tensor<9xf64>) -> f64
    %o = array.get %one[%i] : (tensor<9xf64>) -> f64
    %p = arith.mulf %x, %o : f64
    array.yield %p : f64
  }
  return %e : tensor<9xf64>
}

func.func @norm(%v: tensor<8xf64>) -> f64 {
  %s = array.sum %v : (tensor<8xf64>) -> f64
  return %s : f64
}

// A request that has not been expanded is pure as well.
// ARRAY-LABEL: func.func @request
// ARRAY:         dual.grad @norm
// ARRAY-NOT:     dual.grad
// ARRAY:         return
func.func @request(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @norm(%v1) : (tensor<8xf64>) -> tensor<8xf64>
  %h = dual.grad @norm(%v1) : (tensor<8xf64>) -> tensor<8xf64>
  %s = arith.addf %g, %h : tensor<8xf64>
  return %s : tensor<8xf64>
}
