// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops --loops-to-llvm | FileCheck %s
// RUN: mlopt run %s --entry @memory --arg 3 --arg 2 | FileCheck %s --check-prefix=RUNS
// RUN: not mlopt run %s --entry @memory --arg 5 --arg 2 2>&1 | FileCheck %s --check-prefix=STOPS
// RUN: mlopt run %s --entry @branch --arg '[1, 2, 3]' --arg 9 --arg false | FileCheck %s --check-prefix=GOES

// A failed check writes its values to the scratch memory and returns its number. A check that is proved is removed.
// CHECK-LABEL: llvm.func @one(
// CHECK-SAME:    %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: i64) -> i64
// CHECK-SAME:    sweep.traps = {{\[}}["{{.*}}traps.mlir:[[@LINE+16]]:3", "index-out-of-bounds: index {} of extent {}"]]
// CHECK:         llvm.cond_br %{{.*}} weights([2000, 1]), ^[[REST:.*]], ^[[STOP:.*]]
// CHECK:       ^[[OUT:.*]](%[[STATUS:.*]]: i64):
// CHECK-NEXT:    llvm.return %[[STATUS]] : i64
// CHECK:       ^[[REST]]:
// CHECK-NOT:     llvm.cond_br
// CHECK:       ^[[STOP]]:
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[BASE:.*]][0]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[P]] : i64, !llvm.ptr
// CHECK:         %[[Q:.*]] = llvm.getelementptr %[[BASE]][1]
// CHECK-NEXT:    llvm.store %{{.*}}, %[[Q]] : i64, !llvm.ptr
// CHECK-NEXT:    llvm.br ^[[OUT]](%{{.*}} : i64)
func.func @one(%a: tensor<3xf64>, %i: i64) -> f64 {
  %k = arith.index_cast %i : i64 to index
  %n = arith.constant 3 : index
  %ok = arith.cmpi ult, %k, %n : index
  array.check %ok, "index-out-of-bounds", "index {} of extent {}"(%k, %n : index, index)
  %x = array.get %a[%k] : (tensor<3xf64>) -> f64
  %zero = arith.constant 0 : index
  %certain = arith.cmpi ult, %zero, %n : index
  array.check %certain, "index-out-of-bounds", "index {} of extent {}"(%zero, %n : index, index)
  return %x : f64
}

// Memory that the function allocated is freed before it stops. The size function does not stop.
// CHECK-LABEL: llvm.func @memory(
// CHECK:         llvm.call @mlopt.reserve
// CHECK:         llvm.cond_br %{{.*}}, ^[[OUT:.*]](%{{.*}} : i64), ^
// CHECK:       ^[[OUT]](%[[STATUS:.*]]: i64):
// CHECK-NEXT:    llvm.getelementptr
// CHECK-NEXT:    %[[MEMORY:.*]] = llvm.load
// CHECK-NEXT:    llvm.call @free(%[[MEMORY]])
// CHECK-NEXT:    llvm.return %[[STATUS]] : i64
// CHECK:         llvm.br ^[[OUT]](
// RUNS: 6.0
// STOPS: traps.mlir:[[@LINE+24]]:5: error: too-many: round 3 of 3
func.func @memory(%m: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %limit = arith.sitofp %m : i64 to f64
  %r:2 = scf.while (%a = %zero, %k = %c0) : (f64, index) -> (f64, index) {
    %c = arith.cmpf olt, %a, %limit : f64
    scf.condition(%c) %a, %k : f64, index
  } do {
  ^bb0(%a: f64, %k: index):
    %b = arith.addf %a, %one : f64
    %l = arith.addi %k, %c1 : index
    scf.yield %b, %l : f64, index
  }
  %v = array.replicate %x, %r#1 : (f64) -> tensor<?xf64>
  %most = arith.constant 3 : index
  %w = scf.for %i = %c0 to %r#1 step %c1 iter_args(%u = %v) -> (tensor<?xf64>) {
    %j = arith.subi %r#1, %i : index
    %k = arith.subi %j, %c1 : index
    %y = array.get %u[%k] : (tensor<?xf64>) -> f64
    %d = arith.addf %y, %zero : f64
    %ok = arith.cmpi ult, %i, %most : index
    array.check %ok, "too-many", "round {} of {}"(%i, %most : index, index)
    %t = tensor.insert %d into %u[%i] : tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  %s = array.sum %w : (tensor<?xf64>) -> f64
  return %s : f64
}

// A branch that is not taken does not stop the program.
// GOES: 6.0
func.func @branch(%a: tensor<3xf64>, %i: index, %c: i1) -> f64 {
  %n = arith.constant 3 : index
  %s = array.sum %a : (tensor<3xf64>) -> f64
  %r = scf.if %c -> f64 {
    %ok = arith.cmpi ult, %i, %n : index
    array.check %ok, "index-out-of-bounds", "index {} of extent {}"(%i, %n : index, index)
    %x = array.get %a[%i] : (tensor<3xf64>) -> f64
    scf.yield %x : f64
  } else {
    scf.yield %s : f64
  }
  return %r : f64
}
