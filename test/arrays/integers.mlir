// Total division of integers: towards -∞, and defined where the divisor is zero or the quotient does not fit
// (spec/arrays.md A.3.4). Integers carry no derivative.

// RUN: mlopt run %s --entry @division --arg '[-7, -6, -1, 0, 7, 7]' --arg '[3, 3, 3, 3, -3, 0]' | FileCheck %s --check-prefix=DIVISION
// RUN: mlopt run %s --entry @division --arg '[-7, -6, -1, 0, 7, 7]' --arg '[3, 3, 3, 3, -3, 0]' --interpret | FileCheck %s --check-prefix=DIVISION
// RUN: mlopt run %s --entry @division --arg '[-9223372036854775808]' --arg '[-1]' | FileCheck %s --check-prefix=LEAST
// RUN: mlopt run %s --entry @division --arg '[-9223372036854775808]' --arg '[-1]' --interpret | FileCheck %s --check-prefix=LEAST
// RUN: mlopt run %s --entry @positions --arg '[-1.5, -0.0, 2.75, 1e300, -inf, nan]' | FileCheck %s --check-prefix=FLOOR
// RUN: mlopt run %s --entry @positions --arg '[-1.5, -0.0, 2.75, 1e300, -inf, nan]' --interpret | FileCheck %s --check-prefix=FLOOR
// RUN: mlopt run %s --entry @steps_and_slope --arg '[0.25, 1.5, 2.75, 3.5, nan]' | FileCheck %s --check-prefix=STEPS
// RUN: mlopt run %s --entry @steps_and_slope --arg '[0.25, 1.5, 2.75, 3.5, nan]' --interpret | FileCheck %s --check-prefix=STEPS

// DIVISION:      [-3 -2 -1  0 -3  0]
// DIVISION-NEXT: [ 2  0  2  0 -2  7]
// LEAST:      [-9223372036854775808]
// LEAST-NEXT: [0]
func.func @division(%x: tensor<?xi64>, %y: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %q = array.div %x, %y : tensor<?xi64>
  %r = array.mod %x, %y : tensor<?xi64>
  return %q, %r : tensor<?xi64>, tensor<?xi64>
}

//===-- The integer below: the nearest that there is for what no integer holds, and zero for NaN. -------------------===//

// FLOOR: [                  -2                    0                    2
// FLOOR-NEXT:   9223372036854775807 -9223372036854775808                    0]
func.func @positions(%x: tensor<?xf64>) -> tensor<?xindex> {
  %k = array.floor %x : (tensor<?xf64>) -> tensor<?xindex>
  return %k : tensor<?xindex>
}

//===-- Interpolation by position: the integer part chooses, only the rest is differentiated. ----------------------===//

// A position outside reads zero.
func.func @steps(%x: tensor<?xf64>) -> tensor<?xf64> {
  %slopes = arith.constant dense<[1.0, 10.0, 100.0]> : tensor<3xf64>
  %n = array.length %x : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %k = array.floor %e : (f64) -> index
    %slope = array.get %slopes[%k] : (tensor<3xf64>) -> f64
    %p = arith.mulf %slope, %e : f64
    array.yield %p : f64
  }
  return %z : tensor<?xf64>
}
// STEPS:      [2.50e-01 1.50e+01 2.75e+02 0.00e+00      nan]
// STEPS-NEXT: [  1.  10. 100.   0.   1.]
func.func @steps_and_slope(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %n = array.length %x : tensor<?xf64>
  %ones = array.replicate %one, %n : (f64) -> tensor<?xf64>
  %z, %z_t = dual.jvp @steps(%x) tangents(%ones) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %z, %z_t : tensor<?xf64>, tensor<?xf64>
}
