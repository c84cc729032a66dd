// RUN: mlopt %s --bulk-operations --verify-bulk | FileCheck %s
// Reads move to the definition of the array (spec/arrays.md B.3). A read out of range gives zero, whatever the op would
// compute there: a guard ensures that, unless the indices are proved to be in range (B.1).

// The exponential of zero is one, but a read out of range gives zero.
// CHECK-LABEL: func.func @guarded
// CHECK-SAME:    %[[X:.*]]: tensor<5xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.get %[[X]][%[[K]]] : (tensor<5xf64>) -> f64
// CHECK-NEXT:    %[[V1:.*]] = math.exp %[[V0]] : f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.cmpi slt, %[[K]], %[[C5]] : index
// CHECK-NEXT:    %[[V4:.*]] = arith.andi %[[V2]], %[[V3]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V5:.*]] = arith.select %[[V4]], %[[V1]], %[[CST]] : f64
// CHECK-NEXT:    return %[[V5]] : f64
func.func @guarded(%x: tensor<5xf64>, %k: index) -> f64 {
  %e = math.exp %x : tensor<5xf64>
  %z = array.get %e[%k] : (tensor<5xf64>) -> f64
  return %z : f64
}

// The sine of zero is zero: no guard.
// CHECK-LABEL: func.func @keeps_zero
// CHECK-SAME:    %[[X:.*]]: tensor<5xf64>, %[[Y:.*]]: tensor<5xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.get %[[X]][%[[K]]] : (tensor<5xf64>) -> f64
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[Y]][%[[K]]] : (tensor<5xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = arith.mulf %[[V0]], %[[V1]] : f64
// CHECK-NEXT:    %[[V3:.*]] = math.sin %[[V2]] : f64
// CHECK-NEXT:    return %[[V3]] : f64
func.func @keeps_zero(%x: tensor<5xf64>, %y: tensor<5xf64>, %k: index) -> f64 {
  %p = arith.mulf %x, %y : tensor<5xf64>
  %s = math.sin %p : tensor<5xf64>
  %z = array.get %s[%k] : (tensor<5xf64>) -> f64
  return %z : f64
}

// An index in range needs no guard: index variables, their sums, remainders and the smaller of two numbers have ranges.
// CHECK-LABEL: func.func @proved
// CHECK-SAME:    %[[M:.*]]: tensor<4x5xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[M]] : tensor<4x5xf64> (%[[I2:.*]] < 4) -> (tensor<4xf64>) {
// CHECK-NEXT:      %[[V2:.*]] = arith.addi %[[I2]], %[[K]] : index
// CHECK-NEXT:      %[[V3:.*]] = array.mod %[[V2]], %[[C5]] : index
// CHECK-NEXT:      array.yield %[[I2]], %[[V3]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = math.exp %[[V0]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V1]] : tensor<4xf64>
func.func @proved(%m: tensor<4x5xf64>, %k: index) -> tensor<4xf64> {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %five = arith.constant 5 : index
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %r = array.get %m[%i] : (tensor<4x5xf64>) -> tensor<5xf64>
    %e = math.exp %r : tensor<5xf64>
    %p = arith.addi %i, %k : index
    %q = array.mod %p, %five : index
    %a = array.get %e[%q] : (tensor<5xf64>) -> f64
    array.yield %a : f64
  }
  return %z : tensor<4xf64>
}

// If there is an array for each value of the index, only the element that is read is computed, not n arrays.
// CHECK-LABEL: func.func @only_what_is_read
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64>, %[[W:.*]]: tensor<1000xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V0:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[C1000:.*]] = arith.constant 1000 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.cmpi slt, %[[K]], %[[C1000]] : index
// CHECK-NEXT:    %[[V2:.*]] = arith.andi %[[V0]], %[[V1]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf64>
// CHECK-NEXT:    %[[V3:.*]] = arith.select %[[V2]], %[[X]], %[[CST]] : tensor<4xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.get %[[W]][%[[K]]] : (tensor<1000xf64>) -> f64
// CHECK-NEXT:    %[[V5:.*]] = array.replicate %[[V4]] : (f64) -> tensor<4xf64>
// CHECK-NEXT:    %[[V6:.*]] = arith.mulf %[[V3]], %[[V5]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V6]] : tensor<4xf64>
func.func @only_what_is_read(%x: tensor<4xf64>, %w: tensor<1000xf64>, %k: index) -> tensor<4xf64> {
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %a = array.get %x[%i] : (tensor<4xf64>) -> f64
    %r = array.replicate %a : (f64) -> tensor<1000xf64>
    %p = arith.mulf %r, %w : tensor<1000xf64>
    %e = array.get %p[%k] : (tensor<1000xf64>) -> f64
    array.yield %e : f64
  }
  return %z : tensor<4xf64>
}

