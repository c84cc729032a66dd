// RUN: mlopt %s --pass-pipeline='builtin.module(array-to-sweeps{block=48})' --split-input-file | FileCheck %s
// RUN: mlopt %s --array-to-sweeps --split-input-file | FileCheck %s --check-prefix=WHOLE
// A table that only its column sums read is computed 48 rows at a time, the long axis last. The remaining four rows are
// a separate block.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    %[[X:.*]]: tensor<100x40xf64>
// CHECK:         %[[S:.*]] = sweep.nest (%[[B:.*]] < %{{.*}}) fold(%[[A:.*]] = %{{.*}}) -> (fold tensor<40xf64>) {
// CHECK:           %[[FIRST:.*]] = arith.muli %[[B]]
// CHECK:           %[[E:.*]] = sweep.nest (%[[I:.*]] < %{{.*}}, %[[P:.*]] < %{{.*}}) -> (map tensor<40x48xf64>) {
// CHECK:             %[[AT:.*]] = arith.addi %[[FIRST]], %[[P]]
// CHECK:             tensor.extract %[[X]][%[[AT]], %[[I]]]
// CHECK:             math.exp
// CHECK:           %[[NEXT:.*]] = sweep.nest {{.*}} -> (map tensor<40xf64>) {
// CHECK:             sweep.nest {{.*}} -> (sum f64)
// CHECK:               tensor.extract %[[E]]
// CHECK:             tensor.extract %[[A]]
// CHECK:             arith.addf %{{.*}} fastmath<reassoc,contract>
// CHECK:           sweep.yield %[[NEXT]] : tensor<40xf64>
// CHECK:         sweep.nest {{.*}} -> (map tensor<40x4xf64>)
// CHECK:         tensor.extract %[[S]]
// WHOLE-LABEL: func.func @chain
// WHOLE-NOT:     tensor<40x48xf64>
// WHOLE:         %[[E:.*]] = sweep.nest {{.*}} -> (map tensor<100x40xf64>) {
// WHOLE:         sweep.nest (%[[P:.*]] < %{{.*}}) fold(%{{.*}} = %{{.*}}) -> (fold tensor<40xf64>) {
// WHOLE-NEXT:      sweep.nest (%[[I:.*]] < %{{.*}}) -> (max f64) {
// WHOLE-NEXT:        tensor.extract %[[E]][%[[P]], %[[I]]]
// WHOLE-NOT:     tensor<40x48xf64>
func.func @chain(%x: tensor<100x40xf64>) -> tensor<40xf64> {
  %e = array.build (%p < 100, %i < 40) -> (tensor<100x40xf64>) {
    %v = array.get %x[%p, %i] : (tensor<100x40xf64>) -> f64
    %w = math.exp %v : f64
    array.yield %w : f64
  }
  %m = array.max %e axes [1] : (tensor<100x40xf64>) -> tensor<100xf64>
  %t = array.build (%p < 100, %i < 40) -> (tensor<100x40xf64>) {
    %v = array.get %e[%p, %i] : (tensor<100x40xf64>) -> f64
    %n = array.get %m[%p] : (tensor<100xf64>) -> f64
    %d = arith.divf %v, %n : f64
    %s = math.sin %d : f64
    array.yield %s : f64
  }
  %z = array.sum %t : (tensor<100x40xf64>) -> tensor<40xf64>
  return %z : tensor<40xf64>
}

// -----

