// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops | FileCheck %s
// RUN: mlopt run %s --entry @put --arg zeros:1048576xf64 --arg zeros:1048576xindex --max-seconds 60 | FileCheck %s --check-prefix=LARGE
// RUN: mlopt run %s --entry @branch --arg zeros:1048576xf64 --arg zeros:1048576xindex --max-seconds 60 | FileCheck %s --check-prefix=LARGE
// RUN: mlopt run %s --entry @inner --arg zeros:1048576xf64 --arg zeros:1048576xindex --max-seconds 60 | FileCheck %s --check-prefix=TWICE
// RUN: mlopt run %s --entry @one_hot --arg zeros:1048576xf64 --arg zeros:1048576xindex --max-seconds 60 | FileCheck %s --check-prefix=LARGE
// An update of a carried array changes it in place: an iteration neither copies the array nor loops over it, and no scratch
// memory holds a second one. With 2²⁰ iterations on 2²⁰ elements, copies take minutes of processor time.
// LARGE: [1048576. 0. 0. ... 0. 0. 0.]
// TWICE: [2097152. 0. 0. ... 0. 0. 0.]

// CHECK-LABEL: func.func @put(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf64> {llvm.readonly}, %[[P:[^:]*]]: memref<?xindex> {llvm.readonly}, %[[OUT:[^:]*]]: memref<?xf64>
// CHECK-NOT:     memref.view
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT:      memref.store %[[E]], %[[OUT]][%[[J]]]
// CHECK-NEXT:    }
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[K:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:           %[[OLD:.*]] = memref.load %[[OUT]][%[[K]]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT:      memref.store %[[NEW]], %[[OUT]][%[[K]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @put(%x: tensor<?xf64>, %p: tensor<?xindex>) -> tensor<?xf64> {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<?xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %z = array.scatter %one into %s : f64 into tensor<?xf64> () {
      array.yield %k : index
    }
    array.yield %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The old state is read after it has been changed; two changes, one of them on a condition.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf64> {llvm.readonly}, %[[P:[^:]*]]: memref<?xindex> {llvm.readonly}, %[[OUT:[^:]*]]: memref<?xf64>
// CHECK-NOT:     memref.view
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT:      memref.store %[[E]], %[[OUT]][%[[J]]]
// CHECK-NEXT:    }
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[K:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:           %[[OLD:.*]] = memref.load %[[OUT]][%[[K]]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT:      memref.store %[[NEW]], %[[OUT]][%[[K]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @branch(%x: tensor<?xf64>, %p: tensor<?xindex>) -> tensor<?xf64> {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<?xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %z = array.scatter %one into %s : f64 into tensor<?xf64> () {
      array.yield %k : index
    }
    %old = array.get %s[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf olt, %old, %zero : f64
    %y = scf.if %c -> (tensor<?xf64>) {
      %w = array.scatter %one into %z : f64 into tensor<?xf64> () {
        array.yield %i : index
      }
      scf.yield %w : tensor<?xf64>
    } else {
      scf.yield %z : tensor<?xf64>
    }
    array.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Through an inner loop, of two iterations.
// CHECK-LABEL: func.func @inner(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf64> {llvm.readonly}, %[[P:[^:]*]]: memref<?xindex> {llvm.readonly}, %[[OUT:[^:]*]]: memref<?xf64>
// CHECK-NOT:     memref.view
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT:      memref.store %[[E]], %[[OUT]][%[[J]]]
// CHECK-NEXT:    }
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[K:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NOT:     memref.view
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c2
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:           %[[OLD:.*]] = memref.load %[[OUT]][%[[K]]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT:      memref.store %[[NEW]], %[[OUT]][%[[K]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @inner(%x: tensor<?xf64>, %p: tensor<?xindex>) -> tensor<?xf64> {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<?xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %z = scf.for %j = %c0 to %c2 step %c1 iter_args(%q = %s) -> (tensor<?xf64>) {
      %w = array.scatter %one into %q : f64 into tensor<?xf64> () {
        array.yield %k : index
      }
      scf.yield %w : tensor<?xf64>
    }
    array.yield %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A sum with an array that is zero except for one element.
// CHECK-LABEL: func.func @one_hot(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf64> {llvm.readonly}, %[[P:[^:]*]]: memref<?xindex> {llvm.readonly}, %[[OUT:[^:]*]]: memref<?xf64>
// CHECK-NOT:     memref.view
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[J]]]
// CHECK-NEXT:      memref.store %[[E]], %[[OUT]][%[[J]]]
// CHECK-NEXT:    }
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[K:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:           %[[OLD:.*]] = memref.load %[[OUT]][%[[K]]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT:      memref.store %[[NEW]], %[[OUT]][%[[K]]]
// CHECK-NOT:     scf.for
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @one_hot(%x: tensor<?xf64>, %p: tensor<?xindex>) -> tensor<?xf64> {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<?xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %h = array.one_hot %one at [%k] sizes(%m) : (f64) -> tensor<?xf64>
    %z = arith.addf %s, %h : tensor<?xf64>
    array.yield %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
