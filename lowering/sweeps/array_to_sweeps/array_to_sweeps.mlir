// RUN: mlopt %s --array-to-sweeps | FileCheck %s
// Fusion into nests, stored arrays, and guards of reads.

// A product that is only summed is not stored.
// CHECK-LABEL: func.func @dot
// CHECK-SAME:    %[[X:.*]]: tensor<8xf64>, %[[Y:.*]]: tensor<8xf64>
// CHECK-COUNT-1: sweep.nest
// CHECK:           %[[A:.*]] = tensor.extract %[[X]][%[[I:.*]]] : tensor<8xf64>
// CHECK-NEXT:      %[[B:.*]] = tensor.extract %[[Y]][%[[I]]] : tensor<8xf64>
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f64
// CHECK-NEXT:      sweep.yield %[[P]] : f64
// CHECK-NOT:     sweep.nest
func.func @dot(%x: tensor<8xf64>, %y: tensor<8xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<8xf64>
  %s = array.sum %p : (tensor<8xf64>) -> f64
  return %s : f64
}

// Two consumers of the same elements: one nest stores and sums them.
// CHECK-LABEL: func.func @shared
// CHECK:         sweep.nest {{.*}} -> (map tensor<8xf64>, sum f64)
// CHECK:           %[[E:.*]] = math.exp
// CHECK-NEXT:      sweep.yield %[[E]], %[[E]]
func.func @shared(%x: tensor<8xf64>) -> (f64, tensor<8xf64>) {
  %e = math.exp %x : tensor<8xf64>
  %s = array.sum %e : (tensor<8xf64>) -> f64
  return %s, %e : f64, tensor<8xf64>
}

// A chain that one nest consumes is computed once per element, even if its values are used twice.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: sweep.nest
// CHECK:           tensor.extract
// CHECK-NOT:       tensor.extract
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      sweep.yield
func.func @chain(%x: tensor<8xf64>) -> tensor<8xf64> {
  %a = arith.mulf %x, %x : tensor<8xf64>
  %b = arith.mulf %a, %a : tensor<8xf64>
  return %b : tensor<8xf64>
}

// A read at an index below the length of the array needs no guard; below another length it does.
// CHECK-LABEL: func.func @guards
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>
// CHECK:         sweep.nest (%[[I:.*]] < %[[N:.*]]) -> (map tensor<?xf64>)
// CHECK-NEXT:      tensor.extract %[[X]][%[[I]]]
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult, %[[I]], %[[M:.*]] : index
// CHECK-NEXT:      scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:        tensor.extract %[[Y]][%[[I]]]
func.func @guards(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %c = arith.mulf %a, %b : f64
    array.yield %c : f64
  }
  return %z : tensor<?xf64>
}

// A reversed index is in range; so is one shifted into a longer array.
// CHECK-LABEL: func.func @affine
// CHECK-NOT:     scf.if
// CHECK:         %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    %[[R:.*]] = sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<?xf64>) {
// CHECK-NEXT:      %[[K:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK-NEXT:      %[[E:.*]] = tensor.extract %arg0[%[[K]]]
// CHECK-NEXT:      sweep.yield %[[E]]
// CHECK-NOT:     scf.if
// CHECK:         %[[S:.*]] = sweep.nest (%[[J:.*]] < %{{.*}}) -> (map tensor<8xf64>) {
// CHECK-NEXT:      %[[L:.*]] = arith.addi %[[J]], %c1
// CHECK-NEXT:      %[[F:.*]] = tensor.extract %arg1[%[[L]]]
// CHECK-NEXT:      sweep.yield %[[F]]
// CHECK-NOT:     scf.if
// CHECK:         return %[[R]], %[[S]]
func.func @affine(%x: tensor<?xf64>, %y: tensor<9xf64>) -> (tensor<?xf64>, tensor<8xf64>) {
  %n = array.length %x : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %k = arith.subi %last, %i : index
    %e = array.get %x[%k] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.build (%i < 8) -> (tensor<8xf64>) {
    %k = arith.addi %i, %c1 : index
    %e = array.get %y[%k] : (tensor<9xf64>) -> f64
    array.yield %e : f64
  }
  return %r, %s : tensor<?xf64>, tensor<8xf64>
}

// Sizes that must be equal are checked once, at the entry, and are then assumed to be equal.
// CHECK-LABEL: func.func @required
// CHECK:         sweep.require %{{.*}}, "operands of 'arith.addf' have different sizes
// CHECK-NOT:     scf.if
// CHECK-NOT:     sweep.require
// CHECK:         return
func.func @required(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %a = arith.addf %x, %y : tensor<?xf64>
  %b = arith.mulf %a, %y : tensor<?xf64>
  return %b : tensor<?xf64>
}

// Columns are summed row by row, in the order of memory, together with the rows: the array is read once.
// CHECK-LABEL: func.func @sums
// CHECK:         sweep.nest {{.*}} fold(%[[Z:.*]] = %{{.*}}) -> (fold tensor<40xf64>, map tensor<?xf64>) {
// CHECK-NEXT:      sweep.nest {{.*}} -> (map tensor<40xf64>, sum f64) {
// CHECK-COUNT-2:     tensor.extract
// CHECK-NOT:         tensor.extract
// CHECK:         return
func.func @sums(%x: tensor<?x40xf64>) -> (tensor<40xf64>, tensor<?xf64>) {
  %columns = array.sum %x : (tensor<?x40xf64>) -> tensor<40xf64>
  %t = array.transpose %x [1, 0] : (tensor<?x40xf64>) -> tensor<40x?xf64>
  %rows = array.sum %t : (tensor<40x?xf64>) -> tensor<?xf64>
  return %columns, %rows : tensor<40xf64>, tensor<?xf64>
}

