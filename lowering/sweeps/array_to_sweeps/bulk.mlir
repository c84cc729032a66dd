// RUN: mlopt %s --array-to-sweeps --split-input-file --verify-diagnostics | FileCheck %s
// Bulk operations: views, nests, and the remaining guards and divisions.

// Views are free: one nest reads through all of them, without a guard.
// CHECK-LABEL: func.func @views
// CHECK-SAME:    %[[X:.*]]: tensor<6x4xf64>
// CHECK-COUNT-1: sweep.nest
// CHECK-NOT:       scf.if
// CHECK:           tensor.extract %[[X]]
// CHECK-NOT:     sweep.nest
// CHECK:         return
func.func @views(%x: tensor<6x4xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %r = array.reverse %x : tensor<6x4xf64>
  %s = array.slice %r from %c1 : (tensor<6x4xf64>) -> tensor<5x4xf64>
  %t = array.transpose %s [1, 0] : (tensor<5x4xf64>) -> tensor<4x5xf64>
  %z = array.sum %t axes [0, 1] : (tensor<4x5xf64>) -> f64
  return %z : f64
}

// -----

// A slice that may be out of range is guarded, row by row.
// CHECK-LABEL: func.func @slice
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<2xf64>) {
// CHECK-NEXT:      %[[K:.*]] = arith.addi %{{.*}}, %[[I]] : index
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult, %[[K]], %{{.*}} : index
// CHECK-NEXT:      scf.if %[[IN]] -> (f64) {
func.func @slice(%x: tensor<?xf64>, %k: index) -> tensor<2xf64> {
  %z = array.slice %x from %k : (tensor<?xf64>) -> tensor<2xf64>
  return %z : tensor<2xf64>
}

// -----

// The analysis covers quotients and remainders by constants, minima and maxima: none of these reads needs a guard.
// CHECK-LABEL: func.func @proved
// CHECK-NOT:     scf.if
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<24xf64>) {
// CHECK-NEXT:      %[[Q:.*]] = arith.divui %[[I]], %c4
// CHECK-NEXT:      %[[R:.*]] = arith.remui %[[I]], %c4
// CHECK-NEXT:      tensor.extract %arg0[%[[Q]], %[[R]]]
// CHECK-NOT:     scf.if
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<3xf64>) {
// CHECK:           %[[M:.*]] = arith.select
// CHECK-NEXT:      tensor.extract %arg0[%[[I]], %[[M]]]
// CHECK-NOT:     scf.if
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<9xf64>) {
// CHECK-NEXT:      %[[A:.*]] = arith.minsi %[[I]], %c3
// CHECK:           %[[B:.*]] = arith.minsi %{{.*}}, %c2
// CHECK-NEXT:      tensor.extract %arg0[%[[A]], %[[B]]]
// CHECK-NOT:     scf.if
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) -> (map tensor<5xf64>) {
// CHECK:           %[[B:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK-NEXT:      tensor.extract %arg0[%[[I]], %[[B]]]
func.func @proved(%x: tensor<6x4xf64>, %v: tensor<?xf64>, %k: index, %f: tensor<5xf64>)
    -> (tensor<24xf64>, tensor<3xf64>, tensor<9xf64>, tensor<5xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %flat = array.gather %x : tensor<6x4xf64> (%i < 24) -> (tensor<24xf64>) {
    %a = array.div %i, %c4 : index
    %b = array.mod %i, %c4 : index
    array.yield %a, %b : index, index
  }
  %wrapped = array.gather %x : tensor<6x4xf64> (%i < 3) -> (tensor<3xf64>) {
    %s = arith.subi %k, %i : index
    %b = array.mod %s, %c4 : index
    array.yield %i, %b : index, index
  }
  %clamped = array.gather %x : tensor<6x4xf64> (%i < 9) -> (tensor<9xf64>) {
    %a = arith.minsi %i, %c3 : index
    %s = arith.addi %k, %i : index
    %u = arith.maxsi %s, %c0 : index
    %b = arith.minsi %u, %c2 : index
    array.yield %a, %b : index, index
  }
  %floors = array.gather %x : tensor<6x4xf64> (%i < 5) -> (tensor<5xf64>) {
    %e = array.get %f[%i] : (tensor<5xf64>) -> f64
    %n = array.floor %e : (f64) -> index
    %u = arith.minsi %n, %c3 : index
    %b = arith.maxsi %u, %c0 : index
    array.yield %i, %b : index, index
  }
  return %flat, %wrapped, %clamped, %floors : tensor<24xf64>, tensor<3xf64>, tensor<9xf64>, tensor<5xf64>
}

// -----

// A number that may have wrapped has no known range: (k + 1) / 2 - k / 2 is 0 or 1 for all but the last k.
// CHECK-LABEL: func.func @wraps
// CHECK:         scf.if
func.func @wraps(%x: tensor<2xf64>, %k: index) -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.addi %k, %c1 : index
  %a = array.div %m, %c2 : index
  %b = array.div %k, %c2 : index
  %d = arith.subi %a, %b : index
  %z = array.get %x[%d] : (tensor<2xf64>) -> f64
  return %z : f64
}