// Rows of rows, and rows of copies.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[T:.*]]: tensor<2x3x4xf64>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.get %[[T]][%[[I]], %[[J]]] : (tensor<2x3x4xf64>) -> tensor<4xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[T]][%[[I]], %[[J]], %[[J]]] : (tensor<2x3x4xf64>) -> f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi sge, %[[I]], %[[C0]] : index
// CHECK-NEXT:    %[[C7:.*]] = arith.constant 7 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.cmpi slt, %[[I]], %[[C7]] : index
// CHECK-NEXT:    %[[V4:.*]] = arith.andi %[[V2]], %[[V3]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V5:.*]] = arith.select %[[V4]], %[[V1]], %[[CST]] : f64
// CHECK-NEXT:    return %[[V5]], %[[V0]] : f64, tensor<4xf64>
func.func @rows(%t: tensor<2x3x4xf64>, %i: index, %j: index) -> (f64, tensor<4xf64>) {
  %r = array.get %t[%i] : (tensor<2x3x4xf64>) -> tensor<3x4xf64>
  %s = array.get %r[%j] : (tensor<3x4xf64>) -> tensor<4xf64>
  %c = array.replicate %s : (tensor<4xf64>) -> tensor<7x4xf64>
  %e = array.get %c[%i, %j] : (tensor<7x4xf64>) -> f64
  return %e, %s : f64, tensor<4xf64>
}

// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    %[[T:.*]]: tensor<2x3x4xf64>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[T]] : tensor<2x3x4xf64> (%[[I3:.*]] < 2) -> (tensor<2xf64>) {
// CHECK-NEXT:      array.yield %[[I3]], %[[I]], %[[J]] : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = math.sin %[[T]] : tensor<2x3x4xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.gather %[[V1]] : tensor<2x3x4xf64> (%[[I3:.*]] < 3, %[[I4:.*]] < 2) -> (tensor<3x2xf64>) {
// CHECK-NEXT:      array.yield %[[I4]], %[[I3]], %[[I]] : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]], %[[V2]] : tensor<2xf64>, tensor<3x2xf64>
func.func @transposed(%t: tensor<2x3x4xf64>, %i: index, %j: index) -> (tensor<2xf64>, tensor<3x2xf64>) {
  %p = array.transpose %t [1, 2, 0] : (tensor<2x3x4xf64>) -> tensor<3x4x2xf64>
  %z = array.get %p[%i, %j] : (tensor<3x4x2xf64>) -> tensor<2xf64>
  %s = math.sin %t : tensor<2x3x4xf64>
  %q = array.transpose %s [2, 1, 0] : (tensor<2x3x4xf64>) -> tensor<4x3x2xf64>
  %w = array.get %q[%i] : (tensor<4x3x2xf64>) -> tensor<3x2xf64>
  return %z, %w : tensor<2xf64>, tensor<3x2xf64>
}

// The position is linearised and split again; out of range, the number of another element must not be read.
// CHECK-LABEL: func.func @reshaped
// CHECK-SAME:    %[[X:.*]]: tensor<6xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V0:.*]] = arith.addi %[[C3]], %[[K]] : index
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[X]][%[[V0]]] : (tensor<6xf64>) -> f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[V3:.*]] = arith.cmpi slt, %[[K]], %[[C3]] : index
// CHECK-NEXT:    %[[V4:.*]] = arith.andi %[[V2]], %[[V3]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V5:.*]] = arith.select %[[V4]], %[[V1]], %[[CST]] : f64
// CHECK-NEXT:    return %[[V5]] : f64
func.func @reshaped(%x: tensor<6xf64>, %k: index) -> f64 {
  %one = arith.constant 1 : index
  %m = array.reshape %x : (tensor<6xf64>) -> tensor<2x3xf64>
  %e = array.get %m[%one, %k] : (tensor<2x3xf64>) -> f64
  return %e : f64
}

