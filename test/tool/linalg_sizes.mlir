// RUN: mlopt run %s --entry @sum --arg '[1, 2, 3]' --arg '[1, 2, 3]' | FileCheck %s
// RUN: not mlopt run %s --entry @sum --arg '[1, 2, 3]' --arg '[1, 2, 3, 4]' 2>&1 | FileCheck %s --check-prefix=LONGER
// RUN: not mlopt run %s --entry @sum --arg '[1, 2, 3]' --arg '[1, 2, 3, 4]' --interpret 2>&1 | FileCheck %s --check-prefix=LONGER
// RUN: not mlopt run %s --entry @sum --arg '[1, 2, 3, 4]' --arg '[1, 2, 3]' 2>&1 | FileCheck %s --check-prefix=SHORTER
// RUN: not mlopt run %s --entry @slope --arg '[1, 2, 3]' --arg '[1, 2]' 2>&1 | FileCheck %s --check-prefix=SLOPE
// Axes of different sizes in one loop stop the program, and the interpreter.

// CHECK:   [2. 4. 6.]
// LONGER:  linalg_sizes.mlir:[[#@LINE+6]]:8: error: {{.*}}axes of loop 0 must have equal sizes, found 3 and 4
// SHORTER: linalg_sizes.mlir:[[#@LINE+5]]:8: error: {{.*}}axes of loop 0 must have equal sizes, found 4 and 3
func.func @sum(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %z = linalg.add ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
// SLOPE:   linalg_sizes.mlir:[[#@LINE+5]]:8: error: invalid-size: axes of loop 0 must have equal sizes, found 3 and 2
func.func private @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
  %d = linalg.dot ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%s : tensor<f64>) -> tensor<f64>
  %z = tensor.extract %d[] : tensor<f64>
  return %z : f64
}
func.func @slope(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @dot(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
