// RUN: mlopt %s --bulk-operations --verify-bulk --split-input-file --verify-diagnostics | FileCheck %s
// Calls in builds are inlined, mapped functions expanded; an unsupported call is rejected at the op that needs it.

// CHECK-LABEL: func.func private @square
// CHECK-SAME:    %[[A:.*]]: f64
// CHECK-NEXT:    %[[V0:.*]] = arith.mulf %[[A]], %[[A]] : f64
// CHECK-NEXT:    return %[[V0]] : f64
func.func private @square(%a: f64) -> f64 {
  %b = arith.mulf %a, %a : f64
  return %b : f64
}
// CHECK-LABEL: func.func private @norm
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[W:.*]]: f64
// CHECK-NEXT:    %[[V0:.*]] = arith.mulf %[[X]], %[[X]] : tensor<3xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.sum %[[V0]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = arith.mulf %[[V1]], %[[W]] : f64
// CHECK-NEXT:    return %[[V2]] : f64
func.func private @norm(%x: tensor<3xf64>, %w: f64) -> f64 {
  %s = array.vmap @square(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %t = array.sum %s : (tensor<3xf64>) -> f64
  %u = arith.mulf %t, %w : f64
  return %u : f64
}
// CHECK-LABEL: func.func @norms_of_columns
// CHECK-SAME:    %[[M:.*]]: tensor<3x4xf64>, %[[W:.*]]: f64
// CHECK-NEXT:    %[[V0:.*]] = array.transpose %[[M]] [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT:    %[[V1:.*]] = arith.mulf %[[V0]], %[[V0]] : tensor<4x3xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.sum %[[V1]] axes [1] : (tensor<4x3xf64>) -> tensor<4xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.replicate %[[W]] : (f64) -> tensor<4xf64>
// CHECK-NEXT:    %[[V4:.*]] = arith.mulf %[[V2]], %[[V3]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V4]] : tensor<4xf64>
func.func @norms_of_columns(%m: tensor<3x4xf64>, %w: f64) -> tensor<4xf64> {
  %z = array.vmap @norm(%m, %w) in_axes [1, -1] : (tensor<3x4xf64>, f64) -> tensor<4xf64>
  return %z : tensor<4xf64>
}
// A call outside builds remains a call.
// CHECK-LABEL: func.func @calls
// CHECK-SAME:    %[[A:.*]]: f64
// CHECK-NEXT:    %[[V0:.*]] = call @square(%[[A]]) : (f64) -> f64
// CHECK-NEXT:    return %[[V0]] : f64
func.func @calls(%a: f64) -> f64 {
  %b = func.call @square(%a) : (f64) -> f64
  return %b : f64
}

// -----

func.func @ragged(%n: index) -> tensor<?xindex> {
  // expected-note@+1 {{the build is here}}
  %z = array.build (%i < %n) -> (tensor<?xindex>) {
    // expected-note@+1 {{`n` is defined here, with type index}}
    %k = arith.muli %i, %i : index
    // expected-error@+1 {{not supported: 'array.iota': the size in `n` must not depend on an index of the enclosing `array.build`}}
    %r = array.iota %k : tensor<?xindex>
    %s = array.sum %r : (tensor<?xindex>) -> index
    array.yield %s : index
  }
  return %z : tensor<?xindex>
}

// -----

func.func @triangle(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-note@+2 {{the build is here}}
  // expected-note@+1 {{`extents` is defined here, with type index}}
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    // expected-error@+1 {{not supported: 'array.build': the size in `extents` must not depend on an index of the enclosing `array.build`}}
    %r = array.build (%j < %i) -> (tensor<?xf64>) {
      %e = array.get %x[%j] : (tensor<4xf64>) -> f64
      array.yield %e : f64
    }
    %s = array.sum %r : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func @loop(%k: index) -> index {
  %z = array.build (%i < 4) -> (tensor<4xindex>) {
    // expected-error@+1 {{not supported: 'func.call': `@loop` is recursive, and an `array.build` calls it}}
    %e = func.call @loop(%i) : (index) -> index
    array.yield %e : index
  }
  %s = array.sum %z : (tensor<4xindex>) -> index
  return %s : index
}

// -----

func.func private @elsewhere(index) -> index
func.func @declared() -> tensor<4xindex> {
  %z = array.build (%i < 4) -> (tensor<4xindex>) {
    // expected-error@+1 {{not supported: 'func.call': `@elsewhere` has no body, and an `array.build` calls it}}
    %e = func.call @elsewhere(%i) : (index) -> index
    array.yield %e : index
  }
  return %z : tensor<4xindex>
}

// -----

func.func private @writes(%i: index, %m: memref<4xindex>) -> index {
  // expected-note@+1 {{'memref.store' has side effects}}
  memref.store %i, %m[%i] : memref<4xindex>
  return %i : index
}
func.func @effects(%m: memref<4xindex>) -> tensor<4xindex> {
  %z = array.build (%i < 4) -> (tensor<4xindex>) {
    // expected-error@+1 {{not supported: 'func.call': `@writes` has side effects, and an `array.build` calls it}}
    %e = func.call @writes(%i, %m) : (index, memref<4xindex>) -> index
    array.yield %e : index
  }
  return %z : tensor<4xindex>
}

// -----

func.func private @blocks(%i: index, %c: i1) -> index {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %i : index
^bb2:
  %z = arith.constant 0 : index
  return %z : index
}
func.func @jumps(%c: i1) -> tensor<4xindex> {
  %z = array.build (%i < 4) -> (tensor<4xindex>) {
    // expected-error@+1 {{not supported: 'func.call': `@blocks` has several blocks, and an `array.build` calls it}}
    %e = func.call @blocks(%i, %c) : (index, i1) -> index
    array.yield %e : index
  }
  return %z : tensor<4xindex>
}
