// Without a subcommand `mlopt` is `mlir-opt`: its flags work on programs with our dialects and passes.

// Options of our passes, nested pipelines, upstream passes together with ours.
// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize{driver=normalise fuel=1000},canonicalize,cse))' | FileCheck %s
// RUN: mlopt %s --jvp --egg-optimize --canonicalize --cse | FileCheck %s
// CHECK-LABEL: func.func @df
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>
// CHECK-NEXT:  return %[[Y]]

// A pipeline prints the options that were given.
// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,func.func(egg-optimize{driver=normalise rules=ring,array}))' --dump-pass-pipeline -o %t.mlir 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: builtin.module(jvp,func.func(egg-optimize{assume-size=256 check-rules=false code=all driver=normalise fuel={{[0-9]+}} iter={{[0-9]+}} profile=none report=false rules=ring,array}))

// Options that are lists, which a pass prints only when they are set.
// RUN: mlopt %s --pass-pipeline='builtin.module(jvp,one-shot-bufferize{dialect-filter=arith,bufferization allow-unknown-ops=1},convert-to-llvm{filter-dialects=arith})' -o %t.mlir
// RUN: mlopt %s --affine-super-vectorize=virtual-vector-size=4,8 --dump-pass-pipeline -o %t.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: affine-super-vectorize{{.*}} virtual-vector-size=4,8}
// Options of pipelines are known too.
// RUN: not mlopt %s --sparsifier=enable-runtime-libary=0 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: pipeline `sparsifier` has no option `enable-runtime-libary`; did you mean `enable-runtime-library`?

// Times and the program after each pass.
// RUN: mlopt %s --jvp --egg-optimize --mlir-timing -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING:     Execution time report
// TIMING-DAG: jvp
// TIMING-DAG: egg-optimize
// RUN: mlopt %s --jvp --mlir-print-ir-after-all -o %t.mlir 2>&1 | FileCheck %s --check-prefix=AFTER
// AFTER: IR Dump After jvp (jvp)
// AFTER: array.build

// Bytecode preserves the whole text.
// RUN: mlopt %s --jvp --emit-bytecode -o %t.mlirbc
// RUN: mlopt %t.mlirbc --egg-optimize | FileCheck %s

// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{nonsense=1}))' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: nonsense

func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<4xf64>
  %s = array.sum %p : (tensor<4xf64>) -> f64
  return %s : f64
}
func.func @df(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %g = dual.grad @f(%x, %y) wrt [0] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %g : tensor<4xf64>
}
