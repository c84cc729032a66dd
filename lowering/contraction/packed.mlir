// RUN: mlopt %s --array-to-sweeps --plan-memory --sweeps-to-loops | FileCheck %s
// RUN: mlopt run %s --entry @product --arg random:9x21xf64:seed=1 --arg random:11x21xf64:seed=2 --interpret > %t
// RUN: mlopt run %s --entry @product --arg random:9x21xf64:seed=1 --arg random:11x21xf64:seed=2 | diff - %t
// Columns of a factor that are contiguous for each term are transposed when packed into scratch memory, even if
// a panel has fewer columns than its vectors have lanes: copying them one by one would become a gather.
module attributes {sweep.vector_bits = 256 : i64} {
// CHECK-LABEL: func.func @product
// Eight columns in two vectors; the last of the 21 terms is copied separately.
// CHECK-COUNT-8: vector.load %arg1
// CHECK:         memref.load %arg1
// Three columns, and one of padding.
// CHECK:         scf.for
// CHECK-COUNT-3:   vector.load %arg1
// CHECK-NEXT:      %[[NOTHING:.*]] = arith.constant dense<0.000000e+00> : vector<4xf64>
// CHECK:           vector.shuffle %{{.*}}, %[[NOTHING]]
// CHECK-NOT:       memref.load %arg1
// CHECK:           vector.store
func.func @product(%x: tensor<9x21xf64>, %y: tensor<11x21xf64>) -> tensor<9x11xf64> {
  %z = array.build (%i < 9, %j < 11) -> (tensor<9x11xf64>) {
    %a = array.get %x[%i] : (tensor<9x21xf64>) -> tensor<21xf64>
    %b = array.get %y[%j] : (tensor<11x21xf64>) -> tensor<21xf64>
    %p = arith.mulf %a, %b : tensor<21xf64>
    %s = array.sum %p : (tensor<21xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<9x11xf64>
}
}
