// RUN: mlopt check-calls %s --way eval --tolerance 0 --after 'builtin.module(differentiate{memory-budget=0})'
// Gradients of loops whose reverse sweeps need a state of 64 numbers: segments change no bit.
// `lowering/tests/checkpoints.rs` measures the memory of the compiled code.

// The trip count is known at run time.
func.func private @known_sum(%x: tensor<64xf64>, %n: index) -> f64 {
  %w = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<64xf64>) {
    %t = math.sin %s : tensor<64xf64>
    %u = arith.mulf %t, %x : tensor<64xf64>
    array.yield %u : tensor<64xf64>
  }
  %z = array.sum %w : (tensor<64xf64>) -> f64
  return %z : f64
}
// CALL: @known random:64xf64 {n} for n = 0 1 7 40
func.func @known(%x: tensor<64xf64>, %n: index) -> tensor<64xf64> {
  %g = dual.grad @known_sum(%x, %n) wrt [0] mode reverse : (tensor<64xf64>, index) -> tensor<64xf64>
  return %g : tensor<64xf64>
}

// The same loop, but its trip count is known only at its end: `%i` is compared with the truncated `%limit`.
func.func private @ended_sum(%x: tensor<64xf64>, %limit: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w, %k = scf.while (%s = %x, %i = %c0) : (tensor<64xf64>, index) -> (tensor<64xf64>, index) {
    %word = arith.index_cast %i : index to i64
    %float = arith.sitofp %word : i64 to f64
    %on = arith.cmpf olt, %float, %limit : f64
    scf.condition(%on) %s, %i : tensor<64xf64>, index
  } do {
  ^bb0(%s: tensor<64xf64>, %i: index):
    %t = math.sin %s : tensor<64xf64>
    %u = arith.mulf %t, %x : tensor<64xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %u, %j : tensor<64xf64>, index
  }
  %z = array.sum %w : (tensor<64xf64>) -> f64
  return %z : f64
}
// CALL: @ended random:64xf64 {n}.0 for n = 0 1 7 40
func.func @ended(%x: tensor<64xf64>, %limit: f64) -> tensor<64xf64> {
  %g = dual.grad @ended_sum(%x, %limit) wrt [0] mode reverse : (tensor<64xf64>, f64) -> tensor<64xf64>
  return %g : tensor<64xf64>
}
