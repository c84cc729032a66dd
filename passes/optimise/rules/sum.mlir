// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlopt run %t.mlir --interpret --entry @one_hot --arg '[0, 1, 2, 3, 4]' --arg 0 | FileCheck %s --check-prefix=FIRST
// RUN: mlopt run %t.mlir --interpret --entry @one_hot --arg '[0, 1, 2, 3, 4]' --arg 4 | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %t.mlir --interpret --entry @one_hot --arg '[0, 1, 2, 3, 4]' --arg 5 | FileCheck %s --check-prefix=OUTSIDE
// RUN: mlopt run %t.mlir --interpret --entry @one_hot --arg '[0, 1, 2, 3, 4]' --arg=-1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: mlopt run %t.mlir --interpret --entry @free_order --arg '[1, 2, 3, 4, 5, 6, 7, 8, 9]' --arg '[1, 1, 1, 1, 1, 1, 1, 1, 2]' --arg 10 | FileCheck %s --check-prefix=FREE
// RUN: mlopt run %t.mlir --interpret --entry @sum_of_copies --arg '[7, 8, 9]' --arg 2.5 | FileCheck %s --check-prefix=COPIES
// RUN: mlopt run %t.mlir --interpret --entry @sum_of_copies --arg 'zeros:0xf64' --arg inf | FileCheck %s --check-prefix=EMPTY
// Sums of masks, and the order of sums.

// sum-one-hot with a structural zero: one element is left, guarded, for q may lie outside.
// CHECK-LABEL: func.func @one_hot
// CHECK:         %[[LOW:.*]] = arith.cmpi sle, %c0, %arg1 : index
// CHECK:         %[[HIGH:.*]] = arith.cmpi slt, %arg1, %c5 : index
// CHECK-NEXT:    %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]] : i1
// CHECK-NEXT:    %[[X:.*]] = array.get %arg0[%arg1] : (tensor<5xf64>) -> f64
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[X]] : f64
// CHECK-NEXT:    %[[ZERO:.*]] = dual.zero : f64
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[INSIDE]], %[[E]], %[[ZERO]] : f64
// CHECK-NEXT:    return %[[S]] : f64
// FIRST: {{^}}1.0{{$}}
// LAST:  {{^}}54.598150033144{{[0-9]*$}}
// OUTSIDE: {{^}}0.0{{$}}
func.func @one_hot(%v: tensor<5xf64>, %q: index) -> f64 {
  %zero = dual.zero : f64
  %h = array.build (%i < 5) -> (tensor<5xf64>) {
    %x = array.get %v[%i] : (tensor<5xf64>) -> f64
    %e = math.exp %x : f64
    %here = arith.cmpi eq, %i, %q : index
    %m = arith.select %here, %e, %zero : f64
    array.yield %m : f64
  }
  %s = array.sum %h : (tensor<5xf64>) -> f64
  return %s : f64
}

