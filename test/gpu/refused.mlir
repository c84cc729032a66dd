// RUN: mlopt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)'
// Operations that have no form for devices are named.

func.func @erf(%x: f64) -> f64 {
  // expected-error @below {{not supported: 'math.erf'}}
  %z = math.erf %x : f64
  return %z : f64
}

// -----

func.func @remainder(%x: f64) -> f64 {
  // expected-error @below {{not supported: 'arith.remf'}}
  %z = arith.remf %x, %x : f64
  return %z : f64
}
