// RUN: mlopt %s --jvp --egg-optimize | FileCheck %s
// Gradients by forward mode as differentiation leaves them cost one or two powers of n more than they must. `growth` is the power of n
// that remains after optimisation, all run-time sizes being n: of the 17 programs of the experiment with which the design of the
// optimiser began (`docs/optimiser.md`), and of those for which the vectors (`arrays_vectors.json`) give one.
// `passes/tests/asymptotics.rs` counts the work and fits it, `mlopt-bench optimiser` prints it with times.

//===-- vectors ---------------------------------------------------------------------------------------------------------===//

func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %a : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %b[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    %t = arith.addf %acc, %p : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @dot_a(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @dot(%a, %b) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @max(%v: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = array.length %v : tensor<?xf64>
  %first = array.get %v[%c0] : (tensor<?xf64>) -> f64
  %s = array.ifold (%i < %n) iter_args(%m = %first) -> (f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf ogt, %x, %m : f64
    %t = arith.select %c, %x, %m : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @max_v(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @max(%v) wrt [0] : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @squares(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %v : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %x, %x : f64
    %t = arith.addf %acc, %p : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @squares_v(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @squares(%v) wrt [0] : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @self_convolution(%v: tensor<?xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %n = array.length %v : tensor<?xf64>
  %last = arith.subi %n, %c1 : index
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %j = arith.subi %last, %i : index
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %y = array.get %v[%j] : (tensor<?xf64>) -> f64
    %e = arith.mulf %x, %y : f64
    array.yield %e : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @self_convolution_v(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @self_convolution(%v) wrt [0] : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// The order of the additions is free, and the division by the sum leaves the loop: it needs `reassoc`.
func.func private @log_sum_exp(%v: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = array.length %v : tensor<?xf64>
  %first = array.get %v[%c0] : (tensor<?xf64>) -> f64
  %top = array.ifold (%i < %n) iter_args(%m = %first) -> (f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf ogt, %x, %m : f64
    %t = arith.select %c, %x, %m : f64
    array.yield %t : f64
  }
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %d = arith.subf %x, %top fastmath<reassoc> : f64
    %e = math.exp %d fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  %l = math.log %s fastmath<reassoc> : f64
  %z = arith.addf %l, %top fastmath<reassoc> : f64
  return %z : f64
}
func.func @log_sum_exp_v(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @log_sum_exp(%v) wrt [0] : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %z = arith.addf %a, %b : tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @add_jacobian(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.jacobian @add(%a, %b) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func private @scale(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %n = array.length %v : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %e = arith.mulf %x, %s : f64
    array.yield %e : f64
  }
  return %z : tensor<?xf64>
}
func.func @scale_jacobian(%v: tensor<?xf64>, %s: f64) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.jacobian @scale(%v, %s) wrt [1] : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// A product whose factors all depend on what was multiplied before: no rewriting makes forward mode linear, reverse mode is.
func.func private @product(%v: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %n = array.length %v : tensor<?xf64>
  %s = array.ifold (%i < %n) iter_args(%acc = %one) -> (f64) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %y = arith.addf %one, %x : f64
    %t = arith.mulf %acc, %y : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @product_v(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @product(%v) wrt [0] mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
//===-- matrices --------------------------------------------------------------------------------------------------------===//

func.func private @trace(%m: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n = array.length %m : tensor<?x?xf64>
  %s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {
    %x = array.get %m[%i, %i] : (tensor<?x?xf64>) -> f64
    %t = arith.addf %acc, %x : f64
    array.yield %t : f64
  }
  return %s : f64
}
func.func @trace_m(%m: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @trace(%m) wrt [0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func private @bilinear(%u: tensor<?xf64>, %m: tensor<?x?xf64>, %v: tensor<?xf64>) -> f64 {
  %k = array.length %v : tensor<?xf64>
  %n = array.length %u : tensor<?xf64>
  %p = array.build (%j < %k) -> (tensor<?xf64>) {
    %q = array.build (%i < %n) -> (tensor<?xf64>) {
      %x = array.get %u[%i] : (tensor<?xf64>) -> f64
      %y = array.get %m[%i, %j] : (tensor<?x?xf64>) -> f64
      %e = arith.mulf %x, %y : f64
      array.yield %e : f64
    }
    %s = array.sum %q : (tensor<?xf64>) -> f64
    %x = array.get %v[%j] : (tensor<?xf64>) -> f64
    %e = arith.mulf %s, %x : f64
    array.yield %e : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @bilinear_m(%u: tensor<?xf64>, %m: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @bilinear(%u, %m, %v) wrt [1] : (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func private @matvec_sum(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %x : tensor<?xf64>
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %s = array.sum %r : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @matvec_sum_m(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @matvec_sum(%m, %x) wrt [0] : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func @matvec_sum_x(%m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @matvec_sum(%m, %x) wrt [1] : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @least_squares(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %m : tensor<?x?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %x : tensor<?xf64>
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %d = arith.subf %r, %y : tensor<?xf64>
  %q = arith.mulf %d, %d : tensor<?xf64>
  %s = array.sum %q : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @least_squares_x(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @least_squares(%m, %x, %y) wrt [1] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func @least_squares_m(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @least_squares(%m, %x, %y) wrt [0] : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func private @nnmf(%w: tensor<?xf64>, %h: tensor<?xf64>, %a: tensor<?x?xf64>) -> f64 {
  %n = array.length %w : tensor<?xf64>
  %k = array.length %h : tensor<?xf64>
  %p = array.build (%i < %n, %j < %k) -> (tensor<?x?xf64>) {
    %x = array.get %w[%i] : (tensor<?xf64>) -> f64
    %y = array.get %h[%j] : (tensor<?xf64>) -> f64
    %e = array.get %a[%i, %j] : (tensor<?x?xf64>) -> f64
    %m = arith.mulf %x, %y : f64
    %l = math.log %m : f64
    %d = arith.divf %e, %m : f64
    %t = arith.addf %l, %d : f64
    array.yield %t : f64
  }
  %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
func.func @nnmf_h(%w: tensor<?xf64>, %h: tensor<?xf64>, %a: tensor<?x?xf64>) -> tensor<?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @nnmf(%w, %h, %a) wrt [1] : (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @nnmf_rank3(%w: tensor<?x3xf64>, %h: tensor<3x?xf64>, %a: tensor<?x?xf64>) -> f64 {
  %n = array.length %w : tensor<?x3xf64>
  %k = array.length %h axis 1 : tensor<3x?xf64>
  %p = array.build (%i < %n, %j < %k) -> (tensor<?x?xf64>) {
    %q = array.build (%c < 3) -> (tensor<3xf64>) {
      %x = array.get %w[%i, %c] : (tensor<?x3xf64>) -> f64
      %y = array.get %h[%c, %j] : (tensor<3x?xf64>) -> f64
      %e = arith.mulf %x, %y : f64
      array.yield %e : f64
    }
    %m = array.sum %q : (tensor<3xf64>) -> f64
    %e = array.get %a[%i, %j] : (tensor<?x?xf64>) -> f64
    %l = math.log %m : f64
    %d = arith.divf %e, %m : f64
    %t = arith.addf %l, %d : f64
    array.yield %t : f64
  }
  %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
func.func @nnmf_rank3_h(%w: tensor<?x3xf64>, %h: tensor<3x?xf64>, %a: tensor<?x?xf64>) -> tensor<3x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @nnmf_rank3(%w, %h, %a) wrt [1] : (tensor<?x3xf64>, tensor<3x?xf64>, tensor<?x?xf64>) -> tensor<3x?xf64>
  return %g : tensor<3x?xf64>
}
//===-- networks --------------------------------------------------------------------------------------------------------===//

// The order of the sums decides between n² and n³: it needs `reassoc`.
func.func private @two_layers(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %x: tensor<?xf64>) -> f64 {
  %n = array.length %b : tensor<?x?xf64>
  %k = array.length %a : tensor<?x?xf64>
  %l = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %p = array.build (%j < %l) -> (tensor<?xf64>) {
      %u = array.get %b[%i, %j] : (tensor<?x?xf64>) -> f64
      %v = array.get %x[%j] : (tensor<?xf64>) -> f64
      %e = arith.mulf %u, %v fastmath<reassoc> : f64
      array.yield %e : f64
    }
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %t = math.tanh %y fastmath<reassoc> : tensor<?xf64>
  %z = array.build (%i < %k) -> (tensor<?xf64>) {
    %p = array.build (%j < %n) -> (tensor<?xf64>) {
      %u = array.get %a[%i, %j] : (tensor<?x?xf64>) -> f64
      %v = array.get %t[%j] : (tensor<?xf64>) -> f64
      %e = arith.mulf %u, %v fastmath<reassoc> : f64
      array.yield %e : f64
    }
    %e = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %u = math.tanh %z fastmath<reassoc> : tensor<?xf64>
  %q = arith.mulf %u, %u fastmath<reassoc> : tensor<?xf64>
  %s = array.sum %q : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @two_layers_x(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @two_layers(%a, %b, %x) wrt [2] : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @mlp(%x: tensor<4x?xf64>, %w1: tensor<?x?xf64>, %w2: tensor<?x?xf64>) -> f64 {
  %hn = array.length %w1 axis 1 : tensor<?x?xf64>
  %hm = array.length %w1 : tensor<?x?xf64>
  %h = array.build (%i < 4, %j < %hn) -> (tensor<4x?xf64>) {
    %q = array.build (%k < %hm) -> (tensor<?xf64>) {
      %u = array.get %x[%i, %k] : (tensor<4x?xf64>) -> f64
      %v = array.get %w1[%k, %j] : (tensor<?x?xf64>) -> f64
      %e = arith.mulf %u, %v fastmath<reassoc> : f64
      array.yield %e : f64
    }
    %s = array.sum %q : (tensor<?xf64>) -> f64
    %t = math.tanh %s fastmath<reassoc> : f64
    array.yield %t : f64
  }
  %yn = array.length %w2 axis 1 : tensor<?x?xf64>
  %ym = array.length %w2 : tensor<?x?xf64>
  %y = array.build (%i < 4, %j < %yn) -> (tensor<4x?xf64>) {
    %q = array.build (%k < %ym) -> (tensor<?xf64>) {
      %u = array.get %h[%i, %k] : (tensor<4x?xf64>) -> f64
      %v = array.get %w2[%k, %j] : (tensor<?x?xf64>) -> f64
      %e = arith.mulf %u, %v fastmath<reassoc> : f64
      array.yield %e : f64
    }
    %s = array.sum %q : (tensor<?xf64>) -> f64
    %t = arith.mulf %s, %s fastmath<reassoc> : f64
    array.yield %t : f64
  }
  %s = array.sum %y axes [0, 1] : (tensor<4x?xf64>) -> f64
  return %s : f64
}
func.func @mlp_w2(%x: tensor<4x?xf64>, %w1: tensor<?x?xf64>, %w2: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @mlp(%x, %w1, %w2) wrt [2] : (tensor<4x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
func.func @mlp_w1(%x: tensor<4x?xf64>, %w1: tensor<?x?xf64>, %w2: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @mlp(%x, %w1, %w2) wrt [1] : (tensor<4x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %g : tensor<?x?xf64>
}
// Three components, as many coordinates as points.
func.func private @mixture(%alpha: tensor<3xf64>, %mu: tensor<3x?xf64>, %points: tensor<?x?xf64>) -> f64 {
  %n = array.length %points : tensor<?x?xf64>
  %d = array.length %points axis 1 : tensor<?x?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %c = array.build (%k < 3) -> (tensor<3xf64>) {
      %q = array.build (%j < %d) -> (tensor<?xf64>) {
        %x = array.get %points[%i, %j] : (tensor<?x?xf64>) -> f64
        %m = array.get %mu[%k, %j] : (tensor<3x?xf64>) -> f64
        %e = arith.subf %x, %m fastmath<reassoc> : f64
        %f = arith.mulf %e, %e fastmath<reassoc> : f64
        array.yield %f : f64
      }
      %s = array.sum %q : (tensor<?xf64>) -> f64
      %a = array.get %alpha[%k] : (tensor<3xf64>) -> f64
      %e = arith.subf %a, %s fastmath<reassoc> : f64
      %t = math.exp %e fastmath<reassoc> : f64
      array.yield %t : f64
    }
    %s = array.sum %c : (tensor<3xf64>) -> f64
    %l = math.log %s fastmath<reassoc> : f64
    array.yield %l : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @mixture_mu(%alpha: tensor<3xf64>, %mu: tensor<3x?xf64>, %points: tensor<?x?xf64>) -> tensor<3x?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @mixture(%alpha, %mu, %points) wrt [1] : (tensor<3xf64>, tensor<3x?xf64>, tensor<?x?xf64>) -> tensor<3x?xf64>
  return %g : tensor<3x?xf64>
}
//===-- more than the vectors: what stands in the way is a mask inside of a square, a shift, a table ---------------------------===//

// Σ_ij exp(-(x_i - x_j)²)
func.func private @energy(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %p = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %u = array.get %x[%i] : (tensor<?xf64>) -> f64
    %v = array.get %x[%j] : (tensor<?xf64>) -> f64
    %d = arith.subf %u, %v fastmath<reassoc> : f64
    %q = arith.mulf %d, %d fastmath<reassoc> : f64
    %m = arith.negf %q fastmath<reassoc> : f64
    %e = math.exp %m fastmath<reassoc> : f64
    array.yield %e : f64
  }
  %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
func.func @energy_x(%x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 2 : i64} {
  %g = dual.grad @energy(%x) wrt [0] : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @layer_norm(%x: tensor<?xf64>, %t: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %k = arith.index_cast %n : index to i64
  %count = arith.sitofp %k : i64 to f64
  %s = array.sum %x : (tensor<?xf64>) -> f64
  %mean = arith.divf %s, %count fastmath<reassoc> : f64
  %d = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %e = arith.subf %a, %mean fastmath<reassoc> : f64
    %f = arith.mulf %e, %e fastmath<reassoc> : f64
    array.yield %f : f64
  }
  %v = array.sum %d : (tensor<?xf64>) -> f64
  %variance = arith.divf %v, %count fastmath<reassoc> : f64
  %deviation = math.sqrt %variance fastmath<reassoc> : f64
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
    %e = arith.subf %a, %mean fastmath<reassoc> : f64
    %f = arith.divf %e, %deviation fastmath<reassoc> : f64
    %w = array.get %t[%i] : (tensor<?xf64>) -> f64
    %z = arith.mulf %f, %w fastmath<reassoc> : f64
    array.yield %z : f64
  }
  %r = array.sum %p : (tensor<?xf64>) -> f64
  return %r : f64
}
func.func @layer_norm_x(%x: tensor<?xf64>, %t: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @layer_norm(%x, %t) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @weighted_variance(%w: tensor<?xf64>, %x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %w[%i] : (tensor<?xf64>) -> f64
    %b = array.get %x[%i] : (tensor<?xf64>) -> f64
    %c = arith.mulf %a, %b fastmath<reassoc> : f64
    array.yield %c : f64
  }
  %s = array.sum %p : (tensor<?xf64>) -> f64
  %weight = array.sum %w : (tensor<?xf64>) -> f64
  %mean = arith.divf %s, %weight fastmath<reassoc> : f64
  %q = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %w[%i] : (tensor<?xf64>) -> f64
    %b = array.get %x[%i] : (tensor<?xf64>) -> f64
    %d = arith.subf %b, %mean fastmath<reassoc> : f64
    %e = arith.mulf %d, %d fastmath<reassoc> : f64
    %f = arith.mulf %a, %e fastmath<reassoc> : f64
    array.yield %f : f64
  }
  %t = array.sum %q : (tensor<?xf64>) -> f64
  %r = arith.divf %t, %weight fastmath<reassoc> : f64
  return %r : f64
}
func.func @weighted_variance_w(%w: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @weighted_variance(%w, %x) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func @weighted_variance_x(%w: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @weighted_variance(%w, %x) wrt [1] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
func.func private @convolution(%x: tensor<?xf64>, %k: tensor<3xf64>) -> f64 {
  %c2 = arith.constant 2 : index
  %n = array.length %x : tensor<?xf64>
  %m = arith.subi %n, %c2 : index
  %p = array.build (%i < %m) -> (tensor<?xf64>) {
    %q = array.build (%j < 3) -> (tensor<3xf64>) {
      %l = arith.addi %i, %j : index
      %a = array.get %x[%l] : (tensor<?xf64>) -> f64
      %b = array.get %k[%j] : (tensor<3xf64>) -> f64
      %c = arith.mulf %a, %b fastmath<reassoc> : f64
      array.yield %c : f64
    }
    %s = array.sum %q : (tensor<3xf64>) -> f64
    %t = math.tanh %s fastmath<reassoc> : f64
    array.yield %t : f64
  }
  %r = array.sum %p : (tensor<?xf64>) -> f64
  return %r : f64
}
func.func @convolution_x(%x: tensor<?xf64>, %k: tensor<3xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @convolution(%x, %k) wrt [0] : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
// Rows of a table, by numbers that are computed: the gradient adds at them.
func.func private @lookup(%table: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %n = array.length %y : tensor<?xf64>
  %p = array.build (%i < %n) -> (tensor<?xf64>) {
    %l = arith.muli %i, %i : index
    %k = array.mod %l, %n : index
    %a = array.get %table[%k] : (tensor<?xf64>) -> f64
    %b = array.get %y[%i] : (tensor<?xf64>) -> f64
    %d = arith.subf %a, %b : f64
    %e = arith.mulf %d, %d : f64
    array.yield %e : f64
  }
  %r = array.sum %p : (tensor<?xf64>) -> f64
  return %r : f64
}
func.func @lookup_table(%table: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %g = dual.grad @lookup(%table, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}
//===-- values ----------------------------------------------------------------------------------------------------------===//

func.func @times_identity(%v: tensor<?xf64>) -> tensor<?xf64> attributes {growth = 1 : i64} {
  %zero = dual.zero : f64
  %one = dual.one : f64
  %n = array.length %v : tensor<?xf64>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %s = array.ifold (%j < %n) iter_args(%acc = %zero) -> (f64) {
      %c = arith.cmpi eq, %j, %i : index
      %e = arith.select %c, %one, %zero : f64
      %x = array.get %v[%j] : (tensor<?xf64>) -> f64
      %p = arith.mulf %x, %e : f64
      %t = arith.addf %acc, %p : f64
      array.yield %t : f64
    }
    array.yield %s : f64
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @transpose_twice
// CHECK-SAME:    %[[M:.*]]: tensor<?x?xf64>
// CHECK-NEXT:  return %[[M]]
func.func @transpose_twice(%m: tensor<?x?xf64>) -> tensor<?x?xf64> attributes {growth = 2 : i64} {
  %n = array.length %m : tensor<?x?xf64>
  %k = array.length %m axis 1 : tensor<?x?xf64>
  %t = array.build (%i < %k, %j < %n) -> (tensor<?x?xf64>) {
    %x = array.get %m[%j, %i] : (tensor<?x?xf64>) -> f64
    array.yield %x : f64
  }
  %u = array.build (%i < %n, %j < %k) -> (tensor<?x?xf64>) {
    %x = array.get %t[%j, %i] : (tensor<?x?xf64>) -> f64
    array.yield %x : f64
  }
  return %u : tensor<?x?xf64>
}
