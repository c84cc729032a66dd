// RUN: mlopt run %s --pass-pipeline='builtin.module(bulk-operations,array-to-sweeps,plan-memory,sweeps-to-loops,loops-to-llvm)' --entry @f --arg '[[], [], []]' | FileCheck %s
// RUN: mlopt run %s --interpret --entry @f --arg '[[], [], []]' | FileCheck %s
// An empty product is one; a read out of range gives zero, even if the rows that are out of range have no elements.

// CHECK: [1. 1. 1. 0. 0.]
func.func @f(%x: tensor<3x?xf64>) -> tensor<5xf64> {
  %n = array.length %x axis 1 : tensor<3x?xf64>
  %r = array.build (%k < 5) -> (tensor<5xf64>) {
    %i = arith.index_cast %k : index to i64
    %f = arith.sitofp %i : i64 to f64
    %row = array.replicate %f, %n : (f64) -> tensor<?xf64>
    %rows = array.replicate %row : (tensor<?xf64>) -> tensor<3x?xf64>
    %moved = arith.addf %x, %rows : tensor<3x?xf64>
    %p = array.prod %moved axes [1] : (tensor<3x?xf64>) -> tensor<3xf64>
    %e = array.get %p[%k] : (tensor<3xf64>) -> f64
    array.yield %e : f64
  }
  return %r : tensor<5xf64>
}
