// RUN: mlopt %s --bulk-operations --verify-bulk | FileCheck %s
// Each op of a body that depends on the index is applied to all its values at once, on arrays with a new outermost axis
// (spec/arrays.md B.2). An op that does not depend on the index is computed once.

// A scalar operand that does not depend on the index is replicated; a constant becomes a larger constant.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64>, %[[A:.*]]: f64
// CHECK-NEXT:    %[[V0:.*]] = math.sin %[[A]] : f64
// CHECK-NEXT:    %[[V1:.*]] = array.replicate %[[V0]] : (f64) -> tensor<4xf64>
// CHECK-NEXT:    %[[V2:.*]] = arith.mulf %[[X]], %[[V1]] fastmath<reassoc> : tensor<4xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf64>
// CHECK-NEXT:    %[[V3:.*]] = arith.addf %[[V2]], %[[CST]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V3]] : tensor<4xf64>
func.func @elementwise(%x: tensor<4xf64>, %a: f64) -> tensor<4xf64> {
  %two = arith.constant 2.0 : f64
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %s = math.sin %a : f64
    %e = array.get %x[%i] : (tensor<4xf64>) -> f64
    %p = arith.mulf %e, %s fastmath<reassoc> : f64
    %q = arith.addf %p, %two : f64
    array.yield %q : f64
  }
  return %z : tensor<4xf64>
}

// An element that does not depend on the index is replicated, the index is an iota; several results are several arrays.
// CHECK-LABEL: func.func @free_and_index
// CHECK-SAME:    %[[A:.*]]: f64, %[[N:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.replicate %[[A]], %[[N]] : (f64) -> tensor<?xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.iota %[[N]] : tensor<?xindex>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<?xf64>, tensor<?xindex>
func.func @free_and_index(%a: f64, %n: index) -> (tensor<?xf64>, tensor<?xindex>) {
  %z:2 = array.build (%i < %n) -> (tensor<?xf64>, tensor<?xindex>) {
    array.yield %a, %i : f64, index
  }
  return %z#0, %z#1 : tensor<?xf64>, tensor<?xindex>
}

