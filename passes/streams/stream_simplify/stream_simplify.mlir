// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-simplify{early=true})' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlopt %s --stream-inline --stream-simplify --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=STRICT
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-simplify{named=true})' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=ACROSS
// Equations that are equal in all cycles are merged, and the laws of streams simplify nodes. Numbers, as in `%0`, are not names.

// Two counters, each a dependency cycle through a delay, are merged; names of streams are kept.
// CHECK-LABEL: stream.node @counters
// CHECK-COUNT-1: stream.fby
// CHECK-NOT:     stream.fby
// CHECK:         %[[ONE:.*]] = arith.addi
// CHECK-NOT:     arith.addi
// CHECK:         %d = arith.subi %m, %m : i64
// CHECK:         stream.yield %d
// CHECK:       } {stream.aliases = ["n = m"]}
stream.node @counters(%x: i64) -> (d: i64) {
  %zero = arith.constant 0 : i64
  %0 = stream.fby %zero, %m : i64
  %m = arith.addi %0, %x : i64
  %1 = stream.fby %zero, %n : i64
  %n = arith.addi %1, %x : i64
  %d = arith.subi %m, %n : i64
  stream.yield %d : i64
}

// -----

// A counter with another initial value is different, and so are its users.
// CHECK-LABEL: stream.node @two_starts
// CHECK-COUNT-2: stream.fby
// CHECK:         %d = arith.subi %m, %n : i64
stream.node @two_starts(%x: i64) -> (d: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = stream.fby %zero, %m : i64
  %m = arith.addi %p, %x : i64
  %q = stream.fby %one, %n : i64
  %n = arith.addi %q, %x : i64
  %d = arith.subi %m, %n : i64
  stream.yield %d : i64
}

// -----

