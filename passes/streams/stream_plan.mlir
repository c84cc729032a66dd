// RUN: mlopt %s --stream-inline --stream-plan --split-input-file --verify-diagnostics | FileCheck %s
// Clocks are inferred, and programs that cannot run are rejected with an error code.

// No lookahead.
// CHECK-LABEL: stream.node @hold
// CHECK:         %p = stream.fby %{{.*}}, %y {stream.clock = []} : f64
// CHECK:         %q = stream.when %p, not %c {stream.clock = ["!c"]} : f64
// CHECK:         %y = stream.merge %c, %x, %q {stream.clock = []} : f64
// CHECK:       } {stream.plan = "forward"}
stream.node @hold(%x: f64, %c: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %y : f64
  %q = stream.when %p, not %c : f64
  %y = stream.merge %c, %x, %q : f64
  stream.yield %y : f64
}

// -----

// A constant of arith is present wherever it is read: MLIR merges equal ones.
// CHECK-LABEL: stream.node @literals
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         stream.fby %[[ZERO]], %x {stream.clock = []} : f64
// CHECK:         stream.fby %negated, %s {stream.clock = ["c"]} : f64
stream.node @literals(%x: f64, %c: i1) -> (c1: i1, a: f64, b: f64) {
  %zero = arith.constant 0.0 : f64
  %negated = arith.negf %zero : f64
  %a = stream.fby %zero, %x : f64
  %s = stream.when %x, %c : f64
  %t = stream.fby %negated, %s : f64
  %b = arith.addf %t, %zero : f64
  stream.yield %c, %a, %b : i1, f64, f64
}

// -----

// expected-note @+1 {{the condition `c` comes from here}}
stream.node @one_clock(%x: f64, %c: i1) -> (y: f64, z: f64) {
  %k = stream.constant 2.0 : f64
  %y = arith.mulf %k, %x : f64
  // expected-note @+1 {{`s` comes from here; it is present in too few cycles: complete it with `stream.merge`}}
  %s = stream.when %x, %c : f64
  // expected-error @+1 {{'arith.mulf' op E-CLOCK: `s` must be on the clock `.`, found `. on c`}}
  %z = arith.mulf %k, %s : f64
  stream.yield %y, %z : f64, f64
}

// -----

// Lookahead by two cycles.
// CHECK-LABEL: stream.node @ahead
// CHECK:       } {stream.plan = "retimed"}
stream.node @ahead(%x: f64) -> (y: f64) {
  %a = stream.post %x : f64
  %b = stream.post %a : f64
  %c = arith.addf %a, %b : f64
  %y = arith.addf %c, %x : f64
  stream.yield %y : f64
}

// -----

// Lookahead to the next cycle in which c holds.
// CHECK-LABEL: stream.node @sampled
// CHECK:         stream.post %s {stream.clock = ["c"]} : f64
// CHECK:       } {stream.plan = "waiting"}
stream.node @sampled(%x: f64, %c: i1) -> (c1: i1, y: f64) {
  %s = stream.when %x, %c : f64
  %y = stream.post %s : f64
  stream.yield %c, %y : i1, f64
}

// -----

// Backward from the end of each sequence.
// CHECK-LABEL: stream.node @suffix_sum
// CHECK:       } {stream.plan = "segmented"}
stream.node @suffix_sum(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}

// -----

// Forward and backward recurrences that depend on each other: the mean of a sequence, and the sum of values above it.
// CHECK-LABEL: stream.node @training
// CHECK:       } {stream.plan = "segmented"}
stream.node @training(%x: f64, %end: i1) -> (y: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %rst = stream.fby %true, %end : i1
  // The parameter of a sequence, and a result of the previous sequence.
  %k = stream.fby %zero, %k1 : f64
  %held = stream.fby %zero, %kh : f64
  %kh = stream.select %rst, %k, %held : f64
  %y = arith.mulf %kh, %x : f64
  %next = stream.post %d : f64
  %rest = stream.select %end, %zero, %next : f64
  %d = arith.addf %y, %rest : f64
  %step = stream.select %rst, %d, %zero : f64
  %k1 = arith.addf %k, %step : f64
  stream.yield %y : f64
}

// -----

// On a slower clock the next cycle may be arbitrarily late: two delays do not compensate for it.
// CHECK-LABEL: stream.node @far
// CHECK:       } {stream.plan = "segmented"}
stream.node @far(%x: f64, %c: i1) -> (c1: i1, y: f64) {
  %zero = arith.constant 0.0 : f64
  %y = stream.fby %zero, %p : f64
  %p = stream.fby %zero, %m : f64
  %sum = arith.addf %x, %y : f64
  %s = stream.when %sum, %c : f64
  %next = stream.post %s : f64
  %none = stream.when %zero, not %c : f64
  %m = stream.merge %c, %next, %none : f64
  stream.yield %c, %y : i1, f64
}

// -----

// An unused stream may look ahead without bound.
// CHECK-LABEL: stream.node @unused
// CHECK:       } {stream.plan = "forward"}
stream.node @unused(%x: f64) -> (y: f64) {
  %p = stream.post %q : f64
  %q = arith.addf %p, %x : f64
  stream.yield %x : f64
}

