// `mlopt check-grad`: derivatives that agree, a kink, a wrong derivative, too much work, and no derivative.

// RUN: mlopt check-grad %s --entry @mean | FileCheck %s --check-prefix=MEAN
// RUN: mlopt check-grad %s --entry @relu --set 'x=[0, 1]' | FileCheck %s --check-prefix=KINK
// RUN: not mlopt check-grad %s --entry @frozen | FileCheck %s --check-prefix=WRONG
// RUN: not mlopt check-grad %s --entry @log --range -3,-1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: mlopt check-grad %s --entry @single --wrt 0 | FileCheck %s --check-prefix=SINGLE
// RUN: mlopt check-grad %s --entry @weighted --size n=3 --size x.0=3 --points 2 | FileCheck %s --check-prefix=SIZES
// RUN: not mlopt check-grad %s --entry @weighted --size n=5 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not mlopt check-grad %s --entry @no_input 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not mlopt check-grad %s --entry @no_result 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not mlopt check-grad %s --entry @weighted --wrt n 2>&1 | FileCheck %s --check-prefix=WRT
// RUN: not mlopt check-grad %s --entry @weighted --size m=4 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not mlopt check-grad %s --entry @weighted --range n=0,1 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not mlopt check-grad %s --entry @log --range 2,1 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mlopt check-grad %s --entry @log --set x=[1] 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not mlopt check-grad %s --entry @region 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: not mlopt check-grad %s --entry @thousandth --set x=0.5 --points 1 | FileCheck %s --check-prefix=THOUSANDTH
// RUN: not mlopt check-grad %s --entry @lost --set x=0.5 --points 1 | FileCheck %s --check-prefix=LOST
// RUN: not mlopt check-grad %s --entry @opposite --set x=3 --points 1 | FileCheck %s --check-prefix=OPPOSITE
// RUN: mlopt check-grad %s --entry @ramp --set x=0 --points 1 | FileCheck %s --check-prefix=AT-KINK
// RUN: mlopt check-grad %s --entry @ramp --set x=1e-9 --points 1 | FileCheck %s --check-prefix=NEAR-KINK
// RUN: mlopt check-grad %s --entry @ramp --set x=1e-6 --points 1 | FileCheck %s --check-prefix=AWAY
// RUN: mlopt check-grad %s --entry @jump --set x=2 --points 1 | FileCheck %s --check-prefix=JUMP
// RUN: not mlopt check-grad %s --entry @square --set x=0 --points 1 | FileCheck %s --check-prefix=SQUARE

// The report names the omitted integer result; the work of the gradient grows with that of the function.
// MEAN:      @mean: 5 points, seed 0
// MEAN:      input {{.*}} jvp~differences
// MEAN-NEXT: %x {{ *}}tensor<?xf64> {{ *}}5 {{ *}}0 {{ *}}0 {{ *}}0 {{ *}}0
// MEAN-NEXT: skipped: result #1: index is not a float and has no derivative
// MEAN:      %x: 4 {{.*}}1.4x{{.*}}1.4x
// MEAN-NEXT: %x: 8 {{.*}}1.4x{{.*}}1.4x
// MEAN-NEXT: %x: 16 {{.*}}1.5x{{.*}}1.5x
// MEAN:      all derivatives agree
func.func @mean(%x: tensor<?xf64>) -> (f64, index) {
  %n = array.length %x : tensor<?xf64>
  %y = math.exp %x : tensor<?xf64>
  %s = array.sum %y : (tensor<?xf64>) -> f64
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f64
  %z = arith.divf %s, %f : f64
  return %z, %n : f64, index
}

// At 0 the quotients from the two sides differ: neither side is wrong.
// KINK:      %x {{ *}}tensor<?xf64> {{ *}}0 {{ *}}5 {{ *}}0 {{ *}}0 {{ *}}0 {{ *}}- {{ *}}-
// KINK-NEXT: kink: %x at point 0: the quotient is 0.452978 before and -0.191072 after, the derivative -0.191072
// KINK:      no derivative disagrees
func.func @relu(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %c = arith.constant 0.0 : f64
  %z = array.replicate %c, %n : (f64) -> tensor<?xf64>
  %y = arith.maximumf %x, %z : tensor<?xf64>
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}

// x·x with one factor declared constant: the derivative is half of that of the function.
// WRONG:         %x {{ *}}f64 {{ *}}0 {{ *}}0 {{ *}}0 {{ *}}0 {{ *}}5
// WRONG-COUNT-5: FAILED %x at point {{[0-4]}}: the derivative is
// WRONG-NOT:     agree
func.func @frozen(%x: f64) -> f64 {
  %c = dual.stop_gradient %x : f64
  %y = arith.mulf %x, %c : f64
  return %y : f64
}

// OUTSIDE:      %x {{ *}}f64 {{ *}}0 {{ *}}0 {{ *}}5 {{ *}}0 {{ *}}0
// OUTSIDE-NEXT: not finite: %x at point 0: no derivative there; `--range` chooses other points
// OUTSIDE:      FAILED %x: no point could be checked
// SHAPE: {{.*}}check-grad.mlir:[[#@LINE+2]]:1: error: --set `x=[1]`: expected a scalar of type f64, found an array of shape [1]
// ORDER: {{.*}}check-grad.mlir:[[#@LINE+1]]:1: error: --range `2,1`: expected two numbers LOW < HIGH like `0.5,2`, found `2,1`
func.func @log(%x: f64) -> f64 {
  %y = math.log %x : f64
  return %y : f64
}

