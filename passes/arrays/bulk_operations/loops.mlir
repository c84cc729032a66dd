// RUN: mlopt %s --bulk-operations --verify-bulk | FileCheck %s
// Loops in a build are kept, and carry values with one more axis. Ops that cannot be shared by all values of the index are
// in a loop over the index, an `array.map_accum` over an `array.iota`.

// The carried value has one entry for each value of the index; the count, which is the same for all, is not changed.
// CHECK-LABEL: func.func @ifold
// CHECK-SAME:    %[[M:.*]]: tensor<3x?xf64>, %[[N:.*]]: index
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[CST0:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-NEXT:    %[[V0:.*]]:2 = array.ifold (%[[I2:.*]] < %[[N]]) iter_args(%[[I3:.*]] = %[[CST0]], %[[I4:.*]] = %[[CST]]) -> (tensor<3xf64>, f64) {
// CHECK-NEXT:      %[[V3:.*]] = array.gather %[[M]] : tensor<3x?xf64> (%[[I5:.*]] < 3) -> (tensor<3xf64>) {
// CHECK-NEXT:        array.yield %[[I5]], %[[I2]] : index, index
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V4:.*]] = arith.addf %[[I3]], %[[V3]] : tensor<3xf64>
// CHECK-NEXT:      %[[V5:.*]] = math.cos %[[I4]] : f64
// CHECK-NEXT:      array.yield %[[V4]], %[[V5]] : tensor<3xf64>, f64
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V1:.*]] = array.replicate %[[V0]]#1 : (f64) -> tensor<3xf64>
// CHECK-NEXT:    %[[V2:.*]] = arith.mulf %[[V0]]#0, %[[V1]] : tensor<3xf64>
// CHECK-NEXT:    return %[[V2]] : tensor<3xf64>
func.func @ifold(%m: tensor<3x?xf64>, %n: index) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %s:2 = array.ifold (%j < %n) iter_args(%a = %zero, %c = %zero) -> (f64, f64) {
      %e = array.get %m[%i, %j] : (tensor<3x?xf64>) -> f64
      %t = arith.addf %a, %e : f64
      %d = math.cos %c : f64
      array.yield %t, %d : f64, f64
    }
    %p = arith.mulf %s#0, %s#1 : f64
    array.yield %p : f64
  }
  return %z : tensor<3xf64>
}

// Rows stay outermost: the rows of all values of the index are read together, and emitted together.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[M:.*]]: tensor<3x5xf64>, %[[X:.*]]: tensor<5xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.transpose %[[M]] [1, 0] : (tensor<3x5xf64>) -> tensor<5x3xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-NEXT:    %[[V1:.*]]:2 = array.map_accum (%[[I2:.*]] = %[[V0]] : tensor<5x3xf64>, %[[I3:.*]] = %[[X]] : tensor<5xf64>) iter_args(%[[I4:.*]] = %[[CST]]) -> (tensor<3xf64>, tensor<5x3xf64>) {
// CHECK-NEXT:      %[[V3:.*]] = array.replicate %[[I3]] : (f64) -> tensor<3xf64>
// CHECK-NEXT:      %[[V4:.*]] = arith.mulf %[[I2]], %[[V3]] : tensor<3xf64>
// CHECK-NEXT:      %[[V5:.*]] = arith.addf %[[I4]], %[[V4]] : tensor<3xf64>
// CHECK-NEXT:      array.yield %[[V5]], %[[I4]] : tensor<3xf64>, tensor<3xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V2:.*]] = array.transpose %[[V1]]#1 [1, 0] : (tensor<5x3xf64>) -> tensor<3x5xf64>
// CHECK-NEXT:    return %[[V1]]#0, %[[V2]] : tensor<3xf64>, tensor<3x5xf64>
func.func @rows(%m: tensor<3x5xf64>, %x: tensor<5xf64>) -> (tensor<3xf64>, tensor<3x5xf64>) {
  %zero = arith.constant 0.0 : f64
  %z:2 = array.build (%i < 3) -> (tensor<3xf64>, tensor<3x5xf64>) {
    %r = array.get %m[%i] : (tensor<3x5xf64>) -> tensor<5xf64>
    %s, %e = array.map_accum (%a = %r : tensor<5xf64>, %b = %x : tensor<5xf64>) iter_args(%c = %zero) -> (f64, tensor<5xf64>) {
      %p = arith.mulf %a, %b : f64
      %t = arith.addf %c, %p : f64
      array.yield %t, %c : f64, f64
    }
    array.yield %s, %e : f64, tensor<5xf64>
  }
  return %z#0, %z#1 : tensor<3xf64>, tensor<3x5xf64>
}

