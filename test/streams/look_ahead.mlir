// RUN: mlopt run %s --interpret --node @suffix_sum --input 'x=[1, 2, 3, 4, 5, 6]' --input 'end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=SUFFIX
// RUN: mlopt run %s --node @suffix_sum --input 'x=[1, 2, 3, 4, 5, 6]' --input 'end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=SUFFIX
// RUN: mlopt run %s --interpret --node @bidir_sum --input 'x=[1, 2, 3, 4, 5, 6]' --input 'end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=BIDIR
// RUN: mlopt run %s --node @bidir_sum --input 'x=[1, 2, 3, 4, 5, 6]' --input 'end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=BIDIR
// RUN: mlopt run %s --interpret --node @lookahead2 --input 'x=[1, 2, 3, 4, 5]' --tail=show --chronogram | FileCheck %s --check-prefix=AHEAD
// RUN: mlopt run %s --node @lookahead2 --input 'x=[1, 2, 3, 4, 5]' --tail=show --chronogram | FileCheck %s --check-prefix=AHEAD
// RUN: mlopt run %s --interpret --node @backfill --input 'i=[2, 6, 8, 5, 1, 4]' --input 'bp=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=BACK
// RUN: mlopt run %s --node @backfill --input 'i=[2, 6, 8, 5, 1, 4]' --input 'bp=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=BACK
// RUN: mlopt run %s --interpret --node @mean_var --input 'x=[1, 2, 6, 4, 5, 9]' --input 'batch_end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=MEAN
// RUN: mlopt run %s --node @mean_var --input 'x=[1, 2, 6, 4, 5, 9]' --input 'batch_end=[0, 0, 1, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=MEAN
// RUN: not mlopt run %s --interpret --node @backfill --input 'i=[1, 2, 3, 4]' --input 'bp=[0, 1, 0, 0]' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt run %s --node @backfill --input 'i=[1, 2, 3, 4]' --input 'bp=[0, 1, 0, 0]' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt run %s --interpret --node @backfill --input 'i=[1, ., 3]' --input 'bp=[1, 0, 1]' 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: not mlopt run %s --node @backfill --input 'i=[1, ., 3]' --input 'bp=[1, 0, 1]' 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: not mlopt run %s --interpret --node @backfill --input 'i=[1]' --input 'bp=[1]' --show oo 2>&1 | FileCheck %s --check-prefix=SHOW
// RUN: not mlopt run %s --node @backfill --input 'i=[1]' --input 'bp=[1]' --show oo 2>&1 | FileCheck %s --check-prefix=SHOW
// RUN: mlopt run %s --interpret --node @unknown_clock --input 'd=[1, 0, 0]' --input 'e=[1, 1, 1]' --input 'b=[1, 1, 1]' --tail=show --chronogram | FileCheck %s --check-prefix=UNKNOWN
// RUN: mlopt run %s --node @unknown_clock --input 'd=[1, 0, 0]' --input 'e=[1, 1, 1]' --input 'b=[1, 1, 1]' --tail=show --chronogram | FileCheck %s --check-prefix=UNKNOWN
// RUN: mlopt run %s --interpret --node @numbered --input x=1 --ticks 40 --tail=show | FileCheck %s --check-prefix=NUMBERED
// RUN: mlopt run %s --node @numbered --input x=1 --ticks 40 --tail=show | FileCheck %s --check-prefix=NUMBERED
// Recurrences backward in time, up to where a sequence ends (spec/streams.md 8.6, 8.7, 8.9).

// SUFFIX: {{^}}s      6  5  3  4  11  6{{$}}
stream.node @suffix_sum(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}

stream.node @fby_end(%end: i1, %init: f64, %i: f64) -> (o: f64) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zero = arith.constant 0.0 : f64
  // The value at an end is not propagated further.
  %i1 = stream.select %end, %zero, %i : f64
  %p = stream.fby %zero, %i1 : f64
  %o = stream.select %rst, %init, %p : f64
  stream.yield %o : f64
}

stream.node @post_end(%end: i1, %init: f64, %i: f64) -> (o: f64) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zero = arith.constant 0.0 : f64
  %i1 = stream.select %rst, %zero, %i : f64
  %q = stream.post %i1 : f64
  %o = stream.select %end, %init, %q : f64
  stream.yield %o : f64
}

