// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize))' | FileCheck %s --check-prefixes=CHECK,EGG
// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize{driver=normalise}))' | FileCheck %s --check-prefixes=CHECK,NORMAL
// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize,egg-optimize))' | FileCheck %s --check-prefixes=CHECK,EGG
// Gradients of naive forward mode become handwritten ones. The zeros that allow this are structural: no fastmath.

// The gradient of the dot product is the other vector.
func.func @dot(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8 : index
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {
    %x = array.get %v1[%i] : (tensor<8xf64>) -> f64
    %y = array.get %v2[%i] : (tensor<8xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    %next = arith.addf %acc, %p : f64
    array.yield %next : f64
  }
  return %s : f64
}
// CHECK-LABEL: func.func @gradient_of_dot
// CHECK-SAME:    %[[V1:[a-z0-9]+]]: tensor<8xf64>, %[[V2:[a-z0-9]+]]: tensor<8xf64>
// CHECK-NEXT:    return %[[V2]] : tensor<8xf64>
func.func @gradient_of_dot(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @dot(%v1, %v2) wrt [0] : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}

// The other vector may have another length: the result has the length of this one, and is zero out of range.
func.func @dot_dynamic(%v1: tensor<?xf64>, %v2: tensor<?xf64>) -> f64 {
  %n = array.length %v1 : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %v1[%i] : (tensor<?xf64>) -> f64
    %y = array.get %v2[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %y, %x : f64
    array.yield %p : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @gradient_of_dot_dynamic
// CHECK-SAME:    %[[V1:[a-z0-9]+]]: tensor<?xf64>, %[[V2:[a-z0-9]+]]: tensor<?xf64>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG:     %[[N:.*]] = array.length %[[V1]]
// CHECK-NEXT:    %[[G:.*]] = array.slice %[[V2]] from %[[ZERO]] size %[[N]]
// CHECK-NEXT:    return %[[G]]
func.func @gradient_of_dot_dynamic(%v1: tensor<?xf64>, %v2: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @dot_dynamic(%v1, %v2) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

// The gradient of the maximum: one loop finds the position of the maximum, a second writes the one.
func.func @max(%v: tensor<8xf64>) -> f64 {
  %first = arith.constant 0 : index
  %n = arith.constant 8 : index
  %m0 = array.get %v[%first] : (tensor<8xf64>) -> f64
  %m = array.ifold (%i < %n) iter_args(%acc = %m0) -> (f64) {
    %x = array.get %v[%i] : (tensor<8xf64>) -> f64
    %above = arith.cmpf ogt, %x, %acc : f64
    %next = arith.select %above, %x, %acc : f64
    array.yield %next : f64
  }
  return %m : f64
}
// CHECK-LABEL: func.func @gradient_of_max
// CHECK:         %[[LOOP:.*]]:2 = array.ifold ({{.*}}) iter_args({{.*}}) -> (f64, index)
// CHECK-NOT:     array.ifold
// CHECK:         array.build (%{{.*}} < 8) -> (tensor<8xf64>)
// CHECK-NOT:     array.ifold
// CHECK:         return
func.func @gradient_of_max(%v: tensor<8xf64>) -> tensor<8xf64> {
  %g = dual.grad @max(%v) wrt [0] : (tensor<8xf64>) -> tensor<8xf64>
  return %g : tensor<8xf64>
}

// The Jacobian of the sum of two vectors is the identity matrix: only its stores remain.
func.func @add(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %c = arith.addf %a, %b : tensor<8xf64>
  return %c : tensor<8xf64>
}
// CHECK-LABEL: func.func @jacobian_of_add
// NORMAL:        %[[J:.*]] = array.build (%[[I:.*]] < 8, %[[K:.*]] < 8) -> (tensor<8x8xf64>) {
// NORMAL-NEXT:      %[[EQ:.*]] = arith.cmpi eq, {{.*}} : index
// NORMAL-NEXT:      %[[E:.*]] = arith.select %[[EQ]], {{.*}} : f64
// NORMAL-NEXT:      array.yield %[[E]] : f64
// NORMAL-NEXT:    }
// NORMAL-NEXT:    return %[[J]]
// EGG:           %[[J:.*]] = array.scatter {{.*}} into tensor<8x8xf64> (%[[I:.*]]) {
// EGG-NEXT:        array.yield %[[I]], %[[I]]
// EGG-NEXT:      }
// EGG-NEXT:      return %[[J]]
func.func @jacobian_of_add(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8x8xf64> {
  %j = dual.jacobian @add(%a, %b) wrt [0] : (tensor<8xf64>, tensor<8xf64>) -> tensor<8x8xf64>
  return %j : tensor<8x8xf64>
}

// The Jacobian of vector times scalar, with respect to the scalar, is the vector.
func.func @scale(%v: tensor<8xf64>, %s: f64) -> tensor<8xf64> {
  %all = array.replicate %s : (f64) -> tensor<8xf64>
  %z = arith.mulf %v, %all : tensor<8xf64>
  return %z : tensor<8xf64>
}
// CHECK-LABEL: func.func @jacobian_of_scale
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<8xf64>
// CHECK-NEXT:    return %[[V]]
func.func @jacobian_of_scale(%v: tensor<8xf64>, %s: f64) -> tensor<8xf64> {
  %j = dual.jacobian @scale(%v, %s) wrt [1] : (tensor<8xf64>, f64) -> tensor<8xf64>
  return %j : tensor<8xf64>
}

// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME:    %[[M:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    return %[[M]]
func.func @transpose_twice(%m: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %t = array.transpose %m [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %u = array.transpose %t [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  return %u : tensor<4x3xf64>
}

// A matrix that is built element by element and transposed twice is recognised too.
// CHECK-LABEL: func.func @transpose_of_build
// CHECK-SAME:    %[[M:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    return %[[M]]
func.func @transpose_of_build(%m: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %t = array.build (%j < 3, %i < 4) -> (tensor<3x4xf64>) {
    %e = array.get %m[%i, %j] : (tensor<4x3xf64>) -> f64
    array.yield %e : f64
  }
  %u = array.transpose %t [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  return %u : tensor<4x3xf64>
}

// v · I = v, if flags allow to ignore NaN, infinities and signed zeros: the zeros of I are the user's.
// CHECK-LABEL: func.func @times_identity_fast
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<5xf64>
// CHECK-NEXT:    return %[[V]]
func.func @times_identity_fast(%v: tensor<5xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = arith.constant 5 : index
  %eye = array.build (%i < 5, %j < 5) -> (tensor<5x5xf64>) {
    %here = arith.cmpi eq, %i, %j : index
    %e = arith.select %here, %one, %zero : f64
    array.yield %e : f64
  }
  %z = array.build (%k < 5) -> (tensor<5xf64>) {
    %s = array.ifold (%j < %n) iter_args(%acc = %zero) -> (f64) {
      %x = array.get %v[%j] : (tensor<5xf64>) -> f64
      %e = array.get %eye[%j, %k] : (tensor<5x5xf64>) -> f64
      %p = arith.mulf %x, %e fastmath<nnan,ninf,nsz> : f64
      %next = arith.addf %acc, %p fastmath<nnan,ninf,nsz> : f64
      array.yield %next : f64
    }
    array.yield %s : f64
  }
  return %z : tensor<5xf64>
}

// The same without fast-math flags: 0·x is not zero for every x. The products remain.
// CHECK-LABEL: func.func @times_identity_strict
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         arith.mulf %{{.*}}, %[[ZERO]]
func.func @times_identity_strict(%v: tensor<5xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = arith.constant 5 : index
  %eye = array.build (%i < 5, %j < 5) -> (tensor<5x5xf64>) {
    %here = arith.cmpi eq, %i, %j : index
    %e = arith.select %here, %one, %zero : f64
    array.yield %e : f64
  }
  %z = array.build (%k < 5) -> (tensor<5xf64>) {
    %s = array.ifold (%j < %n) iter_args(%acc = %zero) -> (f64) {
      %x = array.get %v[%j] : (tensor<5xf64>) -> f64
      %e = array.get %eye[%j, %k] : (tensor<5x5xf64>) -> f64
      %p = arith.mulf %x, %e : f64
      %next = arith.addf %acc, %p : f64
      array.yield %next : f64
    }
    array.yield %s : f64
  }
  return %z : tensor<5xf64>
}

// Ops with side effects stay in place and in order; pure code around them and in their regions is optimised.
// CHECK-LABEL: func.func @stops_at_side_effect
// CHECK-SAME:    %[[M:[a-z0-9]+]]: memref<?xf64>, %[[V:[a-z0-9]+]]: tensor<3x4xf64>, %[[C:[a-z0-9]+]]: i1
// CHECK:         %[[X:.*]] = memref.load %[[M]]
// CHECK-NEXT:    memref.store %[[X]], %[[M]]
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      call @use(%[[V]])
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[Y:.*]] = memref.load %[[M]]
// CHECK-NEXT:    %[[Z:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT:    return %[[Z]]
func.func private @use(tensor<3x4xf64>)
func.func @stops_at_side_effect(%m: memref<?xf64>, %v: tensor<3x4xf64>, %c: i1) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %m[%zero] : memref<?xf64>
  %same = arith.mulf %x, %one : f64
  memref.store %same, %m[%zero] : memref<?xf64>
  scf.if %c {
    %t = array.transpose %v [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    %u = array.transpose %t [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
    func.call @use(%u) : (tensor<3x4xf64>) -> ()
  }
  %y = memref.load %m[%zero] : memref<?xf64>
  %z = arith.addf %same, %y : f64
  return %z : f64
}

// Consecutive elementwise operations are one loop in compiled code: writing the loop has no benefit.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    arith.addf {{.*}} : tensor<4xf64>
// CHECK-NEXT:    %[[Z:.*]] = math.exp
// CHECK-NEXT:    return %[[Z]]
func.func @chain(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %x = arith.addf %a, %b : tensor<4xf64>
  %y = math.exp %x : tensor<4xf64>
  return %y : tensor<4xf64>
}

// An array that only a loop reads is not created.
// CHECK-LABEL: func.func @fuses
// CHECK-NEXT:    %[[Z:.*]] = array.build
// CHECK:           arith.addf {{.*}} : f64
// CHECK-NEXT:      math.exp
// CHECK:         return %[[Z]]
func.func @fuses(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %x = arith.addf %a, %b : tensor<4xf64>
  %y = array.build (%i < 4) -> (tensor<4xf64>) {
    %e = array.get %x[%i] : (tensor<4xf64>) -> f64
    %z = math.exp %e : f64
    array.yield %z : f64
  }
  return %y : tensor<4xf64>
}

// No cheaper form: the same text.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NEXT:    %[[X:.*]] = arith.addf {{.*}} : tensor<4xf64>
// CHECK-NEXT:    return %[[X]]
func.func @nothing_to_do(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %x = arith.addf %a, %b : tensor<4xf64>
  return %x : tensor<4xf64>
}

// A pure operation without rules is an opaque term: it is computed once, outside the loop.
// CHECK-LABEL: func.func @opaque
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<7xf64>
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %[[V]][0] [4] [2]
// CHECK-NEXT:    %[[R:.*]] = array.build (%[[I:.*]] < 4)
// CHECK-NEXT:      %[[X:.*]] = array.get %[[S]][%[[I]]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[X]], %[[E]]
// CHECK-NEXT:      array.yield %[[P]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @opaque(%v: tensor<7xf64>) -> tensor<4xf64> {
  %r = array.build (%i < 4) -> (tensor<4xf64>) {
    %s = tensor.extract_slice %v[0] [4] [2] : tensor<7xf64> to tensor<4xf64>
    %t = tensor.extract_slice %v[0] [4] [2] : tensor<7xf64> to tensor<4xf64>
    %e = math.exp %t : tensor<4xf64>
    %x = array.get %s[%i] : (tensor<4xf64>) -> f64
    %y = array.get %e[%i] : (tensor<4xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    array.yield %p : f64
  }
  return %r : tensor<4xf64>
}

// Nested builds become one build at any depth, inside loops too. The product has its own loop, and only one element of the sum
// in it is needed, once.
// CHECK-LABEL: func.func @three_axes
// CHECK:         %[[A:.*]] = array.ifold (%{{.*}} < %{{.*}}) iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<?x3x4xf64>) {
// CHECK-NEXT:      %[[B:.*]] = array.build (%[[I:.*]] < %{{.*}}, %[[J:.*]] < 3, %[[K:.*]] < 4) -> (tensor<?x3x4xf64>) {
// CHECK-NEXT:        array.get %[[S]][%[[I]], %[[J]], %[[K]]]
// CHECK-NEXT:        math.sin
// CHECK-NEXT:        array.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      array.yield %[[B]]
// CHECK:         %[[Y:.*]] = array.sum %{{.*}} : (tensor<?xf64>) -> f64
// CHECK-NEXT:    %[[P:.*]] = array.ifold (%{{.*}} < %{{.*}}) iter_args(%[[D:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:      %[[Z:.*]] = arith.mulf %[[Y]], %[[D]] : f64
// CHECK-NEXT:      array.yield %[[Z]]
// CHECK:         return %[[A]], %[[P]]
func.func @three_axes(%w: tensor<4xf64>, %a: f64, %n: index) -> (tensor<?x3x4xf64>, f64) {
  %c0 = arith.constant 0 : index
  %x:2 = array.build (%i < %n, %j < 3) -> (tensor<?x3xf64>, tensor<?x3x4xf64>) {
    array.yield %a, %w : f64, tensor<4xf64>
  }
  %s:3 = array.ifold (%i < %n) iter_args(%b = %w, %c = %x#1, %d = %a) -> (tensor<4xf64>, tensor<?x3x4xf64>, f64) {
    %sum = array.sum %x#1 : (tensor<?x3x4xf64>) -> tensor<3x4xf64>
    %y = array.get %sum[%c0, %c0] : (tensor<3x4xf64>) -> f64
    %z = arith.mulf %d, %y : f64
    %e = math.sin %c : tensor<?x3x4xf64>
    array.yield %b, %e, %z : tensor<4xf64>, tensor<?x3x4xf64>, f64
  }
  return %s#1, %s#2 : tensor<?x3x4xf64>, f64
}

// The sides of a selection with different static sizes are cast to one type.
// CHECK-LABEL: func.func @sides_of_other_types(
// CHECK:         %[[S:.*]] = tensor.cast %{{.*}} : tensor<?xf64> to tensor<4xf64>
// CHECK:         arith.select %c, %[[S]], %x : tensor<4xf64>
func.func @sides_of_other_types(%x: tensor<4xf64>, %l: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %one = arith.constant 1 : index
  %cast = tensor.cast %x : tensor<4xf64> to tensor<?xf64>
  %s = arith.mulf %l, %cast : tensor<?xf64>
  %z = arith.select %c, %s, %cast : tensor<?xf64>
  %y = tensor.insert %two into %z[%one] : tensor<?xf64>
  return %y : tensor<?xf64>
}
