// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s
// Conditionals.

// cond-context: what the outer condition says holds in its arms.
// CHECK-LABEL: func.func @same_condition
// CHECK-COUNT-1: arith.select
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @same_condition(%c: i1, %x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.select %c, %x, %y : f64
  %b = math.exp %a : f64
  %r = arith.select %c, %b, %z : f64
  return %r : f64
}
// CHECK-LABEL: func.func @other_condition
// CHECK-COUNT-2: arith.select
func.func @other_condition(%c: i1, %d: i1, %x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.select %d, %x, %y : f64
  %b = math.exp %a : f64
  %r = arith.select %c, %b, %z : f64
  return %r : f64
}

// cond-not: a negation exchanges the arms.
// CHECK-LABEL: func.func @negated
// CHECK-SAME:    %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[C]], %[[Y]], %[[X]]
// CHECK-NEXT:    return %[[R]]
func.func @negated(%c: i1, %x: f64, %y: f64) -> f64 {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %r = arith.select %n, %x, %y : f64
  return %r : f64
}
