// A list of functions that nothing is put into and nothing reads: no data without alternatives is left over, which no
// lowering knows.
// RUN: mlopt %s --closure-convert | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(closure-convert,lambda-to-array{rest=true},lambda-to-llvm)' | FileCheck %s
// CHECK-NOT:   lambda
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: f64) -> f64 {
// CHECK-NEXT:    return %[[X]] : f64
func.func @f(%x: f64) -> f64 {
  %none = lambda.nil : () -> !lambda.list<(f64) -> f64>
  return %x : f64
}