// Regions are equal if they have the same ops on equal operands.
// CHECK-LABEL: stream.node @regions
// CHECK-COUNT-2: array.build
// CHECK-NOT:     array.build
// CHECK:         stream.yield %a, %a, %c
// ACROSS-LABEL: stream.node @regions
// ACROSS-COUNT-2: array.build
// ACROSS-NOT:     array.build
// ACROSS:         stream.yield %a, %a, %c
// ACROSS-NEXT:  } {stream.aliases = ["b = a"]}
stream.node @regions(%x: f64, %y: f64) -> (a: tensor<4xf64>, b: tensor<4xf64>, c: tensor<4xf64>) {
  %a = array.build (%i < 4) -> (tensor<4xf64>) {
    %u = arith.addf %x, %y : f64
    array.yield %u : f64
  }
  %b = array.build (%j < 4) -> (tensor<4xf64>) {
    %u = arith.addf %x, %y : f64
    array.yield %u : f64
  }
  %c = array.build (%j < 4) -> (tensor<4xf64>) {
    %u = arith.addf %y, %x : f64
    array.yield %u : f64
  }
  stream.yield %a, %b, %c : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// -----

// Clocks with equal conditions are equal.
// CHECK-LABEL: stream.node @conditions
// CHECK:         %a = stream.when %x, %c
// CHECK-NOT:     stream.when
// CHECK:         stream.yield %c, %c, %a, %a
stream.node @conditions(%x: f64, %k: f64) -> (c: i1, d: i1, a: f64, b: f64) {
  %c = arith.cmpf olt, %x, %k : f64
  %d = arith.cmpf olt, %x, %k : f64
  %a = stream.when %x, %c : f64
  %b = stream.when %x, %d : f64
  stream.yield %c, %d, %a, %b : i1, i1, f64, f64
}

// -----

// Named delays are set individually: they are merged on request only.
// CHECK-LABEL: stream.node @instances
// CHECK:         %a.p = stream.fby
// CHECK:         %b.p = stream.fby
// ACROSS-LABEL: stream.node @instances
// ACROSS:         %a.p = stream.fby
// ACROSS-NOT:     stream.fby
// ACROSS:         stream.yield %a.o, %a.o
// ACROSS:       } {stream.aliases = [{{.*}}"b.p = a.p", "b.o = a.o"]}
stream.node @sum(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %i, %p : f64
  stream.yield %o : f64
}
stream.node @instances(%x: f64) -> (a: f64, b: f64) {
  %a = stream.instance "a" @sum(%x) : (f64) -> f64
  %b = stream.instance "b" @sum(%x) : (f64) -> f64
  stream.yield %a, %b : f64, f64
}

// -----

// post (y fby x) = x, which is known one cycle earlier: on request only.
// STRICT-LABEL: stream.node @post_of_fby
// STRICT:         stream.post
// CHECK-LABEL: stream.node @post_of_fby
// CHECK-NEXT:    stream.yield %x
// CHECK-NEXT:  } {stream.aliases = ["q = x"]}
stream.node @post_of_fby(%x: f64, %y: f64) -> (q: f64) {
  %p = stream.fby %y, %x : f64
  %q = stream.post %p : f64
  stream.yield %q : f64
}

// -----

// y fby (post x) is y in the first cycle.
// CHECK-LABEL: stream.node @fby_of_post
// CHECK:         %p = stream.post %x
// CHECK:         %q = stream.fby %y, %p
stream.node @fby_of_post(%x: f64, %y: f64) -> (q: f64) {
  %p = stream.post %x : f64
  %q = stream.fby %y, %p : f64
  stream.yield %q : f64
}

// -----

// The previous and the next value of a constant are the constant. A literal becomes a constant on one clock.
// CHECK-LABEL: stream.node @constants
// CHECK-DAG:     %k = stream.constant 2.0
// CHECK-DAG:     %[[L:.*]] = stream.constant 3.0
// CHECK-NOT:     stream.post
// CHECK:         %a = arith.addf %x, %k : f64
// CHECK:         %b = arith.addf %a, %k : f64
// CHECK:         arith.addf %b, %[[L]] : f64
stream.node @constants(%x: f64) -> (d: f64) {
  %k = stream.constant 2.0 : f64
  %l = arith.constant 3.0 : f64
  %p = stream.post %k : f64
  %0 = stream.fby %k, %k : f64
  %1 = stream.fby %l, %l : f64
  %a = arith.addf %x, %p : f64
  %b = arith.addf %a, %0 : f64
  %d = arith.addf %b, %1 : f64
  stream.yield %d : f64
}

// -----

// A named delay can be set to another value before the first cycle.
// CHECK-LABEL: stream.node @named_delay
// CHECK:         %p = stream.fby %k, %k
stream.node @named_delay(%x: f64) -> (a: f64) {
  %k = stream.constant 2.0 : f64
  %p = stream.fby %k, %k : f64
  %a = arith.addf %x, %p : f64
  stream.yield %a : f64
}

// -----

// merge(c, x when c, x when not c) = x.
// CHECK-LABEL: stream.node @merge_of_samples
// CHECK-NEXT:    stream.yield %x
stream.node @merge_of_samples(%x: f64, %c: i1) -> (m: f64) {
  %a = stream.when %x, %c : f64
  %b = stream.when %x, not %c : f64
  %m = stream.merge %c, %a, %b : f64
  stream.yield %m : f64
}

// -----

// merge(c, a, b) when c = a, and b when not c. The clocks of a and b are those that the merge requires.
// CHECK-LABEL: stream.node @samples_of_merge
// CHECK-NEXT:    stream.merge %c, %a, %b
// CHECK-NEXT:    stream.yield %c, %a, %b
stream.node @samples_of_merge(%c: i1, %a: f64, %b: f64) -> (d: i1, u: f64, v: f64) {
  %m = stream.merge %c, %a, %b : f64
  %u = stream.when %m, %c : f64
  %v = stream.when %m, not %c : f64
  stream.yield %c, %u, %v : i1, f64, f64
}

// -----

// if c then x else x = x, and a constant condition selects.
// CHECK-LABEL: stream.node @selects
// CHECK-NEXT:    stream.yield %x, %y, %x
stream.node @selects(%x: f64, %y: f64, %c: i1) -> (a: f64, b: f64, d: f64) {
  %no = arith.constant false
  %yes = arith.constant true
  %a = stream.select %c, %x, %x : f64
  %b = stream.select %no, %x, %y : f64
  %d = stream.when %x, %yes : f64
  stream.yield %a, %b, %d : f64, f64, f64
}

// -----

// Sampling does not commute with delay.
// CHECK-LABEL: stream.node @sampled_delay
// CHECK:         %p = stream.fby %{{.*}}, %x
// CHECK:         %a = stream.when %p, %c
// CHECK:         %s = stream.when %x, %c
// CHECK:         %b = stream.fby %{{.*}}, %s
stream.node @sampled_delay(%x: f64, %c: i1) -> (d: i1, a: f64, b: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %x : f64
  %a = stream.when %p, %c : f64
  %s = stream.when %x, %c : f64
  %b = stream.fby %zero, %s : f64
  stream.yield %c, %a, %b : i1, f64, f64
}

// -----

// f(a fby x, b fby y) = f(a, b) fby f(x, y): one delay instead of two, with a literal as its initial value.
// CHECK-LABEL: stream.node @one_delay
// CHECK-DAG:     %[[FIRST:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK-DAG:     %[[NEXT:.*]] = arith.mulf %x, %y : f64
// CHECK:         stream.fby %[[FIRST]], %[[NEXT]] : f64
// CHECK-NOT:     stream.fby
stream.node @one_delay(%x: f64, %y: f64) -> (z: f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %0 = stream.fby %one, %x : f64
  %1 = stream.fby %two, %y : f64
  %z = arith.mulf %0, %1 : f64
  stream.yield %z : f64
}

// -----

// Named delays are kept, and delays with other users or with a stream as their initial value.
// CHECK-LABEL: stream.node @delays_stay
// CHECK-COUNT-6: stream.fby
stream.node @delays_stay(%x: f64, %y: f64) -> (a: f64, b: f64, c: f64, d: f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %p = stream.fby %one, %x : f64
  %q = stream.fby %two, %y : f64
  %a = arith.mulf %p, %q : f64
  %0 = stream.fby %two, %x : f64
  %1 = stream.fby %one, %y : f64
  %b = arith.mulf %0, %1 : f64
  %c = arith.addf %0, %1 : f64
  %2 = stream.fby %x, %x : f64
  %3 = stream.fby %y, %y : f64
  %d = arith.mulf %2, %3 : f64
  stream.yield %a, %b, %c, %d : f64, f64, f64, f64
}

// -----

// f(post x, post y) = post f(x, y).
// CHECK-LABEL: stream.node @one_post
// CHECK:         %[[F:.*]] = arith.mulf %x, %y : f64
// CHECK:         %z = stream.post %[[F]] : f64
// CHECK-NEXT:    stream.yield %z
stream.node @one_post(%x: f64, %y: f64) -> (z: f64) {
  %p = stream.post %x : f64
  %q = stream.post %y : f64
  %z = arith.mulf %p, %q : f64
  stream.yield %z : f64
}

// -----

// A quotient that may be undefined is an effect, used or not.
// CHECK-LABEL: stream.node @quotients
// CHECK:         %q = stream.div
// CHECK:         %m = stream.merge
// CHECK:         %u = stream.when %m, %c
// CHECK:         %r = stream.div
stream.node @quotients(%c: i1, %x: i64, %y: i64) -> (d: i1, u: i64) {
  %a = stream.when %x, %c : i64
  %b = stream.when %y, not %c : i64
  %q = stream.div %b, %b : i64
  %m = stream.merge %c, %a, %q : i64
  %u = stream.when %m, %c : i64
  %r = stream.div %x, %y : i64
  stream.yield %c, %u : i1, i64
}

// -----

// Unused streams are removed, except conditions in the clock of an input: `y` is present only where `c` is true.
// CHECK-LABEL: stream.node @dead
// CHECK-NOT:     arith.addf
// CHECK:         stream.when
// CHECK:         stream.merge
// CHECK-NOT:     arith.mulf
stream.node @dead(%x: f64, %c: i1, %y: f64) -> (o: f64) {
  %gone = arith.addf %x, %x : f64
  %too = arith.mulf %gone, %gone : f64
  %b = stream.when %x, not %c : f64
  %m = stream.merge %c, %y, %b : f64
  stream.yield %x : f64
}

// -----

// A recurrence that, for the analyses, ends where `c` is false, and that would not end without the guards of `m`.
// CHECK-LABEL: stream.node @guarded
// CHECK:         stream.merge
// CHECK:         stream.when %m, %c
stream.node @guarded(%x: f64, %c: i1) -> (m: f64) {
  %m = stream.merge %c, %a, %b : f64
  %w = stream.when %m, %c : f64
  %p = stream.post %w : f64
  %s = stream.when %x, %c : f64
  %a = arith.addf %p, %s : f64
  %b = stream.when %x, not %c : f64
  stream.yield %m : f64
}
