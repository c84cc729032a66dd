// RUN: mlopt %s --dual-arrays --split-input-file | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(dual-arrays{memory-budget=1})' --split-input-file | FileCheck %s --check-prefix=BUDGET
// RUN: mlopt %s --pass-pipeline='builtin.module(dual-arrays{report=true})' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// The exponential is kept; sum and quotient are cheap, and are recomputed. With a budget only the states are kept.
// CHECK-LABEL: func.func @kept
// CHECK:         %[[P:.*]]:3 = array.map_accum
// CHECK:           %[[E:.*]] = math.exp
// CHECK:           %[[S:.*]] = arith.addf %{{.*}}, %[[E]]
// CHECK:           %[[Q:.*]] = arith.divf %{{.*}}, %[[S]]
// CHECK:           array.yield %[[Q]], %[[X:.*]], %[[E]] : f64, f64, f64
// CHECK:         dual.linear
// CHECK:           array.map_accum (%{{.*}} = %[[P]]#1 : tensor<5xf64>, %[[R:.*]] = %[[P]]#2 : tensor<5xf64>)
// CHECK-NOT:         math.exp
// CHECK:             arith.addf %{{.*}}, %[[R]]
// BUDGET-LABEL: func.func @kept
// BUDGET-COUNT-2: math.exp
// REPORT: values of this loop that reverse mode keeps: tensor<5xf64> (40 bytes), tensor<5xf64> (40 bytes)
func.func @f(%x: f64, %w: f64) -> f64 {
  %n = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %p = arith.mulf %a, %w : f64
    %e = math.exp %p : f64
    %s = arith.addf %one, %e : f64
    %q = arith.divf %one, %s : f64
    array.yield %q : f64
  }
  return %r : f64
}
func.func @kept(%x: f64, %w: f64) -> f64 {
  %g = dual.grad @f(%x, %w) wrt [1] mode reverse : (f64, f64) -> f64
  return %g : f64
}

// -----

// Only the tangents need the cosine: the primal loop does not compute it. Emitted values are already kept.
// CHECK-LABEL: func.func @emitted
// CHECK:         %{{.*}}, %[[Y:.*]]:2 = array.map_accum
// CHECK-NOT:       math.cos
// CHECK:           array.yield %{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64
// CHECK:         dual.linear
// CHECK:           array.map_accum (%{{.*}} = %[[Y]]#1 : tensor<5xf64>, %{{.*}} = %[[Y]]#0 : tensor<5xf64>,
// CHECK-NOT:         math.exp
// CHECK:             math.cos
func.func @f(%x: tensor<5xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %s, %y = array.map_accum (%v = %x : tensor<5xf64>) iter_args(%a = %zero) -> (f64, tensor<5xf64>) {
    %e = math.exp %v : f64
    %t = math.sin %a : f64
    %n = arith.addf %t, %e : f64
    array.yield %n, %e : f64, f64
  }
  return %y : tensor<5xf64>
}
func.func @emitted(%x: tensor<5xf64>, %y_ct: tensor<5xf64>) -> tensor<5xf64> {
  %y, %g = dual.vjp @f(%x) cotangents(%y_ct) wrt [0] : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %g : tensor<5xf64>
}

// -----

