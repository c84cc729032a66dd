// RUN: mlopt %s --array-to-sweeps --plan-memory --split-input-file | FileCheck %s
// Arrays that share memory: carried arrays that are updated element by element, branches, rows, parts, reshapes.

// A scatter in a loop updates the carried array in place: the loop has no nest over the array. The read of the old state
// precedes the update; both branches and the inner loop leave the array in its place.
// CHECK-LABEL: func.func @updates
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<48xf64>, %{{[^ ]*}}: memref<f64>, %[[ARENA:[^ ]*]]: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:         sweep.nest
// CHECK:           memref.store %{{.*}}, %[[OUT]]
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) fold(
// CHECK:           memref.load %[[OUT]]
// CHECK-NOT:       memref.store
// CHECK:           sweep.add %{{.*}}, %[[OUT]][
// CHECK-NOT:       memref.store
// CHECK:           scf.if
// CHECK:             sweep.add %{{.*}}, %[[OUT]][%[[I]]]
// CHECK-NOT:       memref.store
// CHECK:           sweep.nest (%[[J:.*]] < %[[I]]) {
// CHECK-NOT:       memref.store
// CHECK:             sweep.add %{{.*}}, %[[OUT]][%[[J]]]
// CHECK-NOT:       memref.store
// CHECK:           sweep.yield %{{.*}} : f64
func.func @updates(%x: tensor<48xf64>, %p: tensor<?xindex>, %c: i1) -> (tensor<48xf64>, f64) {
  %n = array.length %p : tensor<?xindex>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %z, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<48xf64>, f64) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %s1 = array.scatter %one into %s : f64 into tensor<48xf64> () {
      array.yield %k : index
    }
    %s2 = scf.if %c -> (tensor<48xf64>) {
      %u = array.scatter %one into %s1 : f64 into tensor<48xf64> () {
        array.yield %i : index
      }
      scf.yield %u : tensor<48xf64>
    } else {
      scf.yield %s1 : tensor<48xf64>
    }
    %s3 = array.ifold (%j < %i) iter_args(%q = %s2) -> (tensor<48xf64>) {
      %v = array.scatter %one into %q : f64 into tensor<48xf64> () {
        array.yield %j : index
      }
      array.yield %v : tensor<48xf64>
    }
    %old = array.get %s[%k] : (tensor<48xf64>) -> f64
    %b = arith.addf %a, %old : f64
    array.yield %s3, %b : tensor<48xf64>, f64
  }
  return %z, %t : tensor<48xf64>, f64
}

// -----

// Live arrays are not overwritten: the old array is a result, so the update is made in a copy.
// CHECK-LABEL: func.func @kept
// CHECK-SAME:    %[[OLD:[^ ]*]]: memref<48xf64>, %[[NEW:[^ ]*]]: memref<48xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK:           memref.store %{{.*}}, %[[OLD]]
// CHECK:           %[[E:.*]] = memref.load %[[OLD]]
// CHECK-NEXT:      memref.store %[[E]], %[[NEW]]
// CHECK:         sweep.add %{{.*}}, %[[NEW]]
func.func @kept(%x: tensor<48xf64>, %a: f64) -> (tensor<48xf64>, tensor<48xf64>) {
  %c1 = arith.constant 1 : index
  %y = math.exp %x : tensor<48xf64>
  %z = array.scatter %a into %y : f64 into tensor<48xf64> () {
    array.yield %c1 : index
  }
  return %y, %z : tensor<48xf64>, tensor<48xf64>
}

// -----

// A dead array and the array that is computed from it share memory, without scratch.
// CHECK-LABEL: func.func @dies
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<48xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:           memref.store %{{.*}}, %[[OUT]]
// CHECK:         sweep.add %{{.*}}, %[[OUT]]
func.func @dies(%x: tensor<48xf64>, %a: f64) -> tensor<48xf64> {
  %c1 = arith.constant 1 : index
  %y = math.exp %x : tensor<48xf64>
  %z = array.scatter %a into %y : f64 into tensor<48xf64> () {
    array.yield %c1 : index
  }
  return %z : tensor<48xf64>
}

// -----

