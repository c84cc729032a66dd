// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=normalise}))' | FileCheck %s
// Vertical fusion and its guard, η, lengths, transposition.

// get-of-build: the index is in range, no guard. One loop, no array between.
// CHECK-LABEL: func.func @map_map
// CHECK:         %[[R:.*]] = array.build (%[[I:.*]] < 6) -> (tensor<6xf64>) {
// CHECK-NEXT:      %[[X:.*]] = array.get %{{.*}}[%[[I]]]
// CHECK-NEXT:      %[[S:.*]] = math.sin %[[X]] : f64
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[S]] : f64
// CHECK-NEXT:      array.yield %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @map_map(%v: tensor<6xf64>) -> tensor<6xf64> {
  %s = math.sin %v : tensor<6xf64>
  %e = array.build (%i < 6) -> (tensor<6xf64>) {
    %x = array.get %s[%i] : (tensor<6xf64>) -> f64
    %y = math.exp %x : f64
    array.yield %y : f64
  }
  return %e : tensor<6xf64>
}

// The index leaves the range: reading outside gives 0, and exp does not.
// CHECK-LABEL: func.func @guarded
// CHECK:         array.build (%[[I:.*]] < 6)
// CHECK:           %[[C:.*]] = arith.cmpi
// CHECK:           math.exp
// CHECK:           arith.select %[[C]]
func.func @guarded(%v: tensor<6xf64>) -> tensor<6xf64> {
  %one = arith.constant 1 : index
  %e = math.exp %v : tensor<6xf64>
  %r = array.build (%i < 6) -> (tensor<6xf64>) {
    %j = arith.addi %i, %one : index
    %x = array.get %e[%j] : (tensor<6xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<6xf64>
}

// build-of-get: the array itself, when all of it is read in order; a part of it is not.
// CHECK-LABEL: func.func @copy
// CHECK-SAME:    %[[V:[a-z0-9]+]]: tensor<?x3xf64>
// CHECK-NEXT:    return %[[V]]
func.func @copy(%v: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %n = array.length %v : tensor<?x3xf64>
  %r = array.build (%i < %n, %j < 3) -> (tensor<?x3xf64>) {
    %x = array.get %v[%i, %j] : (tensor<?x3xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<?x3xf64>
}
// CHECK-LABEL: func.func @part
// CHECK:         array.slice %{{.*}} from %{{.*}} : (tensor<6xf64>) -> tensor<5xf64>
func.func @part(%v: tensor<6xf64>) -> tensor<5xf64> {
  %r = array.build (%i < 5) -> (tensor<5xf64>) {
    %x = array.get %v[%i] : (tensor<6xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<5xf64>
}

// A nest of builds that exchanges the axes is a transposition, when the sizes fit.
// CHECK-LABEL: func.func @exchanged
// CHECK-SAME:    %[[M:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    %[[T:.*]] = array.transpose %[[M]] [1, 0]
// CHECK-NEXT:    return %[[T]]
func.func @exchanged(%m: tensor<4x3xf64>) -> tensor<3x4xf64> {
  %r = array.build (%i < 3, %j < 4) -> (tensor<3x4xf64>) {
    %x = array.get %m[%j, %i] : (tensor<4x3xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<3x4xf64>
}
// CHECK-LABEL: func.func @exchanged_part
// CHECK:         array.build (%{{.*}} < 3, %{{.*}} < 3)
func.func @exchanged_part(%m: tensor<4x3xf64>) -> tensor<3x3xf64> {
  %r = array.build (%i < 3, %j < 3) -> (tensor<3x3xf64>) {
    %x = array.get %m[%j, %i] : (tensor<4x3xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<3x3xf64>
}

// A negative extent counts as zero, in a length too.
// CHECK-LABEL: func.func @length_of_build
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK:         %[[Z:.*]] = arith.constant 0 : index
// CHECK:         %[[L:.*]] = arith.maxsi %[[N]], %[[Z]]
// CHECK:         return %[[L]]
func.func @length_of_build(%n: index, %x: f64) -> index {
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    array.yield %x : f64
  }
  %l = array.length %r : tensor<?xf64>
  return %l : index
}

// What does not depend on the index is computed once, outside.
// CHECK-LABEL: func.func @invariant
// CHECK-NEXT:    %[[E:.*]] = math.exp
// CHECK-NEXT:    array.build
// CHECK-NOT:     math.exp
func.func @invariant(%s: f64, %v: tensor<5xf64>) -> tensor<5xf64> {
  %r = array.build (%i < 5) -> (tensor<5xf64>) {
    %e = math.exp %s : f64
    %x = array.get %v[%i] : (tensor<5xf64>) -> f64
    %y = arith.mulf %e, %x : f64
    array.yield %y : f64
  }
  return %r : tensor<5xf64>
}

// An elementwise operation promises that its operands have equal sizes: no guard where the loop runs over the other one.
// CHECK-LABEL: func.func @equal_lengths
// CHECK:         array.build
// CHECK-NOT:     arith.cmpi
// CHECK:         return
func.func @equal_lengths(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %e = math.exp %b : tensor<?xf64>
  %p = arith.mulf %a, %e : tensor<?xf64>
  %n = array.length %a : tensor<?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %p[%i] : (tensor<?xf64>) -> f64
    %y = array.get %e[%i] : (tensor<?xf64>) -> f64
    %z = arith.addf %x, %y : f64
    array.yield %z : f64
  }
  return %r : tensor<?xf64>
}

// Without that promise the other array may be shorter.
// CHECK-LABEL: func.func @other_length
// CHECK:         arith.cmpi
// CHECK:         arith.select
func.func @other_length(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %a : tensor<?xf64>
  %e = math.exp %b : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %e[%i] : (tensor<?xf64>) -> f64
    %z = arith.mulf %x, %y : f64
    array.yield %z : f64
  }
  return %p : tensor<?xf64>
}