// CHECK-LABEL: func.func @reshaped_rows
// CHECK-SAME:    %[[X:.*]]: tensor<?x6xf64>, %[[N:.*]]: index, %[[K:.*]]: index
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[C6:.*]] = arith.constant 6 : index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[X]] : tensor<?x6xf64> (%[[I3:.*]] < 2, %[[I4:.*]] < 3) -> (tensor<2x3xf64>) {
// CHECK-NEXT:      %[[V5:.*]] = arith.muli %[[K]], %[[C2]] : index
// CHECK-NEXT:      %[[V6:.*]] = arith.addi %[[V5]], %[[I3]] : index
// CHECK-NEXT:      %[[V7:.*]] = arith.muli %[[V6]], %[[C3]] : index
// CHECK-NEXT:      %[[V8:.*]] = arith.addi %[[V7]], %[[I4]] : index
// CHECK-NEXT:      %[[V9:.*]] = array.mod %[[V8]], %[[C6]] : index
// CHECK-NEXT:      %[[V10:.*]] = array.div %[[V8]], %[[C6]] : index
// CHECK-NEXT:      array.yield %[[V10]], %[[V9]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi slt, %[[K]], %[[N]] : index
// CHECK-NEXT:    %[[V3:.*]] = arith.andi %[[V1]], %[[V2]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<2x3xf64>
// CHECK-NEXT:    %[[V4:.*]] = arith.select %[[V3]], %[[V0]], %[[CST]] : tensor<2x3xf64>
// CHECK-NEXT:    return %[[V4]] : tensor<2x3xf64>
func.func @reshaped_rows(%x: tensor<?x6xf64>, %n: index, %k: index) -> tensor<2x3xf64> {
  %m = array.reshape %x sizes(%n) : (tensor<?x6xf64>) -> tensor<?x2x3xf64>
  %r = array.get %m[%k] : (tensor<?x2x3xf64>) -> tensor<2x3xf64>
  return %r : tensor<2x3xf64>
}

// CHECK-LABEL: func.func @joined
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<4xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V0:.*]] = arith.subi %[[K]], %[[C3]] : index
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[X]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = array.get %[[Y]][%[[V0]]] : (tensor<4xf64>) -> f64
// CHECK-NEXT:    %[[V3:.*]] = arith.cmpi slt, %[[K]], %[[C3]] : index
// CHECK-NEXT:    %[[V4:.*]] = arith.select %[[V3]], %[[V1]], %[[V2]] : f64
// CHECK-NEXT:    %[[V5:.*]] = arith.addi %[[C2]], %[[K]] : index
// CHECK-NEXT:    %[[V6:.*]] = array.get %[[Y]][%[[V5]]] : (tensor<4xf64>) -> f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V7:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[V8:.*]] = arith.andi %[[V7]], %[[V3]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V9:.*]] = arith.select %[[V8]], %[[V6]], %[[CST]] : f64
// CHECK-NEXT:    %[[V10:.*]] = arith.subi %[[C3]], %[[K]] : index
// CHECK-NEXT:    %[[V11:.*]] = array.get %[[Y]][%[[V10]]] : (tensor<4xf64>) -> f64
// CHECK-NEXT:    return %[[V4]], %[[V9]], %[[V11]] : f64, f64, f64
func.func @joined(%x: tensor<3xf64>, %y: tensor<4xf64>, %k: index) -> (f64, f64, f64) {
  %two = arith.constant 2 : index
  %a = array.append %x, %y : (tensor<3xf64>, tensor<4xf64>) -> tensor<7xf64>
  %e = array.get %a[%k] : (tensor<7xf64>) -> f64
  %s = array.slice %y from %two : (tensor<4xf64>) -> tensor<3xf64>
  %f = array.get %s[%k] : (tensor<3xf64>) -> f64
  %r = array.reverse %y : tensor<4xf64>
  %g = array.get %r[%k] : (tensor<4xf64>) -> f64
  return %e, %f, %g : f64, f64, f64
}