// SINGLE: %x {{ *}}tensor<?xf32> {{ *}}5
// SINGLE-NOT: {{^}}%y
// SINGLE: all derivatives agree
func.func @single(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
  %p = arith.mulf %x, %y : tensor<?xf32>
  %e = math.exp %p : tensor<?xf32>
  %r = array.sum %e : (tensor<?xf32>) -> f32
  return %r : f32
}

// An index that is a size is declared to be one.
// SIZES:      skipped: %n: index is not a float and has no derivative
// SIZES:      %x: 3, %n = 3
// SIZES-NEXT: %x: 6, %n = 6
// SIZES-NEXT: %x: 12, %n = 12
// DIFFER: {{.*}}check-grad.mlir:[[#@LINE+9]]:8: error: 'arith.mulf' op needs operands of the same shape, found [4] and [5] (sizes: %x: 4, %n = 5; `--size` and `--set` choose others)
// WRT:   {{.*}}check-grad.mlir:[[#@LINE+3]]:1: error: --wrt: expected inputs of floats, found %n: index
// NAME:  {{.*}}check-grad.mlir:[[#@LINE+2]]:1: error: --size `m=4`: unknown input `m`; `@weighted` has %x: tensor<?xf64>, %n: index
// RANGE: {{.*}}check-grad.mlir:[[#@LINE+1]]:1: error: --range `n=0,1`: expected an input of floats, found %n: index
func.func @weighted(%x: tensor<?xf64>, %n: index) -> f64 {
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %p = arith.mulf %x, %y : tensor<?xf64>
  %r = array.sum %p : (tensor<?xf64>) -> f64
  return %r : f64
}

// INPUT: error: `@no_input` has no derivative: expected an input of floats, found %n: index
func.func @no_input(%n: index) -> f64 {
  %y = arith.constant 1.0 : f64
  return %y : f64
}

// RESULT: error: `@no_result` has no derivative: expected a result of floats, found index
func.func @no_result(%x: f64) -> index {
  %y = array.floor %x : (f64) -> index
  return %y : index
}

// An op that cannot be differentiated is reported at its location.
// RULE: {{.*}}check-grad.mlir:[[#@LINE+2]]:8: error: 'scf.execute_region' op cannot be differentiated
func.func @region(%x: f64) -> f64 {
  %y = scf.execute_region -> f64 {
    scf.yield %x : f64
  }
  return %y : f64
}

// A thousandth of the derivative is missing.
// THOUSANDTH: FAILED %x at point 0: the derivative is -1.06185{{.*}}, by differences -1.06292
func.func @thousandth(%x: f64) -> f64 {
  %c = dual.stop_gradient %x : f64
  %part = arith.constant 0.001 : f64
  %y = math.exp %x : f64
  %e = math.exp %c : f64
  %p = arith.mulf %part, %e : f64
  %z = arith.addf %y, %p : f64
  return %z : f64
}

// LOST: FAILED %x at point 0: the derivative is 0, by differences -1.06185
func.func @lost(%x: f64) -> f64 {
  %c = dual.stop_gradient %x : f64
  %z = math.exp %c : f64
  return %z : f64
}

// OPPOSITE: FAILED %x at point 0: the derivative is -637.604{{.*}}, by differences 637.604
func.func @opposite(%x: f64) -> f64 {
  %c = dual.stop_gradient %x : f64
  %k = arith.constant 1000.0 : f64
  %two = arith.constant 2.0 : f64
  %y = math.sin %x : f64
  %e = math.sin %c : f64
  %p = arith.mulf %two, %e : f64
  %d = arith.subf %p, %y : f64
  %z = arith.mulf %k, %d : f64
  return %z : f64
}

// At a distance of 1e-6, the steps become shorter than the distance to the kink, and approximate the derivative.
// AT-KINK:   kink: %x at point 0: the quotient is 0.000000 before and -0.644050 after, the derivative -0.644050
// NEAR-KINK: kink: %x at point 0: the quotient is -0.00{{.*}} before and -0.644050 after, the derivative -0.644050
// AWAY:      all derivatives agree
func.func @ramp(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = arith.maximumf %x, %zero : f64
  return %y : f64
}

// JUMP: kink: %x at point 0: the quotient is -3584{{[0-9]+}}.{{.*}} before and -0.644050 after, the derivative -0.644050
func.func @jump(%x: f64) -> f64 {
  %f = math.floor %x : f64
  %y = arith.addf %f, %x : f64
  return %y : f64
}

// The function is smooth, but its derivative is infinity times zero.
// SQUARE: FAILED %x at point 0: the derivative is NaN, by differences 0
func.func @square(%x: f64) -> f64 {
  %s = arith.mulf %x, %x : f64
  %p = arith.mulf %s, %s : f64
  %y = math.sqrt %p : f64
  return %y : f64
}
