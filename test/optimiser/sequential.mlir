// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{report=true}))' -o %t 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mlopt view --egraph %s --function @loop | FileCheck %s --check-prefix=TERM
// Operations that depend on a loop's state are costly: the next iteration waits for them, and they are not vectorised. So invariants are first.

// CHECK-LABEL: func.func @carried
// CHECK:         array.ifold (%[[I:.*]] < %{{.*}}) iter_args(%[[S:.*]] = %{{.*}}) -> (f64)
// CHECK-NEXT:      %[[A:.*]] = array.get %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[B:.*]] = array.get %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[A]], %[[B]] fastmath<reassoc>
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[S]], %[[P]] fastmath<reassoc>
// CHECK-NEXT:      math.sin %[[Q]]
func.func @carried(%x: tensor<64xf64>, %y: tensor<64xf64>, %z: f64) -> f64 {
  %n = arith.constant 64 : index
  %s = array.ifold (%i < %n) iter_args(%acc = %z) -> (f64) {
    %a = array.get %x[%i] : (tensor<64xf64>) -> f64
    %b = array.get %y[%i] : (tensor<64xf64>) -> f64
    %p = arith.mulf %acc, %a fastmath<reassoc> : f64
    %q = arith.mulf %p, %b fastmath<reassoc> : f64
    %t = math.sin %q : f64
    array.yield %t : f64
  }
  return %s : f64
}

// Without fast-math flags the order is kept.
// CHECK-LABEL: func.func @ordered
// CHECK:         %[[P:.*]] = arith.mulf %{{arg[0-9]+}}, %
// CHECK-NEXT:    arith.mulf %[[P]]
func.func @ordered(%x: tensor<64xf64>, %y: tensor<64xf64>, %z: f64) -> f64 {
  %n = arith.constant 64 : index
  %s = array.ifold (%i < %n) iter_args(%acc = %z) -> (f64) {
    %a = array.get %x[%i] : (tensor<64xf64>) -> f64
    %b = array.get %y[%i] : (tensor<64xf64>) -> f64
    %p = arith.mulf %acc, %a : f64
    %q = arith.mulf %p, %b : f64
    %t = math.sin %q : f64
    array.yield %t : f64
  }
  return %s : f64
}

// Invariant terms of a sum are moved out of both loops, terms that change in the outer loop only out of the inner one.
// CHECK-LABEL: func.func @invariant
// CHECK-SAME:    %[[M:.*]]: tensor<32x64xf64>, %[[V:.*]]: tensor<32xf64>, %[[C:.*]]: f64, %[[D:.*]]: f64)
// CHECK-NEXT:    %[[CD:.*]] = arith.addf %[[C]], %[[D]] fastmath<reassoc>
// CHECK-NEXT:    array.build (%[[I:.*]] < 32)
// CHECK-NEXT:      %[[VI:.*]] = array.get %[[V]][%[[I]]]
// CHECK-NEXT:      %[[O:.*]] = arith.addf %[[VI]], %[[CD]] fastmath<reassoc>
// CHECK-NEXT:      array.build
// CHECK-NEXT:        %[[E:.*]] = array.get %[[M]]
// CHECK-NEXT:        arith.addf %[[E]], %[[O]] fastmath<reassoc>
// CHECK-NEXT:        array.yield
func.func @invariant(%m: tensor<32x64xf64>, %v: tensor<32xf64>, %c: f64, %d: f64) -> tensor<32x64xf64> {
  %r = array.build (%i < 32) -> (tensor<32x64xf64>) {
    %row = array.build (%j < 64) -> (tensor<64xf64>) {
      %a = array.get %m[%i, %j] : (tensor<32x64xf64>) -> f64
      %b = array.get %v[%i] : (tensor<32xf64>) -> f64
      %p = arith.addf %c, %a fastmath<reassoc> : f64
      %q = arith.addf %p, %b fastmath<reassoc> : f64
      %t = arith.addf %q, %d fastmath<reassoc> : f64
      array.yield %t : f64
    }
    array.yield %row : tensor<64xf64>
  }
  return %r : tensor<32x64xf64>
}

// The order of a sum is unspecified, the order of a loop is fixed.
// COST: remark: cost 194 before, 194 after
// COST-NEXT: func.func @sum
func.func @sum(%x: tensor<64xf64>, %y: tensor<64xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<64xf64>
  %s = array.sum %p axes [0] : (tensor<64xf64>) -> f64
  return %s : f64
}

// The cost of a term is the cost of its code.
// TERM: cost 386  result 0
// COST: remark: cost 386 before, 386 after
// COST-NEXT: func.func @loop
func.func @loop(%x: tensor<64xf64>, %y: tensor<64xf64>) -> f64 {
  %n = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {
    %a = array.get %x[%i] : (tensor<64xf64>) -> f64
    %b = array.get %y[%i] : (tensor<64xf64>) -> f64
    %p = arith.mulf %a, %b : f64
    %t = arith.addf %acc, %p : f64
    array.yield %t : f64
  }
  return %s : f64
}

// A sum has many orders; one is considered.
// COST: remark: cost {{[0-9]+}} before, {{[0-9]+}} after; saturated after {{[0-9]+}} iterations with {{[0-9][0-9]}} e-nodes
// COST-NEXT: func.func @chain
func.func @chain(%x: tensor<64xf64>, %c: tensor<8xf64>) -> tensor<64xf64> {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k3 = arith.constant 3 : index
  %k4 = arith.constant 4 : index
  %k5 = arith.constant 5 : index
  %k6 = arith.constant 6 : index
  %k7 = arith.constant 7 : index
  %r = array.build (%i < 64) -> (tensor<64xf64>) {
    %s0 = array.get %x[%i] : (tensor<64xf64>) -> f64
    %c0 = array.get %c[%k0] : (tensor<8xf64>) -> f64
    %s1 = arith.addf %s0, %c0 fastmath<reassoc> : f64
    %c1 = array.get %c[%k1] : (tensor<8xf64>) -> f64
    %s2 = arith.addf %s1, %c1 fastmath<reassoc> : f64
    %c2 = array.get %c[%k2] : (tensor<8xf64>) -> f64
    %s3 = arith.addf %s2, %c2 fastmath<reassoc> : f64
    %c3 = array.get %c[%k3] : (tensor<8xf64>) -> f64
    %s4 = arith.addf %s3, %c3 fastmath<reassoc> : f64
    %c4 = array.get %c[%k4] : (tensor<8xf64>) -> f64
    %s5 = arith.addf %s4, %c4 fastmath<reassoc> : f64
    %c5 = array.get %c[%k5] : (tensor<8xf64>) -> f64
    %s6 = arith.addf %s5, %c5 fastmath<reassoc> : f64
    %c6 = array.get %c[%k6] : (tensor<8xf64>) -> f64
    %s7 = arith.addf %s6, %c6 fastmath<reassoc> : f64
    %c7 = array.get %c[%k7] : (tensor<8xf64>) -> f64
    %s8 = arith.addf %s7, %c7 fastmath<reassoc> : f64
    array.yield %s8 : f64
  }
  return %r : tensor<64xf64>
}