// The state that an iteration emits is copied to its row before it is updated in place.
// CHECK-LABEL: func.func @emits
// CHECK-SAME:    %[[S:[^ ]*]]: memref<43xf64>, %[[ROWS:[^ ]*]]: memref<?x43xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:         sweep.nest (%{{[^ ]*}} < %{{[^ ]*}}) {
// CHECK:         sweep.nest (%[[I:[^ ]*]] < %{{[^ ]*}}) {
// CHECK:           sweep.nest
// CHECK-NEXT:        %[[E:.*]] = memref.load %[[S]]
// CHECK-NEXT:        memref.store %[[E]], %[[ROWS]][%[[I]],
// CHECK:           sweep.add %{{.*}}, %[[S]][%{{.*}}]
// CHECK-NOT:       memref.store
// CHECK:         return
func.func @emits(%x: tensor<?xf64>, %w: tensor<43xf64>) -> (tensor<43xf64>, tensor<?x43xf64>) {
  %c1 = arith.constant 1 : index
  %z, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%s = %w) -> (tensor<43xf64>, tensor<?x43xf64>) {
    %t = array.scatter %a into %s : f64 into tensor<43xf64> () {
      array.yield %c1 : index
    }
    array.yield %t, %s : tensor<43xf64>, tensor<43xf64>
  }
  return %z, %e : tensor<43xf64>, tensor<?x43xf64>
}

// -----

// Both sides of a branch are computed in the place of its result.
// CHECK-LABEL: func.func @branch
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<?xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:         scf.if
// CHECK:           math.exp
// CHECK-NEXT:      memref.store %{{.*}}, %[[OUT]]
// CHECK:         } else {
// CHECK:           math.sin
// CHECK-NEXT:      memref.store %{{.*}}, %[[OUT]]
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

