// A crash reproducer contains the pipeline with the options of our passes, and fails again when it is run.
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{driver=egg fuel=17 rules=ring}),jvp)' --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPRODUCER --input-file=%t.mlir
// RUN: not mlopt %t.mlir --run-reproducer 2>&1 | FileCheck %s
// CHECK: error: 'tensor.from_elements' op cannot be differentiated
// REPRODUCER: pipeline: "builtin.module(func.func(egg-optimize{assume-size=256 check-rules=false code=all driver=egg fuel=17{{.*}} rules=ring}), jvp)"

func.func @f(%x: f64) -> f64 {
  %t = tensor.from_elements %x : tensor<1xf64>
  %z = array.sum %t : (tensor<1xf64>) -> f64
  return %z : f64
}
func.func @df(%x: f64) -> f64 {
  %g = dual.grad @f(%x) : (f64) -> f64
  return %g : f64
}
