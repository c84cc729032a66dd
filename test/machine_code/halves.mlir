// RUN: mlopt check-calls %s --way plain --way optimised --way kernels --mcpu x86-64 --mcpu native
// RUN: mlopt compile %s --mcpu=x86-64 --emit=asm -o - | FileCheck %s
// RUN: not mlopt compile %s --target=nvptx --chip=sm_90 -o - 2>&1 | FileCheck %s --check-prefix=PTX
// Programs with arrays of f16 and bf16 as machine code, at sizes around those of vectors. Each op alone is tested in
// `lowering/tests/elements.rs`.
// PTX: error: not supported: {{.*}}GPU kernels have no elements of type f16 or bf16; use f32
// No function of the compiler's library converts numbers.
// CHECK:     layer:
// CHECK-NOT: {{__(extend|trunc|gnu)}}
// WITH: bf16 = f16

// Weights in 16 bits, sums in f32: rows are read, extended, multiplied and added.
// CALL: @layer random:{n}x5xbf16:uniform=-1,1 random:5x{n}xbf16:seed=1:uniform=-1,1 for n = 0 1 7 8 9 15 16 17 31 32 33 100
func.func @layer(%x: tensor<?x5xbf16>, %w: tensor<5x?xbf16>) -> tensor<?x?xbf16> {
  %n = array.length %x : tensor<?x5xbf16>
  %z = array.build (%i < %n, %j < %n) -> (tensor<?x?xbf16>) {
    %products = array.build (%k < 5) -> (tensor<5xf32>) {
      %p = array.get %x[%i, %k] : (tensor<?x5xbf16>) -> bf16
      %q = array.get %w[%k, %j] : (tensor<5x?xbf16>) -> bf16
      %a = arith.extf %p : bf16 to f32
      %b = arith.extf %q : bf16 to f32
      %r = arith.mulf %a, %b : f32
      array.yield %r : f32
    }
    %s = array.sum %products : (tensor<5xf32>) -> f32
    %t = arith.truncf %s : f32 to bf16
    array.yield %t : bf16
  }
  return %z : tensor<?x?xbf16>
}

// Arithmetic on the type itself, in a chain, and its sums.
// CALL: @chain random:{n}xbf16:uniform=-1,1 random:{n}xbf16:seed=1:uniform=1,2 for n = 0 1 7 8 9 15 16 17 31 32 33 100
func.func @chain(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> (tensor<?xbf16>, bf16, bf16, tensor<?xi1>) {
  %a = arith.divf %x, %y : tensor<?xbf16>
  %b = math.tanh %a : tensor<?xbf16>
  %c = arith.subf %b, %x : tensor<?xbf16>
  %s = array.sum %c : (tensor<?xbf16>) -> bf16
  %m = array.max %c : (tensor<?xbf16>) -> bf16
  %p = arith.cmpf ogt, %c, %x : tensor<?xbf16>
  return %c, %s, %m, %p : tensor<?xbf16>, bf16, bf16, tensor<?xi1>
}

// A state, elements that are moved, joined and scattered, and scalars.
// CALL: @moved random:{n}xbf16:uniform=-1,1 0.5 for n = 0 1 7 8 9 17 33
func.func @moved(%x: tensor<?xbf16>, %a: bf16) -> (bf16, tensor<?xbf16>, tensor<?xbf16>, tensor<4xbf16>) {
  %b, %z = array.map_accum (%e = %x : tensor<?xbf16>) iter_args(%s = %a) -> (bf16, tensor<?xbf16>) {
    %p = arith.mulf %s, %a : bf16
    %t = arith.addf %p, %e : bf16
    array.yield %t, %s : bf16, bf16
  }
  %reversed = array.reverse %z : tensor<?xbf16>
  %joined = array.append %reversed, %x : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  %start = arith.constant dense<[1.0, -2.5, 0.125, 0.0]> : tensor<4xbf16>
  %four = arith.constant 4 : index
  %sums = array.scatter %x into %start : tensor<?xbf16> into tensor<4xbf16> (%i) {
    %at = arith.remui %i, %four : index
    array.yield %at : index
  }
  return %b, %reversed, %joined, %sums : bf16, tensor<?xbf16>, tensor<?xbf16>, tensor<4xbf16>
}

// The gradient of a loss in 16 bits is in 16 bits, like the parameters.
// CALL: @gradient random:{n}xbf16:uniform=-1,1 random:{n}xbf16:seed=1:uniform=-1,1 for n = 1 7 8 9 17 33
func.func @gradient(%w: tensor<?xbf16>, %x: tensor<?xbf16>) -> tensor<?xbf16> {
  %d = dual.grad @loss(%w, %x) wrt [0] mode reverse : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %d : tensor<?xbf16>
}

func.func private @loss(%w: tensor<?xbf16>, %x: tensor<?xbf16>) -> bf16 {
  %p = arith.mulf %w, %x : tensor<?xbf16>
  %q = math.sin %p : tensor<?xbf16>
  %s = array.sum %q : (tensor<?xbf16>) -> bf16
  return %s : bf16
}
