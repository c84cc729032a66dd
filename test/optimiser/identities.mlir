// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize))' | FileCheck %s
// Identities of matrices and derivatives that rewriting must find (spec/arrays.md H.1): naive forward mode becomes the code that a person
// would write.

// The transpose of the transpose, as loops.
// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME:    (%[[M:.*]]: tensor<3x4xf64>)
// CHECK-NEXT:    return %[[M]]
func.func @transpose_twice(%m: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %t = array.build (%j < 4, %i < 3) -> (tensor<4x3xf64>) {
    %x = array.get %m[%i, %j] : (tensor<3x4xf64>) -> f64
    array.yield %x : f64
  }
  %r = array.build (%i < 3, %j < 4) -> (tensor<3x4xf64>) {
    %x = array.get %t[%j, %i] : (tensor<4x3xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<3x4xf64>
}

// v · I, with fast-math flags that allow to drop products with zero.
// CHECK-LABEL: func.func @vector_times_identity
// CHECK-SAME:    (%[[V:.*]]: tensor<?xf64>)
// CHECK-NEXT:    return %[[V]]
func.func @vector_times_identity(%v: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = array.length %v : tensor<?xf64>
  %eye = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %c = arith.cmpi eq, %i, %j : index
    %x = arith.select %c, %one, %zero : f64
    array.yield %x : f64
  }
  %r = array.build (%j < %n) -> (tensor<?xf64>) {
    %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : (tensor<?xf64>) -> f64
      %e = array.get %eye[%i, %j] : (tensor<?x?xf64>) -> f64
      %p = arith.mulf %x, %e fastmath<nnan,ninf,nsz> : f64
      %b = arith.addf %a, %p fastmath<nnan,ninf,nsz> : f64
      array.yield %b : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<?xf64>
}

// Without these flags the products remain.
// CHECK-LABEL: func.func @vector_times_identity_exactly
// CHECK:         array.ifold
// CHECK:           arith.mulf
func.func @vector_times_identity_exactly(%v: tensor<4xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = arith.constant 4 : index
  %r = array.build (%j < 4) -> (tensor<4xf64>) {
    %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : (tensor<4xf64>) -> f64
      %c = arith.cmpi eq, %i, %j : index
      %e = arith.select %c, %one, %zero : f64
      %p = arith.mulf %x, %e : f64
      %b = arith.addf %a, %p : f64
      array.yield %b : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<4xf64>
}

func.func private @dot(%v: tensor<8xf64>, %w: tensor<8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8 : index
  %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
    %x = array.get %v[%i] : (tensor<8xf64>) -> f64
    %y = array.get %w[%i] : (tensor<8xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    %b = arith.addf %a, %p : f64
    array.yield %b : f64
  }
  return %s : f64
}

// The gradient of v · w in v is w.
// CHECK-LABEL: func.func @gradient_of_dot
// CHECK-SAME:    (%{{.*}}: tensor<8xf64>, %[[W:.*]]: tensor<8xf64>)
// CHECK-NEXT:    return %[[W]]
func.func @gradient_of_dot(%v: tensor<8xf64>, %w: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @dot(%v, %w) wrt [0] mode forward : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}

func.func private @trace(%m: tensor<5x5xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 5 : index
  %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
    %x = array.get %m[%i, %i] : (tensor<5x5xf64>) -> f64
    %b = arith.addf %a, %x : f64
    array.yield %b : f64
  }
  return %s : f64
}

// That of the trace is the identity matrix: one build, no loop in it.
// CHECK-LABEL: func.func @gradient_of_trace
// CHECK-NOT:     array.ifold
// CHECK:         array.build (%[[I:.*]] < 5, %[[J:.*]] < 5)
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:      %[[X:.*]] = arith.select %[[C]]
// CHECK-NEXT:      array.yield %[[X]]
// CHECK-NOT:     array.
// CHECK:         return
func.func @gradient_of_trace(%m: tensor<5x5xf64>) -> tensor<5x5xf64> {
  %g = dual.grad @trace(%m) wrt [0] mode forward : (tensor<5x5xf64>) -> tensor<5x5xf64>
  return %g : tensor<5x5xf64>
}

func.func private @bilinear(%u: tensor<3xf64>, %m: tensor<3x4xf64>, %v: tensor<4xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 3 : index
  %k = arith.constant 4 : index
  %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
    %r = array.ifold (%j < %k) iter_args(%b = %zero) -> (f64) {
      %x = array.get %m[%i, %j] : (tensor<3x4xf64>) -> f64
      %y = array.get %v[%j] : (tensor<4xf64>) -> f64
      %p = arith.mulf %x, %y : f64
      %q = arith.addf %b, %p : f64
      array.yield %q : f64
    }
    %x = array.get %u[%i] : (tensor<3xf64>) -> f64
    %p = arith.mulf %x, %r : f64
    %b = arith.addf %a, %p : f64
    array.yield %b : f64
  }
  return %s : f64
}

// That of u · M v in M is u vᵀ: one product for each entry.
// CHECK-LABEL: func.func @gradient_of_bilinear
// CHECK-SAME:    (%[[U:.*]]: tensor<3xf64>, %{{.*}}: tensor<3x4xf64>, %[[V:.*]]: tensor<4xf64>)
// CHECK-NOT:     array.ifold
// CHECK:         array.build
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT:     arith.{{addf|mulf}}
// CHECK:         return
func.func @gradient_of_bilinear(%u: tensor<3xf64>, %m: tensor<3x4xf64>, %v: tensor<4xf64>) -> tensor<3x4xf64> {
  %g = dual.grad @bilinear(%u, %m, %v) wrt [1] mode forward
    : (tensor<3xf64>, tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %g : tensor<3x4xf64>
}

func.func private @cosine(%a: f64) -> f64 {
  %c = math.cos %a : f64
  return %c : f64
}

// CHECK-LABEL: func.func @derivative_of_cosine
// CHECK-NEXT:    %[[S:.*]] = math.sin
// CHECK-NEXT:    %[[N:.*]] = arith.negf %[[S]]
// CHECK-NEXT:    return %[[N]]
func.func @derivative_of_cosine(%a: f64) -> f64 {
  %g = dual.grad @cosine(%a) wrt [0] mode forward : (f64) -> f64
  return %g : f64
}

func.func private @product(%a: f64, %b: f64) -> f64 {
  %p = arith.mulf %a, %b : f64
  return %p : f64
}

// CHECK-LABEL: func.func @derivative_of_product
// CHECK-SAME:    (%{{.*}}: f64, %[[B:.*]]: f64)
// CHECK-NEXT:    return %[[B]]
func.func @derivative_of_product(%a: f64, %b: f64) -> f64 {
  %g = dual.grad @product(%a, %b) wrt [0] mode forward : (f64, f64) -> f64
  return %g : f64
}
