// RUN: mlopt explain %s --function @f | FileCheck %s
// RUN: mlopt explain %s --function @f | FileCheck %s --check-prefix=SAME
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s --check-prefix=SAME
// RUN: mlopt explain %s --function @f --all | FileCheck %s --check-prefix=ALL
// RUN: mlopt explain %s --function @f --html %t.html
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t.html
// RUN: mlopt explain %s --function @f --rules=array | FileCheck %s --check-prefix=FEW
// RUN: not mlopt explain %s --function @g 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not mlopt explain %s --rules=arrays 2>&1 | FileCheck %s --check-prefix=RULE
// From the derivative of v · w, column by column, to w, step by step.

// CHECK:      @f at {{.*}}explain.mlir:[[@LINE+52]]:1: 7 steps, cost {{[0-9]+}} before, 0 after
// CHECK:      1. mask-out (cond, exact0)
// CHECK-NEXT:    law:  f(cond(c, x, Zero)) = cond(c, f(x), Zero)
// CHECK-NEXT:    at:   {{.*}}explain.mlir:{{[0-9]+}}:15 (%here), {{.*}} (%y)
// CHECK-NEXT:    before:
// CHECK-NEXT:      %0 = array.get %w[%j] : (tensor<8xf64>) -> f64
// CHECK-NEXT:      %1 = arith.cmpi eq, %j, %i : index
// CHECK:           %5 = arith.mulf %0, %4 : f64
// CHECK-NEXT:      => %5 : f64
// CHECK-NEXT:    after:
// CHECK:           => %6 : f64

// One times y, and zero times y.
// CHECK:      2. structural-zero (ring, exact0)
// CHECK:         after:
// CHECK-NEXT:      %0 = array.get %w[%i] : (tensor<8xf64>) -> f64
// CHECK-NEXT:      => %0 : f64
// CHECK:      3. structural-zero (ring, exact0)
// CHECK:         after:
// CHECK-NEXT:      %0 = dual.zero : f64
// CHECK-NEXT:      => %0 : f64

// A loop of one iteration is removed.
// CHECK:      4. loop-single (ifold, exact0)
// CHECK:         when: (runs e d n); (runs p d n), or (neutral o);
// CHECK:         before:
// CHECK:           array.ifold (%j < %c8) iter_args(%s0 = %0)
// CHECK:         after:
// CHECK-NOT:       array.ifold
// CHECK:      5. structural-zero
// CHECK:      6. cond-known

// The remaining code reads all of w.
// CHECK:      7. build-of-get (array, exact)
// CHECK:         before:
// CHECK:           array.build (%i < 8)
// CHECK:         after:
// CHECK-NEXT:      => %w : tensor<8xf64>
// CHECK:      result:

// SAME:       func.func @f(%{{.*}}: tensor<8xf64>, %[[W:.*]]: tensor<8xf64>)
// SAME-NEXT:    return %[[W]]

// ALL:        9 steps
// ALL:        sort-operands
// PAGE:       <!DOCTYPE html>
// PAGE:       <h3>mask-out (cond, exact0)</h3>
// PAGE:       =&gt; %w : tensor&lt;8xf64&gt;
// FEW:        0 steps
// NAME:       error: the program has no function `@g` with a body
// RULE:       error: --rules: unknown rule or set of rules `arrays`; did you mean `array`?

func.func @f(%v: tensor<8xf64>, %w: tensor<8xf64>) -> tensor<8xf64> {
  %n = arith.constant 8 : index
  %g = array.build (%i < 8) -> (tensor<8xf64>) {
    %zero = dual.zero : f64
    %one = dual.one : f64
    %s = array.ifold (%j < %n) iter_args(%a = %zero) -> (f64) {
      %here = arith.cmpi eq, %i, %j : index
      %hot = arith.select %here, %one, %zero : f64
      %y = array.get %w[%j] : (tensor<8xf64>) -> f64
      %t = arith.mulf %hot, %y : f64
      %b = arith.addf %a, %t : f64
      array.yield %b : f64
    }
    array.yield %s : f64
  }
  return %g : tensor<8xf64>
}
