// RUN: mlopt view --dataflow %s -o %t.svg
// RUN: FileCheck %s --input-file=%t.svg
// RUN: mlopt view --dataflow %s --node @f > %t.again.svg
// RUN: cmp %t.svg %t.again.svg
// RUN: mlopt view --dataflow %s --limit 3 -o %t.small.svg 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t.small.svg
// RUN: mlopt view --dataflow %s --node sum | FileCheck %s --check-prefix=SUM
// RUN: not mlopt view --dataflow %s --node @summ 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not mlopt view --dataflow %S/counters.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not mlopt view --dataflow %S/../inline.mlir --node @norms 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlopt view --dataflow --egraph %s 2>&1 | FileCheck %s --check-prefix=BOTH
// A picture of a node: boxes point in the direction of time in which their values flow, and have the colour of their clock.

// CHECK:      >@f</text>
// CHECK-NEXT: >10 streams, 3 clocks, 2 inputs, 1 output</text>
// CHECK-NEXT: >plan segmented: recurrences go backward in time</text>
// CHECK-NEXT: >c ends the recurrence of next, rest, y</text>
// CHECK:      >fby: the value of the previous cycle</text>
// CHECK:      >post: the value of the next cycle</text>
// CHECK:      fill="#eef1f6"
// CHECK-NEXT: >clock .</text>
// CHECK:      fill="#fde6bd"
// CHECK-NEXT: >clock . on c</text>
// CHECK:      fill="#cdefe0"
// CHECK-NEXT: >clock . on not c</text>
// CHECK-COUNT-4: <path class="edge condition"
// CHECK:      <path class="edge value"
// CHECK-COUNT-1: <path class="edge later"
// CHECK-NOT:  <path class="edge later"
// CHECK-COUNT-1: <path class="edge earlier"
// CHECK:      >x</text>
// CHECK-NEXT: >input f64</text>
// CHECK:      <title>s.p = 0 fby o : f64
// CHECK-NEXT: on the clock . on c</title>
// CHECK-NEXT: <path fill="#fde6bd"
// CHECK-NEXT: >s.p</text>
// CHECK-NEXT: >0 fby o</text>
// CHECK:      also s</title>
// CHECK:      >addf xc p</text>
// CHECK:      >cmpf ogt o 1.5</text>
// CHECK:      >post y</text>
// CHECK:      >next when not c</text>
// CHECK:      >merge(c, #{{[0-9]+}}, rest)</text>
// CHECK:      stroke-width="3"
// CHECK-NEXT: >y</text>
// CHECK-NEXT: >output f64</text>
// NOTE:       @f: 3 of 10 streams are drawn within the limit, the outputs and the streams nearest to them
// SMALL:      >3 of 10 streams are drawn
// SUM:        >@sum</text>
// SUM-NEXT:   >3 streams, 1 clock, 1 input, 1 output</text>
// SUM-NEXT:   >plan forward: nothing looks ahead</text>
// WHICH:      view.mlir: error: unknown node `@summ`; did you mean `sum`?
// SEVERAL:    counters.mlir: error: expected `--node` with the name of a node, one of `@counter`, `@two_instances`, `@hold`, `@sampled_delay`
// NONE:       inline.mlir: error: unknown node `@norms`
// BOTH:       error: the argument '--dataflow' cannot be used with '--egraph'

stream.node @sum(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %i, %p : f64
  stream.yield %o : f64
}

stream.node @f(%x: f64, %c: i1) -> (y: f64) {
  %xc = stream.when %x, %c : f64
  %s = stream.instance "s" @sum(%xc) : (f64) -> f64
  %limit = arith.constant 1.5 : f64
  %large = arith.cmpf ogt, %s, %limit : f64
  %0 = stream.select %large, %limit, %s : f64
  %next = stream.post %y : f64
  %rest = stream.when %next, not %c : f64
  %y = stream.merge %c, %0, %rest : f64
  stream.yield %y : f64
}