// A sum of one row instead of all; an empty product is one, so it needs a guard if rows may be empty.
// CHECK-LABEL: func.func @reductions
// CHECK-SAME:    %[[M:.*]]: tensor<3x?x4xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.gather %[[M]] : tensor<3x?x4xf64> (%[[I2:.*]] < 3) -> (tensor<3x4xf64>) {
// CHECK-NEXT:      array.yield %[[I2]], %[[K]] : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.sum %[[V0]] : (tensor<3x4xf64>) -> tensor<4xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.get %[[M]][%[[K]]] : (tensor<3x?x4xf64>) -> tensor<?x4xf64>
// CHECK-NEXT:    %[[V3:.*]] = math.sin %[[V2]] : tensor<?x4xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.prod %[[V3]] axes [0, 1] : (tensor<?x4xf64>) -> f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V5:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V6:.*]] = arith.cmpi slt, %[[K]], %[[C3]] : index
// CHECK-NEXT:    %[[V7:.*]] = arith.andi %[[V5]], %[[V6]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V8:.*]] = arith.select %[[V7]], %[[V4]], %[[CST]] : f64
// CHECK-NEXT:    return %[[V1]], %[[V8]] : tensor<4xf64>, f64
func.func @reductions(%m: tensor<3x?x4xf64>, %k: index) -> (tensor<4xf64>, f64) {
  %s = array.sum %m : (tensor<3x?x4xf64>) -> tensor<?x4xf64>
  %e = array.get %s[%k] : (tensor<?x4xf64>) -> tensor<4xf64>
  %x = math.sin %m : tensor<3x?x4xf64>
  %p = array.prod %x axes [1, 2] : (tensor<3x?x4xf64>) -> tensor<3xf64>
  %f = array.get %p[%k] : (tensor<3xf64>) -> f64
  return %e, %f : tensor<4xf64>, f64
}

// CHECK-LABEL: func.func @gathered
// CHECK-SAME:    %[[X:.*]]: tensor<9xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = arith.muli %[[K]], %[[K]] : index
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[X]][%[[V0]]] : (tensor<9xf64>) -> f64
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V2:.*]] = arith.cmpi sge, %[[K]], %[[C0]] : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[V3:.*]] = arith.cmpi slt, %[[K]], %[[C3]] : index
// CHECK-NEXT:    %[[V4:.*]] = arith.andi %[[V2]], %[[V3]] : i1
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V5:.*]] = arith.select %[[V4]], %[[V1]], %[[CST]] : f64
// CHECK-NEXT:    return %[[V5]] : f64
func.func @gathered(%x: tensor<9xf64>, %k: index) -> f64 {
  %g = array.gather %x : tensor<9xf64> (%i < 3) -> (tensor<3xf64>) {
    %p = arith.muli %i, %i : index
    array.yield %p : index
  }
  %e = array.get %g[%k] : (tensor<3xf64>) -> f64
  return %e : f64
}

