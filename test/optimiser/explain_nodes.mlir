// A program that consists of reactive nodes is explained by the functions that run them: a sweep over the cycles.
// RUN: mlopt explain %s | FileCheck %s
// CHECK:      @twice at {{.*}}explain_nodes.mlir:[[#@LINE+10]]:1: 1 step,
// CHECK:      1. plain-zero
// CHECK:        at: {{.*}}explain_nodes.mlir:[[#@LINE+10]]:8 (%a)
// CHECK:      result:
// CHECK-NEXT: func.func @twice(%x: tensor<?xf64>) -> tensor<?xf64>
// CHECK:          %[[X:.*]] = array.get %x
// CHECK-NEXT:     %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f64
// CHECK-NEXT:     array.yield %[[Y]] : f64
// CHECK:      @twice_init at
// CHECK:      func.func @twice_init
stream.node @twice(%x: f64) -> (y: f64) {
  %one = arith.constant 1.0 : f64
  %a = arith.mulf %x, %one : f64
  %y = arith.addf %a, %a : f64
  stream.yield %y : f64
}
