// RUN: mlopt %s --widen-halves | FileCheck %s
// Arithmetic on f16 and bf16 is computed in f32; what moves elements or converts floats is not changed.

// CHECK-LABEL: func.func @elementwise
// CHECK-NEXT:    %[[P:.*]] = arith.extf %arg0 : tensor<?xf16> to tensor<?xf32>
// CHECK-NEXT:    %[[Q:.*]] = arith.extf %arg1 : tensor<?xf16> to tensor<?xf32>
// CHECK-NEXT:    %[[WIDE:.*]] = arith.mulf %[[P]], %[[Q]] fastmath<contract> : tensor<?xf32>
// CHECK-NEXT:    %[[Y:.*]] = arith.truncf %[[WIDE]] : tensor<?xf32> to tensor<?xf16>
// CHECK-NEXT:    %[[R:.*]] = arith.extf %[[Y]]
// CHECK-NEXT:    %[[EXP:.*]] = math.exp %[[R]] : tensor<?xf32>
// CHECK-NEXT:    %[[Z:.*]] = arith.truncf %[[EXP]]
// The product is used twice, rounded in both cases.
// CHECK-NEXT:    %[[S:.*]] = arith.extf %[[Y]]
// CHECK-NEXT:    %[[T:.*]] = arith.extf %[[Z]]
// CHECK-NEXT:    %[[LESS:.*]] = arith.cmpf olt, %[[S]], %[[T]] : tensor<?xf32>
// CHECK-NEXT:    %[[CHOSEN:.*]] = arith.select %[[LESS]], %[[Y]], %[[Z]] : tensor<?xi1>, tensor<?xf16>
// CHECK-NEXT:    return %[[CHOSEN]]
func.func @elementwise(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> {
  %p = arith.mulf %x, %y fastmath<contract> : tensor<?xf16>
  %z = math.exp %p : tensor<?xf16>
  %c = arith.cmpf olt, %p, %z : tensor<?xf16>
  %s = arith.select %c, %p, %z : tensor<?xi1>, tensor<?xf16>
  return %s : tensor<?xf16>
}

// A reduction rounds once; a search returns positions.
// CHECK-LABEL: func.func @reductions
// CHECK:         %[[SUM:.*]] = array.sum %{{.*}} axes [1] fastmath<reassoc> : (tensor<3x?xf32>) -> tensor<3xf32>
// CHECK-NEXT:    arith.truncf %[[SUM]] : tensor<3xf32> to tensor<3xbf16>
// CHECK:         array.argmax %{{.*}} axis 1 : (tensor<3x?xf32>) -> tensor<3xindex>
// CHECK:         array.floor %{{.*}} : (tensor<3x?xf32>) -> tensor<3x?xi8>
func.func @reductions(%x: tensor<3x?xbf16>) -> (tensor<3xbf16>, tensor<3xindex>, tensor<3x?xi8>) {
  %s = array.sum %x axes [1] fastmath<reassoc> : (tensor<3x?xbf16>) -> tensor<3xbf16>
  %m = array.argmax %x axis 1 : (tensor<3x?xbf16>) -> tensor<3xindex>
  %f = array.floor %x : (tensor<3x?xbf16>) -> tensor<3x?xi8>
  return %s, %m, %f : tensor<3xbf16>, tensor<3xindex>, tensor<3x?xi8>
}

// A scatter adds in f32, to an array in f32.
// CHECK-LABEL: func.func @scatter
// CHECK:         %[[Z:.*]] = array.scatter %{{.*}} into %{{.*}} : tensor<4xf32> into tensor<2xf32> (%{{.*}}) {
// CHECK:         arith.truncf %[[Z]] : tensor<2xf32> to tensor<2xbf16>
func.func @scatter(%x: tensor<4xbf16>, %y: tensor<2xbf16>) -> tensor<2xbf16> {
  %c = arith.constant 0 : index
  %z = array.scatter %x into %y : tensor<4xbf16> into tensor<2xbf16> (%i) {
    array.yield %c : index
  }
  return %z : tensor<2xbf16>
}

// CHECK-LABEL: func.func @moves
// CHECK-NOT:     f32
// CHECK:         return
func.func @moves(%x: tensor<4xbf16>, %d: f64) -> (tensor<2x4xbf16>, bf16, i16, bf16, tensor<2xbf16>) {
  %c = arith.constant 1.5 : bf16
  %i = arith.constant 3 : index
  %a = array.replicate %x : (tensor<4xbf16>) -> tensor<2x4xbf16>
  %e = array.get %x[%i] : (tensor<4xbf16>) -> bf16
  %b = arith.bitcast %e : bf16 to i16
  %t = arith.truncf %d : f64 to bf16
  %s = array.stack %e, %c : (bf16, bf16) -> tensor<2xbf16>
  return %a, %e, %b, %t, %s : tensor<2x4xbf16>, bf16, i16, bf16, tensor<2xbf16>
}

// Integers of 16 bits are exact in f32, and those of 32 bits in f64.
// CHECK-LABEL: func.func @integers
// CHECK-NEXT:    %[[A:.*]] = arith.uitofp %arg0 : i16 to f32
// CHECK-NEXT:    arith.truncf %[[A]] : f32 to bf16
// CHECK-NEXT:    %[[B:.*]] = arith.sitofp %arg1 : tensor<2xi32> to tensor<2xf64>
// CHECK-NEXT:    arith.truncf %[[B]] : tensor<2xf64> to tensor<2xbf16>
// In 64 bits, one bit tells whether the lowest bits are zero.
// CHECK:         arith.constant 2047 : i64
// CHECK:         arith.constant 2048 : i64
// CHECK:         %[[CHOSEN:.*]] = arith.select %{{.*}}, %{{.*}}, %arg2
// CHECK-NEXT:    %[[C:.*]] = arith.sitofp %[[CHOSEN]] : i64 to f64
// CHECK-NEXT:    arith.truncf %[[C]] : f64 to bf16
func.func @integers(%x: i16, %y: tensor<2xi32>, %z: i64) -> (bf16, tensor<2xbf16>, bf16) {
  %a = arith.uitofp %x : i16 to bf16
  %b = arith.sitofp %y : tensor<2xi32> to tensor<2xbf16>
  %c = arith.sitofp %z : i64 to bf16
  return %a, %b, %c : bf16, tensor<2xbf16>, bf16
}
