// RUN: mlopt %s --pass-pipeline='builtin.module(dual-arrays,transpose-delta)' --split-input-file --verify-diagnostics | FileCheck %s
// Reverse mode by its two passes. `passes/tests/reverse.rs` compares it with forward mode on random programs.

// The primal loop keeps its states and the sines. The reverse loop computes the rest, and adds to one accumulator in place.
func.func @f(%x: tensor<?xf64>, %a: f64) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%s = %a) -> (f64) {
    %v = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = math.sin %s : f64
    %u = arith.mulf %t, %v : f64
    array.yield %u : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @loop
// CHECK:         %[[I:.*]] = array.iota
// CHECK:         %[[P:.*]]:3 = array.map_accum (%{{.*}} = %[[I]] : tensor<?xindex>) iter_args(%[[S:.*]] = %{{.*}}) -> (f64, tensor<?xf64>, tensor<?xf64>) {
// CHECK:           %[[SIN:.*]] = math.sin %[[S]]
// CHECK:           array.yield %{{.*}}, %[[S]], %[[SIN]] : f64, f64, f64
// CHECK:         %[[ONE:.*]] = dual.one : f64
// CHECK:         %[[STATES:.*]] = array.reverse %[[P]]#1
// CHECK:         array.map_accum (%[[J:.*]] = %{{.*}} : tensor<?xindex>, %{{.*}} = %[[STATES]] : tensor<?xf64>, %{{.*}} : tensor<?xf64>) iter_args(%{{.*}} = %[[ONE]], %[[ACC:.*]] = %{{.*}}) -> (f64, tensor<?xf64>) {
// CHECK:           array.scatter %{{.*}} into %[[ACC]] : f64 into tensor<?xf64> () {
// CHECK-NEXT:        array.yield %[[J]] : index
// CHECK-NOT:     dual.
func.func @loop(%x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %g = dual.grad @f(%x, %a) wrt [0] mode reverse : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

// -----

// Below a selection the factor may be infinite where the cotangent is zero: the product is zero there.
func.func @f(%x: tensor<3xf64>, %m: tensor<3xi1>) -> tensor<3xf64> {
  %r = math.sqrt %x : tensor<3xf64>
  %z = arith.select %m, %r, %x : tensor<3xi1>, tensor<3xf64>
  return %z : tensor<3xf64>
}
// CHECK-LABEL: func.func @masked
// CHECK:         %[[C:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<3xi1>, tensor<3xf64>
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}}
// CHECK:         %[[ABSENT:.*]] = arith.cmpf oeq, %{{.*}}, %{{.*}}
// CHECK:         arith.select %[[ABSENT]], %{{.*}}, %[[Q]]
func.func @masked(%x: tensor<3xf64>, %m: tensor<3xi1>, %c: tensor<3xf64>) -> tensor<3xf64> {
  %z, %g = dual.vjp @f(%x, %m) cotangents(%c) wrt [0] : (tensor<3xf64>, tensor<3xi1>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %g : tensor<3xf64>
}

// -----

// The cotangents of two uses are added once: the work of a chain of sums is linear in its length.
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %a, %a : f64
  %c = arith.addf %b, %b : f64
  return %c : f64
}
// CHECK-LABEL: func.func @chain
// CHECK:         %[[ONE:.*]] = dual.one
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         return
func.func @chain(%x: f64) -> f64 {
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  // expected-error @+2 {{'tensor.from_elements' op cannot be differentiated: the op has no derivative rule; the op is on a path from an input to a differentiated result}}
  // expected-note @+1 {{an enclosing function may define its own derivative}}
  %t = tensor.from_elements %x : tensor<1xf64>
  // expected-note @+1 {{the value reaches the result through 'array.sum'}}
  %z = array.sum %t : (tensor<1xf64>) -> f64
  // expected-note @+1 {{`@f` returns a value that depends on that op}}
  return %z : f64
}
func.func @no_rule(%x: f64) -> f64 {
  // expected-note @+1 {{the derivative of `@f` is requested here}}
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

// Cotangents carry the flags of the ops that contribute to them. A sum of contributions has the flags that all of them
// have; the cotangent of the result itself permits nothing.
func.func @f(%x: f64, %y: tensor<4xf64>) -> (f64, f64, tensor<4xf64>) {
  %a = arith.mulf %x, %x fastmath<fast> : f64
  %b = arith.divf %a, %x fastmath<reassoc,arcp> : f64
  %r = array.replicate %x : (f64) -> tensor<4xf64>
  %p = arith.mulf %r, %y fastmath<reassoc,nnan> : tensor<4xf64>
  return %a, %b, %p : f64, f64, tensor<4xf64>
}
// CHECK-LABEL: func.func @flags
// CHECK-SAME:    %{{.*}}: tensor<4xf64>, %[[DA:[a-z0-9]+]]: f64, %[[DB:[a-z0-9]+]]: f64, %{{.*}}: tensor<4xf64>) -> f64
// CHECK:         arith.negf
// CHECK-NEXT:    %[[OF_P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc,nnan> : tensor<4xf64>
// CHECK-NEXT:    %[[FIRST:.*]] = array.sum %[[OF_P]] fastmath<reassoc,nnan>
// CHECK-NEXT:    %[[OF_B:.*]] = arith.mulf %{{.*}}, %[[DB]] fastmath<reassoc,arcp>
// CHECK-NEXT:    %[[SECOND:.*]] = arith.addf %[[FIRST]], %[[OF_B]] fastmath<reassoc> : f64
// CHECK-NEXT:    %[[OVER:.*]] = arith.divf %[[DB]], %{{.*}} fastmath<reassoc,arcp>
// CHECK-NEXT:    %[[A:.*]] = arith.addf %[[DA]], %[[OVER]] : f64
// CHECK-NEXT:    %[[OF_A:.*]] = arith.mulf %{{.*}}, %[[A]] fastmath<fast>
// CHECK-NEXT:    arith.addf %[[SECOND]], %[[OF_A]] fastmath<reassoc> : f64
func.func @flags(%x: f64, %y: tensor<4xf64>, %da: f64, %db: f64, %dp: tensor<4xf64>) -> f64 {
  %a, %b, %p, %g = dual.vjp @f(%x, %y) cotangents(%da, %db, %dp) wrt [0]
    : (f64, tensor<4xf64>, f64, f64, tensor<4xf64>) -> (f64, f64, tensor<4xf64>, f64)
  return %g : f64
}