// -----

// expected-note @+1 {{the condition `c` comes from here}}
stream.node @mixed(%x: f64, %c: i1) -> (y: f64) {
  // expected-note @+1 {{`s` comes from here; it is present in too few cycles: complete it with `stream.merge`}}
  %s = stream.when %x, %c : f64
  // expected-error @+1 {{'arith.addf' op E-CLOCK: `s` must be on the clock `.`, found `. on c`}}
  %y = arith.addf %x, %s : f64
  stream.yield %y : f64
}

// -----

// expected-note @+1 {{the condition `c` comes from here}}
stream.node @negated(%x: f64, %c: i1) -> (y: f64) {
  %true = arith.constant true
  // expected-note @+1 {{the condition `d` comes from here}}
  %d = arith.xori %c, %true : i1
  %a = stream.when %x, %c : f64
  // expected-note @+1 {{`b` comes from here; change `stream.when`: the conditions must be those of `. on not c`, in the same order}}
  %b = stream.when %x, %d : f64
  // expected-error @+1 {{'stream.merge' op E-CLOCK: `b` must be on the clock `. on not c`, found `. on d`}}
  %y = stream.merge %c, %a, %b : f64
  stream.yield %y : f64
}

// -----

stream.node @escape(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  // expected-note @+1 {{make `c` an output, or complete `y` with `stream.merge`}}
  %c = arith.cmpf ogt, %x, %zero : f64
  // expected-note @+2 {{`y` comes from here}}
  // expected-error @+1 {{E-CLOCK: the clock `. on c` of `y` depends on `c`, which is neither an input nor an output}}
  %y = stream.when %x, %c : f64
  stream.yield %y : f64
}

// -----

stream.node @instantaneous(%x: f64) -> (y: f64) {
  // expected-error @+2 {{'arith.addf' op E-CAUSALITY: `y` depends on itself in the same cycle}}
  // expected-note @+1 {{`y` needs `z`}}
  %y = arith.addf %x, %z : f64
  // expected-note @+1 {{`z` needs `y`}}
  %z = arith.mulf %y, %y : f64
  stream.yield %y : f64
}

// -----

stream.node @zero() -> (y: i64) {
  %c = arith.constant 0 : i64
  // expected-error @+2 {{'stream.fby' op E-CAUSALITY: each of the streams `y`, `p` depends on itself in the same cycle, because the circular dependency reads values of the next cycle as often as values of the previous one}}
  // expected-note @+1 {{`y` needs `p` of the previous cycle}}
  %y = stream.fby %c, %p : i64
  // expected-note @+1 {{`p` needs `y` of the next cycle}}
  %p = stream.post %y : i64
  stream.yield %y : i64
}

// -----

stream.node @pcounter() -> (o: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+3 {{'stream.post' op E-PRODUCTIVITY: a recurrence backward in time must end, but no condition ends the recurrence through `o`, `u`}}
  // expected-note @+2 {{end the recurrence by a `stream.select` whose condition is true in the last cycle of each sequence}}
  // expected-note @+1 {{`o` needs `u` of the next cycle}}
  %o = stream.post %u : i64
  // expected-note @+1 {{`u` needs `o`}}
  %u = arith.addi %o, %one : i64
  stream.yield %o : i64
}

// -----

// Sampling by a constant that selects everything is the identity.
// CHECK-LABEL: stream.node @always
// CHECK:         stream.when %x, %{{.*}} {stream.clock = []} : f64
stream.node @always(%x: f64) -> (y: f64) {
  %true = arith.constant true
  %s = stream.when %x, %true : f64
  %y = arith.addf %x, %s : f64
  stream.yield %y : f64
}

// -----

// expected-note @+1 {{the condition `c` comes from here}}
stream.node @same_side(%x: f64, %c: i1) -> (y: f64) {
  %a = stream.when %x, %c : f64
  // expected-note @+1 {{`b` comes from here; change `stream.when`: the conditions must be those of `. on not c`, in the same order}}
  %b = stream.when %x, %c : f64
  // expected-error @+1 {{'stream.merge' op E-CLOCK: `b` must be on the clock `. on not c`, found `. on c`}}
  %y = stream.merge %c, %a, %b : f64
  stream.yield %y : f64
}

// -----

stream.node @itself(%x: f64) -> (y: f64) {
  // expected-error @+2 {{'arith.addf' op E-CAUSALITY: `y` depends on itself in the same cycle}}
  // expected-note @+1 {{`y` needs `y`}}
  %y = arith.addf %x, %y : f64
  stream.yield %y : f64
}

// -----

// The initial value of a delay is read in its first cycle.
stream.node @first_value(%x: f64) -> (y: f64) {
  // expected-error @+2 {{'stream.fby' op E-CAUSALITY: `y` depends on itself in the same cycle}}
  // expected-note @+1 {{`y` needs `z`}}
  %y = stream.fby %z, %x : f64
  // expected-note @+1 {{`z` needs `y`}}
  %z = arith.addf %x, %y : f64
  stream.yield %y : f64
}
