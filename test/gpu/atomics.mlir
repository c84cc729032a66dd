// RUN: sed s/f64/i64/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=ATOMIC
// RUN: sed s/f64/i32/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=ATOMIC
// RUN: sed s/f64/index/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=PLAIN
// RUN: sed s/f64/f64/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=PLAIN
// RUN: sed s/f64/f32/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels,sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=PLAIN
// RUN: sed s/f64/f64/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels{float-atomics=true},sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=ATOMIC
// RUN: sed s/f64/f32/g %s | mlopt compile - --target=nvptx --chip=sm_90 --emit=ptx -o - --pass-pipeline='builtin.module(array-to-sweeps,plan-memory{threads=16384},sweeps-to-kernels{float-atomics=true},sweeps-to-loops,kernels-to-nvvm)' | FileCheck %s --check-prefix=ATOMIC
// Sums by key use atomic operations only where the order of additions is free: for integers, and for floats if the
// option says so.
// ATOMIC: {{atom|red}}.
// PLAIN:     .visible .entry
// PLAIN-NOT: {{atom|red}}.
func.func @f(%x: tensor<?xf64>, %key: tensor<?xindex>, %z: tensor<8xf64>) -> tensor<8xf64> {
  %h = array.scatter %x into %z : tensor<?xf64> into tensor<8xf64> (%i) {
    %k = array.get %key[%i] : (tensor<?xindex>) -> index
    array.yield %k : index
  }
  return %h : tensor<8xf64>
}
