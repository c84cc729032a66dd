// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(normalise-terms))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(normalise-terms,normalise-terms))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(normalise-terms{rules=ring}))' | FileCheck %s --check-prefix=RING
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(normalise-terms{rules=rings}))' 2>&1 | FileCheck %s --check-prefix=RULE
// The directed rules, which always apply, at any cost; alternatives are left to the e-graph.

// The table is read at computed positions. Its normal form computes elements where it reads: more work, smaller terms.
// CHECK-LABEL: func.func @read
// CHECK:         array.build
// CHECK:           math.exp
// CHECK:           array.yield
// RING-LABEL:  func.func @read
// RING-NEXT:     math.exp %{{.*}} : tensor<10xf64>
// RULE:        error: normalise-terms: unknown rule set `rings`; did you mean `ring`?
func.func @read(%x: tensor<10xf64>, %at: tensor<?xindex>) -> tensor<?xf64> {
  %e = math.exp %x : tensor<10xf64>
  %n = array.length %at : tensor<?xindex>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %k = array.get %at[%i] : (tensor<?xindex>) -> index
    %y = array.get %e[%k] : (tensor<10xf64>) -> f64
    array.yield %y : f64
  }
  return %r : tensor<?xf64>
}

// x·y + x·z has another form, which the e-graph chooses.
// CHECK-LABEL: func.func @alternatives
// CHECK-COUNT-2: arith.mulf
// CHECK:         arith.addf
func.func @alternatives(%x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.mulf %x, %y fastmath<reassoc> : f64
  %b = arith.mulf %x, %z fastmath<reassoc> : f64
  %s = arith.addf %a, %b fastmath<reassoc> : f64
  return %s : f64
}
