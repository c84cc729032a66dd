// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(recognise-idioms))' -o %t.same.mlir 2>&1 | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize,recognise-idioms))' -o %t.mlir 2>&1 | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(normalise-terms{rules=all,stable,recurrence},recognise-idioms))' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=STABLE
// RUN: mlopt run %s --entry @softmax --arg '[1000, 1000, 0]' --interpret | FileCheck %s --check-prefix=OVERFLOW
// RUN: mlopt run %t.mlir --entry @softmax --arg '[1000, 1000, 0]' --interpret | FileCheck %s --check-prefix=HALVES
// RUN: mlopt run %t.mlir --entry @softmax --arg '[1000, 1000, 0]' | FileCheck %s --check-prefix=HALVES
// RUN: mlopt run %t.mlir --entry @log_sum_exp --arg '[1000, 0, 0]' | FileCheck %s --check-prefix=THOUSAND
// RUN: mlopt run %s --entry @recurrence --arg '[1, 2, 3, 4]' --arg -2 --arg 0.5 --interpret | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %t.mlir --entry @recurrence --arg '[1, 2, 3, 4]' --arg -2 --arg 0.5 --interpret | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %t.mlir --entry @recurrence --arg '[1, 2, 3, 4]' --arg -2 --arg 0.5 | FileCheck %s --check-prefix=LAST
// Recognised idioms, in any form; and rules on request: stable forms, recurrences as sums.

// OVERFLOW:  [nan nan 0.]
// HALVES:    [0.5 0.5 0. ]
// THOUSAND:  1000
// LAST:      {{^}}6

func.func @matrix_product(%a: tensor<4x5xf64>, %b: tensor<5x3xf64>) -> tensor<4x3xf64> {
  // CHECK:      remark: matrix product ik,kj->ij (i = 4, j = 3, k = 5)
  // STABLE:     remark: matrix product ik,kj->ij (i = 4, j = 3, k = 5)
  %c = array.build (%i < 4, %j < 3) -> (tensor<4x3xf64>) {
    %p = array.build (%k < 5) -> (tensor<5xf64>) {
      %x = array.get %a[%i, %k] : (tensor<4x5xf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<5x3xf64>) -> f64
      %z = arith.mulf %x, %y : f64
      array.yield %z : f64
    }
    %s = array.sum %p : (tensor<5xf64>) -> f64
    array.yield %s : f64
  }
  return %c : tensor<4x3xf64>
}

// The same in bulk, with the first matrix transposed.
func.func @transposed(%a: tensor<5x4xf64>, %b: tensor<5x3xf64>) -> tensor<4x3xf64> {
  // CHECK:      remark: matrix product ki,kj->ij (i = 4, j = 3, k = 5)
  %t = array.transpose %a [1, 0] : (tensor<5x4xf64>) -> tensor<4x5xf64>
  %r = array.replicate %t : (tensor<4x5xf64>) -> tensor<3x4x5xf64>
  %u = array.transpose %r [1, 2, 0] : (tensor<3x4x5xf64>) -> tensor<4x5x3xf64>
  %q = array.replicate %b : (tensor<5x3xf64>) -> tensor<4x5x3xf64>
  %p = arith.mulf %u, %q : tensor<4x5x3xf64>
  %c = array.sum %p axes [1] : (tensor<4x5x3xf64>) -> tensor<4x3xf64>
  return %c : tensor<4x3xf64>
}

func.func @matrix_times_vector(%a: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK:      remark: product of matrix and vector ik,k->i (i = ?, k = ?)
  %n = array.length %a : tensor<?x?xf64>
  %m = array.length %v : tensor<?xf64>
  %c = array.build (%i < %n) -> (tensor<?xf64>) {
    %p = array.build (%k < %m) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %k] : (tensor<?x?xf64>) -> f64
      %y = array.get %v[%k] : (tensor<?xf64>) -> f64
      %z = arith.mulf %x, %y : f64
      array.yield %z : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %c : tensor<?xf64>
}

