// After an undefined value and a later error, MLIR 19's parser writes to freed memory. That is
// not a crash here: the error is reported, and the exit status is that of wrong input.
// RUN: not mlopt %s 2>&1 | FileCheck %s --implicit-check-not='internal error'
// RUN: not mlopt run %s --entry @twice --arg 1.0 2>&1 | FileCheck %s --implicit-check-not='internal error'
// RUN: not mlopt explain %s 2>&1 | FileCheck %s --implicit-check-not='internal error'
// RUN: not mlopt compile %s --emit=llvm 2>&1 | FileCheck %s --implicit-check-not='internal error'
// CHECK: syntax_error.mlir:[[#@LINE+7]]:3: error: redefinition of SSA value '%d'
func.func @undeclared(%x: f64) -> f64 {
  %e = arith.mulf %d, %x : f64
  return %e : f64
}
func.func @twice(%x: f64) -> f64 {
  %d = arith.negf %x : f64
  %d = arith.negf %x : f64
  return %d : f64
}
