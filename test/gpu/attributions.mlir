// RUN: mlopt %s --verify-diagnostics --kernels-to-nvvm
// Attributions are arguments of the body of a kernel that its function type does not list. As arguments of the
// function, they would be read from the launch, which does not pass them.

gpu.module @kernels {
  // expected-error @below {{not supported: 'gpu.func': kernels must not have attributions of memory}}
  gpu.func @k(%x: memref<4xf64>) workgroup(%w: memref<4xf64, 3>) kernel {
    gpu.return
  }
}
