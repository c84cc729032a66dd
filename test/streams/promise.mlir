// RUN: mlopt run %s --node @rest --input x=1 --input 'end=[0, 0, 1, 0, 1, 1]' --input 'bp=[1, 1, 1, 0, 0, 1]' --ticks 6 | FileCheck %s --check-prefix=KEPT
// RUN: mlopt run %s --interpret --node @rest --input x=1 --input 'end=[0, 0, 1, 0, 1, 1]' --input 'bp=[1, 1, 1, 0, 0, 1]' --ticks 6 | FileCheck %s --check-prefix=KEPT
// RUN: not mlopt run %s --node @rest --input x=1 --input 'end=[0, 0, 1, 0, 0, 1]' --input 'bp=[0, 0, 0, 1, 1, 0]' --ticks 6 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not mlopt run %s --interpret --node @rest --input x=1 --input 'end=[0, 0, 1, 0, 0, 1]' --input 'bp=[0, 0, 0, 1, 1, 0]' --ticks 6 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not mlopt run %s --node @rest --input 'x=[1, 2, 3]' --input 'end=[0, 0, 1]' --input 'bp=[1, ., 1]' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-to-loops)' | FileCheck %s --check-prefix=PASSES

// The sum of the rest of a sequence, if it is counted: a recurrence on the clock of `bp`, which ends where `end` is true. `bp` is declared
// constant within a sequence, so whole sequences are computed at once.
// PASSES: func.func @rest_segment(
// PASSES: func.func @rest_ends(

// KEPT:      {"cycle":0,"s":3.0}
// KEPT-NEXT: {"cycle":1,"s":2.0}
// KEPT-NEXT: {"cycle":2,"s":1.0}
// KEPT-NEXT: {"cycle":3,"s":0.0}
// KEPT-NEXT: {"cycle":4,"s":0.0}
// KEPT-NEXT: {"cycle":5,"s":1.0}

// Outputs that are known before the declaration is checked.
// BROKEN:      {"cycle":2,"s":0.0}
// BROKEN:      error: E-RT-CLOCK: input `bp` may change only after a cycle in which `end` is true (`stream.segment_constant`), found a change in cycle 5
// MISSING: error: E-RT-CLOCK: input `x` on the clock `.` must be absent in cycle 1, found it present
stream.node @rest(%x: f64, %end: i1, %bp: i1) -> (s: f64) {
  %xs = stream.when %x, %bp : f64
  %ends = stream.when %end, %bp : i1
  %later = stream.post %o : f64
  %more = arith.addf %xs, %later : f64
  %o = stream.select %ends, %xs, %more : f64
  %zero = arith.constant 0.0 : f64
  %none = stream.when %zero, not %bp : f64
  %s = stream.merge %bp, %o, %none : f64
  stream.yield %s : f64
} {stream.boundary = "end", stream.segment_constant = ["bp"]}