// BIDIR: {{^}}y      6  6  6  4  11  11{{$}}
stream.node @bidir_sum(%x: f64, %end: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %fp = stream.instance "fp" @fby_end(%end, %zero, %f) : (i1, f64, f64) -> f64
  %f = arith.addf %x, %fp : f64
  %bp = stream.instance "bp" @post_end(%end, %zero, %b) : (i1, f64, f64) -> f64
  %b = arith.addf %x, %bp : f64
  %twice = arith.addf %f, %b : f64
  %y = arith.subf %twice, %x : f64
  stream.yield %y : f64
}

// AHEAD: {{^}}y      6  9  12  ?  ?{{$}}
stream.node @lookahead2(%x: f64) -> (y: f64) {
  %a = stream.post %x : f64
  %b = stream.post %a : f64
  %c = arith.addf %x, %a : f64
  %y = arith.addf %c, %b : f64
  stream.yield %y : f64
}

// Each value is used in the cycles before it, too.
// BACK: {{^}}o      8  8  8  5  4  4{{$}}
// OPEN:      {{^}}{"cycle":0,"o":2.0}
// OPEN-NEXT: {{^}}{"cycle":1,"o":2.0}
// OPEN:      look_ahead.mlir:{{.*}}: error: E-RT-UNTERMINATED: the inputs end before the value of `o` in cycles 2, 3 is known; outputs wait for the condition `bp`
// SHOW: look_ahead.mlir:{{.*}}: error: --show: the node has no stream `oo`
// TIMES: error: E-RT-CLOCK: input `i` on the clock `.` must be present in cycle 1, found it absent
stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
  %a = stream.when %i, %bp : f64
  %p = stream.post %o : f64
  %b = stream.when %p, not %bp : f64
  %o = stream.merge %bp, %a, %b : f64
  stream.yield %o : f64
}

// MEAN:      {{^}}mean       3        3        3        4  7  7{{$}}
// MEAN-NEXT: {{^}}var        4.66667  4.66667  4.66667  0  4  4{{$}}
stream.node @mean_var(%x: f64, %batch_end: i1) -> (mean: f64, var: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %count_before = stream.instance "count_before" @fby_end(%batch_end, %zero, %count) : (i1, f64, f64) -> f64
  %count = arith.addf %count_before, %one : f64
  %sum_before = stream.instance "sum_before" @fby_end(%batch_end, %zero, %sum) : (i1, f64, f64) -> f64
  %sum = arith.addf %sum_before, %x : f64
  %mean_here = arith.divf %sum, %count : f64
  %mean = stream.instance "mean" @backfill(%mean_here, %batch_end) : (f64, i1) -> f64
  %above = arith.subf %x, %mean : f64
  %square = arith.mulf %above, %above : f64
  %squares_before = stream.instance "squares_before" @fby_end(%batch_end, %zero, %squares) : (i1, f64, f64) -> f64
  %squares = arith.addf %squares_before, %square : f64
  %var_here = arith.divf %squares, %count : f64
  %var = stream.instance "var" @backfill(%var_here, %batch_end) : (f64, i1) -> f64
  stream.yield %mean, %var : f64, f64
}

// If it is unknown whether the clock of a delay has ticked, the value of the delay is unknown, even if it is constant.
// UNKNOWN:      {{^}}c      ?  T  T{{$}}
// UNKNOWN-NEXT: {{^}}y      ?  ?  2{{$}}
stream.node @unknown_clock(%d: i1, %e: i1, %b: i1) -> (c: i1, y: f64) {
  %sampled = stream.when %e, %d : i1
  %next = stream.post %sampled : i1
  %others = stream.when %b, not %d : i1
  %c = stream.merge %d, %next, %others : i1
  %one = stream.constant 1.0 : f64
  %two = stream.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  %changed = stream.fby %one, %two : f64
  %none = stream.when %zero, not %c : f64
  %y = stream.merge %c, %changed, %none : f64
  stream.yield %c, %y : i1, f64
}

// Cycles are processed in windows: those that are not entirely known are processed again, from the state before them.
// NUMBERED:      {"cycle":30,"o":32.0}
// NUMBERED-NEXT: {"cycle":31,"o":33.0}
// NUMBERED:      {"cycle":38,"o":40.0}
// NUMBERED-NEXT: {"cycle":39}
stream.node @numbered(%x: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %before = stream.fby %zero, %number : f64
  %number = arith.addf %before, %x : f64
  %next = stream.post %x : f64
  %o = arith.addf %number, %next : f64
  stream.yield %o : f64
}
