// RUN: mlopt run %s --entry @double --interpret --pass-pipeline='builtin.module()' --arg 1.5 --arg 4 | FileCheck %s --check-prefix=DOUBLE
// RUN: mlopt run %s --entry @single --interpret --pass-pipeline='builtin.module()' --arg 0.1 --arg 4 | FileCheck %s --check-prefix=SINGLE
// RUN: not mlopt run %s --entry @integer --interpret --pass-pipeline='builtin.module()' --arg 1 --arg 4 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not mlopt run %s --entry @float --interpret --pass-pipeline='builtin.module()' --arg 1.0 --arg 4.0 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not mlopt run %s --entry @array --interpret --pass-pipeline='builtin.module()' --arg '[1]' --arg 4 2>&1 | FileCheck %s --check-prefix=ARRAY
// Programs without types: the types of the operands at run time select each operation.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

func.func private @open(%x: !lambda.any, %n: !lambda.any) -> !lambda.any {
  %two = lambda.literal 2.0 : f64 -> !lambda.any
  %one = lambda.literal 1 : i64 -> !lambda.any
  %y = lambda.prim "*"(%two, %x) : (!lambda.any, !lambda.any) -> !lambda.any
  %m = lambda.prim "i+"(%n, %one) : (!lambda.any, !lambda.any) -> !lambda.any
  %t = lambda.tuple %y, %m : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// DOUBLE: {{^}}(3.0, 5){{$}}
func.func @double(%x: f64, %n: i64) -> tuple<f64, i64> {
  %open = lambda.ref @open : (!lambda.any, !lambda.any) -> !lambda.any
  %r = lambda.apply %open(%x, %n) : (!lambda.any, !lambda.any) -> !lambda.any (f64, i64) -> tuple<f64, i64>
  return %r : tuple<f64, i64>
}

// A literal has the type of the other operand: twice 0.1 is 0.2 in single precision only.
// SINGLE: {{^}}(0.2, 5){{$}}
func.func @single(%x: f32, %n: i64) -> tuple<f32, i64> {
  %open = lambda.ref @open : (!lambda.any, !lambda.any) -> !lambda.any
  %r = lambda.apply %open(%x, %n) : (!lambda.any, !lambda.any) -> !lambda.any (f32, i64) -> tuple<f32, i64>
  return %r : tuple<f32, i64>
}

// INTEGER: eval/open.mlir:[[#@LINE-21]]:8: error: 'lambda.prim' op type-mismatch: `arith.mulf` needs floats, found f64, i64
func.func @integer(%x: i64, %n: i64) -> tuple<i64, i64> {
  %open = lambda.ref @open : (!lambda.any, !lambda.any) -> !lambda.any
  %r = lambda.apply %open(%x, %n) : (!lambda.any, !lambda.any) -> !lambda.any (i64, i64) -> tuple<i64, i64>
  return %r : tuple<i64, i64>
}

// FLOAT: eval/open.mlir:[[#@LINE-27]]:8: error: 'lambda.prim' op type-mismatch: 
func.func @float(%x: f64, %n: f64) -> tuple<f64, f64> {
  %open = lambda.ref @open : (!lambda.any, !lambda.any) -> !lambda.any
  %r = lambda.apply %open(%x, %n) : (!lambda.any, !lambda.any) -> !lambda.any (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// ARRAY: eval/open.mlir:[[#@LINE-35]]:8: error: 'lambda.prim' op rank-mismatch: operands must have the same type, found f64 and tensor<1xf64>
func.func @array(%x: tensor<1xf64>, %n: i64) -> tuple<tensor<1xf64>, i64> {
  %open = lambda.ref @open : (!lambda.any, !lambda.any) -> !lambda.any
  %r = lambda.apply %open(%x, %n) : (!lambda.any, !lambda.any) -> !lambda.any (tensor<1xf64>, i64) -> tuple<tensor<1xf64>, i64>
  return %r : tuple<tensor<1xf64>, i64>
}
