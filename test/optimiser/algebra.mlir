// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate,keep-sizes,canonicalize,cse,set-fastmath,func.func(egg-optimize),symbol-dce)' --split-input-file | FileCheck %s
// Algebra of real numbers under `fastmath<fast>`: sums of monomials, in reverse and in forward mode.

// The standard example of the field: Σᵢⱼ log(uᵢvⱼ) + aᵢⱼ/(uᵢvⱼ). Of three quotients for each element none is left: the
// derivative in uᵢ is n/uᵢ - (Σⱼ aᵢⱼ·(1/vⱼ))/uᵢ², and likewise in vⱼ.
func.func private @misfit(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> f64 {
  %m = array.length %u : tensor<?xf64>
  %n = array.length %v : tensor<?xf64>
  %uv = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %ui = array.get %u[%i] : (tensor<?xf64>) -> f64
    %vj = array.get %v[%j] : (tensor<?xf64>) -> f64
    %p = arith.mulf %ui, %vj : f64
    array.yield %p : f64
  }
  %log = math.log %uv : tensor<?x?xf64>
  %q = arith.divf %a, %uv : tensor<?x?xf64>
  %terms = arith.addf %log, %q : tensor<?x?xf64>
  %s = array.sum %terms axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @reverse
// CHECK:         array.build (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) -> (tensor<?x?xf64>) {
// CHECK-NEXT:      array.get
// CHECK-NEXT:      array.get %a[
// CHECK-NEXT:      arith.mulf %{{.*}} fastmath<fast>
// CHECK-NEXT:      array.yield
// CHECK:         array.sum %{{.*}} fastmath<fast> : (tensor<?x?xf64>) -> tensor<?xf64>
// CHECK:         array.get %a[
// CHECK-NEXT:    array.get
// CHECK-NEXT:    arith.mulf %{{.*}} fastmath<fast>
// CHECK-NEXT:    array.yield
// CHECK:         array.sum %{{.*}} fastmath<fast> : (tensor<?xf64>) -> f64
func.func @reverse(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %gu, %gv = dual.grad @misfit(%a, %u, %v) wrt [1, 2] mode reverse
    : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %gu, %gv : tensor<?xf64>, tensor<?xf64>
}
// CHECK-LABEL: func.func @forward
// CHECK:         %gu = array.build (%{{.*}} < %{{.*}}) -> (tensor<?xf64>) {
// CHECK:           array.build (%{{.*}} < %{{.*}}) -> (tensor<?xf64>) {
// CHECK-NOT:         arith.divf
// CHECK:             array.yield
// CHECK:           array.sum %{{.*}} fastmath<fast> : (tensor<?xf64>) -> f64
// CHECK:         array.build (%{{.*}} < %{{.*}}) -> (tensor<?x?xf64>) {
// CHECK:           array.build (%{{.*}} < %{{.*}}) -> (tensor<?xf64>) {
// CHECK-NOT:         arith.divf
// CHECK:             array.yield
func.func @forward(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %gu, %gv = dual.grad @misfit(%a, %u, %v) wrt [1, 2] mode forward
    : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %gu, %gv : tensor<?xf64>, tensor<?xf64>
}

// -----

// (x² + x)/s: quotients by a factor of a row become products with its reciprocal, which is computed once for each row.
// CHECK-LABEL: func.func @by_rows
// CHECK:         array.build (%[[I:.*]] < 64) -> (tensor<64x96xf64>) {
// CHECK:           %[[R:.*]] = arith.divf
// CHECK-NEXT:      array.build (%[[J:.*]] < 96) -> (tensor<96xf64>) {
// CHECK-NOT:         arith.divf
// CHECK:             %[[P:.*]] = arith.mulf %{{.*}} fastmath<fast>
// CHECK-NEXT:        arith.mulf %[[R]], %[[P]] fastmath<fast>
func.func @by_rows(%x: tensor<64x96xf64>, %s: tensor<64xf64>) -> tensor<64x96xf64> {
  %c = array.replicate %s : (tensor<64xf64>) -> tensor<96x64xf64>
  %r = array.transpose %c [1, 0] : (tensor<96x64xf64>) -> tensor<64x96xf64>
  %xx = arith.mulf %x, %x : tensor<64x96xf64>
  %q = arith.divf %xx, %r : tensor<64x96xf64>
  %p = arith.divf %x, %r : tensor<64x96xf64>
  %z = arith.addf %q, %p : tensor<64x96xf64>
  return %z : tensor<64x96xf64>
}
// x·y/x = y, and (e/s)·(s/e) = 1.
// CHECK-LABEL: func.func @cancels
// CHECK-SAME:    %{{.*}}: f64, %[[Y:[a-z0-9]+]]: f64
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT:    return %[[Y]], %[[ONE]]
func.func @cancels(%x: f64, %y: f64) -> (f64, f64) {
  %p = arith.mulf %x, %y : f64
  %q = arith.divf %p, %x : f64
  %a = arith.divf %x, %y : f64
  %b = arith.divf %y, %x : f64
  %c = arith.mulf %a, %b : f64
  return %q, %c : f64, f64
}