// A loop with a condition also keeps its carried array in one place.
// CHECK-LABEL: func.func @while
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<48xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK:         scf.while (%[[K:.*]] = %{{.*}}) : (index) -> index {
// CHECK-NOT:       memref.store
// CHECK:           scf.condition(%{{.*}}) %[[K]] : index
// CHECK:           sweep.add %{{.*}}, %[[OUT]]
// CHECK-NOT:       memref.store
// CHECK:           scf.yield %{{.*}} : index
func.func @while(%x: tensor<48xf64>, %n: index) -> (index, tensor<48xf64>) {
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %r, %z = scf.while (%k = %c0, %s = %x) : (index, tensor<48xf64>) -> (index, tensor<48xf64>) {
    %go = arith.cmpi slt, %k, %n : index
    scf.condition(%go) %k, %s : index, tensor<48xf64>
  } do {
  ^bb0(%k: index, %s: tensor<48xf64>):
    %t = array.scatter %one into %s : f64 into tensor<48xf64> () {
      array.yield %k : index
    }
    %m = arith.addi %k, %c1 : index
    scf.yield %m, %t : index, tensor<48xf64>
  }
  return %r, %z : index, tensor<48xf64>
}

// -----

// Parts are computed in their places, the second after the first; an argument is copied.
// CHECK-LABEL: func.func @parts
// CHECK-SAME:    %[[X:[^ ]*]]: memref<?xf64> {llvm.readonly}, %[[Y:[^ ]*]]: memref<?xf64> {llvm.readonly}, %[[OUT:[^ ]*]]: memref<?xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:         sweep.nest (%[[I:.*]] < %[[N:.*]]) {
// CHECK:           math.exp
// CHECK-NEXT:      %[[K:.*]] = arith.addi %{{.*}}, %[[I]] : index
// CHECK-NEXT:      memref.store %{{.*}}, %[[OUT]][%[[K]]]
// CHECK:         sweep.nest (%[[J:.*]] < %{{.*}}) {
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT:      memref.store %[[E]], %[[OUT]][%[[J]]]
func.func @parts(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %e = math.exp %y : tensor<?xf64>
  %z = array.append %x, %e : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

// A reshaped array is computed in the result's buffer, with the sizes that it has there.
// CHECK-LABEL: func.func @reshaped
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<?x42xf64>, %{{[^ ]*}}: memref<?xi8>
// CHECK-NOT:     memref.view
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [%{{.*}}], strides: [1]
// CHECK:           math.exp
// CHECK-NEXT:      memref.store %{{.*}}, %[[FLAT]]
// CHECK-NOT:     sweep.nest
// CHECK:         return
func.func @reshaped(%x: tensor<?xf64>, %n: index) -> tensor<?x42xf64> {
  %e = math.exp %x : tensor<?xf64>
  %s = array.scatter %e into %e : tensor<?xf64> into tensor<?xf64> (%i) {
    array.yield %i : index
  }
  %z = array.reshape %e sizes(%n) : (tensor<?xf64>) -> tensor<?x42xf64>
  return %z : tensor<?x42xf64>
}

// -----

// Two swapped states are copied through scratch memory, each read before it is overwritten.
// CHECK-LABEL: func.func @swap
// CHECK-SAME:    %[[A:[^ ]*]]: memref<44xf64>, %[[B:[^ ]*]]: memref<44xf64>, %[[ARENA:[^ ]*]]: memref<?xi8>
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) {
// CHECK:           memref.load %[[B]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[U:.*]][
// CHECK:           memref.load %[[A]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[V:.*]][
// CHECK:           memref.load %[[U]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[A]]
// CHECK:           memref.load %[[V]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[B]]
func.func @swap(%x: tensor<44xf64>, %y: tensor<44xf64>, %n: index) -> (tensor<44xf64>, tensor<44xf64>) {
  %a, %b = array.ifold (%i < %n) iter_args(%u = %x, %v = %y) -> (tensor<44xf64>, tensor<44xf64>) {
    array.yield %v, %u : tensor<44xf64>, tensor<44xf64>
  }
  return %a, %b : tensor<44xf64>, tensor<44xf64>
}

// -----

// An addition to a row of a carried matrix reads and writes in place: neither the row nor the matrix is copied.
// CHECK-LABEL: func.func @row_added(
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) {
// CHECK:           array.check
// CHECK-NEXT:      sweep.nest (%[[J:.*]] < %c4{{.*}}) {
// CHECK-NEXT:        memref.load %[[M:.*]][%[[I:.*]], %[[J]]] : memref<?x4xf64>
// CHECK-NEXT:        memref.load %{{.*}}[%[[J]]] : memref<4xf64>
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        memref.store %{{.*}}, %[[M]][%[[I]], %[[J]]] : memref<?x4xf64>
// CHECK-NEXT:        sweep.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      sweep.yield
func.func @row_added(%x: tensor<?x4xf64>, %places: tensor<?xindex>, %row: tensor<4xf64>, %n: index) -> tensor<?x4xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %l = array.length %x : tensor<?x4xf64>
  %y = scf.for %k = %zero to %n step %one iter_args(%a = %x) -> (tensor<?x4xf64>) {
    %i = array.get %places[%k] : (tensor<?xindex>) -> index
    %is = arith.cmpi ult, %i, %l : index
    array.check %is, "index-out-of-bounds", "index {} of extent {}"(%i, %l : index, index)
    %old = array.get %a[%i] : (tensor<?x4xf64>) -> tensor<4xf64>
    %new = arith.addf %old, %row : tensor<4xf64>
    %b = tensor.insert_slice %new into %a[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
    scf.yield %b : tensor<?x4xf64>
  }
  return %y : tensor<?x4xf64>
}

// -----

// The same with the row read backwards: an update in place would be read, so the new row is computed first.
// CHECK-LABEL: func.func @row_reversed(
// CHECK:           array.check
// CHECK-NEXT:      sweep.nest (%[[J:.*]] < %c4{{.*}}) {
// CHECK:             memref.load %[[M:.*]][%[[I:.*]], %{{.*}}] : memref<?x4xf64>
// CHECK:             memref.store %{{.*}}, %[[NEW:.*]][%[[J]]] : memref<4xf64>
// CHECK:           sweep.nest (%[[K:.*]] < %c4{{.*}}) {
// CHECK-NEXT:        memref.load %[[NEW]][%[[K]]]
// CHECK-NEXT:        memref.store %{{.*}}, %[[M]][%[[I]], %[[K]]] : memref<?x4xf64>
func.func @row_reversed(%x: tensor<?x4xf64>, %places: tensor<?xindex>, %row: tensor<4xf64>, %n: index) -> tensor<?x4xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %l = array.length %x : tensor<?x4xf64>
  %y = scf.for %k = %zero to %n step %one iter_args(%a = %x) -> (tensor<?x4xf64>) {
    %i = array.get %places[%k] : (tensor<?xindex>) -> index
    %is = arith.cmpi ult, %i, %l : index
    array.check %is, "index-out-of-bounds", "index {} of extent {}"(%i, %l : index, index)
    %new = array.build (%j < 4) -> (tensor<4xf64>) {
      %m = arith.subi %three, %j : index
      %e = array.get %a[%i, %m] : (tensor<?x4xf64>) -> f64
      %r = array.get %row[%j] : (tensor<4xf64>) -> f64
      %s = arith.addf %e, %r : f64
      array.yield %s : f64
    }
    %b = tensor.insert_slice %new into %a[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
    scf.yield %b : tensor<?x4xf64>
  }
  return %y : tensor<?x4xf64>
}
