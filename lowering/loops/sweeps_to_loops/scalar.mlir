// A product of matrices without tiles, as for the reference of `mlopt bench --size large`: the scratch memory of tiles
// is not allocated either.
// RUN: mlopt %s --pass-pipeline='builtin.module(array-to-sweeps{block=-1},plan-memory,sweeps-to-loops{scalar=true})' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(array-to-sweeps{block=-1},plan-memory)' | FileCheck %s --check-prefix=PLANNED
// PLANNED:     sweep.scratch
// CHECK-LABEL: func.func @product
// CHECK-NOT:     sweep.{{nest|scratch}}
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (f64)
// CHECK:               arith.addf %[[OLD]], %{{.*}} fastmath<reassoc
// CHECK:             memref.store %[[SUM]]
// CHECK-NOT:     sweep.{{nest|scratch}}
func.func @product(%x: tensor<?x?xf64>, %y: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %m = array.length %x axis 0 : tensor<?x?xf64>
  %k = array.length %x axis 1 : tensor<?x?xf64>
  %n = array.length %y axis 1 : tensor<?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %terms = array.build (%l < %k) -> (tensor<?xf64>) {
      %a = array.get %x[%i, %l] : (tensor<?x?xf64>) -> f64
      %b = array.get %y[%l, %j] : (tensor<?x?xf64>) -> f64
      %p = arith.mulf %a, %b : f64
      array.yield %p : f64
    }
    %s = array.sum %terms : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}
