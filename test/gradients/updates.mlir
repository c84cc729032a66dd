// RUN: mlopt check-grad %s --entry @static
// RUN: mlopt check-grad %s --entry @dynamic --size 3
// Arrays whose elements and rows are replaced one by one: the derivative of a replaced part is zero, that of the new
// part is read at its position.

func.func @static(%x: tensor<3xf64>, %w: tensor<2xf64>) -> f64 {
  %z = arith.constant dense<0.0> : tensor<3x2xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = array.ifold (%i < %c3) iter_args(%a = %z) -> (tensor<3x2xf64>) {
    %e = array.get %x[%i] : (tensor<3xf64>) -> f64
    %r = array.replicate %e : (f64) -> tensor<2xf64>
    %s = arith.mulf %r, %w : tensor<2xf64>
    %n = tensor.insert_slice %s into %a[%i, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<3x2xf64>
    array.yield %n : tensor<3x2xf64>
  }
  %first = array.get %x[%c0] : (tensor<3xf64>) -> f64
  %v = tensor.insert %first into %m[%c1, %c0] : tensor<3x2xf64>
  %q = arith.mulf %v, %v : tensor<3x2xf64>
  %s = array.sum %q axes [0, 1] : (tensor<3x2xf64>) -> f64
  return %s : f64
}

func.func @dynamic(%x: tensor<?xf64>, %w: tensor<?xf64>, %n: index) -> f64 {
  %m0 = array.length %w : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %row = array.replicate %zero, %m0 : (f64) -> tensor<?xf64>
  %z = array.replicate %row, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %c0 = arith.constant 0 : index
  %m = array.ifold (%i < %n) iter_args(%a = %z) -> (tensor<?x?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %r = array.replicate %e, %m0 : (f64) -> tensor<?xf64>
    %s = arith.mulf %r, %w : tensor<?xf64>
    %k = tensor.insert_slice %s into %a[%i, 0] [1, %m0] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %h = tensor.insert %e into %k[%i, %c0] : tensor<?x?xf64>
    array.yield %h : tensor<?x?xf64>
  }
  %q = arith.mulf %m, %m : tensor<?x?xf64>
  %s = array.sum %q axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
