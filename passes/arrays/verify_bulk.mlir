// RUN: mlopt %s --verify-bulk --split-input-file --verify-diagnostics
// A violation of the normal form is reported at its op.

func.func @build(%x: tensor<4xf64>, %k: index) -> tensor<4xf64> {
  // expected-error@+1 {{'array.build' op expected operations on whole arrays, found operations on elements}}
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    // Every violation is reported, including nested ones.
    %e = math.exp %x : tensor<4xf64>
    // expected-error@+1 {{'array.get' op expected a read from an operand of 'math.exp' instead of its result}}
    %a = array.get %e[%k] : (tensor<4xf64>) -> f64
    array.yield %a : f64
  }
  return %z : tensor<4xf64>
}

// -----

func.func private @f(%a: f64) -> f64 {
  return %a : f64
}
func.func @vmap(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{'array.vmap' op expected operations on whole arrays, found a mapped function}}
  %z = array.vmap @f(%x) : (tensor<4xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// Reads of reads, of copies and of iotas can always be replaced, however often the array is read.
func.func @shared(%m: tensor<4x4xf64>, %a: f64, %k: index) -> (f64, f64, f64, index, tensor<4xf64>) {
  %r = array.get %m[%k] : (tensor<4x4xf64>) -> tensor<4xf64>
  // expected-error@+1 {{expected a read from an operand of 'array.get' instead of its result}}
  %e = array.get %r[%k] : (tensor<4xf64>) -> f64
  %c = array.replicate %a : (f64) -> tensor<4xf64>
  // expected-error@+1 {{expected a read from an operand of 'array.replicate' instead of its result}}
  %f = array.get %c[%k] : (tensor<4xf64>) -> f64
  %zero = arith.constant 0 : index
  %s = array.stack %a, %f : (f64, f64) -> tensor<2xf64>
  // expected-error@+1 {{expected a read from an operand of 'array.stack' instead of its result}}
  %g = array.get %s[%zero] : (tensor<2xf64>) -> f64
  %i = array.iota : tensor<4xindex>
  // expected-error@+1 {{expected a read from an operand of 'array.iota' instead of its result}}
  %h = array.get %i[%k] : (tensor<4xindex>) -> index
  %t = arith.addf %r, %c : tensor<4xf64>
  return %e, %f, %g, %h, %t : f64, f64, f64, index, tensor<4xf64>
}

// -----

// An arm of a branch is executed at most once, like the surrounding code: a read there is still the only one.
func.func @branch(%x: tensor<4xf64>, %c: i1, %k: index, %a: f64) -> f64 {
  %s = math.sin %x : tensor<4xf64>
  %z = scf.if %c -> (f64) {
    // expected-error@+1 {{expected a read from an operand of 'math.sin' instead of its result}}
    %e = array.get %s[%k] : (tensor<4xf64>) -> f64
    scf.yield %e : f64
  } else {
    scf.yield %a : f64
  }
  return %z : f64
}

// -----

// Arguments, carried values and rows; constants, literals, scatters, loops, calls; what is read twice or in a loop.
func.func private @g(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
func.func @in_normal_form(%x: tensor<4xf64>, %m: tensor<3x4xf64>, %k: index, %a: f64) -> f64 {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %c0 = array.get %c[%k] : (tensor<2xf64>) -> f64
  %s = array.stack %a, %c0 : (f64, f64) -> tensor<2xf64>
  %s0 = array.get %s[%k] : (tensor<2xf64>) -> f64
  %t = array.scatter %s into %x : tensor<2xf64> into tensor<4xf64> (%i) {
    array.yield %i : index
  }
  %t0 = array.get %t[%k] : (tensor<4xf64>) -> f64
  %h = array.one_hot %a at [%k] : (f64) -> tensor<4xf64>
  %h0 = array.get %h[%k] : (tensor<4xf64>) -> f64
  %g = func.call @g(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %g0 = array.get %g[%k] : (tensor<4xf64>) -> f64
  %e = math.exp %x : tensor<4xf64>
  %e0 = array.get %e[%k] : (tensor<4xf64>) -> f64
  %e1 = array.sum %e : (tensor<4xf64>) -> f64
  %o = math.cos %x : tensor<4xf64>
  %f, %w = array.fold (%r = %m : tensor<3x4xf64>) iter_args(%u = %a, %v = %x) -> (f64, tensor<4xf64>) {
    %r0 = array.get %r[%k] : (tensor<4xf64>) -> f64
    %v0 = array.get %v[%k] : (tensor<4xf64>) -> f64
    %o0 = array.get %o[%k] : (tensor<4xf64>) -> f64
    %p = arith.mulf %r0, %v0 : f64
    %q = arith.mulf %p, %o0 : f64
    array.yield %q, %v : f64, tensor<4xf64>
  }
  %w0 = array.get %w[%k] : (tensor<4xf64>) -> f64
  %l = array.stack %c0, %s0, %t0, %h0, %g0, %e0, %e1, %f, %w0 : (f64, f64, f64, f64, f64, f64, f64, f64, f64) -> tensor<9xf64>
  %z = array.sum %l : (tensor<9xf64>) -> f64
  return %z : f64
}
