// RUN: mlopt check-calls %s --way plain --way optimised --mcpu x86-64 --mcpu native
// Programs on integers of 8 and 16 bits as machine code, at sizes around those of vectors. Each op alone is tested for
// all integer types in `lowering/tests/elements.rs`.
// WITH: i8 = i16

// Sums of products wrap.
// CALL: @matrix_product random:{n}x5xi8:uniform=-100,100 random:5x{n}xi8:seed=1:uniform=-100,100 for n = 0 1 7 8 9 17 33 100
func.func @matrix_product(%x: tensor<?x5xi8>, %y: tensor<5x?xi8>) -> (tensor<?x?xi8>, i8) {
  %n = array.length %x : tensor<?x5xi8>
  %z = array.build (%i < %n, %j < %n) -> (tensor<?x?xi8>) {
    %a = array.get %x[%i] : (tensor<?x5xi8>) -> tensor<5xi8>
    %products = array.build (%k < 5) -> (tensor<5xi8>) {
      %p = array.get %a[%k] : (tensor<5xi8>) -> i8
      %q = array.get %y[%k, %j] : (tensor<5x?xi8>) -> i8
      %r = arith.muli %p, %q : i8
      array.yield %r : i8
    }
    %s = array.sum %products : (tensor<5xi8>) -> i8
    array.yield %s : i8
  }
  %row = array.sum %z : (tensor<?x?xi8>) -> tensor<?xi8>
  %all = array.sum %row : (tensor<?xi8>) -> i8
  return %z, %all : tensor<?x?xi8>, i8
}

// A state of a loop that wraps, and all its values.
// CALL: @loop random:{n}xi8:uniform=-128,128 3 for n = 0 1 7 8 9 15 16 17 31 32 33 100
func.func @loop(%x: tensor<?xi8>, %a: i8) -> (i8, tensor<?xi8>) {
  %b, %z = array.map_accum (%e = %x : tensor<?xi8>) iter_args(%s = %a) -> (i8, tensor<?xi8>) {
    %p = arith.muli %s, %a : i8
    %t = arith.addi %p, %e : i8
    array.yield %t, %s : i8, i8
  }
  return %b, %z : i8, tensor<?xi8>
}

// A narrow integer is a position, and a count is a narrow integer.
// CALL: @histogram random:{n}xi8:uniform=-4,12 for n = 0 1 7 8 9 15 16 17 31 32 33 100
func.func @histogram(%x: tensor<?xi8>) -> (tensor<8xi8>, tensor<?xi8>) {
  %zero = arith.constant dense<0> : tensor<8xi8>
  %one = arith.constant 1 : i8
  %n = array.length %x : tensor<?xi8>
  %ones = array.replicate %one, %n : (i8) -> tensor<?xi8>
  %counts = array.scatter %ones into %zero : tensor<?xi8> into tensor<8xi8> (%i) {
    %e = array.get %x[%i] : (tensor<?xi8>) -> i8
    %at = arith.index_cast %e : i8 to index
    array.yield %at : index
  }
  %read = array.gather %counts : tensor<8xi8> (%i < %n) -> (tensor<?xi8>) {
    %e = array.get %x[%i] : (tensor<?xi8>) -> i8
    %at = arith.index_castui %e : i8 to index
    array.yield %at : index
  }
  return %counts, %read : tensor<8xi8>, tensor<?xi8>
}

// Sums of squares in a wider type, of signed and of unsigned numbers.
// CALL: @widened random:{n}xi8:uniform=-128,128 for n = 0 1 7 8 9 15 16 17 31 32 33 100
func.func @widened(%x: tensor<?xi8>) -> (i32, i32, f32) {
  %a = arith.extsi %x : tensor<?xi8> to tensor<?xi32>
  %b = arith.extui %x : tensor<?xi8> to tensor<?xi32>
  %c = arith.uitofp %x : tensor<?xi8> to tensor<?xf32>
  %p = arith.muli %a, %a : tensor<?xi32>
  %q = arith.muli %b, %b : tensor<?xi32>
  %r = array.sum %p : (tensor<?xi32>) -> i32
  %s = array.sum %q : (tensor<?xi32>) -> i32
  %t = array.sum %c : (tensor<?xf32>) -> f32
  return %r, %s, %t : i32, i32, f32
}

// The exponent of LLVM's power has 32 bits.
// CALL: @float_power [1.5, -2.0, 3.0, 0.5] [3, 5, -2, 0]
func.func @float_power(%x: tensor<4xf32>, %n: tensor<4xi8>) -> tensor<4xf32> {
  %z = math.fpowi %x, %n : tensor<4xf32>, tensor<4xi8>
  return %z : tensor<4xf32>
}

// Scalars are passed by value inside of a program and by reference from outside.
// CALL: @branches -128 5
// CALL: @branches 127 -5
func.func @branches(%x: i8, %y: i8) -> (i8, i8) {
  %c = arith.cmpi slt, %x, %y : i8
  %z = scf.if %c -> (i8) {
    %p = func.call @difference(%y, %x) : (i8, i8) -> i8
    scf.yield %p : i8
  } else {
    %q = func.call @difference(%x, %y) : (i8, i8) -> i8
    scf.yield %q : i8
  }
  %w = scf.while (%k = %z) : (i8) -> i8 {
    %more = arith.cmpi ugt, %k, %y : i8
    scf.condition(%more) %k : i8
  } do {
  ^bb0(%k: i8):
    %one = arith.constant 1 : i8
    %half = arith.shrui %k, %one : i8
    scf.yield %half : i8
  }
  return %z, %w : i8, i8
}

func.func private @difference(%x: i8, %y: i8) -> i8 {
  %z = arith.subi %x, %y : i8
  return %z : i8
}
