// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=normalise}))' | FileCheck %s
// Reshapes are reads at a position that is numbered and taken apart again. What is left of them is written as reshapes again.

// CHECK-LABEL: func.func @twice
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    %[[R:.*]] = array.reshape %[[X]] : (tensor<4x3xf64>) -> tensor<2x6xf64>
// CHECK-NEXT:    return %[[R]]
func.func @twice(%x: tensor<4x3xf64>) -> tensor<2x6xf64> {
  %a = array.reshape %x : (tensor<4x3xf64>) -> tensor<12xf64>
  %b = array.reshape %a : (tensor<12xf64>) -> tensor<3x4xf64>
  %c = array.reshape %b : (tensor<3x4xf64>) -> tensor<2x6xf64>
  return %c : tensor<2x6xf64>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x3x4xf64>
// CHECK-NEXT:    return %[[X]]
func.func @there_and_back(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %a = array.reshape %x : (tensor<2x3x4xf64>) -> tensor<4x6xf64>
  %b = array.reshape %a : (tensor<4x6xf64>) -> tensor<24xf64>
  %c = array.reshape %b : (tensor<24xf64>) -> tensor<2x3x4xf64>
  return %c : tensor<2x3x4xf64>
}

// CHECK-LABEL: func.func @same_shape
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    return %[[X]]
func.func @same_shape(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %a = array.reshape %x : (tensor<4x3xf64>) -> tensor<4x3xf64>
  return %a : tensor<4x3xf64>
}

// A transposition between is no reshape: both stay.
// CHECK-LABEL: func.func @turned_between
// CHECK:         array.reshape
// CHECK-NEXT:    array.transpose
// CHECK-NEXT:    array.reshape
func.func @turned_between(%x: tensor<4x3xf64>) -> tensor<12xf64> {
  %a = array.reshape %x : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %b = array.transpose %a [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %c = array.reshape %b : (tensor<4x3xf64>) -> tensor<12xf64>
  return %c : tensor<12xf64>
}

// Written with divisions, it is a reshape where all elements are read in their order.
// CHECK-LABEL: func.func @by_hand
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x3xf64>
// CHECK-NEXT:    %[[R:.*]] = array.reshape %[[X]] : (tensor<4x3xf64>) -> tensor<12xf64>
// CHECK-NEXT:    return %[[R]]
func.func @by_hand(%x: tensor<4x3xf64>) -> tensor<12xf64> {
  %three = arith.constant 3 : index
  %r = array.build (%i < 12) -> (tensor<12xf64>) {
    %j = array.div %i, %three : index
    %k = array.mod %i, %three : index
    %e = array.get %x[%j, %k] : (tensor<4x3xf64>) -> f64
    array.yield %e : f64
  }
  return %r : tensor<12xf64>
}
// Not where the last ones are missing.
// CHECK-LABEL: func.func @not_all
// CHECK-NOT:     -> tensor<11xf64>{{$}}
// CHECK:         %[[R:.*]] = array.build (%[[I:.*]] < 11) -> (tensor<11xf64>) {
// CHECK-NEXT:      %[[E:.*]] = array.get %{{.*}}[%[[I]]] : (tensor<12xf64>) -> f64
// CHECK-NEXT:      array.yield %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @not_all(%x: tensor<4x3xf64>) -> tensor<11xf64> {
  %three = arith.constant 3 : index
  %r = array.build (%i < 11) -> (tensor<11xf64>) {
    %j = array.div %i, %three : index
    %k = array.mod %i, %three : index
    %e = array.get %x[%j, %k] : (tensor<4x3xf64>) -> f64
    array.yield %e : f64
  }
  return %r : tensor<11xf64>
}

// What is computed between is computed in one loop; no division is left.
// CHECK-LABEL: func.func @work_between
// CHECK-NOT:     array.div
// CHECK-NOT:     array.mod
// CHECK:         math.sin
// CHECK-NOT:     array.div
// CHECK-NOT:     array.mod
// CHECK:         return
func.func @work_between(%x: tensor<4x3xf64>, %y: tensor<2x6xf64>) -> f64 {
  %a = array.reshape %x : (tensor<4x3xf64>) -> tensor<12xf64>
  %b = math.sin %a : tensor<12xf64>
  %c = array.reshape %b : (tensor<12xf64>) -> tensor<2x6xf64>
  %d = arith.mulf %c, %y : tensor<2x6xf64>
  %e = array.reshape %d : (tensor<2x6xf64>) -> tensor<12xf64>
  %s = array.sum %e : (tensor<12xf64>) -> f64
  return %s : f64
}

// Axes of length one come and go.
// CHECK-LABEL: func.func @units
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<3xf64>
// CHECK-NEXT:    return %[[X]]
func.func @units(%x: tensor<3xf64>) -> tensor<3xf64> {
  %a = array.reshape %x : (tensor<3xf64>) -> tensor<1x3x1xf64>
  %b = array.reshape %a : (tensor<1x3x1xf64>) -> tensor<3x1xf64>
  %c = array.reshape %b : (tensor<3x1xf64>) -> tensor<3xf64>
  return %c : tensor<3xf64>
}
// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT:    return %[[X]]
func.func @scalar(%x: f64) -> f64 {
  %a = array.reshape %x : (f64) -> tensor<1x1xf64>
  %b = array.reshape %a : (tensor<1x1xf64>) -> f64
  return %b : f64
}

// CHECK-LABEL: func.func @empty
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<0x3xf64>
// CHECK-NEXT:    %[[A:.*]] = array.reshape %[[X]] : (tensor<0x3xf64>) -> tensor<0xf64>
// CHECK-NEXT:    %[[B:.*]] = array.reshape %[[A]] : (tensor<0xf64>) -> tensor<2x0x5xf64>
// CHECK-NEXT:    return %[[B]]
func.func @empty(%x: tensor<0x3xf64>) -> tensor<2x0x5xf64> {
  %a = array.reshape %x : (tensor<0x3xf64>) -> tensor<0xf64>
  %b = array.reshape %a : (tensor<0xf64>) -> tensor<2x0x5xf64>
  return %b : tensor<2x0x5xf64>
}

// Run-time sizes: n rows of 12 are 2·n of 6, whatever n is.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x12xf64>
// CHECK:         %[[R:.*]] = array.reshape %[[X]] sizes(%{{.*}}) : (tensor<?x12xf64>) -> tensor<?x6xf64>
// CHECK-NEXT:    return %[[R]]
func.func @rows(%x: tensor<?x12xf64>) -> tensor<?x6xf64> {
  %n = array.length %x : tensor<?x12xf64>
  %four = arith.constant 4 : index
  %two = arith.constant 2 : index
  %many = arith.muli %n, %four : index
  %a = array.reshape %x sizes(%many) : (tensor<?x12xf64>) -> tensor<?x3xf64>
  %double = arith.muli %n, %two : index
  %b = array.reshape %a sizes(%double) : (tensor<?x3xf64>) -> tensor<?x6xf64>
  return %b : tensor<?x6xf64>
}
// A reshape guarantees that the numbers of elements agree, even if this cannot be derived from the sizes.
// The conditions remain.
// CHECK-LABEL: func.func @promised
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x3xf64>, %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK-DAG:     %[[LENGTH:.*]] = array.length %[[X]]
// CHECK-DAG:     %[[COUNT:.*]] = arith.muli %[[LENGTH]], %c3
// CHECK-DAG:     %[[FIRST:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         array.same_size %[[COUNT]], %[[FIRST]], "'array.reshape' reshapes an array to a different number
// CHECK:         %[[SECOND:.*]] = arith.maxsi %[[M]], %c0
// CHECK-NEXT:    %[[MANY:.*]] = arith.muli %[[SECOND]], %c3
// CHECK-NEXT:    array.same_size %[[COUNT]], %[[MANY]], "'array.reshape' reshapes an array to a different number
// CHECK-NEXT:    return %[[X]]
func.func @promised(%x: tensor<?x3xf64>, %n: index, %m: index) -> tensor<?x3xf64> {
  %a = array.reshape %x sizes(%n) : (tensor<?x3xf64>) -> tensor<?xf64>
  %b = array.reshape %a sizes(%m) : (tensor<?xf64>) -> tensor<?x3xf64>
  return %b : tensor<?x3xf64>
}
// In a loop, which may not run, it promises nothing: it stays what it is.
// CHECK-LABEL: func.func @not_promised
// CHECK:         array.build
// CHECK:           array.reshape
func.func @not_promised(%x: tensor<?x3xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %r = array.build (%i < %m) -> (tensor<?xf64>) {
    %row = array.get %x[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %all = array.replicate %row, %n : (tensor<3xf64>) -> tensor<?x3xf64>
    %a = array.reshape %all sizes(%m) : (tensor<?x3xf64>) -> tensor<?xf64>
    %e = array.get %a[%i] : (tensor<?xf64>) -> f64
    %f = math.sin %e : f64
    array.yield %f : f64
  }
  return %r : tensor<?xf64>
}
// Two sizes that only the run knows cannot be divided by: it stays.
// CHECK-LABEL: func.func @two_unknown
// CHECK:         array.reshape
// CHECK-NEXT:    array.reshape
func.func @two_unknown(%x: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %k = arith.muli %n, %m : index
  %a = array.reshape %x sizes(%k) : (tensor<?x?xf64>) -> tensor<?xf64>
  %b = array.reshape %a sizes(%n, %m) : (tensor<?xf64>) -> tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}
