// RUN: mlopt %s --array-to-sweeps --plan-memory | FileCheck %s
// Memory of arrays: results are in output buffers, others in the arena; a carried array has one place.

// The result is computed in the caller's buffer. No scratch: zero bytes.
// CHECK-LABEL: func.func @square
// CHECK-SAME:    %[[X:.*]]: memref<?xf64> {llvm.readonly}, %[[OUT:.*]]: memref<?xf64>, %[[ARENA:.*]]: memref<?xi8> {llvm.align = 64 : i64})
// CHECK-SAME:    sweep.signature = (tensor<?xf64>) -> tensor<?xf64>
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) {
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK-NEXT:      memref.store %[[M]], %[[OUT]][%[[I]]]
// CHECK-NOT:     memref.view
// CHECK-LABEL: func.func @square.sizes
// CHECK-SAME:    %{{.*}}: memref<?xf64>, %[[ANSWER:.*]]: memref<3xi64>)
// CHECK-COUNT-3: memref.store %{{.*}}, %[[ANSWER]]
func.func @square(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = arith.mulf %x, %x : tensor<?xf64>
  return %y : tensor<?xf64>
}

// An argument that is returned is copied: results never alias inputs.
// CHECK-LABEL: func.func @identity
// CHECK-SAME:    %[[X:.*]]: memref<4xf64> {llvm.readonly}, %[[OUT:.*]]: memref<4xf64>
// CHECK:         %[[E:.*]] = memref.load %[[X]]
// CHECK-NEXT:    memref.store %[[E]], %[[OUT]]
func.func @identity(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}

// The carried array lives in the output buffer from the start and is updated in place: each element is read only to write
// the same element.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME:    %{{.*}}: memref<40xf64> {llvm.readonly}, %{{.*}}, %[[OUT:.*]]: memref<40xf64>
// CHECK-NOT:     memref.view
// CHECK:         sweep.nest (%[[I:.*]] < %{{.*}}) {
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store %{{.*}}, %[[OUT]][%[[I]]]
// CHECK:         sweep.nest (%{{.*}} < %{{.*}}) {
// CHECK-NEXT:      sweep.nest (%[[J:.*]] < %{{.*}}) {
// CHECK-NEXT:        %[[E:.*]] = memref.load %[[OUT]][%[[J]]]
// CHECK-NEXT:        %[[D:.*]] = arith.addf %[[E]], %[[E]]
// CHECK-NEXT:        memref.store %[[D]], %[[OUT]][%[[J]]]
// CHECK-LABEL: func.func @in_place.sizes
// CHECK-SAME:    %[[SIZES:[^ ]*]]: memref<2xi64>)
// CHECK:         %[[NONE:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[BYTES:.*]] = arith.index_cast %[[NONE]] : index to i64
// CHECK:         memref.store %[[BYTES]], %[[SIZES]][%c1]
func.func @in_place(%x: tensor<40xf64>, %n: index) -> tensor<40xf64> {
  %y = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<40xf64>) {
    %d = arith.addf %s, %s : tensor<40xf64>
    array.yield %d : tensor<40xf64>
  }
  return %y : tensor<40xf64>
}

// The body reads a neighbour: the next value is computed in scratch memory and copied.
// CHECK-LABEL: func.func @aside
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<44xf64>, %[[ARENA:.*]]: memref<?xi8>
// CHECK:         %[[B:.*]] = memref.view %[[ARENA]]
// CHECK:         memref.store %{{.*}}, %[[B]]
// CHECK:         memref.load %[[B]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[OUT]]
// CHECK-LABEL: func.func @aside.sizes
// CHECK-SAME:    %[[SIZES:[^ ]*]]: memref<2xi64>)
// CHECK:         %[[BYTES:.*]] = arith.muli %c8, %c44 : index
// CHECK:         %[[MORE:.*]] = arith.addi %[[BYTES]], %c64 : index
// CHECK:         %[[ALIGNED:.*]] = arith.andi %[[MORE]], %c-64 : index
// CHECK-NEXT:    %[[END:.*]] = arith.addi %c0, %[[ALIGNED]] : index
// CHECK-NEXT:    %[[MOST:.*]] = arith.maxsi %c0, %[[END]] : index
// CHECK-NEXT:    %[[N:.*]] = arith.index_cast %[[MOST]] : index to i64
// CHECK:         memref.store %[[N]], %[[SIZES]][%c1]
func.func @aside(%x: tensor<44xf64>, %n: index) -> tensor<44xf64> {
  %c3 = arith.constant 3 : index
  %y = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<44xf64>) {
    %d = array.build (%j < 44) -> (tensor<44xf64>) {
      %k = arith.subi %c3, %j : index
      %e = array.get %s[%k] : (tensor<44xf64>) -> f64
      array.yield %e : f64
    }
    array.yield %d : tensor<44xf64>
  }
  return %y : tensor<44xf64>
}