// A loop over no rows emits none, so the number of values of the index must be given to it.
// CHECK-LABEL: func.func @emitted_rows_of_any_number
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>
// CHECK-NEXT:    %[[V0:.*]] = array.length %[[X]] : tensor<?xf64>
// CHECK-NEXT:    %[[V1:.*]] = array.map_accum (%[[I2:.*]] = %[[Y]] : tensor<?xf64>) iter_args() -> (tensor<?x?xf64>) {
// CHECK-NEXT:      %[[V5:.*]] = array.replicate %[[I2]], %[[V0]] : (f64) -> tensor<?xf64>
// CHECK-NEXT:      %[[V6:.*]] = arith.mulf %[[X]], %[[V5]] : tensor<?xf64>
// CHECK-NEXT:      array.yield %[[V6]] : tensor<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V2:.*]] = array.length %[[Y]] : tensor<?xf64>
// CHECK-NEXT:    %[[V3:.*]] = array.reshape %[[V1]] sizes(%[[V2]], %[[V0]]) : (tensor<?x?xf64>) -> tensor<?x?xf64>
// CHECK-NEXT:    %[[V4:.*]] = array.transpose %[[V3]] [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
// CHECK-NEXT:    return %[[V4]] : tensor<?x?xf64>
func.func @emitted_rows_of_any_number(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> {
  %n = array.length %x : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?x?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %e = array.map_accum (%b = %y : tensor<?xf64>) iter_args() -> (tensor<?xf64>) {
      %p = arith.mulf %a, %b : f64
      array.yield %p : f64
    }
    array.yield %e : tensor<?xf64>
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @scf_for
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[N:.*]]: index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V0:.*]] = scf.for %[[I2:.*]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[I3:.*]] = %[[X]]) -> (tensor<3xf64>) {
// CHECK-NEXT:      %[[V1:.*]] = math.sin %[[I3]] : tensor<3xf64>
// CHECK-NEXT:      scf.yield %[[V1]] : tensor<3xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]] : tensor<3xf64>
func.func @scf_for(%x: tensor<3xf64>, %n: index) -> tensor<3xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %s = scf.for %j = %zero to %n step %one iter_args(%a = %e) -> (f64) {
      %b = math.sin %a : f64
      scf.yield %b : f64
    }
    array.yield %s : f64
  }
  return %z : tensor<3xf64>
}

// The condition is the same for all values of the index.
// CHECK-LABEL: func.func @scf_while
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[N:.*]]: index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V0:.*]]:2 = scf.while (%[[I2:.*]] = %[[C0]], %[[I3:.*]] = %[[X]]) : (index, tensor<3xf64>) -> (index, tensor<3xf64>) {
// CHECK-NEXT:      %[[V1:.*]] = arith.cmpi slt, %[[I2]], %[[N]] : index
// CHECK-NEXT:      scf.condition(%[[V1]]) %[[I2]], %[[I3]] : index, tensor<3xf64>
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[I2:.*]]: index, %[[I3:.*]]: tensor<3xf64>):
// CHECK-NEXT:      %[[V1:.*]] = arith.addi %[[I2]], %[[C1]] : index
// CHECK-NEXT:      %[[V2:.*]] = math.sin %[[I3]] : tensor<3xf64>
// CHECK-NEXT:      scf.yield %[[V1]], %[[V2]] : index, tensor<3xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]]#1 : tensor<3xf64>
func.func @scf_while(%x: tensor<3xf64>, %n: index) -> tensor<3xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %s:2 = scf.while (%j = %zero, %a = %e) : (index, f64) -> (index, f64) {
      %c = arith.cmpi slt, %j, %n : index
      scf.condition(%c) %j, %a : index, f64
    } do {
    ^bb0(%j: index, %a: f64):
      %k = arith.addi %j, %one : index
      %b = math.sin %a : f64
      scf.yield %k, %b : index, f64
    }
    array.yield %s#1 : f64
  }
  return %z : tensor<3xf64>
}

