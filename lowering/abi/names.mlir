// Functions may have names of C functions: they get other symbols, and can still call the C functions.
// RUN: mlopt run %s --entry @exp --arg 1 | FileCheck %s --check-prefix=EXP
// RUN: mlopt run %s --entry @main --arg 1 | FileCheck %s --check-prefix=EXP
// RUN: mlopt run %s --entry @malloc --arg '[1, 2]' | FileCheck %s --check-prefix=MALLOC
// RUN: mlopt compile %s --emit=llvm 2>&1 | FileCheck %s

// log(1 + e)
// EXP: 1.31326168
// CHECK: names.mlir:[[@LINE+5]]:1: warning: `@exp` cannot be exported under its name
// CHECK-SAME: its symbol is `mlopt.exp`, and the header declares it as `mlopt_exp`
// CHECK: define void @mlopt.exp(
// CHECK: define void @mlopt.exp.packed(
// CHECK: define void @mlopt.exp.sizes.packed(
func.func @exp(%x: f64) -> f64 {
  %y = math.exp %x : f64
  %z = math.log1p %y : f64
  return %z : f64
}
func.func @main(%x: f64) -> f64 {
  %y = func.call @exp(%x) : (f64) -> f64
  return %y : f64
}
// MALLOC: [2.71828183 7.3890561 ]
func.func @malloc(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = math.exp %x : tensor<?xf64>
  return %y : tensor<?xf64>
}