// Functions are inlined at their calls; private functions are removed.
// CHECK-NOT:   @twice
// CHECK-LABEL: func.func @calls
// CHECK:         arith.addf
func.func private @twice(%a: f64) -> f64 {
  %b = arith.addf %a, %a : f64
  return %b : f64
}
func.func @calls(%a: f64) -> f64 {
  %b = call @twice(%a) : (f64) -> f64
  return %b : f64
}

// One sum for each column would read the matrix with a stride: all sums advance together, row by row, and operations on a
// sum follow the loop.
// CHECK-LABEL: func.func @columns
// CHECK:         %[[A:.*]] = sweep.nest (%[[I:.*]] < %{{.*}}) fold(%[[Z:.*]] = %{{.*}}) -> (fold tensor<43xf64>) {
// CHECK-NEXT:      %[[ROW:.*]] = sweep.nest (%[[J:.*]] < %{{.*}}) -> (map tensor<43xf64>) {
// CHECK:             tensor.extract %{{.*}}[%[[I]], %[[J]]]
// CHECK:             tensor.extract %[[Z]][%[[J]]]
// CHECK:           sweep.yield %[[ROW]]
// CHECK:         sweep.nest (%[[K:.*]] < %{{.*}}) -> (map tensor<43xf64>) {
// CHECK-NEXT:      tensor.extract %[[A]][%[[K]]]
// CHECK-NEXT:      math.exp
func.func @columns(%x: tensor<?x43xf64>, %r: tensor<?xf64>) -> tensor<43xf64> {
  %n = array.length %x : tensor<?x43xf64>
  %g = array.build (%j < 43) -> (tensor<43xf64>) {
    %terms = array.build (%i < %n) -> (tensor<?xf64>) {
      %a = array.get %x[%i, %j] : (tensor<?x43xf64>) -> f64
      %b = array.get %r[%i] : (tensor<?xf64>) -> f64
      %c = arith.mulf %a, %b : f64
      array.yield %c : f64
    }
    %s = array.sum %terms : (tensor<?xf64>) -> f64
    %e = math.exp %s : f64
    array.yield %e : f64
  }
  return %g : tensor<43xf64>
}

// A loop of one iteration is removed: its body is fused with the surrounding ops.
// CHECK-LABEL: func.func @one_row
// CHECK-SAME:    %[[X:.*]]: tensor<1x9xf64>, %[[A:.*]]: tensor<9xf64>
// CHECK:         sweep.nest (%[[J:.*]] < %{{.*}}) -> (map tensor<9xf64>, sum f64) {
// CHECK-NEXT:      tensor.extract %[[A]][%[[J]]]
// CHECK-NEXT:      tensor.extract %[[X]][%{{.*}}, %[[J]]]
// CHECK-NOT:     fold
// CHECK:         return
func.func @one_row(%x: tensor<1x9xf64>, %a: tensor<9xf64>) -> (tensor<9xf64>, tensor<1xf64>) {
  %s:2 = array.map_accum (%row = %x : tensor<1x9xf64>) iter_args(%c = %a) -> (tensor<9xf64>, tensor<1xf64>) {
    %e = math.exp %row : tensor<9xf64>
    %d = arith.addf %c, %e : tensor<9xf64>
    %t = array.sum %d : (tensor<9xf64>) -> f64
    array.yield %d, %t : tensor<9xf64>, f64
  }
  return %s#0, %s#1 : tensor<9xf64>, tensor<1xf64>
}

// Arrays whose sizes are the maximum of the same number and 0 have the same sizes.
// CHECK-LABEL: func.func @equal_sizes
// CHECK-NOT:     changes the sizes
// CHECK:         return
func.func @equal_sizes(%x: tensor<3x2xf32>, %lo: index, %hi: index, %st: index, %n: index, %m: index) -> tensor<?xf32> {
  %0:2 = array.build (%i < %n) -> (tensor<?x?x2xf32>, tensor<?x?x2xf32>) {
    %1 = array.get %x[%i] : (tensor<3x2xf32>) -> tensor<2xf32>
    %2 = array.replicate %1, %m : (tensor<2xf32>) -> tensor<?x2xf32>
    %3 = math.sin %1 : tensor<2xf32>
    %4 = array.replicate %3, %m : (tensor<2xf32>) -> tensor<?x2xf32>
    array.yield %2, %4 : tensor<?x2xf32>, tensor<?x2xf32>
  }
  %r = array.build (%i < %m) -> (tensor<?xf32>) {
    %1 = scf.for %k = %lo to %hi step %st iter_args(%a = %0#0) -> (tensor<?x?x2xf32>) {
      scf.yield %0#1 : tensor<?x?x2xf32>
    }
    %s = array.sum %1 axes [0, 1, 2] : (tensor<?x?x2xf32>) -> f32
    array.yield %s : f32
  }
  return %r : tensor<?xf32>
}
