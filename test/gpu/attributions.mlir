// RUN: mlopt %s --verify-diagnostics --kernels-to-nvvm
// RUN: mlopt %s --verify-diagnostics --launches-to-loops
// Attributions are arguments of the body of a kernel that its function type does not list. As arguments of the
// function, they would be read from the launch, which does not pass them.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{not supported: 'gpu.func': kernels must not declare `workgroup` or `private` memory}}
    gpu.func @k(%x: memref<4xf64>) workgroup(%w: memref<4xf64, 3>) kernel {
      gpu.return
    }
  }
  func.func @f(%x: memref<4xf64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf64>)
    return
  }
}
