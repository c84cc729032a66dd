// The resources of a program are limited. Each message names the option that raises the limit.
// RUN: not mlopt run %s --interpret --entry @spin --arg 1000000000 --max-steps 1000 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: mlopt run %s --interpret --entry @spin --arg 100 --max-steps 1000 | FileCheck %s --check-prefix=ENDS
// RUN: not mlopt run %s --interpret --entry @kept --arg 1000000000000 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not mlopt run %s --interpret --entry @kept --arg 200000 --max-memory 1 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mlopt run %s --entry @kept --arg 200000 --max-memory 1 2>&1 | FileCheck %s --check-prefix=COMPILED
// RUN: not mlopt run %s --entry @sum --arg random:1000x1000xf64 --max-memory 1 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not mlopt run %s --entry @spin --arg 1000000000000 --max-seconds 0.2 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not mlopt run %s --interpret --entry @spin --arg 1000000000000 --max-seconds 0.2 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: mlopt run %s --entry @spin --arg 100 --max-seconds 100 | FileCheck %s --check-prefix=ENDS
// RUN: not mlopt run %s --entry @spin --arg 1 --max-seconds 0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not mlopt run %s --interpret --entry @slope --arg 0.5 --arg 1000000 --max-memory 64 2>&1 | FileCheck %s --check-prefix=GRADIENT
// RUN: not mlopt run %s --entry @slope --arg 0.5 --arg 10000000 --max-memory 64 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not mlopt check-grad %s --entry @sines --set n=1000 --points 5 --max-steps 100000 | FileCheck %s --check-prefix=POINTS
// RUN: not mlopt check-grad %s --entry @sines --set n=1000 --points 5 --max-steps 20000 2>&1 | FileCheck %s --check-prefix=NONE
// STEPS: limits.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}is not run: the program has taken more than 1000 steps; `--max-steps` raises the limit
// ENDS: 100.0
// All calls of the evaluator share the limit, so a report covers the points until then.
// POINTS: %x     f64       2
// POINTS: FAILED 3 of 5 points are not checked: the evaluator has taken all its steps; `--max-steps` raises the limit
// POINTS: FAILED the work is not measured at all sizes: the evaluator has taken all its steps
// POINTS-NOT: agree
// NONE: error: {{.*}} is not run: the program has taken more than 20000 steps; `--max-steps` raises the limit
// ARRAY: limits.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'array.build' op an array of shape [1000000000000] is too large
// SMALL: error: 'array.build' op an array of shape [200000] needs more than 1 MiB of memory; `--max-memory` raises the limit
// COMPILED: error: `@kept` needs 1600000 bytes of memory for a result of shape [200000], more than the limit of 1 MiB, which `--max-memory` raises
// ARGUMENT: expected at most 1048576 bytes, the limit that `--max-memory` raises, found an array of 8000000 bytes
// Compiled code does not count steps: the limit of processor time stops it.
// SECONDS: limits.mlir: error: the program has taken more than 0.2 s of processor time; `--max-seconds` raises the limit
// ZERO: error: invalid value '0' for '--max-seconds <SECONDS>': expected a number from 0.001 to 1e9
// A gradient keeps the values of each iteration.
// GRADIENT: error: {{.*}} needs more than 64 MiB of memory; `--max-memory` raises the limit
// KEPT: error: `@slope` needs 80000064 bytes of memory for intermediate arrays, more than the limit of 64 MiB, which `--max-memory` raises
func.func @spin(%n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %z = array.ifold (%i < %n) iter_args(%s = %zero) -> (f64) {
    %t = arith.addf %s, %one : f64
    array.yield %t : f64
  }
  return %z : f64
}
func.func @kept(%n: index) -> tensor<?xf64> {
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %s = arith.index_cast %i : index to i64
    %t = arith.sitofp %s : i64 to f64
    array.yield %t : f64
  }
  return %z : tensor<?xf64>
}
func.func @sum(%x: tensor<?x?xf64>) -> f64 {
  %z = array.sum %x axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %z : f64
}
func.func @sines(%x: f64, %n: index) -> f64 {
  %z = array.ifold (%i < %n) iter_args(%s = %x) -> (f64) {
    %t = math.sin %s : f64
    array.yield %t : f64
  }
  return %z : f64
}
func.func @slope(%x: f64, %n: index) -> f64 {
  %g = dual.grad @sines(%x, %n) wrt [0] mode reverse : (f64, index) -> f64
  return %g : f64
}
