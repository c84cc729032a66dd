// User-defined derivatives. The rules here are wrong on purpose, by a factor that shows that they were used.

// RUN: mlopt run %s --entry @gradients --arg '[0.3, 0.7]' --arg 0.4 | FileCheck %s
// RUN: mlopt run %s --entry @gradients --arg '[0.3, 0.7]' --arg 0.4 --interpret | FileCheck %s
// RUN: mlopt run %s --entry @second --arg 0.5 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --arg 0.5 --interpret | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @in_build --arg '[1, 2, 3]' | FileCheck %s --check-prefix=BUILD
// RUN: mlopt run %s --entry @in_build --arg '[1, 2, 3]' --interpret | FileCheck %s --check-prefix=BUILD
// RUN: mlopt run %s --entry @in_build --arg '[1, 2, 3]' --interpret --pass-pipeline='builtin.module(bulk-operations,differentiate)' | FileCheck %s --check-prefix=BUILD
// RUN: mlopt run %s --entry @unselected --arg 0 | FileCheck %s --check-prefix=ARM
// RUN: mlopt run %s --entry @unselected --arg 0 --interpret | FileCheck %s --check-prefix=ARM

// sin x · w, with the rule 2·cos x · w · dx + sin x · dw.
func.func @twice(%x: f64, %w: f64) -> f64 attributes {dual.jvp = @twice_jvp} {
  %y = math.sin %x : f64
  %z = arith.mulf %y, %w : f64
  return %z : f64
}
func.func @twice_jvp(%x: f64, %w: f64, %x_t: f64, %w_t: f64) -> (f64, f64) {
  %y = math.sin %x : f64
  %z = arith.mulf %y, %w : f64
  %two = arith.constant 2.0 : f64
  %c = math.cos %x : f64
  %c2 = arith.mulf %c, %two : f64
  %a = arith.mulf %c2, %w : f64
  %p = arith.mulf %a, %x_t : f64
  %q = arith.mulf %y, %w_t : f64
  %t = arith.addf %p, %q : f64
  return %z, %t : f64, f64
}

// sin x for every element, with the pullback 3·cos x; its sizes are known at run time only.
func.func @thrice(%x: tensor<?xf64>) -> tensor<?xf64> attributes {dual.vjp = @thrice_vjp} {
  %y = math.sin %x : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @thrice_vjp(%x: tensor<?xf64>, %c: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = func.call @thrice(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %k = math.cos %x : tensor<?xf64>
  %three = arith.constant 3.0 : f64
  %n = array.length %x : tensor<?xf64>
  %threes = array.replicate %three, %n : (f64) -> tensor<?xf64>
  %k3 = arith.mulf %k, %threes : tensor<?xf64>
  %r = arith.mulf %c, %k3 : tensor<?xf64>
  return %y, %r : tensor<?xf64>, tensor<?xf64>
}

func.func @both(%x: tensor<?xf64>, %a: f64) -> f64 {
  %y = func.call @thrice(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %s = array.sum %y : (tensor<?xf64>) -> f64
  %z = func.call @twice(%a, %s) : (f64, f64) -> f64
  return %z : f64
}

// ∂/∂x_i = sin 0.4 · 3·cos x_i, ∂/∂a = 2·cos 0.4 · (sin 0.3 + sin 0.7), in both modes.
// CHECK:      [1.11607666 0.89353073]
// CHECK-NEXT: 1.731111837
// CHECK-NEXT: [1.11607666 0.89353073]
// CHECK-NEXT: 1.731111837
func.func @gradients(%x: tensor<?xf64>, %a: f64) -> (tensor<?xf64>, f64, tensor<?xf64>, f64) {
  %f:2 = dual.grad @both(%x, %a) mode forward : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64)
  %r:2 = dual.grad @both(%x, %a) mode reverse : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64)
  return %f#0, %f#1, %r#0, %r#1 : tensor<?xf64>, f64, tensor<?xf64>, f64
}

// The second derivative differentiates the rule: d/dx 2·cos x = -2·sin x.
func.func @sine(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %z = func.call @twice(%x, %one) : (f64, f64) -> f64
  return %z : f64
}
// SECOND:      -0.958851077
// SECOND-NEXT: -0.958851077
func.func @second(%x: f64) -> (f64, f64) {
  %h = dual.hessian @sine(%x) : (f64) -> f64
  %d = dual.grad (%y = %x : f64) {
    %g = dual.grad @sine(%y) mode reverse : (f64) -> f64
    dual.yield %g : f64
  } mode reverse : (f64) -> f64
  return %h, %d : f64, f64
}

// x², with the derivative 5: bulk operations keep the call as long as it may be differentiated.
func.func @square(%x: f64) -> f64 attributes {dual.vjp = @square_vjp} {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @square_vjp(%x: f64, %c: f64) -> (f64, f64) {
  %y = arith.mulf %x, %x : f64
  %five = arith.constant 5.0 : f64
  %r = arith.mulf %five, %c : f64
  return %y, %r : f64, f64
}
func.func @squares(%x: tensor<3xf64>) -> f64 {
  %y = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %s = func.call @square(%e) : (f64) -> f64
    array.yield %s : f64
  }
  %z = array.sum %y : (tensor<3xf64>) -> f64
  return %z : f64
}
// BUILD:      14.0
// BUILD-NEXT: [5. 5. 5.]
func.func @in_build(%x: tensor<3xf64>) -> (f64, tensor<3xf64>) {
  %y, %g = dual.value_and_grad @squares(%x) mode reverse : (tensor<3xf64>) -> (f64, tensor<3xf64>)
  return %y, %g : f64, tensor<3xf64>
}

// A rule with an infinite factor, in an arm that is not selected.
func.func @root(%x: f64) -> f64 attributes {dual.vjp = @root_vjp} {
  %y = math.sqrt %x : f64
  return %y : f64
}
func.func @root_vjp(%x: f64, %c: f64) -> (f64, f64) {
  %y = math.sqrt %x : f64
  %half = arith.constant 0.5 : f64
  %w = arith.divf %half, %y : f64
  %r = arith.mulf %w, %c : f64
  return %y, %r : f64, f64
}
func.func @root_or_zero(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %y = func.call @root(%x) : (f64) -> f64
  %z = arith.select %positive, %y, %x : f64
  return %z : f64
}
// ARM: 1.0
func.func @unselected(%x: f64) -> f64 {
  %g = dual.grad @root_or_zero(%x) mode reverse : (f64) -> f64
  return %g : f64
}
