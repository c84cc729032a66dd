// RUN: mlopt %s --vmap | FileCheck %s
// A mapped axis that is not outermost is moved there; an unmapped argument is the same in each call. Several results.

func.func private @f(%x: tensor<3xf64>, %w: tensor<2xf64>, %k: index) -> (f64, tensor<2xf64>) {
  %e = array.get %x[%k] : (tensor<3xf64>) -> f64
  return %e, %w : f64, tensor<2xf64>
}
// CHECK-LABEL: func.func @mapped
// CHECK-SAME:    %[[X:.*]]: tensor<3x?xf64>, %[[W:.*]]: tensor<2xf64>, %[[K:.*]]: tensor<?xindex>
// CHECK-NEXT:    %[[T:.*]] = array.transpose %[[X]] [1, 0] : (tensor<3x?xf64>) -> tensor<?x3xf64>
// CHECK-NEXT:    %[[N:.*]] = array.length %[[T]] : tensor<?x3xf64>
// CHECK-NEXT:    %[[Z:.*]]:2 = array.build (%[[I:.*]] < %[[N]]) -> (tensor<?xf64>, tensor<?x2xf64>) {
// CHECK-NEXT:      %[[XI:.*]] = array.get %[[T]][%[[I]]] : (tensor<?x3xf64>) -> tensor<3xf64>
// CHECK-NEXT:      %[[KI:.*]] = array.get %[[K]][%[[I]]] : (tensor<?xindex>) -> index
// CHECK-NEXT:      %[[Y:.*]]:2 = func.call @f(%[[XI]], %[[W]], %[[KI]]) : (tensor<3xf64>, tensor<2xf64>, index) -> (f64, tensor<2xf64>)
// CHECK-NEXT:      array.yield %[[Y]]#0, %[[Y]]#1 : f64, tensor<2xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[Z]]#0, %[[Z]]#1
func.func @mapped(%x: tensor<3x?xf64>, %w: tensor<2xf64>, %k: tensor<?xindex>) -> (tensor<?xf64>, tensor<?x2xf64>) {
  %z:2 = array.vmap @f(%x, %w, %k) in_axes [1, -1, 0] : (tensor<3x?xf64>, tensor<2xf64>, tensor<?xindex>) -> (tensor<?xf64>, tensor<?x2xf64>)
  return %z#0, %z#1 : tensor<?xf64>, tensor<?x2xf64>
}

// Without `in_axes` every argument is mapped along its outermost axis.
func.func private @square(%a: f64) -> f64 {
  %b = arith.mulf %a, %a : f64
  return %b : f64
}
// CHECK-LABEL: func.func @nested
// CHECK:         array.build (%[[I:.*]] < 4) -> (tensor<4xf64>) {
// CHECK-NEXT:      %[[E:.*]] = array.get %{{.*}}[%[[I]]]
// CHECK-NEXT:      func.call @square(%[[E]]) : (f64) -> f64
func.func @nested(%x: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %z = array.build (%i < 2) -> (tensor<2x4xf64>) {
    %r = array.get %x[%i] : (tensor<2x4xf64>) -> tensor<4xf64>
    %s = array.vmap @square(%r) : (tensor<4xf64>) -> tensor<4xf64>
    array.yield %s : tensor<4xf64>
  }
  return %z : tensor<2x4xf64>
}

// Functions without results return nothing.
func.func private @nothing(%a: f64) {
  return
}
// CHECK-LABEL: func.func @without_results(
// CHECK-SAME:    tensor<4xf64>) {
// CHECK-NEXT:    return{{$}}
func.func @without_results(%x: tensor<4xf64>) {
  array.vmap @nothing(%x) : (tensor<4xf64>) -> ()
  return
}
