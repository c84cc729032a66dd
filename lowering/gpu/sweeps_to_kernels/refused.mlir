// RUN: mlopt %s --sweeps-to-kernels --verify-diagnostics
// Values that kernels pass to each other are in scratch memory, which is the last argument.

// expected-error @below {{not supported: 'func.func': the function has no scratch memory; run `plan-memory` first}}
func.func @f() attributes {sweep.signature = () -> ()} {
  return
}

func.func @f.sizes(%answer: memref<2xi64>) {
  return
}
