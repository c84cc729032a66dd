// RUN: mlopt run %s --entry @arrays --interpret --pass-pipeline='builtin.module()' --arg '[[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]]' | FileCheck %s --check-prefix=ARRAYS
// RUN: mlopt run %s --entry @arrays --arg '[[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]]' | FileCheck %s --check-prefix=ARRAYS
// RUN: mlopt run %s --entry @tensors --interpret --pass-pipeline='builtin.module()' --arg '[[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]]' | FileCheck %s --check-prefix=TENSORS
// The rules of ops on arrays: each element of the gradient of Σ w y², where the weights are the positions, so that nothing
// is symmetric, agrees with a difference quotient.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!arrays = !lambda.record<"Agree", sum: i1, prod: i1, max: i1, min: i1, transpose: i1, reshape: i1, replicate: i1, append: i1,
  stack: i1, reverse: i1, slice: i1, get: i1, select: i1, round: i1>
// ARRAYS: Agree{sum: True, prod: True, max: True, min: True, transpose: True, reshape: True,
// ARRAYS-SAME: replicate: True, append: True, stack: True, reverse: True, slice: True, get: True,
// ARRAYS-SAME: select: True, round: True}
func.func @arrays(%x: tensor<2x3xf64>) -> !arrays {
  // Numbers that are converted to f32 have its precision.
  %coarse = arith.constant 0.015625 : f64
  %loose = arith.constant 1.0e-4 : f64
  %fine = arith.constant 1.0e-5 : f64
  %tight = arith.constant 1.0e-6 : f64
  %f_sum = lambda.ref @of_sum : (tensor<2x3xf64>) -> f64
  %sum = func.call @agrees(%f_sum, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_prod = lambda.ref @of_prod : (tensor<2x3xf64>) -> f64
  %prod = func.call @agrees(%f_prod, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_max = lambda.ref @of_max : (tensor<2x3xf64>) -> f64
  %max = func.call @agrees(%f_max, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_min = lambda.ref @of_min : (tensor<2x3xf64>) -> f64
  %min = func.call @agrees(%f_min, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_transpose = lambda.ref @of_transpose : (tensor<2x3xf64>) -> f64
  %transpose = func.call @agrees(%f_transpose, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_reshape = lambda.ref @of_reshape : (tensor<2x3xf64>) -> f64
  %reshape = func.call @agrees(%f_reshape, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_replicate = lambda.ref @of_replicate : (tensor<2x3xf64>) -> f64
  %replicate = func.call @agrees(%f_replicate, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_append = lambda.ref @of_append : (tensor<2x3xf64>) -> f64
  %append = func.call @agrees(%f_append, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_stack = lambda.ref @of_stack : (tensor<2x3xf64>) -> f64
  %stack = func.call @agrees(%f_stack, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_reverse = lambda.ref @of_reverse : (tensor<2x3xf64>) -> f64
  %reverse = func.call @agrees(%f_reverse, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_slice = lambda.ref @of_slice : (tensor<2x3xf64>) -> f64
  %slice = func.call @agrees(%f_slice, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_get = lambda.ref @of_get : (tensor<2x3xf64>) -> f64
  %get = func.call @agrees(%f_get, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_select = lambda.ref @of_select : (tensor<2x3xf64>) -> f64
  %select = func.call @agrees(%f_select, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_round = lambda.ref @of_round : (tensor<2x3xf64>) -> f64
  %round = func.call @agrees(%f_round, %x, %coarse, %loose) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %all = lambda.record %sum, %prod, %max, %min, %transpose, %reshape, %replicate, %append, %stack, %reverse, %slice,
      %get, %select, %round
    : (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) -> !arrays
  return %all : !arrays
}

!tensors = !lambda.record<"Agree", extract: i1, extract_slice: i1, concat: i1>
// TENSORS: Agree{extract: True, extract_slice: True, concat: True}
func.func @tensors(%x: tensor<2x3xf64>) -> !tensors {
  %fine = arith.constant 1.0e-5 : f64
  %tight = arith.constant 1.0e-6 : f64
  %f_extract = lambda.ref @of_extract : (tensor<2x3xf64>) -> f64
  %extract = func.call @agrees(%f_extract, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_extract_slice = lambda.ref @of_extract_slice : (tensor<2x3xf64>) -> f64
  %extract_slice = func.call @agrees(%f_extract_slice, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %f_concat = lambda.ref @of_concat : (tensor<2x3xf64>) -> f64
  %concat = func.call @agrees(%f_concat, %x, %fine, %tight) : ((tensor<2x3xf64>) -> f64, tensor<2x3xf64>, f64, f64) -> i1
  %all = lambda.record %extract, %extract_slice, %concat
    : (i1, i1, i1) -> !tensors
  return %all : !tensors
}

// Checks that the gradient of %f at %x agrees with difference quotients in each element.
func.func private @agrees(%f: (tensor<2x3xf64>) -> f64, %x: tensor<2x3xf64>, %h: f64, %tolerance: f64) -> i1 {
  %d = lambda.grad %f : ((tensor<2x3xf64>) -> f64) -> ((tensor<2x3xf64>) -> tensor<2x3xf64>)
  %g = lambda.apply %d(%x) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %six = arith.constant 6 : i64
  %three = arith.constant 3 : i64
  %one = arith.constant 1.0 : f64
  %width = arith.addf %h, %h : f64
  %true = arith.constant true
  %all = lambda.for (%k < %six) iter_args(%ok = %true) : (i64, i1) -> (i1) {
    %i = arith.divsi %k, %three : i64
    %j = arith.remsi %k, %three : i64
    %e = lambda.aget %x[%i, %j] : (tensor<2x3xf64>, i64, i64) -> f64
    %above = arith.addf %e, %h : f64
    %below = arith.subf %e, %h : f64
    %x1 = lambda.aset %x[%i, %j], %above : (tensor<2x3xf64>, i64, i64, f64) -> tensor<2x3xf64>
    %x0 = lambda.aset %x[%i, %j], %below : (tensor<2x3xf64>, i64, i64, f64) -> tensor<2x3xf64>
    %y1 = lambda.apply %f(%x1) : (tensor<2x3xf64>) -> f64
    %y0 = lambda.apply %f(%x0) : (tensor<2x3xf64>) -> f64
    %rise = arith.subf %y1, %y0 : f64
    %quotient = arith.divf %rise, %width : f64
    %found = lambda.aget %g[%i, %j] : (tensor<2x3xf64>, i64, i64) -> f64
    %difference = arith.subf %found, %quotient : f64
    %error = math.absf %difference : f64
    %size = math.absf %quotient : f64
    %scale = arith.maximumf %size, %one : f64
    %bound = arith.mulf %tolerance, %scale : f64
    %here = arith.cmpf olt, %error, %bound : f64
    %next = arith.andi %ok, %here : i1
    lambda.yield %next : i1
  }
  return %all : i1
}

func.func private @of_sum(%x: tensor<2x3xf64>) -> f64 {
  %y = array.sum %x axes [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %flat = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %w = array.reshape %flat : (tensor<2xf64>) -> tensor<2xf64>
  %q = arith.mulf %y, %y : tensor<2xf64>
  %p = arith.mulf %q, %w : tensor<2xf64>
  %t = array.sum %p axes [0] : (tensor<2xf64>) -> f64
  return %t : f64
}
func.func private @of_prod(%x: tensor<2x3xf64>) -> f64 {
  %y = array.prod %x axes [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %flat = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %w = array.reshape %flat : (tensor<2xf64>) -> tensor<2xf64>
  %q = arith.mulf %y, %y : tensor<2xf64>
  %p = arith.mulf %q, %w : tensor<2xf64>
  %t = array.sum %p axes [0] : (tensor<2xf64>) -> f64
  return %t : f64
}
func.func private @of_max(%x: tensor<2x3xf64>) -> f64 {
  %y = array.max %x : (tensor<2x3xf64>) -> tensor<3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %w = array.reshape %flat : (tensor<3xf64>) -> tensor<3xf64>
  %q = arith.mulf %y, %y : tensor<3xf64>
  %p = arith.mulf %q, %w : tensor<3xf64>
  %t = array.sum %p axes [0] : (tensor<3xf64>) -> f64
  return %t : f64
}
func.func private @of_min(%x: tensor<2x3xf64>) -> f64 {
  %y = array.min %x axes [0, 1] : (tensor<2x3xf64>) -> f64
  %t = arith.mulf %y, %y : f64
  return %t : f64
}
func.func private @of_transpose(%x: tensor<2x3xf64>) -> f64 {
  %y = array.transpose %x [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<3x2xf64>
  %q = arith.mulf %y, %y : tensor<3x2xf64>
  %p = arith.mulf %q, %w : tensor<3x2xf64>
  %t = array.sum %p axes [0, 1] : (tensor<3x2xf64>) -> f64
  return %t : f64
}
func.func private @of_reshape(%x: tensor<2x3xf64>) -> f64 {
  %y = array.reshape %x : (tensor<2x3xf64>) -> tensor<6xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<6xf64>
  %q = arith.mulf %y, %y : tensor<6xf64>
  %p = arith.mulf %q, %w : tensor<6xf64>
  %t = array.sum %p axes [0] : (tensor<6xf64>) -> f64
  return %t : f64
}
func.func private @of_replicate(%x: tensor<2x3xf64>) -> f64 {
  %y = array.replicate %x : (tensor<2x3xf64>) -> tensor<4x2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0]> : tensor<24xf64>
  %w = array.reshape %flat : (tensor<24xf64>) -> tensor<4x2x3xf64>
  %q = arith.mulf %y, %y : tensor<4x2x3xf64>
  %p = arith.mulf %q, %w : tensor<4x2x3xf64>
  %t = array.sum %p axes [0, 1, 2] : (tensor<4x2x3xf64>) -> f64
  return %t : f64
}
func.func private @of_append(%x: tensor<2x3xf64>) -> f64 {
  %y = array.append %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf64>
  %w = array.reshape %flat : (tensor<12xf64>) -> tensor<4x3xf64>
  %q = arith.mulf %y, %y : tensor<4x3xf64>
  %p = arith.mulf %q, %w : tensor<4x3xf64>
  %t = array.sum %p axes [0, 1] : (tensor<4x3xf64>) -> f64
  return %t : f64
}
func.func private @of_stack(%x: tensor<2x3xf64>) -> f64 {
  %y = array.stack %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf64>
  %w = array.reshape %flat : (tensor<12xf64>) -> tensor<2x2x3xf64>
  %q = arith.mulf %y, %y : tensor<2x2x3xf64>
  %p = arith.mulf %q, %w : tensor<2x2x3xf64>
  %t = array.sum %p axes [0, 1, 2] : (tensor<2x2x3xf64>) -> f64
  return %t : f64
}
func.func private @of_reverse(%x: tensor<2x3xf64>) -> f64 {
  %y = array.reverse %x : tensor<2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<2x3xf64>
  %q = arith.mulf %y, %y : tensor<2x3xf64>
  %p = arith.mulf %q, %w : tensor<2x3xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x3xf64>) -> f64
  return %t : f64
}
func.func private @of_slice(%x: tensor<2x3xf64>) -> f64 {
  %i = arith.constant 1 : index
  %y = array.slice %x from %i : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<2x3xf64>
  %q = arith.mulf %y, %y : tensor<2x3xf64>
  %p = arith.mulf %q, %w : tensor<2x3xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x3xf64>) -> f64
  return %t : f64
}
func.func private @of_get(%x: tensor<2x3xf64>) -> f64 {
  %i = arith.constant 1 : index
  %y = array.get %x[%i] : (tensor<2x3xf64>) -> tensor<3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %w = array.reshape %flat : (tensor<3xf64>) -> tensor<3xf64>
  %q = arith.mulf %y, %y : tensor<3xf64>
  %p = arith.mulf %q, %w : tensor<3xf64>
  %t = array.sum %p axes [0] : (tensor<3xf64>) -> f64
  return %t : f64
}
func.func private @of_extract(%x: tensor<2x3xf64>) -> f64 {
  %i = arith.constant 1 : index
  %y = tensor.extract %x[%i, %i] : tensor<2x3xf64>
  %t = arith.mulf %y, %y : f64
  return %t : f64
}
func.func private @of_extract_slice(%x: tensor<2x3xf64>) -> f64 {
  %y = tensor.extract_slice %x[0, 1] [2, 2] [1, 1] : tensor<2x3xf64> to tensor<2x2xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %w = array.reshape %flat : (tensor<4xf64>) -> tensor<2x2xf64>
  %q = arith.mulf %y, %y : tensor<2x2xf64>
  %p = arith.mulf %q, %w : tensor<2x2xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x2xf64>) -> f64
  return %t : f64
}
func.func private @of_concat(%x: tensor<2x3xf64>) -> f64 {
  %y = tensor.concat dim(1) %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x6xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf64>
  %w = array.reshape %flat : (tensor<12xf64>) -> tensor<2x6xf64>
  %q = arith.mulf %y, %y : tensor<2x6xf64>
  %p = arith.mulf %q, %w : tensor<2x6xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x6xf64>) -> f64
  return %t : f64
}
func.func private @of_select(%x: tensor<2x3xf64>) -> f64 {
  %c = arith.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %n = arith.negf %x : tensor<2x3xf64>
  %y = arith.select %c, %x, %n : tensor<2x3xi1>, tensor<2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<2x3xf64>
  %q = arith.mulf %y, %y : tensor<2x3xf64>
  %p = arith.mulf %q, %w : tensor<2x3xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x3xf64>) -> f64
  return %t : f64
}
func.func private @of_round(%x: tensor<2x3xf64>) -> f64 {
  %y = arith.truncf %x : tensor<2x3xf64> to tensor<2x3xf32>
  %z = arith.extf %y : tensor<2x3xf32> to tensor<2x3xf64>
  %flat = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf64>
  %w = array.reshape %flat : (tensor<6xf64>) -> tensor<2x3xf64>
  %q = arith.mulf %z, %z : tensor<2x3xf64>
  %p = arith.mulf %q, %w : tensor<2x3xf64>
  %t = array.sum %p axes [0, 1] : (tensor<2x3xf64>) -> f64
  return %t : f64
}
