// An empty list of functions that is not read: no `lambda.data` without variants remains, which no
// lowering supports.
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