// The number of iterations depends on the index: only this loop is in a loop over the index, the rest is bulk.
// CHECK-LABEL: func.func @triangle
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[V0:.*]] = array.iota : tensor<4xindex>
// CHECK-NEXT:    %[[V1:.*]] = array.map_accum (%[[I1:.*]] = %[[V0]] : tensor<4xindex>) iter_args() -> (tensor<4xf64>) {
// CHECK-NEXT:      %[[V3:.*]] = array.ifold (%[[I2:.*]] < %[[I1]]) iter_args(%[[I3:.*]] = %[[CST]]) -> (f64) {
// CHECK-NEXT:        %[[V4:.*]] = array.get %[[X]][%[[I2]]] : (tensor<4xf64>) -> f64
// CHECK-NEXT:        %[[V5:.*]] = arith.addf %[[I3]], %[[V4]] : f64
// CHECK-NEXT:        array.yield %[[V5]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      array.yield %[[V3]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V2:.*]] = math.exp %[[V1]] : tensor<4xf64>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf64>
func.func @triangle(%x: tensor<4xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %s = array.ifold (%j < %i) iter_args(%a = %zero) -> (f64) {
      %e = array.get %x[%j] : (tensor<4xf64>) -> f64
      %t = arith.addf %a, %e : f64
      array.yield %t : f64
    }
    %y = math.exp %s : f64
    array.yield %y : f64
  }
  return %z : tensor<4xf64>
}

// A branch that is the same for all values of the index is kept, so that one arm is executed.
// CHECK-LABEL: func.func @kept_branch
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[C:.*]]: i1
// CHECK-NEXT:    %[[V0:.*]] = scf.if %[[C]] -> (tensor<3xf64>) {
// CHECK-NEXT:      %[[V1:.*]] = math.sin %[[X]] : tensor<3xf64>
// CHECK-NEXT:      scf.yield %[[V1]] : tensor<3xf64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-NEXT:      scf.yield %[[CST]] : tensor<3xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V0]] : tensor<3xf64>
func.func @kept_branch(%x: tensor<3xf64>, %c: i1) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %r = scf.if %c -> (f64) {
      %s = math.sin %e : f64
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    array.yield %r : f64
  }
  return %z : tensor<3xf64>
}

// Otherwise both arms are executed for all values, and a mask selects the result.
// CHECK-LABEL: func.func @choice
// CHECK-SAME:    %[[X:.*]]: tensor<3xf64>, %[[M:.*]]: tensor<3x2xf64>
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0.000000e+00> : tensor<3xf64>
// CHECK-NEXT:    %[[V0:.*]] = arith.cmpf olt, %[[X]], %[[CST]] : tensor<3xf64>
// CHECK-NEXT:    %[[V1:.*]] = math.sin %[[M]] : tensor<3x2xf64>
// CHECK-NEXT:    %[[V2:.*]] = array.replicate %[[V0]] : (tensor<3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:    %[[V3:.*]] = array.transpose %[[V2]] [1, 0] : (tensor<2x3xi1>) -> tensor<3x2xi1>
// CHECK-NEXT:    %[[V4:.*]] = arith.select %[[V3]], %[[V1]], %[[M]] : tensor<3x2xi1>, tensor<3x2xf64>
// CHECK-NEXT:    return %[[V4]] : tensor<3x2xf64>
func.func @choice(%x: tensor<3xf64>, %m: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 3) -> (tensor<3x2xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %r = array.get %m[%i] : (tensor<3x2xf64>) -> tensor<2xf64>
    %c = arith.cmpf olt, %e, %zero : f64
    %s = scf.if %c -> (tensor<2xf64>) {
      %t = math.sin %r : tensor<2xf64>
      scf.yield %t : tensor<2xf64>
    } else {
      scf.yield %r : tensor<2xf64>
    }
    array.yield %s : tensor<2xf64>
  }
  return %z : tensor<3x2xf64>
}

