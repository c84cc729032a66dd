// A read out of range is zero in every context: no transformation may read another value there
// (spec/arrays.md A.3.1, B.1).

// RUN: mlopt run %s --entry @past_the_end --arg '[0, 1, 2]' | FileCheck %s --check-prefix=PAST
// RUN: mlopt run %s --entry @past_the_end --arg '[0, 1, 2]' --interpret | FileCheck %s --check-prefix=PAST
// RUN: mlopt run %s --entry @before_the_start --arg '[5, 6, 7]' | FileCheck %s --check-prefix=BEFORE
// RUN: mlopt run %s --entry @before_the_start --arg '[5, 6, 7]' --interpret | FileCheck %s --check-prefix=BEFORE
// RUN: mlopt run %s --entry @beside_the_row --arg '[1, 2, 3, 4, 5, 6]' | FileCheck %s --check-prefix=BESIDE
// RUN: mlopt run %s --entry @beside_the_row --arg '[1, 2, 3, 4, 5, 6]' --interpret | FileCheck %s --check-prefix=BESIDE
// RUN: mlopt run %s --entry @smooth_and_jacobian --arg '[1, 2, 4]' --arg '[1, 10, 100]' | FileCheck %s --check-prefix=STENCIL
// RUN: mlopt run %s --entry @smooth_and_jacobian --arg '[1, 2, 4]' --arg '[1, 10, 100]' --interpret | FileCheck %s --check-prefix=STENCIL
// RUN: mlopt run %s --entry @twice --arg '[1, 2, 3]' | FileCheck %s --check-prefix=TWICE
// RUN: mlopt run %s --entry @twice --arg '[1, 2, 3]' --interpret | FileCheck %s --check-prefix=TWICE

//===-- e^x, then a read: outside it is 0, not e⁰. The derivative there is 0 as well. ------------------------------===//

func.func @shifted_exp(%x: tensor<3xf64>) -> tensor<3xf64> {
  %two = arith.constant 2 : index
  %e = math.exp %x : tensor<3xf64>
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %k = arith.addi %i, %two : index
    %v = array.get %e[%k] : (tensor<3xf64>) -> f64
    array.yield %v : f64
  }
  return %z : tensor<3xf64>
}
// PAST:      [7.3890561 0.        0.       ]
// PAST-NEXT: {{\[\[}}0.        0.        7.3890561]
// PAST-NEXT:  [0.        0.        0.       ]
// PAST-NEXT:  [0.        0.        0.       ]]
func.func @past_the_end(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3x3xf64>) {
  %z = func.call @shifted_exp(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %j = dual.jacobian @shifted_exp(%x) : (tensor<3xf64>) -> tensor<3x3xf64>
  return %z, %j : tensor<3xf64>, tensor<3x3xf64>
}

//===-- Negative positions do not count from the end. ---------------------------------------------------------------===//

// BEFORE: [0. 0. 5.]
func.func @before_the_start(%x: tensor<3xf64>) -> tensor<3xf64> {
  %two = arith.constant 2 : index
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %k = arith.subi %i, %two : index
    %v = array.get %x[%k] : (tensor<3xf64>) -> f64
    array.yield %v : f64
  }
  return %z : tensor<3xf64>
}

//===-- (0, 3) is outside a 2 × 3 matrix, though its place in memory is (1, 0). ------------------------------------===//

// BESIDE: [1. 2. 3. 0. 0. 0.]
func.func @beside_the_row(%x: tensor<6xf64>) -> tensor<6xf64> {
  %c0 = arith.constant 0 : index
  %m = array.reshape %x : (tensor<6xf64>) -> tensor<2x3xf64>
  %z = array.build (%k < 6) -> (tensor<6xf64>) {
    %v = array.get %m[%c0, %k] : (tensor<2x3xf64>) -> f64
    array.yield %v : f64
  }
  return %z : tensor<6xf64>
}

//===-- Zero padding for nothing: a stencil reads beyond both ends. ------------------------------------------------===//

func.func @smooth(%x: tensor<3xf64>, %kernel: tensor<3xf64>) -> tensor<3xf64> {
  %one = arith.constant 1 : index
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %products = array.build (%d < 3) -> (tensor<3xf64>) {
      %sum = arith.addi %i, %d : index
      %at = arith.subi %sum, %one : index
      %w = array.get %kernel[%d] : (tensor<3xf64>) -> f64
      %v = array.get %x[%at] : (tensor<3xf64>) -> f64
      %p = arith.mulf %w, %v : f64
      array.yield %p : f64
    }
    %s = array.sum %products : (tensor<3xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<3xf64>
}
// STENCIL:      [210. 421.  42.]
// STENCIL-NEXT: {{\[\[}} 10. 100.   0.]
// STENCIL-NEXT:  [  1.  10. 100.]
// STENCIL-NEXT:  [  0.   1.  10.]]
// STENCIL-NEXT: {{\[\[}}0. 1. 2.]
// STENCIL-NEXT:  [1. 2. 4.]
// STENCIL-NEXT:  [2. 4. 0.]]
func.func @smooth_and_jacobian(%x: tensor<3xf64>, %kernel: tensor<3xf64>)
    -> (tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) {
  %z = func.call @smooth(%x, %kernel) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %jx, %jk = dual.jacobian @smooth(%x, %kernel) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  return %z, %jx, %jk : tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>
}

//===-- An array after itself by a choice: both reads happen for every index, and the one outside is harmless. ----===//

// TWICE: [1. 2. 3. 1. 2. 3.]
func.func @twice(%a: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %a : tensor<?xf64>
  %both = arith.addi %n, %n : index
  %z = array.build (%i < %both) -> (tensor<?xf64>) {
    %first = arith.cmpi slt, %i, %n : index
    %u = array.get %a[%i] : (tensor<?xf64>) -> f64
    %k = arith.subi %i, %n : index
    %v = array.get %a[%k] : (tensor<?xf64>) -> f64
    %e = arith.select %first, %u, %v : f64
    array.yield %e : f64
  }
  return %z : tensor<?xf64>
}
