// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(unroll-small-loops))' | FileCheck %s
// Small loops written out, and arrays that are written out.

// unroll-loop: the comparison is decided, what the columns share is computed once, and what does not depend on the rows once for all.
// CHECK-LABEL: func.func @written_out
// CHECK:         %[[S:.*]] = math.sin %{{.*}} : f64
// CHECK:         array.build (%{{.*}} < %{{.*}}) -> (tensor<?x3xf64>) {
// CHECK-NEXT:      array.get
// CHECK-NEXT:      %[[E:.*]] = math.exp
// CHECK-NEXT:      %[[COS:.*]] = math.cos %[[E]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[S]], %[[COS]]
// CHECK-NEXT:      %[[SIN:.*]] = math.sin %[[E]]
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[S]], %[[SIN]]
// CHECK-NEXT:      %[[R:.*]] = array.stack %[[P]], %[[Q]], %[[P]] : (f64, f64, f64) -> tensor<3xf64>
// CHECK-NEXT:      array.yield %[[R]]
func.func @written_out(%v: tensor<?xf64>, %w: f64) -> tensor<?x3xf64> {
  %c1 = arith.constant 1 : index
  %n = array.length %v : tensor<?xf64>
  %r = array.build (%i < %n, %k < 3) -> (tensor<?x3xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %e = math.exp %x : f64
    %c = arith.cmpi eq, %k, %c1 : index
    %s = math.sin %w : f64
    %f = math.sin %e : f64
    %g = math.cos %e : f64
    %t = arith.select %c, %f, %g : f64
    %p = arith.mulf %t, %s : f64
    array.yield %p : f64
  }
  return %r : tensor<?x3xf64>
}

// One column more than what is written out.
// CHECK-LABEL: func.func @too_long
// CHECK-NOT:     array.stack
// CHECK:         array.build (%{{.*}} < 13)
// CHECK:           arith.cmpi eq
func.func @too_long(%v: tensor<?xf64>) -> tensor<?x13xf64> {
  %c1 = arith.constant 1 : index
  %n = array.length %v : tensor<?xf64>
  %r = array.build (%i < %n, %k < 13) -> (tensor<?x13xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %e = math.exp %x : f64
    %c = arith.cmpi eq, %k, %c1 : index
    %f = math.sin %e : f64
    %g = math.cos %e : f64
    %t = arith.select %c, %f, %g : f64
    array.yield %t : f64
  }
  return %r : tensor<?x13xf64>
}

// Nothing in the loop depends on where it is: it stays.
// CHECK-LABEL: func.func @nothing_to_decide
// CHECK-NOT:     array.stack
// CHECK:         array.build (%{{.*}} < 3)
func.func @nothing_to_decide(%v: tensor<4xf64>, %w: f64) -> tensor<3xf64> {
  %r = array.build (%k < 3) -> (tensor<3xf64>) {
    %x = array.get %v[%k] : (tensor<4xf64>) -> f64
    %e = math.exp %x : f64
    %p = arith.mulf %e, %w : f64
    array.yield %p : f64
  }
  return %r : tensor<3xf64>
}

// unroll-sum: each index reads one row of the stack, which is no array any more.
// CHECK-LABEL: func.func @dot
// CHECK-NOT:     array.stack
// CHECK-NOT:     array.sum
// CHECK:         %[[V0:.*]] = array.get %arg3[%c0]
// CHECK-NEXT:    %[[P0:.*]] = arith.mulf %arg0, %[[V0]]
// CHECK:         %[[V1:.*]] = array.get %arg3[%c1]
// CHECK-NEXT:    %[[P1:.*]] = arith.mulf %arg1, %[[V1]]
// CHECK-NEXT:    %[[S1:.*]] = arith.addf %[[P0]], %[[P1]]
// CHECK:         %[[V2:.*]] = array.get %arg3[%c2]
// CHECK-NEXT:    %[[P2:.*]] = arith.mulf %arg2, %[[V2]]
// CHECK-NEXT:    %[[S2:.*]] = arith.addf %[[S1]], %[[P2]]
// CHECK-NEXT:    return %[[S2]]
func.func @dot(%x: f64, %y: f64, %z: f64, %v: tensor<3xf64>) -> f64 {
  %s = array.stack %x, %y, %z : (f64, f64, f64) -> tensor<3xf64>
  %p = arith.mulf %s, %v : tensor<3xf64>
  %r = array.sum %p : (tensor<3xf64>) -> f64
  return %r : f64
}

// get-of-stack: one row is computed.
// CHECK-LABEL: func.func @row
// CHECK-SAME:    %{{.*}}: f64, %[[Y:.*]]: f64
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[Y]] : f64
// CHECK-NEXT:    return %[[E]]
func.func @row(%x: f64, %y: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %s = array.stack %x, %y : (f64, f64) -> tensor<2xf64>
  %e = math.exp %s : tensor<2xf64>
  %r = array.get %e[%c1] : (tensor<2xf64>) -> f64
  return %r : f64
}

// Which row is not known.
// CHECK-LABEL: func.func @some_row
// CHECK:         array.stack
// CHECK:         array.get
func.func @some_row(%x: f64, %y: f64, %i: index) -> f64 {
  %s = array.stack %x, %y : (f64, f64) -> tensor<2xf64>
  %r = array.get %s[%i] : (tensor<2xf64>) -> f64
  return %r : f64
}

// stack-of-gets: the array itself, if the rows are all of its rows in their order.
// CHECK-LABEL: func.func @again
// CHECK-SAME:    %[[V:.*]]: tensor<2x?xf64>
// CHECK-NEXT:    return %[[V]]
func.func @again(%v: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = array.get %v[%c0] : (tensor<2x?xf64>) -> tensor<?xf64>
  %y = array.get %v[%c1] : (tensor<2x?xf64>) -> tensor<?xf64>
  %r = array.stack %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  return %r : tensor<2x?xf64>
}
// CHECK-LABEL: func.func @turned
// CHECK:         array.stack
func.func @turned(%v: tensor<2xf64>) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = array.get %v[%c1] : (tensor<2xf64>) -> f64
  %y = array.get %v[%c0] : (tensor<2xf64>) -> f64
  %r = array.stack %x, %y : (f64, f64) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// stack-of-equal: copies, of which any row is the one.
// CHECK-LABEL: func.func @copies
// CHECK-SAME:    %[[X:.*]]: f64
// CHECK-NOT:     array.stack
// CHECK:         %[[E:.*]] = math.exp %[[X]] : f64
// CHECK-NEXT:    array.replicate %[[E]] : (f64) -> tensor<3xf64>
func.func @copies(%x: f64) -> tensor<3xf64> {
  %s = array.stack %x, %x, %x : (f64, f64, f64) -> tensor<3xf64>
  %e = math.exp %s : tensor<3xf64>
  return %e : tensor<3xf64>
}

// Two loops that are the same but for their names are one, also where only sums read them.
// CHECK-LABEL: func.func @same_loops
// CHECK:         array.build
// CHECK-NOT:     array.build
// CHECK:         return
func.func @same_loops(%v: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %v : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %e = math.exp %x : f64
    array.yield %e : f64
  }
  %q = array.build (%j < %n) -> (tensor<?xf64>) {
    %x = array.get %v[%j] : (tensor<?xf64>) -> f64
    %e = math.exp %x : f64
    array.yield %e : f64
  }
  %s = arith.mulf %p, %q : tensor<?xf64>
  return %s : tensor<?xf64>
}
