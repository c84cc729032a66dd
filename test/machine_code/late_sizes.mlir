// RUN: mlopt check-calls %s --way plain
// The sizes of %y depend on data, so that it is not checked before the call that they are those of %w. It must not be
// stored in the memory of %w before that is checked.
// CALL: @late [3, 3] random:8x8xf64:seed=1:normal 1 3
// CALL: @late [9000, 9000] random:8x8xf64:seed=1:normal 1 3 fails: operands of 'arith.mulf' have different sizes
func.func @late(%ks: tensor<2xindex>, %x: tensor<8x8xf64>, %n: index, %p: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = array.ifold (%i < %n) iter_args(%a = %ks) -> (tensor<2xindex>) {
    %b = array.build (%k < 2) -> (tensor<2xindex>) {
      %e = arith.subi %c1, %k : index
      %f = array.get %a[%e] : (tensor<2xindex>) -> index
      array.yield %f : index
    }
    array.yield %b : tensor<2xindex>
  }
  %m = array.get %t[%c0] : (tensor<2xindex>) -> index
  %w = array.build (%i < %p, %j < %p) -> (tensor<?x?xf64>) {
    %e = array.get %x[%j, %i] : (tensor<8x8xf64>) -> f64
    array.yield %e : f64
  }
  %y = array.build (%i < %m, %j < %m) -> (tensor<?x?xf64>) {
    %e = array.get %x[%i, %j] : (tensor<8x8xf64>) -> f64
    array.yield %e : f64
  }
  %yw = arith.mulf %y, %w : tensor<?x?xf64>
  %d1 = array.sum %yw : (tensor<?x?xf64>) -> tensor<?xf64>
  %d = array.sum %d1 : (tensor<?xf64>) -> f64
  %c = arith.cmpf ogt, %d, %zero : f64
  %h = array.length %w axis 0 : tensor<?x?xf64>
  %l = array.length %w axis 1 : tensor<?x?xf64>
  %r = array.ifold (%i < %n) iter_args(%a = %y) -> (tensor<?x?xf64>) {
    %b = array.build (%k < %h, %j < %l) -> (tensor<?x?xf64>) {
      %e = array.get %a[%k, %j] : (tensor<?x?xf64>) -> f64
      %f = arith.addf %e, %d : f64
      array.yield %f : f64
    }
    array.yield %b : tensor<?x?xf64>
  }
  %s1 = array.sum %r : (tensor<?x?xf64>) -> tensor<?xf64>
  %s2 = array.sum %s1 : (tensor<?xf64>) -> f64
  return %s2 : f64
}