// An arm with a division must not be executed if it is not selected.
// CHECK-LABEL: func.func @stays_at_undefined_behaviour
// CHECK-SAME:    %[[X:.*]]: tensor<3xi64>
// CHECK-NEXT:    %[[C0_I64:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[C1_I64:.*]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[CST:.*]] = arith.constant dense<0> : tensor<3xi64>
// CHECK-NEXT:    %[[V0:.*]] = arith.cmpi ne, %[[X]], %[[CST]] : tensor<3xi64>
// CHECK-NEXT:    %[[V1:.*]] = array.map_accum (%[[I1:.*]] = %[[V0]] : tensor<3xi1>, %[[I2:.*]] = %[[X]] : tensor<3xi64>) iter_args() -> (tensor<3xi64>) {
// CHECK-NEXT:      %[[V2:.*]] = scf.if %[[I1]] -> (i64) {
// CHECK-NEXT:        %[[V3:.*]] = arith.divsi %[[C1_I64]], %[[I2]] : i64
// CHECK-NEXT:        scf.yield %[[V3]] : i64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[C0_I64]] : i64
// CHECK-NEXT:      }
// CHECK-NEXT:      array.yield %[[V2]] : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V1]] : tensor<3xi64>
func.func @stays_at_undefined_behaviour(%x: tensor<3xi64>) -> tensor<3xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %z = array.build (%i < 3) -> (tensor<3xi64>) {
    %e = array.get %x[%i] : (tensor<3xi64>) -> i64
    %c = arith.cmpi ne, %e, %zero : i64
    %r = scf.if %c -> (i64) {
      %q = arith.divsi %one, %e : i64
      scf.yield %q : i64
    } else {
      scf.yield %zero : i64
    }
    array.yield %r : i64
  }
  return %z : tensor<3xi64>
}

// An op that may trap is not moved out of a build that may be empty: the division is computed once per value.
// CHECK-LABEL: func.func @divides_as_often_as_before
// CHECK-SAME:    %[[A:.*]]: i64, %[[B:.*]]: i64, %[[N:.*]]: index
// CHECK-NEXT:    %[[V0:.*]] = array.replicate %[[A]], %[[N]] : (i64) -> tensor<?xi64>
// CHECK-NEXT:    %[[V1:.*]] = array.replicate %[[B]], %[[N]] : (i64) -> tensor<?xi64>
// CHECK-NEXT:    %[[V2:.*]] = arith.divsi %[[V0]], %[[V1]] : tensor<?xi64>
// CHECK-NEXT:    %[[V3:.*]] = arith.divsi %[[A]], %[[B]] : i64
// CHECK-NEXT:    %[[V4:.*]] = array.replicate %[[V3]] : (i64) -> tensor<3xi64>
// CHECK-NEXT:    return %[[V2]], %[[V4]] : tensor<?xi64>, tensor<3xi64>
func.func @divides_as_often_as_before(%a: i64, %b: i64, %n: index) -> (tensor<?xi64>, tensor<3xi64>) {
  %z = array.build (%i < %n) -> (tensor<?xi64>) {
    %q = arith.divsi %a, %b : i64
    array.yield %q : i64
  }
  %w = array.build (%i < 3) -> (tensor<3xi64>) {
    %q = arith.divsi %a, %b : i64
    array.yield %q : i64
  }
  return %z, %w : tensor<?xi64>, tensor<3xi64>
}

// A selection of arrays at run time has a size that depends on the index: the whole body remains a loop.
// CHECK-LABEL: func.func @arms_of_unknown_sizes
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<3xi1>
// CHECK-NEXT:    %[[V0:.*]] = array.iota : tensor<3xindex>
// CHECK-NEXT:    %[[V1:.*]] = array.map_accum (%[[I3:.*]] = %[[V0]] : tensor<3xindex>) iter_args() -> (tensor<3xf64>) {
// CHECK-NEXT:      %[[V2:.*]] = array.get %[[B]][%[[I3]]] : (tensor<3xi1>) -> i1
// CHECK-NEXT:      %[[V3:.*]] = scf.if %[[V2]] -> (tensor<?xf64>) {
// CHECK-NEXT:        scf.yield %[[X]] : tensor<?xf64>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[Y]] : tensor<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[V4:.*]] = array.sum %[[V3]] : (tensor<?xf64>) -> f64
// CHECK-NEXT:      array.yield %[[V4]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[V1]] : tensor<3xf64>
func.func @arms_of_unknown_sizes(%x: tensor<?xf64>, %y: tensor<?xf64>, %b: tensor<3xi1>) -> tensor<3xf64> {
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %c = array.get %b[%i] : (tensor<3xi1>) -> i1
    %r = scf.if %c -> (tensor<?xf64>) {
      scf.yield %x : tensor<?xf64>
    } else {
      scf.yield %y : tensor<?xf64>
    }
    %s = array.sum %r : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<3xf64>
}
