// RUN: mlopt check-calls %s --way plain --way kernels
// A long sum, rows with private memory, and sums by key: the results do not depend on the number of threads and their
// order. `lowering/tests/kernels.rs` compares them for further numbers of blocks.

// CALL: @f random:1000xf64 random:1000xindex:seed=2:uniform=-1,8 40
// CALL: @f random:0xf64 random:0xindex 0
func.func @f(%x: tensor<?xf64>, %key: tensor<?xindex>, %n: index) -> (f64, f64, tensor<?xf64>, tensor<7x2xf64>) {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %m = array.max %x : (tensor<?xf64>) -> f64
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %c9 = arith.constant 9 : index
    %z = array.ifold (%k < %c9) iter_args(%a = %x) -> (tensor<?xf64>) {
      %r = array.reverse %a : tensor<?xf64>
      %b = arith.addf %r, %x : tensor<?xf64>
      array.yield %b : tensor<?xf64>
    }
    %e = array.get %z[%i] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %zero = arith.constant dense<0.0> : tensor<7x2xf64>
  %p = array.build (%i < %n, %j < 2) -> (tensor<?x2xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.index_cast %j : index to i64
    %f = arith.sitofp %t : i64 to f64
    %g = arith.addf %e, %f : f64
    array.yield %g : f64
  }
  %h = array.scatter %p into %zero : tensor<?x2xf64> into tensor<7x2xf64> (%i, %j) {
    %k = array.get %key[%i] : (tensor<?xindex>) -> index
    array.yield %k, %j : index, index
  }
  return %s, %m, %y, %h : f64, f64, tensor<?xf64>, tensor<7x2xf64>
}
