// RUN: mlopt %s --bulk-operations --verify-bulk | FileCheck %s
// Gathers and scatters in their simplest forms (spec/arrays.md B.4).

// Every element at its own position: the array itself. The run-time extent is the size of the array, so all are in range.
// CHECK-LABEL: func.func @identity
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf64>
// CHECK-NEXT:    return %[[X]] : tensor<?x3xf64>
func.func @identity(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %n = array.length %x : tensor<?x3xf64>
  %z = array.build (%i < %n, %j < 3) -> (tensor<?x3xf64>) {
    %e = array.get %x[%i, %j] : (tensor<?x3xf64>) -> f64
    array.yield %e : f64
  }
  return %z : tensor<?x3xf64>
}

// Any other extent may be out of range.
// CHECK-LABEL: func.func @any_extent
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[N:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[X]] : tensor<?xf64> (%[[I2:.*]] < %[[N]]) -> (tensor<?xf64>) {
// CHECK-NEXT:      array.yield %[[I2]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]] : tensor<?xf64>
func.func @any_extent(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  return %z : tensor<?xf64>
}

// All indices in another order: a transpose; and its inverse.
// CHECK-LABEL: func.func @permuted
// CHECK-SAME:    %[[M:.*]]: tensor<3x4xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.transpose %[[M]] [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
// CHECK-NEXT:    return %[[V0]], %[[M]] : tensor<4x3xf64>, tensor<3x4xf64>
func.func @permuted(%m: tensor<3x4xf64>) -> (tensor<4x3xf64>, tensor<3x4xf64>) {
  %t = array.build (%i < 4, %j < 3) -> (tensor<4x3xf64>) {
    %e = array.get %m[%j, %i] : (tensor<3x4xf64>) -> f64
    array.yield %e : f64
  }
  %u = array.build (%i < 3, %j < 4) -> (tensor<3x4xf64>) {
    %e = array.get %t[%j, %i] : (tensor<4x3xf64>) -> f64
    array.yield %e : f64
  }
  return %t, %u : tensor<4x3xf64>, tensor<3x4xf64>
}

// An unused index becomes a replicate; whole rows are read as rows; a single element is read directly.
// CHECK-LABEL: func.func @partial
// CHECK-SAME:    %[[M:.*]]: tensor<3x4xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[M]] : tensor<3x4xf64> (%[[I2:.*]] < 3) -> (tensor<3xf64>) {
// CHECK-NEXT:      array.yield %[[I2]], %[[K]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.replicate %[[V0]] : (tensor<3xf64>) -> tensor<5x3xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.transpose %[[V1]] [1, 0] : (tensor<5x3xf64>) -> tensor<3x5xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.get %[[M]][%[[K]]] : (tensor<3x4xf64>) -> tensor<4xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.replicate %[[V3]] : (tensor<4xf64>) -> tensor<2x4xf64>
// CHECK-NEXT:    return %[[V2]], %[[V4]] : tensor<3x5xf64>, tensor<2x4xf64>
func.func @partial(%m: tensor<3x4xf64>, %k: index) -> (tensor<3x5xf64>, tensor<2x4xf64>) {
  %z = array.build (%i < 3, %j < 5) -> (tensor<3x5xf64>) {
    %e = array.get %m[%i, %k] : (tensor<3x4xf64>) -> f64
    array.yield %e : f64
  }
  %w = array.build (%i < 2, %j < 4) -> (tensor<2x4xf64>) {
    %e = array.get %m[%k, %j] : (tensor<3x4xf64>) -> f64
    array.yield %e : f64
  }
  return %z, %w : tensor<3x5xf64>, tensor<2x4xf64>
}

// Certainly out of range: reads give zeros, and additions are dropped.
// CHECK-LABEL: func.func @outside
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[INIT:.*]]: tensor<2xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT:    return %[[CST]], %[[INIT]] : tensor<4xf64>, tensor<2xf64>
func.func @outside(%x: tensor<3xf64>, %init: tensor<2xf64>) -> (tensor<4xf64>, tensor<2xf64>) {
  %three = arith.constant 3 : index
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %k = arith.addi %i, %three : index
    %e = array.get %x[%k] : (tensor<3xf64>) -> f64
    array.yield %e : f64
  }
  %w = array.scatter %x into %init : tensor<3xf64> into tensor<2xf64> (%i) {
    %k = arith.addi %i, %three : index
    array.yield %k : index
  }
  return %z, %w : tensor<4xf64>, tensor<2xf64>
}

// Adding rows at their own positions is an addition of arrays; contributions to one position are summed first.
// CHECK-LABEL: func.func @added
// CHECK-SAME:    %[[M:.*]]: tensor<3x4xf64>, %[[A:.*]]: tensor<3x4xf64>, %[[B:.*]]: tensor<3xf64>
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[V0:.*]] = arith.addf %[[A]], %[[M]] : tensor<3x4xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.scatter %[[M]] into %[[A]] : tensor<3x4xf64> into tensor<3x4xf64> (%[[I3:.*]]) {
// CHECK-NEXT:      %[[V4:.*]] = array.div %[[I3]], %[[C2]] : index
// CHECK-NEXT:      array.yield %[[V4]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V2:.*]] = array.sum %[[M]] axes [1] : (tensor<3x4xf64>) -> tensor<3xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.scatter %[[V2]] into %[[B]] : tensor<3xf64> into tensor<3xf64> (%[[I3:.*]]) {
// CHECK-NEXT:      %[[V4:.*]] = array.div %[[I3]], %[[C2]] : index
// CHECK-NEXT:      array.yield %[[V4]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]], %[[V1]], %[[V3]] : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3xf64>
func.func @added(%m: tensor<3x4xf64>, %a: tensor<3x4xf64>, %b: tensor<3xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3xf64>) {
  %two = arith.constant 2 : index
  %x = array.scatter %m into %a : tensor<3x4xf64> into tensor<3x4xf64> (%i, %j) {
    array.yield %i, %j : index, index
  }
  %y = array.scatter %m into %a : tensor<3x4xf64> into tensor<3x4xf64> (%i, %j) {
    %k = array.div %i, %two : index
    array.yield %k, %j : index, index
  }
  %z = array.scatter %m into %b : tensor<3x4xf64> into tensor<3xf64> (%i, %j) {
    %k = array.div %i, %two : index
    array.yield %k : index
  }
  return %x, %y, %z : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3xf64>
}

// A gather of a gather is one gather.
// CHECK-LABEL: func.func @shared
// CHECK-SAME:    %[[X:.*]]: tensor<9xf64>
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[X]] : tensor<9xf64> (%[[I1:.*]] < 4) -> (tensor<4xf64>) {
// CHECK-NEXT:      %[[V2:.*]] = arith.addi %[[I1]], %[[C1]] : index
// CHECK-NEXT:      array.yield %[[V2]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = math.sin %[[V0]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V1]], %[[V0]] : tensor<4xf64>, tensor<4xf64>
func.func @shared(%x: tensor<9xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %one = arith.constant 1 : index
  %a = array.build (%i < 4) -> (tensor<4xf64>) {
    %k = arith.addi %i, %one : index
    %e = array.get %x[%k] : (tensor<9xf64>) -> f64
    %s = math.sin %e : f64
    array.yield %s : f64
  }
  %b = array.build (%i < 4) -> (tensor<4xf64>) {
    %k = arith.addi %i, %one : index
    %e = array.get %x[%k] : (tensor<9xf64>) -> f64
    array.yield %e : f64
  }
  return %a, %b : tensor<4xf64>, tensor<4xf64>
}