// Results, and arrays that are also read at other indices, are stored as a whole.
// CHECK-LABEL: func.func @wanted
// CHECK-NEXT:    %[[N:.*]] = arith.constant 100 : index
// CHECK-NEXT:    %[[R:.*]]:2 = sweep.nest (%[[I:.*]] < %[[N]]) -> (map tensor<100xf64>, sum f64) {
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %arg0[%[[I]]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      sweep.yield %[[E]], %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
func.func @wanted(%x: tensor<100xf64>) -> (tensor<100xf64>, f64) {
  %e = math.exp %x : tensor<100xf64>
  %s = array.sum %e : (tensor<100xf64>) -> f64
  return %e, %s : tensor<100xf64>, f64
}
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT:     fold(
// CHECK:         %[[E:.*]] = sweep.nest (%{{.*}} < %{{.*}}) -> (map tensor<100xf64>) {
// CHECK:           math.exp
// CHECK-NOT:     fold(
// CHECK:         %[[S:.*]] = sweep.nest (%[[P:.*]] < %{{.*}}) -> (sum f64) {
// CHECK:           tensor.extract %[[E]][%[[P]]]
// CHECK-NOT:     fold(
// CHECK:         return %[[S]]
func.func @neighbours(%x: tensor<100xf64>) -> f64 {
  %e = math.exp %x : tensor<100xf64>
  %d = array.build (%p < 100) -> (tensor<100xf64>) {
    %c1 = arith.constant 1 : index
    %q = arith.subi %p, %c1 : index
    %a = array.get %e[%p] : (tensor<100xf64>) -> f64
    %b = array.get %e[%q] : (tensor<100xf64>) -> f64
    %c = arith.subf %a, %b : f64
    array.yield %c : f64
  }
  %s = array.sum %d : (tensor<100xf64>) -> f64
  return %s : f64
}

// -----

// A chain that fits in the cache, or whose length is unknown, is unchanged; a long chain is not.
// CHECK-LABEL: func.func @long
// CHECK:         %[[BLOCKS:.*]] = arith.constant 1365 : index
// CHECK:         sweep.nest (%{{.*}} < %[[BLOCKS]]) fold(%{{.*}} = %{{.*}}) -> (fold tensor<40xf64>) {
// CHECK:           sweep.nest {{.*}} -> (map tensor<40x48xf64>) {
// CHECK:         sweep.nest {{.*}} -> (map tensor<40x16xf64>) {
// WHOLE-LABEL: func.func @long
// WHOLE:         fold(%{{.*}} = %{{.*}}) -> (fold tensor<40xf64>)
// WHOLE:           tensor<40x128xf64>
func.func @long(%x: tensor<65536x40xf64>) -> tensor<40xf64> {
  %e = math.exp %x : tensor<65536x40xf64>
  %m = array.max %e axes [1] : (tensor<65536x40xf64>) -> tensor<65536xf64>
  %r = array.replicate %m : (tensor<65536xf64>) -> tensor<40x65536xf64>
  %t = array.transpose %r [1, 0] : (tensor<40x65536xf64>) -> tensor<65536x40xf64>
  %d = arith.divf %e, %t : tensor<65536x40xf64>
  %z = array.sum %d : (tensor<65536x40xf64>) -> tensor<40xf64>
  return %z : tensor<40xf64>
}
// WHOLE-LABEL: func.func @unknown
// WHOLE:         %[[N:.*]] = tensor.dim %arg0, %c0
// WHOLE-NOT:     fold(%{{.*}} = %{{.*}}, %
// WHOLE:         %[[E:.*]] = sweep.nest (%{{.*}} < %[[N]], %{{.*}} < %{{.*}}) -> (map tensor<?x40xf64>) {
// WHOLE:         sweep.nest (%[[P:.*]] < %[[N]]) fold(%{{.*}} = %{{.*}}) -> (fold tensor<40xf64>) {
// WHOLE-NEXT:      sweep.nest (%[[I:.*]] < %{{.*}}) -> (max f64) {
// WHOLE-NEXT:        tensor.extract %[[E]][%[[P]], %[[I]]]
// WHOLE-NOT:     fold(%{{.*}} = %{{.*}}, %
func.func @unknown(%x: tensor<?x40xf64>) -> tensor<40xf64> {
  %e = math.exp %x : tensor<?x40xf64>
  %m = array.max %e axes [1] : (tensor<?x40xf64>) -> tensor<?xf64>
  %n = array.length %x : tensor<?x40xf64>
  %r = array.replicate %m : (tensor<?xf64>) -> tensor<40x?xf64>
  %t = array.transpose %r [1, 0] : (tensor<40x?xf64>) -> tensor<?x40xf64>
  %d = arith.divf %e, %t : tensor<?x40xf64>
  %z = array.sum %d : (tensor<?x40xf64>) -> tensor<40xf64>
  return %z : tensor<40xf64>
}