// Σ_i Σ_j A_ij x_j y_i: the products may move only under `reassoc`; then one pass over the matrix has one multiplication.
// CHECK-LABEL: func.func @strict_order
// CHECK-NEXT:    %[[P:.*]] = array.build (%[[I:.*]] < 9, %[[J:.*]] < 9) -> (tensor<9x9xf64>) {
// CHECK-DAG:       %[[A:.*]] = array.get %arg0[%[[I]], %[[J]]]
// CHECK-DAG:       %[[B:.*]] = array.get %arg1[%[[J]]]
// CHECK-DAG:       %[[C:.*]] = array.get %arg2[%[[I]]]
// CHECK:           %[[D:.*]] = arith.mulf %[[A]], %[[B]] : f64
// CHECK-NEXT:      %[[E:.*]] = arith.mulf %[[C]], %[[D]] : f64
// CHECK-NEXT:      array.yield %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[S:.*]] = array.sum %[[P]] axes [0, 1] : (tensor<9x9xf64>) -> f64
// CHECK-NEXT:    return %[[S]]
func.func @strict_order(%m: tensor<9x9xf64>, %x: tensor<9xf64>, %y: tensor<9xf64>) -> f64 {
  %p = array.build (%i < 9, %j < 9) -> (tensor<9x9xf64>) {
    %a = array.get %m[%i, %j] : (tensor<9x9xf64>) -> f64
    %b = array.get %x[%j] : (tensor<9xf64>) -> f64
    %c = array.get %y[%i] : (tensor<9xf64>) -> f64
    %d = arith.mulf %a, %b : f64
    %e = arith.mulf %d, %c : f64
    array.yield %e : f64
  }
  %r = array.sum %p : (tensor<9x9xf64>) -> tensor<9xf64>
  %s = array.sum %r : (tensor<9xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @free_matrix
// CHECK-NEXT:    %[[R:.*]] = array.build (%[[I:.*]] < 9) -> (tensor<9xf64>) {
// CHECK:           %[[ROW:.*]] = array.build (%[[J:.*]] < 9) -> (tensor<9xf64>) {
// CHECK-DAG:         %[[A:.*]] = array.get %arg0[%[[I]], %[[J]]]
// CHECK-DAG:         %[[B:.*]] = array.get %arg1[%[[J]]]
// CHECK:             %[[D:.*]] = arith.mulf %[[A]], %[[B]] fastmath<reassoc>
// CHECK-NEXT:        array.yield %[[D]]
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[T:.*]] = array.sum %[[ROW]]
// CHECK-NEXT:      %[[E:.*]] = arith.mulf %{{.*}}, %[[T]] fastmath<reassoc>
// CHECK-NEXT:      array.yield %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[S:.*]] = array.sum %[[R]] fastmath<reassoc> : (tensor<9xf64>) -> f64
// CHECK-NEXT:    return %[[S]]
func.func @free_matrix(%m: tensor<9x9xf64>, %x: tensor<9xf64>, %y: tensor<9xf64>) -> f64 {
  %p = array.build (%i < 9, %j < 9) -> (tensor<9x9xf64>) {
    %a = array.get %m[%i, %j] : (tensor<9x9xf64>) -> f64
    %b = array.get %x[%j] : (tensor<9xf64>) -> f64
    %c = array.get %y[%i] : (tensor<9xf64>) -> f64
    %d = arith.mulf %a, %b fastmath<reassoc> : f64
    %e = arith.mulf %d, %c fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %r = array.sum %p axes [1] fastmath<reassoc> : (tensor<9x9xf64>) -> tensor<9xf64>
  %s = array.sum %r fastmath<reassoc> : (tensor<9xf64>) -> f64
  return %s : f64
}
// Σ_j x_j y_j c: under `reassoc`, c moves out of the sum.
// CHECK-LABEL: func.func @free_order
// CHECK-NEXT:    %[[P:.*]] = array.build (%[[J:.*]] < 9) -> (tensor<9xf64>) {
// CHECK-DAG:       %[[A:.*]] = array.get %arg0[%[[J]]]
// CHECK-DAG:       %[[B:.*]] = array.get %arg1[%[[J]]]
// CHECK:           %[[D:.*]] = arith.mulf %[[A]], %[[B]] fastmath<reassoc>
// CHECK-NEXT:      array.yield %[[D]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[S:.*]] = array.sum %[[P]]
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %arg2, %[[S]] fastmath<reassoc>
// CHECK-NEXT:    return %[[R]]
// FREE: {{^}}540.0{{$}}
func.func @free_order(%x: tensor<9xf64>, %y: tensor<9xf64>, %c: f64) -> f64 {
  %p = array.build (%j < 9) -> (tensor<9xf64>) {
    %a = array.get %x[%j] : (tensor<9xf64>) -> f64
    %b = array.get %y[%j] : (tensor<9xf64>) -> f64
    %d = arith.mulf %a, %b fastmath<reassoc> : f64
    %e = arith.mulf %d, %c fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %s = array.sum %p : (tensor<9xf64>) -> f64
  return %s : f64
}

// A sum over columns stays one operation.
// CHECK-LABEL: func.func @column_sums
// CHECK-NEXT:    %[[S:.*]] = array.sum %arg0 : (tensor<9x4xf64>) -> tensor<4xf64>
// CHECK-NEXT:    return %[[S]]
func.func @column_sums(%m: tensor<9x4xf64>) -> tensor<4xf64> {
  %s = array.build (%j < 4) -> (tensor<4xf64>) {
    %c = array.build (%i < 9) -> (tensor<9xf64>) {
      %x = array.get %m[%i, %j] : (tensor<9x4xf64>) -> f64
      array.yield %x : f64
    }
    %t = array.sum %c : (tensor<9xf64>) -> f64
    array.yield %t : f64
  }
  return %s : tensor<4xf64>
}

// The sum of nothing is 0, also where what would be added is infinite.
// CHECK-LABEL: func.func @sum_of_copies
// CHECK:         %[[N:.*]] = array.length %arg0
// CHECK-NEXT:    %[[SOME:.*]] = arith.cmpi slt, %c0, %[[N]] : index
// CHECK-NEXT:    %[[WHOLE:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-NEXT:    %[[COUNT:.*]] = arith.sitofp %[[WHOLE]] : i64 to f64
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %arg1, %[[COUNT]] fastmath<reassoc> : f64
// CHECK-NEXT:    %[[NONE:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[S:.*]] = arith.select %[[SOME]], %[[P]], %[[NONE]] : f64
// CHECK-NEXT:    return %[[S]] : f64
// COPIES: {{^}}7.5{{$}}
// EMPTY:  {{^}}0.0{{$}}
func.func @sum_of_copies(%v: tensor<?xf64>, %c: f64) -> f64 {
  %n = array.length %v : tensor<?xf64>
  %r = array.replicate %c, %n : (f64) -> tensor<?xf64>
  %s = array.sum %r fastmath<reassoc> : (tensor<?xf64>) -> f64
  return %s : f64
}
