// RUN: mlopt run %s --interpret --node @counter --ticks 5 --chronogram | FileCheck %s --check-prefix=COUNTER
// RUN: mlopt run %s --node @counter --ticks 5 --chronogram | FileCheck %s --check-prefix=COUNTER
// RUN: mlopt run %s --interpret --node @two_instances --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt run %s --node @two_instances --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt run %s --interpret --node @hold --input 'x=[1, ., 3, ., ., 6]' --input 'c=[1, 0, 1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=HOLD
// RUN: mlopt run %s --node @hold --input 'x=[1, ., 3, ., ., 6]' --input 'c=[1, 0, 1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=HOLD
// RUN: mlopt run %s --interpret --node @sampled_delay --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 1, 1, 0]' --chronogram | FileCheck %s --check-prefix=DELAY
// RUN: mlopt run %s --node @sampled_delay --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 1, 1, 0]' --chronogram | FileCheck %s --check-prefix=DELAY
// RUN: mlopt run %s --interpret --node @late --input 'x=[4, -3, 9]' --input 'c=[1, 0, 1]' --chronogram | FileCheck %s --check-prefix=LATE
// RUN: mlopt run %s --node @late --input 'x=[4, -3, 9]' --input 'c=[1, 0, 1]' --chronogram | FileCheck %s --check-prefix=LATE
// State: each `fby` has its own cell, which is updated in the cycles in which the stream is present (spec/streams.md 8.3, 8.9).

// COUNTER:      {{^}}cycle  0  1  2  3  4{{$}}
// COUNTER-NEXT: {{^}}o      0  1  2  3  4{{$}}
stream.node @counter() -> (o: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = stream.fby %zero, %u : i64
  %u = arith.addi %o, %one : i64
  stream.yield %o : i64
}

stream.node @cumul(%x: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %x, %p : f64
  stream.yield %o : f64
}

// The instance under `when` counts only where c holds: the instances share no state.
// TWO:      {{^}}a      1  3   6   10  15{{$}}
// TWO-NEXT: {{^}}b      1  -2  -3  5   10{{$}}
stream.node @two_instances(%x: f64, %c: i1) -> (a: f64, b: f64) {
  %a = stream.instance "a" @cumul(%x) : (f64) -> f64
  %xc = stream.when %x, %c : f64
  %s = stream.instance "s" @cumul(%xc) : (f64) -> f64
  %rest = stream.when %x, not %c : f64
  %negated = arith.negf %rest : f64
  %b = stream.merge %c, %s, %negated : f64
  stream.yield %a, %b : f64, f64
}

// HOLD:      {{^}}x      1  .  3  .  .  6{{$}}
// HOLD-NEXT: {{^}}c      T  F  T  F  F  T{{$}}
// HOLD-NEXT: {{^}}y      1  1  3  3  3  6{{$}}
stream.node @hold(%x: f64, %c: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %y : f64
  %q = stream.when %p, not %c : f64
  %y = stream.merge %c, %x, %q : f64
  stream.yield %y : f64
}

// Sampling does not commute with delay.
// DELAY:      {{^}}a      0  .  2  3  .{{$}}
// DELAY-NEXT: {{^}}b      0  .  1  3  .{{$}}
stream.node @sampled_delay(%x: f64, %c: i1) -> (a: f64, b: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %x : f64
  %a = stream.when %p, %c : f64
  %xc = stream.when %x, %c : f64
  %b = stream.fby %zero, %xc : f64
  stream.yield %a, %b : f64, f64
}

// One operand of the second merge is computed under `c`, the other depends on the first merge.
// LATE: {{^}}y      2  6   3{{$}}
stream.node @late(%x: f64, %c: i1) -> (y: f64) {
  %xc = stream.when %x, %c : f64
  %xn = stream.when %x, not %c : f64
  %a = math.exp %xc : f64
  %b = math.absf %xn : f64
  %m = stream.merge %c, %a, %b : f64
  %z = arith.addf %m, %m : f64
  %zn = stream.when %z, not %c : f64
  %d = math.sqrt %xc : f64
  %y = stream.merge %c, %d, %zn : f64
  stream.yield %y : f64
}
