// Sums of products that are read under a condition, because sizes may differ: a read out of range gives 0.

// RUN: mlopt run %s --entry @batched --arg random:1x2x5xf64:seed=1 --arg random:1x5x2xf64:seed=2 --arg 3 | FileCheck %s
// RUN: mlopt run %s --entry @batched --arg random:1x2x5xf64:seed=1 --arg random:1x5x2xf64:seed=2 --arg 3 --interpret | FileCheck %s
// RUN: mlopt run %s --entry @convolution --arg random:3x7xf64:seed=1 --arg random:1x3x4xf64:seed=2 | FileCheck %s --check-prefix=CONV
// RUN: mlopt run %s --entry @convolution --arg random:3x7xf64:seed=1 --arg random:1x3x4xf64:seed=2 --interpret | FileCheck %s --check-prefix=CONV
// CHECK:      {{\[\[\[}}0.10047555 0.095172   0.        ]
// CHECK-NEXT:  [0.24508551 0.13305462 0.        ]]]
// CONV: {{\[\[}}0.51555821 0.47862634 0.46533044 0.338524  ]]

// Columns from %n on are zero where %y has fewer.
func.func @batched(%x: tensor<?x?x?xf64>, %y: tensor<?x?x?xf64>, %n: index) -> tensor<?x?x?xf64> {
  %b = array.length %x : tensor<?x?x?xf64>
  %m = array.length %x axis 1 : tensor<?x?x?xf64>
  %k = array.length %x axis 2 : tensor<?x?x?xf64>
  %products = array.build (%i < %b, %r < %m, %c < %n) -> (tensor<?x?x?xf64>) {
    %terms = array.build (%t < %k) -> (tensor<?xf64>) {
      %p = array.get %x[%i, %r, %t] : (tensor<?x?x?xf64>) -> f64
      %q = array.get %y[%i, %t, %c] : (tensor<?x?x?xf64>) -> f64
      %pq = arith.mulf %p, %q : f64
      array.yield %pq : f64
    }
    %sum = array.sum %terms : (tensor<?xf64>) -> f64
    array.yield %sum : f64
  }
  %eighth = arith.constant 0.125 : f64
  %row = array.replicate %eighth, %n : (f64) -> tensor<?xf64>
  %rows = array.replicate %row, %m : (tensor<?xf64>) -> tensor<?x?xf64>
  %all = array.replicate %rows, %b : (tensor<?x?xf64>) -> tensor<?x?x?xf64>
  %z = arith.mulf %products, %all : tensor<?x?x?xf64>
  return %z : tensor<?x?x?xf64>
}

// A sum of sums, of which the inner one is the product.
func.func @convolution(%x: tensor<?x?xf64>, %w: tensor<?x?x4xf64>) -> tensor<?x?xf64> {
  %channels = array.length %x : tensor<?x?xf64>
  %n = array.length %x axis 1 : tensor<?x?xf64>
  %filters = array.length %w : tensor<?x?x4xf64>
  %three = arith.constant 3 : index
  %inner = arith.subi %n, %three : index
  %sums = array.build (%f < %filters, %i < %inner) -> (tensor<?x?xf64>) {
    %each = array.build (%c < %channels) -> (tensor<?xf64>) {
      %terms = array.build (%t < 4) -> (tensor<4xf64>) {
        %j = arith.addi %i, %t : index
        %p = array.get %x[%c, %j] : (tensor<?x?xf64>) -> f64
        %q = array.get %w[%f, %c, %t] : (tensor<?x?x4xf64>) -> f64
        %pq = arith.mulf %p, %q : f64
        array.yield %pq : f64
      }
      %sum = array.sum %terms : (tensor<4xf64>) -> f64
      array.yield %sum : f64
    }
    %total = array.sum %each fastmath<reassoc> : (tensor<?xf64>) -> f64
    array.yield %total : f64
  }
  %eighth = arith.constant 0.125 : f64
  %row = array.replicate %eighth, %inner : (f64) -> tensor<?xf64>
  %all = array.replicate %row, %filters : (tensor<?xf64>) -> tensor<?x?xf64>
  %z = arith.mulf %sums, %all : tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
