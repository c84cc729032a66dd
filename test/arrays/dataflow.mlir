// RUN: mlopt view --dataflow %s --function @f -o %t.svg
// RUN: FileCheck %s --input-file=%t.svg
// RUN: mlopt view --dataflow %s --function f > %t.again.svg
// RUN: cmp %t.svg %t.again.svg
// RUN: mlopt view --dataflow %s --limit 10 -o %t.small.svg 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=ALL --input-file=%t.small.svg
// RUN: not mlopt view --dataflow %s --function @h 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not mlopt view --dataflow %s --function @f --node @f 2>&1 | FileCheck %s --check-prefix=BOTH
// A picture of functions: boxes are ops in the colours of their regions, and edges lead from definitions to uses.

// CHECK:      >@f</text>
// CHECK-NEXT: >5 ops, 1 argument, 2 results, 1 region</text>
// CHECK:      >argument</text>
// CHECK:      >op</text>
// CHECK:      >result of the function</text>
// CHECK:      >operand</text>
// CHECK:      >value that a region passes to its op</text>
// CHECK:      fill="#fde6bd"
// CHECK-NEXT: >region of array.build y</text>
// The value that the region yields; then x to length and get, i to get, its element to mulf, n to build, y to sum, and
// both results.
// CHECK-COUNT-1: <path class="edge condition"
// CHECK-NOT:  <path class="edge condition"
// CHECK-COUNT-8: <path class="edge value"
// CHECK-NOT:  <path class="edge value"
// CHECK:      <title>x: tensor&lt;?xf64&gt;
// CHECK-NEXT: at {{.*}}dataflow.mlir:[[#@LINE+35]]:{{[0-9]+}}</title>
// CHECK-NEXT: <rect fill="#eef1f6"
// CHECK-NEXT: >x</text>
// CHECK-NEXT: >tensor&lt;?xf64&gt;</text>
// CHECK:      >n</text>
// CHECK-NEXT: >array.length x</text>
// CHECK-NEXT: >index</text>
// CHECK:      >y</text>
// CHECK-NEXT: >array.build n</text>
// CHECK:      <rect fill="#fde6bd"
// CHECK-NEXT: >i</text>
// CHECK-NEXT: >index</text>
// CHECK:      >#[[#]]</text>
// CHECK-NEXT: >array.get x i</text>
// CHECK:      <title>p: arith.mulf #[[#]] 2.5 : f64
// CHECK-NEXT: fastmath = #arith.fastmath&lt;none&gt;
// CHECK-NEXT: in the region of array.build y
// CHECK-NEXT: at
// CHECK-NEXT: <rect fill="#fde6bd"
// CHECK-NEXT: >p</text>
// CHECK:      >s</text>
// CHECK-NEXT: >array.sum y</text>
// CHECK:      stroke-width="3"
// CHECK-NEXT: >result 0</text>
// CHECK-NEXT: >s : f64</text>
// CHECK:      >result 1</text>
// CHECK-NEXT: >y : tensor&lt;?xf64&gt;</text>
// NOTE:       @g: 1 of 3 boxes are drawn within the limit, the results and the ops nearest to them
// NOTE-NEXT:  2 of 3 functions are drawn within the limit
// ALL:        >@f</text>
// ALL:        >@g</text>
// ALL-NOT:    >@last</text>
// WHICH:      dataflow.mlir: error: the program has no function `@h` with a body
// BOTH:       error: the argument '--function <@NAME>' cannot be used with '--node <@NAME>'

func.func @f(%x: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %c = arith.constant 2.5 : f64
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %0 = array.get %x[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %0, %c : f64
    array.yield %p : f64
  }
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s, %y : f64, tensor<?xf64>
}

func.func @g(%x: f64) -> f64 {
  %z = math.sin %x : f64
  return %z : f64
}

func.func @last(%x: f64) -> f64 {
  return %x : f64
}