// Indices are processed from the last to the first: products of a matrix and a vector need no copy of the matrix.
// CHECK-LABEL: func.func @matrix_times_vector
// CHECK-SAME:    %[[M:.*]]: tensor<?x?xf64>, %[[X:.*]]: tensor<?xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.length %[[M]] : tensor<?x?xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.length %[[M]] axis 1 : tensor<?x?xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.gather %[[X]] : tensor<?xf64> (%[[I2:.*]] < %[[V1]]) -> (tensor<?xf64>) {
// CHECK-NEXT:      array.yield %[[I2]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V3:.*]] = array.replicate %[[V2]], %[[V0]] : (tensor<?xf64>) -> tensor<?x?xf64>
// CHECK-NEXT:    %[[V4:.*]] = arith.mulf %[[M]], %[[V3]] : tensor<?x?xf64>
// CHECK-NEXT:    %[[V5:.*]] = array.sum %[[V4]] axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
// CHECK-NEXT:    return %[[V5]] : tensor<?xf64>
func.func @matrix_times_vector(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %p = array.build (%i < %rows, %j < %columns) -> (tensor<?x?xf64>) {
    %e = array.get %m[%i, %j] : (tensor<?x?xf64>) -> f64
    %y = array.get %x[%j] : (tensor<?xf64>) -> f64
    %q = arith.mulf %e, %y : f64
    array.yield %q : f64
  }
  %z = array.sum %p axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// Elements of arrays: reductions shift their axes.
// CHECK-LABEL: func.func @reductions
// CHECK-SAME:    %[[T:.*]]: tensor<2x3x4xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.sum %[[T]] axes [1] fastmath<reassoc> : (tensor<2x3x4xf64>) -> tensor<2x4xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.max %[[T]] axes [2] : (tensor<2x3x4xf64>) -> tensor<2x3xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.argmax %[[T]] axis 2 : (tensor<2x3x4xf64>) -> tensor<2x3xindex>
// CHECK-NEXT:    return %[[V0]], %[[V1]], %[[V2]] : tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xindex>
func.func @reductions(%t: tensor<2x3x4xf64>) -> (tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xindex>) {
  %z:3 = array.build (%i < 2) -> (tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xindex>) {
    %m = array.get %t[%i] : (tensor<2x3x4xf64>) -> tensor<3x4xf64>
    %s = array.sum %m fastmath<reassoc> : (tensor<3x4xf64>) -> tensor<4xf64>
    %p = array.max %m axes [1] : (tensor<3x4xf64>) -> tensor<3xf64>
    %a = array.argmax %m axis 1 : (tensor<3x4xf64>) -> tensor<3xindex>
    array.yield %s, %p, %a : tensor<4xf64>, tensor<3xf64>, tensor<3xindex>
  }
  return %z#0, %z#1, %z#2 : tensor<2x4xf64>, tensor<2x3xf64>, tensor<2x3xindex>
}

// `replicate`, `transpose`, `reshape`: the new axis stays outermost.
// CHECK-LABEL: func.func @arranged
// CHECK-SAME:    %[[M:.*]]: tensor<2x6xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.replicate %[[M]] : (tensor<2x6xf64>) -> tensor<5x2x6xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.transpose %[[V0]] [1, 2, 0] : (tensor<5x2x6xf64>) -> tensor<2x6x5xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.reshape %[[M]] : (tensor<2x6xf64>) -> tensor<2x3x2xf64>
// CHECK-NEXT:    return %[[V1]], %[[V2]] : tensor<2x6x5xf64>, tensor<2x3x2xf64>
func.func @arranged(%m: tensor<2x6xf64>) -> (tensor<2x6x5xf64>, tensor<2x3x2xf64>) {
  %z:2 = array.build (%i < 2) -> (tensor<2x6x5xf64>, tensor<2x3x2xf64>) {
    %x = array.get %m[%i] : (tensor<2x6xf64>) -> tensor<6xf64>
    %r = array.replicate %x : (tensor<6xf64>) -> tensor<5x6xf64>
    %t = array.transpose %r [1, 0] : (tensor<5x6xf64>) -> tensor<6x5xf64>
    %s = array.reshape %x : (tensor<6xf64>) -> tensor<3x2xf64>
    array.yield %t, %s : tensor<6x5xf64>, tensor<3x2xf64>
  }
  return %z#0, %z#1 : tensor<2x6x5xf64>, tensor<2x3x2xf64>
}

// `stack`, `append`, `reverse`, `slice` work on rows: the axis of rows is moved outermost, and back.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[M:.*]]: tensor<2x3xf64>, %[[Y:.*]]: tensor<4xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[M]] : tensor<2x3xf64> (%[[I3:.*]] < 2) -> (tensor<2xf64>) {
// CHECK-NEXT:      array.yield %[[I3]], %[[C0]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = math.exp %[[V0]] : tensor<2xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.stack %[[V0]], %[[V1]] : (tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.transpose %[[V2]] [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.transpose %[[M]] [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
// CHECK-NEXT:    %[[V5:.*]] = array.reverse %[[V4]] : tensor<3x2xf64>
// CHECK-NEXT:    %[[V6:.*]] = array.replicate %[[Y]] : (tensor<4xf64>) -> tensor<2x4xf64>
// CHECK-NEXT:    %[[V7:.*]] = array.transpose %[[V6]] [1, 0] : (tensor<2x4xf64>) -> tensor<4x2xf64>
// CHECK-NEXT:    %[[V8:.*]] = array.append %[[V5]], %[[V7]] : (tensor<3x2xf64>, tensor<4x2xf64>) -> tensor<7x2xf64>
// CHECK-NEXT:    %[[V9:.*]] = array.transpose %[[V8]] [1, 0] : (tensor<7x2xf64>) -> tensor<2x7xf64>
// CHECK-NEXT:    %[[V10:.*]] = array.slice %[[V4]] from %[[K]] : (tensor<3x2xf64>) -> tensor<2x2xf64>
// CHECK-NEXT:    %[[V11:.*]] = array.transpose %[[V10]] [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
// CHECK-NEXT:    return %[[V3]], %[[V9]], %[[V11]] : tensor<2x2xf64>, tensor<2x7xf64>, tensor<2x2xf64>
func.func @rows(%m: tensor<2x3xf64>, %y: tensor<4xf64>, %k: index) -> (tensor<2x2xf64>, tensor<2x7xf64>, tensor<2x2xf64>) {
  %zero = arith.constant 0 : index
  %z:3 = array.build (%i < 2) -> (tensor<2x2xf64>, tensor<2x7xf64>, tensor<2x2xf64>) {
    %x = array.get %m[%i] : (tensor<2x3xf64>) -> tensor<3xf64>
    %e = array.get %x[%zero] : (tensor<3xf64>) -> f64
    %f = math.exp %e : f64
    %s = array.stack %e, %f : (f64, f64) -> tensor<2xf64>
    %r = array.reverse %x : tensor<3xf64>
    %a = array.append %r, %y : (tensor<3xf64>, tensor<4xf64>) -> tensor<7xf64>
    %c = array.slice %x from %k : (tensor<3xf64>) -> tensor<2xf64>
    array.yield %s, %a, %c : tensor<2xf64>, tensor<7xf64>, tensor<2xf64>
  }
  return %z#0, %z#1, %z#2 : tensor<2x2xf64>, tensor<2x7xf64>, tensor<2x2xf64>
}

// A slice from a row that depends on the index is a gather: windows of a signal.
// CHECK-LABEL: func.func @windows
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[N:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[X]] : tensor<?xf64> (%[[I2:.*]] < %[[N]], %[[I3:.*]] < 3) -> (tensor<?x3xf64>) {
// CHECK-NEXT:      %[[V1:.*]] = arith.addi %[[I2]], %[[I3]] : index
// CHECK-NEXT:      array.yield %[[V1]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]] : tensor<?x3xf64>
func.func @windows(%x: tensor<?xf64>, %n: index) -> tensor<?x3xf64> {
  %z = array.build (%i < %n) -> (tensor<?x3xf64>) {
    %w = array.slice %x from %i : (tensor<?xf64>) -> tensor<3xf64>
    array.yield %w : tensor<3xf64>
  }
  return %z : tensor<?x3xf64>
}

// Gathers and scatters get one more index. Operands of their positions are recomputed there if cheap, else read.
// CHECK-LABEL: func.func @positions
// CHECK-SAME:    %[[M:.*]]: tensor<3x5xf64>
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3x4xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.scatter %[[M]] into %[[CST]] : tensor<3x5xf64> into tensor<3x4xf64> (%[[I1:.*]], %[[I2:.*]]) {
// CHECK-NEXT:      %[[V3:.*]] = arith.muli %[[I1]], %[[I1]] : index
// CHECK-NEXT:      %[[V4:.*]] = arith.addi %[[V3]], %[[I2]] : index
// CHECK-NEXT:      %[[V5:.*]] = array.mod %[[V4]], %[[C4]] : index
// CHECK-NEXT:      array.yield %[[I1]], %[[V5]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.argmax %[[M]] axis 1 : (tensor<3x5xf64>) -> tensor<3xindex>
// CHECK-NEXT:    %[[V2:.*]] = array.gather %[[M]] : tensor<3x5xf64> (%[[I1:.*]] < 3, %[[I2:.*]] < 4) -> (tensor<3x4xf64>) {
// CHECK-NEXT:      %[[V3:.*]] = array.get %[[V1]][%[[I1]]] : (tensor<3xindex>) -> index
// CHECK-NEXT:      %[[V4:.*]] = arith.addi %[[V3]], %[[I2]] : index
// CHECK-NEXT:      array.yield %[[I1]], %[[V4]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]], %[[V2]] : tensor<3x4xf64>, tensor<3x4xf64>
func.func @positions(%m: tensor<3x5xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %four = arith.constant 4 : index
  %z:2 = array.build (%i < 3) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
    %x = array.get %m[%i] : (tensor<3x5xf64>) -> tensor<5xf64>
    %k = arith.muli %i, %i : index
    %s = array.scatter %x into %zeros : tensor<5xf64> into tensor<4xf64> (%j) {
      %p = arith.addi %k, %j : index
      %q = array.mod %p, %four : index
      array.yield %q : index
    }
    %a = array.argmax %x : (tensor<5xf64>) -> index
    %g = array.gather %x : tensor<5xf64> (%j < 4) -> (tensor<4xf64>) {
      %p = arith.addi %a, %j : index
      array.yield %p : index
    }
    array.yield %s, %g : tensor<4xf64>, tensor<4xf64>
  }
  return %z#0, %z#1 : tensor<3x4xf64>, tensor<3x4xf64>
}

// A one-hot whose position depends on the index is a scatter into zeros; otherwise it remains a one-hot. Booleans
// cannot be added, so they are converted to numbers and back.
// CHECK-LABEL: func.func @one_hots
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[B:.*]]: tensor<3xi1>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.one_hot %[[X]] at [%[[K]]] : (tensor<3xf64>) -> tensor<4x3xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.transpose %[[V0]] [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3x4xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.scatter %[[X]] into %[[CST]] : tensor<3xf64> into tensor<3x4xf64> (%[[I3:.*]]) {
// CHECK-NEXT:      array.yield %[[I3]], %[[I3]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V3:.*]] = arith.extui %[[B]] : tensor<3xi1> to tensor<3xi32>
// CHECK-NEXT:    %[[CST0:.*]] = arith.constant dense<0> : tensor<3x4xi32>
// CHECK-NEXT:    %[[V4:.*]] = array.scatter %[[V3]] into %[[CST0]] : tensor<3xi32> into tensor<3x4xi32> (%[[I3:.*]]) {
// CHECK-NEXT:      array.yield %[[I3]], %[[I3]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V5:.*]] = arith.trunci %[[V4]] : tensor<3x4xi32> to tensor<3x4xi1>
// CHECK-NEXT:    return %[[V1]], %[[V2]], %[[V5]] : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi1>
func.func @one_hots(%x: tensor<3xf64>, %b: tensor<3xi1>, %k: index) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi1>) {
  %z:3 = array.build (%i < 3) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi1>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %c = array.get %b[%i] : (tensor<3xi1>) -> i1
    %f = array.one_hot %e at [%k] : (f64) -> tensor<4xf64>
    %p = array.one_hot %e at [%i] : (f64) -> tensor<4xf64>
    %q = array.one_hot %c at [%i] : (i1) -> tensor<4xi1>
    array.yield %f, %p, %q : tensor<4xf64>, tensor<4xf64>, tensor<4xi1>
  }
  return %z#0, %z#1, %z#2 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xi1>
}

// A selection between arrays by one condition becomes one by a mask; a condition that does not depend on the index remains.
// CHECK-LABEL: func.func @choices
// CHECK-SAME:    %[[X:.*]]: tensor<3x2xf64>, %[[M:.*]]: tensor<2xf64>, %[[B:.*]]: tensor<3xi1>, %[[C:.*]]: i1
// CHECK-NEXT:    %[[V0:.*]] = array.replicate %[[M]] : (tensor<2xf64>) -> tensor<3x2xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.replicate %[[B]] : (tensor<3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:    %[[V2:.*]] = array.transpose %[[V1]] [1, 0] : (tensor<2x3xi1>) -> tensor<3x2xi1>
// CHECK-NEXT:    %[[V3:.*]] = arith.select %[[V2]], %[[X]], %[[V0]] : tensor<3x2xi1>, tensor<3x2xf64>
// CHECK-NEXT:    %[[V4:.*]] = arith.select %[[C]], %[[X]], %[[V0]] : tensor<3x2xf64>
// CHECK-NEXT:    return %[[V3]], %[[V4]] : tensor<3x2xf64>, tensor<3x2xf64>
func.func @choices(%x: tensor<3x2xf64>, %m: tensor<2xf64>, %b: tensor<3xi1>, %c: i1) -> (tensor<3x2xf64>, tensor<3x2xf64>) {
  %z:2 = array.build (%i < 3) -> (tensor<3x2xf64>, tensor<3x2xf64>) {
    %r = array.get %x[%i] : (tensor<3x2xf64>) -> tensor<2xf64>
    %d = array.get %b[%i] : (tensor<3xi1>) -> i1
    %s = arith.select %d, %r, %m : tensor<2xf64>
    %t = arith.select %c, %r, %m : tensor<2xf64>
    array.yield %s, %t : tensor<2xf64>, tensor<2xf64>
  }
  return %z#0, %z#1 : tensor<3x2xf64>, tensor<3x2xf64>
}

// Builds in the regions of gathers and loops are replaced too.
// CHECK-LABEL: func.func @inside
// CHECK-SAME:    %[[X:.*]]: tensor<4xindex>, %[[N:.*]]: index, %[[A:.*]]: f64
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[X]] : tensor<4xindex> (%[[I3:.*]] < %[[N]]) -> (tensor<?xindex>) {
// CHECK-NEXT:      %[[V2:.*]] = array.replicate %[[I3]] : (index) -> tensor<3xindex>
// CHECK-NEXT:      %[[V3:.*]] = array.iota : tensor<3xindex>
// CHECK-NEXT:      %[[V4:.*]] = arith.muli %[[V2]], %[[V3]] : tensor<3xindex>
// CHECK-NEXT:      %[[V5:.*]] = array.sum %[[V4]] : (tensor<3xindex>) -> index
// CHECK-NEXT:      array.yield %[[V5]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.ifold (%[[I3:.*]] < %[[C4]]) iter_args(%[[I4:.*]] = %[[A]]) -> (f64) {
// CHECK-NEXT:      %[[V2:.*]] = array.replicate %[[I4]] : (f64) -> tensor<3xf64>
// CHECK-NEXT:      %[[V3:.*]] = array.prod %[[V2]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:      array.yield %[[V3]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<?xindex>, f64
func.func @inside(%x: tensor<4xindex>, %n: index, %a: f64) -> (tensor<?xindex>, f64) {
  %four = arith.constant 4 : index
  %g = array.gather %x : tensor<4xindex> (%i < %n) -> (tensor<?xindex>) {
    %b = array.build (%j < 3) -> (tensor<3xindex>) {
      %p = arith.muli %i, %j : index
      array.yield %p : index
    }
    %s = array.sum %b : (tensor<3xindex>) -> index
    array.yield %s : index
  }
  %f = array.ifold (%i < %four) iter_args(%s = %a) -> (f64) {
    %b = array.build (%j < 3) -> (tensor<3xf64>) {
      array.yield %s : f64
    }
    %p = array.prod %b : (tensor<3xf64>) -> f64
    array.yield %p : f64
  }
  return %g, %f : tensor<?xindex>, f64
}

// An unused op in a region does not keep equal ops apart.
// CHECK-LABEL: func.func @unused_inside(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<6xf32>
// CHECK-NEXT:    %[[G:.*]] = array.gather %[[X]] : tensor<6xf32> (%[[I:.*]] < 3) -> (tensor<3xf32>) {
// CHECK-NEXT:      array.yield %[[I]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[G]], %[[G]]
func.func @unused_inside(%x: tensor<6xf32>, %v: tensor<?xf64>) -> (tensor<3xf32>, tensor<3xf32>) {
  %a = array.gather %x : tensor<6xf32> (%i < 3) -> (tensor<3xf32>) {
    %n = array.length %v : tensor<?xf64>
    array.yield %i : index
  }
  %b = array.gather %x : tensor<6xf32> (%i < 3) -> (tensor<3xf32>) {
    array.yield %i : index
  }
  return %a, %b : tensor<3xf32>, tensor<3xf32>
}