// -----

// Division of a nonnegative number by a positive constant is one instruction; otherwise the divisor is made safe, once.
// CHECK-LABEL: func.func @division
// CHECK-SAME:    %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i64
// CHECK-NEXT:    %[[MINUS:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i64
// CHECK-NEXT:    %[[BAD:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
// CHECK-NEXT:    %[[SAFE:.*]] = arith.select %[[BAD]], %{{.*}}, %[[B]]
// CHECK-NEXT:    arith.floordivsi %[[A]], %[[SAFE]]
// CHECK:         sweep.nest
// CHECK-NEXT:      arith.divui
// CHECK-NEXT:      sweep.yield
func.func @division(%a: i64, %b: i64) -> (i64, tensor<6xindex>) {
  %q = array.div %a, %b : i64
  %c2 = arith.constant 2 : index
  %z = array.build (%i < 6) -> (tensor<6xindex>) {
    %h = array.div %i, %c2 : index
    array.yield %h : index
  }
  return %q, %z : i64, tensor<6xindex>
}

// -----

// The reshape of a stored array is a view; so is that of a computed array, if its elements are found without division.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf64>, %[[V:.*]]: tensor<24xf64>
// CHECK:         sweep.reshape %[[X]] : tensor<4x6xf64> -> tensor<24xf64>
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}, %[[J:.*]] < %{{.*}}) -> (map tensor<4x6xf64>) {
// CHECK-NEXT:      %[[M:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK-NEXT:      %[[K:.*]] = arith.addi %[[M]], %[[J]] : index
// CHECK-NEXT:      tensor.extract %[[V]][%[[K]]]
// CHECK-NEXT:      math.exp
// CHECK-NEXT:      sweep.yield
func.func @reshapes(%x: tensor<4x6xf64>, %v: tensor<24xf64>) -> (tensor<24xf64>, tensor<4x6xf64>) {
  %y = array.reshape %x : (tensor<4x6xf64>) -> tensor<24xf64>
  %e = math.exp %v : tensor<24xf64>
  %z = array.reshape %e : (tensor<24xf64>) -> tensor<4x6xf64>
  return %y, %z : tensor<24xf64>, tensor<4x6xf64>
}

// -----

// A reduction along the innermost axis is a nest in each row; others advance row by row, in the same nests. The user's
// fast-math flags stay on the reduction.
// CHECK-LABEL: func.func @reductions
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) fold(%[[MAX:.*]] = %{{.*}}) -> (map tensor<?xf64>, fold tensor<40xf64>) {
// CHECK-NEXT:      sweep.nest (%[[J:.*]] < %{{.*}}) -> (prod f64, map tensor<40xf64>) {
// CHECK-NEXT:        %[[X:.*]] = tensor.extract %arg0[%{{.*}}, %[[J]]]
// CHECK-NEXT:        %[[M:.*]] = tensor.extract %[[MAX]][%[[J]]]
// CHECK-NEXT:        %[[NEXT:.*]] = arith.maxnumf %[[M]], %[[X]] fastmath<nnan,nsz>
// CHECK-NEXT:        sweep.yield %[[X]], %[[NEXT]]
// CHECK-NEXT:      } {fastmath = #arith.fastmath<nnan>}
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}, %{{.*}} < %{{.*}}) -> (min f64) {
func.func @reductions(%x: tensor<?x40xf64>) -> (tensor<?xf64>, tensor<40xf64>, f64) {
  %p = array.prod %x axes [1] fastmath<nnan> : (tensor<?x40xf64>) -> tensor<?xf64>
  %m = array.max %x : (tensor<?x40xf64>) -> tensor<40xf64>
  %l = array.min %x axes [0, 1] : (tensor<?x40xf64>) -> f64
  return %p, %m, %l : tensor<?xf64>, tensor<40xf64>, f64
}

// -----

// The maximum of each block; only a greater element updates the position. Then the lowest index in the best block.
// CHECK-LABEL: func.func @search
// CHECK:         sweep.nest (%[[K:.*]] < %{{.*}}) fold(%[[BEST:.*]] = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (fold f64, fold index) {
// CHECK:           %[[START:.*]] = arith.muli %[[K]], %{{.*}} : index
// CHECK-NEXT:      %[[M:.*]] = sweep.nest (%{{.*}} < %{{.*}}) -> (max f64) {
// CHECK:           %[[AHEAD:.*]] = arith.cmpf ogt, %[[M]], %[[BEST]]
// CHECK-NEXT:      arith.select %[[AHEAD]], %[[M]], %[[BEST]]
// CHECK-NEXT:      arith.select %[[AHEAD]], %[[START]], %[[AT]]
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (max f64) {
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (min index) {
// CHECK:           arith.cmpf oeq
func.func @search(%x: tensor<?xf64>) -> index {
  %i = array.argmax %x : (tensor<?xf64>) -> index
  return %i : index
}

// -----

// For few elements, and for elements that are not cheap, the index is carried: only a greater element updates it.
// CHECK-LABEL: func.func @search_few
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) fold(%[[BEST:.*]] = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (fold f64, fold index) {
// CHECK-NEXT:      %[[E:.*]] = tensor.extract
// CHECK-NEXT:      %[[AHEAD:.*]] = arith.cmpf ogt, %[[E]], %[[BEST]]
// CHECK-NEXT:      arith.select %[[AHEAD]], %[[E]], %[[BEST]]
// CHECK-NEXT:      arith.select %[[AHEAD]], %[[I]], %[[AT]]
func.func @search_few(%x: tensor<10xf64>) -> index {
  %i = array.argmax %x : (tensor<10xf64>) -> index
  return %i : index
}

// -----

// A scatter adds element by element to its destination; additions out of range are dropped.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[INIT:.*]]: tensor<6xf64>
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) fold(%[[Z:.*]] = %[[INIT]]) -> (fold tensor<6xf64>) {
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %[[K:.*]], %{{.*}} : index
// CHECK-NEXT:      %[[NEXT:.*]] = scf.if %[[IN]] -> (tensor<6xf64>) {
// CHECK-NEXT:        %[[E:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK-NEXT:        %[[A:.*]] = sweep.add %[[E]], %[[Z]][%[[K]]]
// CHECK-NEXT:        scf.yield %[[A]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[Z]]
// CHECK-NEXT:      }
// CHECK-NEXT:      sweep.yield %[[NEXT]]
func.func @scatter(%x: tensor<?xf64>, %init: tensor<6xf64>) -> tensor<6xf64> {
  %c2 = arith.constant 2 : index
  %z = array.scatter %x into %init : tensor<?xf64> into tensor<6xf64> (%i) {
    %k = arith.muli %i, %c2 : index
    array.yield %k : index
  }
  return %z : tensor<6xf64>
}

// -----

// The sum of an array and a scatter into zeros is a scatter into the array; likewise with a one-hot array.
// CHECK-LABEL: func.func @accumulate
// CHECK-SAME:    %[[Y:.*]]: tensor<4xf64>, %{{.*}}: f64)
// CHECK-NOT:     sweep.nest
// CHECK:         %[[S:.*]] = sweep.add %{{.*}}, %[[Y]][
// CHECK:         sweep.add %{{.*}}, %[[S]][
// CHECK-NOT:     sweep.nest
// CHECK:         return
func.func @accumulate(%y: tensor<4xf64>, %a: f64) -> tensor<4xf64> {
  %c1 = arith.constant 1 : index
  %zero = dual.zero : tensor<4xf64>
  %x = array.scatter %a into %zero : f64 into tensor<4xf64> () {
    array.yield %c1 : index
  }
  %s = arith.addf %x, %y : tensor<4xf64>
  %h = array.one_hot %a at [%c1] : (f64) -> tensor<4xf64>
  %t = arith.addf %s, %h : tensor<4xf64>
  return %t : tensor<4xf64>
}

// -----

// Rows of a fold are read in place; emitted rows are rows of a result.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[X:.*]]: tensor<?x43xf64>
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) fold(%[[S:.*]] = %{{.*}}) -> (fold tensor<43xf64>, map tensor<?x43xf64>) {
// CHECK-NEXT:      %[[P:.*]] = sweep.nest (%[[J:.*]] < %{{.*}}) -> (map tensor<43xf64>) {
// CHECK-NEXT:        tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK:           sweep.yield %[[P]], %[[P]]
func.func @rows(%x: tensor<?x43xf64>, %w: tensor<43xf64>) -> (tensor<43xf64>, tensor<?x43xf64>) {
  %z, %e = array.map_accum (%row = %x : tensor<?x43xf64>) iter_args(%s = %w) -> (tensor<43xf64>, tensor<?x43xf64>) {
    %p = arith.mulf %row, %s : tensor<43xf64>
    array.yield %p, %p : tensor<43xf64>, tensor<43xf64>
  }
  return %z, %e : tensor<43xf64>, tensor<?x43xf64>
}

// -----

// Parts are computed in their places in the joined array; a joined array that only one nest reads is not stored.
// CHECK-LABEL: func.func @joins
// CHECK:         %[[E:.*]] = sweep.nest
// CHECK:         sweep.join %[[E]], %{{.*}} sizes(%{{.*}}) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
// CHECK-NOT:     sweep.join
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) -> (sum f64)
func.func @joins(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %e = math.exp %x : tensor<?xf64>
  %z = array.append %e, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %w = array.append %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = array.sum %w : (tensor<?xf64>) -> f64
  return %z, %s : tensor<?xf64>, f64
}

// -----

// A branch with arrays of one size remains a branch: only one side is computed.
// CHECK-LABEL: func.func @branch
// CHECK:         %[[Z:.*]] = scf.if %{{.*}} -> (tensor<?xf64>) {
// CHECK:           math.exp
// CHECK:         } else {
// CHECK:           math.sin
// CHECK:         return %[[Z]]
func.func @branch(%x: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %z = scf.if %c -> (tensor<?xf64>) {
    %e = math.exp %x : tensor<?xf64>
    scf.yield %e : tensor<?xf64>
  } else {
    %s = math.sin %x : tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %z : tensor<?xf64>
}

// -----

// `scf.while` remains a loop, and carries arrays.
// CHECK-LABEL: func.func @while
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (tensor<3xf64>) -> (f64, tensor<3xf64>) {
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : f64, tensor<3xf64>
// CHECK:           scf.yield %{{.*}} : tensor<3xf64>
func.func @while(%x: tensor<3xf64>, %limit: f64) -> (f64, tensor<3xf64>) {
  %s, %z = scf.while (%y = %x) : (tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %t = array.sum %y : (tensor<3xf64>) -> f64
    %go = arith.cmpf ogt, %t, %limit : f64
    scf.condition(%go) %t, %y : f64, tensor<3xf64>
  } do {
  ^bb0(%t: f64, %y: tensor<3xf64>):
    %c = math.cos %y : tensor<3xf64>
    scf.yield %c : tensor<3xf64>
  }
  return %s, %z : f64, tensor<3xf64>
}

// -----

// A carried array keeps its sizes: if there is an iteration, their equality is checked before the function runs.
// CHECK-LABEL: func.func @grows
// CHECK:         %[[SAME:.*]] = arith.cmpi eq
// CHECK:         %[[NONE:.*]] = arith.cmpi sle
// CHECK:         %[[FITS:.*]] = arith.ori %[[SAME]], %[[NONE]] : i1
// CHECK:         sweep.require %[[FITS]], "an iteration changes the sizes of an array that 'scf.for' carries
// CHECK:         sweep.nest
func.func @grows(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %t = array.append %s, %s : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