// A part with a constant number is read directly; a computed number selects among elements. Out of range, it is zero.
// CHECK-LABEL: func.func @literals
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<3xf64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V0:.*]] = array.get %[[Y]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[X]][%[[C1]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = array.get %[[Y]][%[[C1]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V3:.*]] = array.stack %[[V1]], %[[V2]] : (f64, f64) -> tensor<2xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.get %[[V3]][%[[K]]] : (tensor<2xf64>) -> f64
// CHECK-NEXT:    return %[[V0]], %[[V4]], %[[CST]] : f64, f64, tensor<3xf64>
func.func @literals(%x: tensor<3xf64>, %y: tensor<3xf64>, %k: index) -> (f64, f64, tensor<3xf64>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %s = array.stack %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %a = array.get %s[%one, %k] : (tensor<2x3xf64>) -> f64
  %o = array.get %s[%two] : (tensor<2x3xf64>) -> tensor<3xf64>
  %t = array.stack %x, %y : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %b = array.get %t[%k, %one] : (tensor<2x3xf64>) -> f64
  return %a, %b, %o : f64, f64, tensor<3xf64>
}

// The branch yields the element; a selection between arrays is one between elements.
// CHECK-LABEL: func.func @branches
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[Y:.*]]: tensor<3xf64>, %[[C:.*]]: i1, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = scf.if %[[C]] -> (f64) {
// CHECK-NEXT:      %[[V4:.*]] = array.get %[[X]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:      %[[V5:.*]] = math.sin %[[V4]] : f64
// CHECK-NEXT:      scf.yield %[[V5]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[V4:.*]] = array.get %[[Y]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:      scf.yield %[[V4]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[X]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = array.get %[[Y]][%[[K]]] : (tensor<3xf64>) -> f64
// CHECK-NEXT:    %[[V3:.*]] = arith.select %[[C]], %[[V1]], %[[V2]] : f64
// CHECK-NEXT:    return %[[V0]], %[[V3]] : f64, f64
func.func @branches(%x: tensor<3xf64>, %y: tensor<3xf64>, %c: i1, %k: index) -> (f64, f64) {
  %b = scf.if %c -> (tensor<3xf64>) {
    %s = math.sin %x : tensor<3xf64>
    scf.yield %s : tensor<3xf64>
  } else {
    scf.yield %y : tensor<3xf64>
  }
  %e = array.get %b[%k] : (tensor<3xf64>) -> f64
  %d = arith.select %c, %x, %y : tensor<3xf64>
  %f = array.get %d[%k] : (tensor<3xf64>) -> f64
  return %e, %f : f64, f64
}

// An array that is needed as a whole, or defined outside the loop that reads it, remains: nothing is computed twice.
// CHECK-LABEL: func.func @stops_at_variables
// CHECK-SAME:    %[[X:.*]]: tensor<5xf64>, %[[K:.*]]: index, %[[A:.*]]: f64
// CHECK-NEXT:    %[[C5:.*]] = arith.constant 5 : index
// CHECK-NEXT:    %[[V0:.*]] = math.exp %[[X]] : tensor<5xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[V0]][%[[K]]] : (tensor<5xf64>) -> f64
// CHECK-NEXT:    %[[V2:.*]] = math.sin %[[X]] : tensor<5xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.ifold (%[[I3:.*]] < %[[C5]]) iter_args(%[[I4:.*]] = %[[A]]) -> (f64) {
// CHECK-NEXT:      %[[V4:.*]] = array.get %[[V2]][%[[I3]]] : (tensor<5xf64>) -> f64
// CHECK-NEXT:      %[[V5:.*]] = arith.mulf %[[I4]], %[[V4]] : f64
// CHECK-NEXT:      array.yield %[[V5]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V1]], %[[V0]], %[[V3]] : f64, tensor<5xf64>, f64
func.func @stops_at_variables(%x: tensor<5xf64>, %k: index, %a: f64) -> (f64, tensor<5xf64>, f64) {
  %five = arith.constant 5 : index
  %e = math.exp %x : tensor<5xf64>
  %z = array.get %e[%k] : (tensor<5xf64>) -> f64
  %s = math.sin %x : tensor<5xf64>
  %w = array.ifold (%i < %five) iter_args(%b = %a) -> (f64) {
    %f = array.get %s[%i] : (tensor<5xf64>) -> f64
    %g = arith.mulf %b, %f : f64
    array.yield %g : f64
  }
  return %z, %e, %w : f64, tensor<5xf64>, f64
}

// `arith.divsi` by zero is undefined: unread elements have been divided, those out of range have not.
// CHECK-LABEL: func.func @stops_at_undefined_behaviour
// CHECK-SAME:    %[[X:.*]]: tensor<5xi64>, %[[Y:.*]]: tensor<5xi64>, %[[K:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = arith.divsi %[[X]], %[[Y]] : tensor<5xi64>
// CHECK-NEXT:    %[[V1:.*]] = array.get %[[V0]][%[[K]]] : (tensor<5xi64>) -> i64
// CHECK-NEXT:    return %[[V1]] : i64
func.func @stops_at_undefined_behaviour(%x: tensor<5xi64>, %y: tensor<5xi64>, %k: index) -> i64 {
  %q = arith.divsi %x, %y : tensor<5xi64>
  %z = array.get %q[%k] : (tensor<5xi64>) -> i64
  return %z : i64
}
