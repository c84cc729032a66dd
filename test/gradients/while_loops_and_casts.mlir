// RUN: mlopt check-grad %s --entry @f --points 40 | FileCheck %s
// RUN: mlopt check-grad %s --entry @cast --points 40 | FileCheck %s
// RUN: mlopt check-calls %s --way eval --tolerance 0 --after 'builtin.module(differentiate{memory-budget=0})'
// RUN: mlopt check-calls %s --way eval --tolerance 0 \
// RUN:   --after 'builtin.module(func.func(vmap),jvp,dual-arrays,transpose-delta)' \
// RUN:   --after 'builtin.module(func.func(vmap),jvp,dual-arrays{memory-budget=0},transpose-delta)'
// Derivatives of loops that data ends, and of casts: both modes and differences agree, on bulk operations and on the
// unchanged program, and segments of loops change no bit.

// CHECK: %x tensor<?xf64> 40 0 0 0 0
// CHECK: all derivatives agree

// CALL: @f random:{n}xf64:seed={s} {a} for n,s,a = 0,1,0.7 1,2,-1.2 2,3,1.4 3,4,0.3 3,5,-0.5 4,6,1.1
// Nested loops whose trip counts depend on computed values, with states of dynamic sizes.
func.func @f(%x: tensor<?xf64>, %a: f64) -> (f64, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %many = arith.constant 3.0 : f64
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %four = arith.constant 4 : index
  %r:3 = scf.while (%v = %x, %s = %a, %i = %zero) : (tensor<?xf64>, f64, index) -> (f64, tensor<?xf64>, index) {
    %sin = math.sin %v : tensor<?xf64>
    %sum = array.sum %sin : (tensor<?xf64>) -> f64
    %t = arith.mulf %sum, %s : f64
    %few = arith.cmpi slt, %i, %four : index
    %small = arith.cmpf ult, %t, %many : f64
    %on = arith.andi %few, %small : i1
    scf.condition(%on) %t, %sin, %i : f64, tensor<?xf64>, index
  } do {
  ^bb0(%t: f64, %w: tensor<?xf64>, %i: index):
    %u = scf.while (%y = %t) : (f64) -> f64 {
      %big = arith.cmpf ogt, %y, %one : f64
      %z = arith.mulf %y, %a : f64
      scf.condition(%big) %z : f64
    } do {
    ^bb0(%y: f64):
      %z = arith.mulf %y, %half : f64
      scf.yield %z : f64
    }
    %all = array.length %w : tensor<?xf64>
    %us = array.replicate %u, %all : (f64) -> tensor<?xf64>
    %v = arith.addf %w, %us : tensor<?xf64>
    %next = arith.addi %i, %i1 : index
    %p = math.exp %u : f64
    scf.yield %v, %p, %next : tensor<?xf64>, f64, index
  }
  %n = arith.constant 3 : i32
  %cube = math.fpowi %r#0, %n : f64, i32
  return %r#0, %r#1, %cube : f64, tensor<?xf64>, f64
}
// CALL: @jvp random:{n}xf64:seed={s} {a} random:{n}xf64:seed=7 0.8 \
//   for n,s,a = 0,1,0.7 1,2,-1.2 2,3,1.4 3,4,0.3 3,5,-0.5 4,6,1.1
func.func @jvp(%x: tensor<?xf64>, %a: f64, %dx: tensor<?xf64>, %da: f64) -> (f64, tensor<?xf64>, f64) {
  %r:6 = dual.jvp @f(%x, %a) tangents(%dx, %da) wrt [0, 1] : (tensor<?xf64>, f64, tensor<?xf64>, f64)
      -> (f64, tensor<?xf64>, f64, f64, tensor<?xf64>, f64)
  return %r#3, %r#4, %r#5 : f64, tensor<?xf64>, f64
}
// CALL: @vjp random:{n}xf64:seed={s} {a} 0.9 random:{n}xf64:seed=7 -0.4 \
//   for n,s,a = 0,1,0.7 1,2,-1.2 2,3,1.4 3,4,0.3 3,5,-0.5 4,6,1.1
// CALL: @vjp random:1xf64:seed={s} 0.{s} 0.9 random:1xf64:seed=9{s} -0.4 for s = 11 12 13 14 15 16 17 18 19 20 21 22 23
// CALL: @vjp random:2xf64:seed={s} -0.{s} 1.3 random:2xf64:seed=9{s} 0.7 for s = 11 12 13 14 15 16 17 18 19 20 21 22 23
// CALL: @vjp random:3xf64:seed={s} 1.{s} -0.8 random:3xf64:seed=9{s} 0.6 for s = 11 12 13 14 15 16 17 18 19 20 21 22 23
func.func @vjp(%x: tensor<?xf64>, %a: f64, %c0: f64, %c1: tensor<?xf64>, %c2: f64) -> (tensor<?xf64>, f64) {
  %r:5 = dual.vjp @f(%x, %a) cotangents(%c0, %c1, %c2) wrt [0, 1]
      : (tensor<?xf64>, f64, f64, tensor<?xf64>, f64) -> (f64, tensor<?xf64>, f64, tensor<?xf64>, f64)
  return %r#3, %r#4 : tensor<?xf64>, f64
}

// A cast does not change the derivative.
// CALL: @cast random:{n}xf64 for n = 1 2 3 5
func.func @cast(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = array.gather %x : tensor<?xf64> (%j < 3) -> (tensor<3xf64>) {
    array.yield %j : index
  }
  %z = tensor.cast %y : tensor<3xf64> to tensor<?xf64>
  %w = math.sin %z : tensor<?xf64>
  return %w : tensor<?xf64>
}
// CALL: @cast_vjp random:{n}xf64 random:3xf64:seed=2 for n = 1 2 3 5
func.func @cast_vjp(%x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = dual.vjp @cast(%x) cotangents(%c) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
