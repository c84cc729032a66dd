// Programs of `linalg` and `tensor` run without changes: `mlopt run`, `compile` and the evaluator convert them to arrays
// first.
// RUN: mlopt run %s --entry @rows --arg '[[1, 2, 3], [0, 0, 1000]]' | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %s --entry @rows --arg '[[1, 2, 3], [0, 0, 1000]]' --interpret | FileCheck %s --check-prefix=ROWS
// RUN: mlopt run %s --entry @rows --arg 'zeros:0x3xf64' | FileCheck %s --check-prefix=EMPTY
// RUN: mlopt run %s --entry @gradient --arg '[[1, 2, 3]]' --arg '[[1, 0, 0]]' | FileCheck %s --check-prefix=GRADIENT
// RUN: mlopt run %s --entry @gradient --arg '[[1, 2, 3]]' --arg '[[1, 0, 0]]' --interpret | FileCheck %s --check-prefix=GRADIENT
// RUN: mlopt run %s --entry @is_formula --arg 'random:17x9xf64:seed=1:normal=0,20' | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt run %s --entry @is_formula --arg 'random:17x9xf64:seed=1:normal=0,20' --interpret | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt run %s --entry @is_formula --arg 'random:1x33xf64:seed=2' | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt run %s --entry @singles --arg '[1, 2, 3]' | FileCheck %s --check-prefix=SINGLES
// RUN: mlopt compile %s --emit=mlir | FileCheck %s --check-prefix=COMPILED

// eˣ / Σ eˣ of (1, 2, 3), and of (0, 0, 1000) without an overflow.
// ROWS:      {{\[\[}}0.09003057 0.24472847 0.66524096]
// ROWS-NEXT: [0. 0. 1. ]]
// EMPTY: {{^\[\]$}}
// The first row of diag s - s sᵀ.
// GRADIENT: {{\[\[}} 0.08192507 -0.02203304 -0.05989202]]
// EQUAL: {{^True$}}
// SINGLES: [0.09003057 0.24472848 0.66524094]
// COMPILED: llvm.func @rows

func.func @rows(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %m = tensor.dim %x, %0 : tensor<?x?xf64>
  %n = tensor.dim %x, %1 : tensor<?x?xf64>
  %o = tensor.empty(%m, %n) : tensor<?x?xf64>
  %z = linalg.softmax dimension(1) ins(%x : tensor<?x?xf64>) outs(%o : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

func.func @gradient(%x: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %z, %g = dual.vjp @rows(%x) cotangents(%c) : (tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %g : tensor<?x?xf64>
}

// Along the first axis; element by element by the formula: at most 1e-14 apart.
func.func @is_formula(%x: tensor<?x?xf64>) -> i1 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %bound = arith.constant 1.0e-14 : f64
  %m = tensor.dim %x, %0 : tensor<?x?xf64>
  %n = tensor.dim %x, %1 : tensor<?x?xf64>
  %o = tensor.empty(%m, %n) : tensor<?x?xf64>
  %z = linalg.softmax dimension(0) ins(%x : tensor<?x?xf64>) outs(%o : tensor<?x?xf64>) -> tensor<?x?xf64>
  %worst = array.ifold (%j < %n) iter_args(%a = %zero) -> (f64) {
    %first = array.get %x[%0, %j] : (tensor<?x?xf64>) -> f64
    %greatest = array.ifold (%i < %m) iter_args(%g = %first) -> (f64) {
      %v = array.get %x[%i, %j] : (tensor<?x?xf64>) -> f64
      %h = arith.maximumf %g, %v : f64
      array.yield %h : f64
    }
    %sum = array.ifold (%i < %m) iter_args(%s = %zero) -> (f64) {
      %v = array.get %x[%i, %j] : (tensor<?x?xf64>) -> f64
      %d = arith.subf %v, %greatest : f64
      %e = math.exp %d : f64
      %t = arith.addf %s, %e : f64
      array.yield %t : f64
    }
    %b = array.ifold (%i < %m) iter_args(%c = %a) -> (f64) {
      %v = array.get %x[%i, %j] : (tensor<?x?xf64>) -> f64
      %d = arith.subf %v, %greatest : f64
      %e = math.exp %d : f64
      %q = arith.divf %e, %sum : f64
      %found = array.get %z[%i, %j] : (tensor<?x?xf64>) -> f64
      %difference = arith.subf %found, %q : f64
      %far = math.absf %difference : f64
      %w = arith.maximumf %c, %far : f64
      array.yield %w : f64
    }
    array.yield %b : f64
  }
  %equal = arith.cmpf ole, %worst, %bound : f64
  return %equal : i1
}

func.func @singles(%x: tensor<3xf32>) -> tensor<3xf32> {
  %o = tensor.empty() : tensor<3xf32>
  %z = linalg.softmax dimension(0) ins(%x : tensor<3xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
