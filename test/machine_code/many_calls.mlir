// RUN: mlopt check-calls %s --way plain --way kernels
// Elementwise code, guarded and reversed reads, sums, rows, triangles, carried arrays, scratch memory that is reused.
// `lowering/tests/memory.rs` makes a thousand calls, also under valgrind.

// CALL: @elementwise random:{n}xf64 random:{n}x3xf64:seed=2 {k} for n,k = 0,0 1,1 5,0 8,3 36,1
func.func @elementwise(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> (tensor<?xf64>, f64, tensor<?xf64>) {
  %e = math.exp %x : tensor<?xf64>
  %p = arith.mulf %e, %x : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %p, %s, %e : tensor<?xf64>, f64, tensor<?xf64>
}
// CALL: @reads random:{n}xf64 random:{n}x3xf64:seed=2 {k} for n,k = 0,0 1,1 5,0 8,3 36,1
func.func @reads(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> (tensor<?x2xf64>, tensor<?xf64>, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %m = arith.addi %n, %k : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %a, %b = array.build (%i < %m) -> (tensor<?x2xf64>, tensor<?xf64>) {
    %below = arith.subi %i, %k : index
    %u = array.get %x[%below] : (tensor<?xf64>) -> f64
    %v = array.get %y[%i, %below] : (tensor<?x3xf64>) -> f64
    %w = arith.addf %u, %v : f64
    %row = array.replicate %w : (f64) -> tensor<2xf64>
    array.yield %row, %u : tensor<2xf64>, f64
  }
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %j = arith.subi %last, %i : index
    %e = array.get %x[%j] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  return %a, %b, %r : tensor<?x2xf64>, tensor<?xf64>, tensor<?xf64>
}
// CALL: @matrices random:{n}xf64 random:{n}x3xf64:seed=2 {k} for n,k = 0,0 1,1 5,0 8,3 36,1
func.func @matrices(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index)
    -> (tensor<3xf64>, tensor<3x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %columns = array.sum %y : (tensor<?x3xf64>) -> tensor<3xf64>
  %t = array.transpose %y [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>
  %n = array.length %x : tensor<?xf64>
  %outer = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %b = array.get %x[%j] : (tensor<?xf64>) -> f64
    %c = arith.mulf %a, %b : f64
    array.yield %c : f64
  }
  %d = array.sum %outer : (tensor<?x?xf64>) -> tensor<?xf64>
  return %columns, %t, %outer, %d : tensor<3xf64>, tensor<3x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}
// CALL: @loops random:{n}xf64 random:{n}x3xf64:seed=2 {k} for n,k = 0,0 1,1 5,0 8,3 36,1
func.func @loops(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %n = array.length %x : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %z = arith.negf %x : tensor<?xf64>
  %a, %b, %c, %d = array.ifold (%i < %k) iter_args(%u = %x, %v = %z, %w = %x, %s = %zero)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
    %shifted = array.build (%j < %n) -> (tensor<?xf64>) {
      %l = arith.addi %j, %c1 : index
      %e = array.get %w[%l] : (tensor<?xf64>) -> f64
      %f = array.get %w[%j] : (tensor<?xf64>) -> f64
      %g = arith.addf %e, %f : f64
      %h = arith.mulf %g, %half : f64
      array.yield %h : f64
    }
    %sin = math.sin %shifted : tensor<?xf64>
    %q = arith.mulf %shifted, %sin : tensor<?xf64>
    %t = array.sum %q : (tensor<?xf64>) -> f64
    %r = arith.addf %s, %t : f64
    array.yield %v, %u, %shifted, %r : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
  }
  return %a, %b, %c, %d : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}
// CALL: @triangle random:{n}xf64 random:{n}x3xf64:seed=2 {k} for n,k = 0,0 1,1 5,0 8,3 36,1
func.func @triangle(%x: tensor<?xf64>, %y: tensor<?x3xf64>, %k: index) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %head = array.build (%j < %i) -> (tensor<?xf64>) {
      %e = array.get %x[%j] : (tensor<?xf64>) -> f64
      %s = math.tanh %e : f64
      array.yield %s : f64
    }
    %a = array.sum %head : (tensor<?xf64>) -> f64
    %m = array.ifold (%k2 < %i) iter_args(%q = %a) -> (f64) {
      %e = array.get %head[%k2] : (tensor<?xf64>) -> f64
      %r = arith.mulf %e, %q : f64
      array.yield %r : f64
    }
    array.yield %m : f64
  }
  return %z : tensor<?xf64>
}