// Sizes known at run time only: the sizes of rows and of carried arrays are the same in each iteration.
// CHECK-LABEL: func.func @sizes
// CHECK:         array.map_accum {{.*}} -> (tensor<?xf64>, tensor<5x?xf64>)
// CHECK:         dual.linear
// CHECK-NOT:       math.exp
// CHECK:           dual.yield
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  %n = arith.constant 5 : index
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (tensor<?xf64>) {
    %e = math.exp %a : tensor<?xf64>
    array.yield %e : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @sizes(%x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %y, %g = dual.vjp @f(%x) cotangents(%c) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %g : tensor<?xf64>
}

// -----

// An array that grows with the iterations cannot be a row of another: it is recomputed, and its sum, a number, is kept.
// CHECK-LABEL: func.func @grows
// CHECK:         array.map_accum {{.*}} -> (f64, tensor<5xf64>, tensor<5xf64>)
// CHECK:           math.exp %{{.*}} : tensor<?xf64>
// CHECK:         dual.linear
// CHECK:           math.exp %{{.*}} : tensor<?xf64>
func.func @f(%x: f64) -> f64 {
  %n = arith.constant 5 : index
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %v = array.replicate %a, %i : (f64) -> tensor<?xf64>
    %e = math.exp %v : tensor<?xf64>
    %s = array.sum %e : (tensor<?xf64>) -> f64
    %z = arith.mulf %s, %s : f64
    array.yield %z : f64
  }
  return %r : f64
}
func.func @grows(%x: f64) -> f64 {
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

// An inner loop is recomputed for the tangents, in full; its residuals live for one iteration of the outer loop.
// CHECK-LABEL: func.func @nested
// CHECK:         %[[P:.*]]:2 = array.map_accum
// CHECK:           array.ifold
// CHECK:         dual.linear
// CHECK:           array.map_accum
// CHECK:             array.map_accum {{.*}} -> (f64, tensor<4xf64>)
// CHECK:               math.exp
func.func @f(%x: f64) -> f64 {
  %n = arith.constant 5 : index
  %m = arith.constant 4 : index
  %r = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
    %s = array.ifold (%j < %m) iter_args(%b = %a) -> (f64) {
      %e = math.exp %b : f64
      array.yield %e : f64
    }
    array.yield %s : f64
  }
  return %r : f64
}
func.func @nested(%x: f64) -> f64 {
  %g = dual.grad @f(%x) mode reverse : (f64) -> f64
  return %g : f64
}

// -----

// A comparison of the carried float selects one of two sizes, and an element of the carried table is a size: neither
// array can be a row of another. An array whose size is in a table outside the loop can.
// CHECK-LABEL: func.func @stretches
// CHECK:         array.map_accum {{.*}} -> (f64, tensor<2xindex>, tensor<5xf64>, tensor<5x2xindex>, tensor<5x?xf64>)
// CHECK:         dual.linear
func.func @f(%x: f64, %table: tensor<2xindex>) -> f64 {
  %n = arith.constant 5 : index
  %one = arith.constant 1 : index
  %bound = arith.constant 0.5 : f64
  %outside = array.get %table[%one] : (tensor<2xindex>) -> index
  %r, %t = array.ifold (%i < %n) iter_args(%a = %x, %carried = %table) -> (f64, tensor<2xindex>) {
    %c = arith.cmpf ogt, %a, %bound : f64
    %chosen = arith.select %c, %one, %n : index
    %within = array.get %carried[%one] : (tensor<2xindex>) -> index
    %u = array.replicate %a, %chosen : (f64) -> tensor<?xf64>
    %v = array.replicate %a, %within : (f64) -> tensor<?xf64>
    %w = array.replicate %a, %outside : (f64) -> tensor<?xf64>
    %p = math.exp %u : tensor<?xf64>
    %q = math.exp %v : tensor<?xf64>
    %e = math.exp %w : tensor<?xf64>
    %ps = array.sum %p : (tensor<?xf64>) -> f64
    %qs = array.sum %q : (tensor<?xf64>) -> f64
    %es = array.sum %e : (tensor<?xf64>) -> f64
    %pq = arith.addf %ps, %qs : f64
    %z = arith.addf %pq, %es : f64
    %next = array.build (%j < 2) -> (tensor<2xindex>) {
      %k = array.get %carried[%j] : (tensor<2xindex>) -> index
      %l = arith.addi %k, %i : index
      array.yield %l : index
    }
    array.yield %z, %next : f64, tensor<2xindex>
  }
  return %r : f64
}
func.func @stretches(%x: f64, %table: tensor<2xindex>) -> f64 {
  %g = dual.grad @f(%x, %table) wrt [0] mode reverse : (f64, tensor<2xindex>) -> f64
  return %g : f64
}