func.func @batched(%a: tensor<9x4x5xf32>, %b: tensor<9x5x3xf32>) -> tensor<9x4x3xf32> {
  // CHECK:      remark: batched matrix product ijk,ikl->ijl (i = 9, j = 4, l = 3, k = 5)
  %c = array.build (%n < 9, %i < 4, %j < 3) -> (tensor<9x4x3xf32>) {
    %p = array.build (%k < 5) -> (tensor<5xf32>) {
      %x = array.get %a[%n, %i, %k] : (tensor<9x4x5xf32>) -> f32
      %y = array.get %b[%n, %k, %j] : (tensor<9x5x3xf32>) -> f32
      %z = arith.mulf %y, %x : f32
      array.yield %z : f32
    }
    %s = array.sum %p : (tensor<5xf32>) -> f32
    array.yield %s : f32
  }
  return %c : tensor<9x4x3xf32>
}

func.func @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  // CHECK:      remark: dot product k,k-> (k = ?)
  %p = arith.mulf %a, %b : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func @outer(%a: tensor<4xf64>, %b: tensor<5xf64>) -> tensor<4x5xf64> {
  // CHECK:      remark: outer product i,j->ij (i = 4, j = 5)
  %c = array.build (%i < 4, %j < 5) -> (tensor<4x5xf64>) {
    %x = array.get %a[%i] : (tensor<4xf64>) -> f64
    %y = array.get %b[%j] : (tensor<5xf64>) -> f64
    %z = arith.mulf %x, %y : f64
    array.yield %z : f64
  }
  return %c : tensor<4x5xf64>
}

func.func @convolution(%x: tensor<9x9xf64>, %w: tensor<3x3xf64>) -> tensor<7x7xf64> {
  // CHECK:      remark: convolution in 2 dimensions [i + k, j + p][k, p]->ij (i = 7, j = 7, k = 3, p = 3)
  %r = array.build (%i < 7, %j < 7) -> (tensor<7x7xf64>) {
    %p = array.build (%k < 3, %l < 3) -> (tensor<3x3xf64>) {
      %ik = arith.addi %i, %k : index
      %jl = arith.addi %j, %l : index
      %a = array.get %x[%ik, %jl] : (tensor<9x9xf64>) -> f64
      %b = array.get %w[%k, %l] : (tensor<3x3xf64>) -> f64
      %z = arith.mulf %a, %b : f64
      array.yield %z : f64
    }
    %s = array.sum %p axes [0, 1] : (tensor<3x3xf64>) -> f64
    array.yield %s : f64
  }
  return %r : tensor<7x7xf64>
}

// Not an idiom: there is no sum.
func.func @elementwise(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK-NOT:  remark: {{.*}} product
  %p = arith.mulf %a, %b : tensor<4xf64>
  return %p : tensor<4xf64>
}

func.func @softmax(%x: tensor<3xf64>) -> tensor<3xf64> {
  // CHECK:      remark: softmax that may overflow (rules `stable`) along axis 0
  // STABLE:     remark: softmax of differences from the maximum along axis 0
  %e = math.exp %x fastmath<fast> : tensor<3xf64>
  %s = array.sum %e : (tensor<3xf64>) -> f64
  %r = array.replicate %s : (f64) -> tensor<3xf64>
  %q = arith.divf %e, %r fastmath<fast> : tensor<3xf64>
  return %q : tensor<3xf64>
}

func.func @log_sum_exp(%x: tensor<3xf64>) -> f64 {
  // CHECK:      remark: log-sum-exp that may overflow (rules `stable`)
  // STABLE:     remark: log-sum-exp of differences from the maximum
  %e = math.exp %x fastmath<fast> : tensor<3xf64>
  %s = array.sum %e : (tensor<3xf64>) -> f64
  %q = math.log %s fastmath<fast> : f64
  return %q : f64
}

func.func @recurrence(%a: tensor<?xf64>, %c: f64, %z: f64) -> f64 {
  // STABLE:     remark: dot product k,k-> (k = ?)
  %n = array.length %a : tensor<?xf64>
  %r = array.ifold (%i < %n) iter_args(%s = %z) -> (f64) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %s, %c fastmath<reassoc> : f64
    %q = arith.addf %p, %x fastmath<reassoc> : f64
    array.yield %q : f64
  }
  return %r : f64
}
