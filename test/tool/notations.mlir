// Files in another notation are recognised, or the message names the subcommand that reads them.
// RUN: split-file %s %t
// RUN: mlopt run %t/square.terms --arg 3 | FileCheck %s --check-prefix=TERMS
// TERMS: 9.0
// RUN: not mlopt run %t/sum.rml2 2>&1 | FileCheck %s --check-prefix=STREAMS
// STREAMS: sum.rml2: error: expected MLIR, found a file in the notation of streams: `mlopt import-streams {{.*}}sum.rml2 --type INPUT=TYPE` writes it as MLIR
// RUN: not mlopt --cse %t/f.lambda -o %t/g.lambda 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// FUNCTIONS: f.lambda: error: expected MLIR, found a file in the notation of functions: `mlopt import-lambda {{.*}}f.lambda` writes it as MLIR
// RUN: not mlopt %t/square.terms 2>&1 | FileCheck %s --check-prefix=NOT
// NOT: error: expected MLIR, found a file in the notation of terms
// RUN: mlopt compile %t/f.mlir -o %t/f.ll
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t/f.ll
// LLVM: define {{.*}}@f
// RUN: mlopt compile %t/f.mlir -o %t/f.s
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/f.s
// ASM: {{^}}f:
// RUN: mlopt compile %t/f.mlir -o %t/libf.so
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/libf.h
// HEADER: f(
// The name of the output is not that of an input.
// RUN: mlopt --cse -o %t/written.lambda %t/f.mlir && mlopt --cse -o %t/read.lambda < %t/f.mlir
// RUN: cmp %t/written.lambda %t/read.lambda
// RUN: mlopt --help | FileCheck %s --check-prefix=HELP
// HELP: dialects array, dual, lambda, stream, sweep

//--- square.terms
(def square ((x f64)) (* x x))
//--- sum.rml2
node sum(x) -> (s) let s = x + (0.0 fby s); tel
//--- f.lambda
(def main ((x f64)) (* x x))
//--- f.mlir
func.func @f(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
