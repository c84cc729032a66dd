// RUN: mlopt run %s --interpret --node @halves --input 'x=[1, 2, 3, 4]' --input 'c=[1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --node @halves --input 'x=[1, 2, 3, 4]' --input 'c=[1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=ONE
// RUN: mlopt run %s --interpret --node @rest --input 'x=[1, 2, 3, 4]' --input 'c=[0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt run %s --node @rest --input 'x=[1, 2, 3, 4]' --input 'c=[0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt run %s --interpret --node @clocks --input 'x=[1, 2, 3, 4, 5, 6]' --input 'c=[0, 0, 1, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=THREE
// RUN: mlopt run %s --node @clocks --input 'x=[1, 2, 3, 4, 5, 6]' --input 'c=[0, 0, 1, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=THREE
// RUN: mlopt run %s --interpret --node @chain --input 'x=[1, 2, 3, 4]' --chronogram | FileCheck %s --check-prefix=FOUR
// RUN: mlopt run %s --node @chain --input 'x=[1, 2, 3, 4]' --chronogram | FileCheck %s --check-prefix=FOUR
// RUN: not mlopt run %s --interpret --node @nothing_between --input 'p=[1, 0, 1]' --input 'a=[1, 2, 3]' 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: not mlopt run %s --node @nothing_between --input 'p=[1, 0, 1]' --input 'a=[1, 2, 3]' 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: mlopt run %s --interpret --node @later_and_now --input 'x=[., 1, ., 3, 4, 5]' --input 'end=[., 0, ., 0, 1, 1]' | FileCheck %s --check-prefix=SIX
// RUN: mlopt run %s --node @later_and_now --input 'x=[., 1, ., 3, 4, 5]' --input 'end=[., 0, ., 0, 1, 1]' | FileCheck %s --check-prefix=SIX
// RUN: mlopt run %s --interpret --node @two_layers --input 'x=[1, 2, 3]' --input 'c=[1, 0, 1]' --initial 'a.k0=2' --initial 'b.k0=-1' --chronogram | FileCheck %s --check-prefix=SEVEN
// RUN: mlopt run %s --node @two_layers --input 'x=[1, 2, 3]' --input 'c=[1, 0, 1]' --initial 'a.k0=2' --initial 'b.k0=-1' --chronogram | FileCheck %s --check-prefix=SEVEN
// RUN: mlopt run %s --interpret --node @learn --input 'end=[0, 0, 1, 0, 1, 0]' --input 'd=[1, 2, 3, 4, 5, 6]' --chronogram --tail=show | FileCheck %s --check-prefix=EIGHT
// RUN: mlopt run %s --node @learn --input 'end=[0, 0, 1, 0, 1, 0]' --input 'd=[1, 2, 3, 4, 5, 6]' --chronogram --tail=show | FileCheck %s --check-prefix=EIGHT
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=used_twice},differentiate,inline)' -o %t.mlir
// RUN: mlopt run %t.mlir --interpret --node @used_twice_grad --input 'x=[1, 2, 3, 4, 5]' --input 'end=[0, 0, 1, 0, 1]' --input 'y_ct=[1, 0, 1, 0, 1]' --input 'h_ct=[0, 1, 0, 10, 0]' --chronogram | FileCheck %s --check-prefix=NINE
// RUN: mlopt run %t.mlir --node @used_twice_grad --input 'x=[1, 2, 3, 4, 5]' --input 'end=[0, 0, 1, 0, 1]' --input 'y_ct=[1, 0, 1, 0, 1]' --input 'h_ct=[0, 1, 0, 10, 0]' --chronogram | FileCheck %s --check-prefix=NINE
// RUN: mlopt run %s --interpret --node @sequences --input 'end=[0, 1, 1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=TEN
// RUN: mlopt run %s --node @sequences --input 'end=[0, 1, 1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=TEN
// Common errors of implementations (spec/streams.md 12), each with a program that shows it.

// 1. `when not c` implemented as `when (not c)`: then the two halves would be on incompatible clocks.
// ONE: {{^}}y      1  -2  -3  4{{$}}
stream.node @halves(%x: f64, %c: i1) -> (y: f64) {
  %a = stream.when %x, %c : f64
  %b = stream.when %x, not %c : f64
  %minus = arith.negf %b : f64
  %y = stream.merge %c, %a, %minus : f64
  stream.yield %y : f64
}

// 2. An `if`, a `merge` or a `when` that waits for the value that it does not select: nothing would ever be known. In the last cycle `post` is unknown.
// TWO:      {{^}}sum    6  5  3  4{{$}}
// TWO-NEXT: {{^}}last   3  3  3  4{{$}}
stream.node @rest(%x: f64, %c: i1) -> (sum: f64, last: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %sum : f64
  %later = stream.select %c, %zero, %next : f64
  %sum = arith.addf %x, %later : f64
  %here = stream.when %x, %c : f64
  %then = stream.post %last : f64
  %then_if = stream.when %then, not %c : f64
  %last = stream.merge %c, %here, %then_if : f64
  stream.yield %sum, %last : f64, f64
}

// 3. State that changes where its clock does not tick, or one flag `first` for all clocks: on `c` the first cycle is 2. The initial value
// is not a constant, so it is read there.
// THREE:      {{^}}all    1  1  2  3  4  5{{$}}
// THREE-NEXT: {{^}}some   .  .  3  .  3  5{{$}}
stream.node @clocks(%x: f64, %c: i1) -> (all: f64, some: f64) {
  %all = stream.fby %x, %x : f64
  %xc = stream.when %x, %c : f64
  %some = stream.fby %xc, %xc : f64
  stream.yield %all, %some : f64, f64
}

// 4. A delay that is written before another one has read it: the three would be equal.
// FOUR:      {{^}}x3     0   0   0   1{{$}}
// FOUR-NEXT: {{^}}a      10  20  10  20{{$}}
// FOUR-NEXT: {{^}}b      20  10  20  10{{$}}
stream.node @chain(%x: f64) -> (x3: f64, a: f64, b: f64) {
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %twenty = arith.constant 20.0 : f64
  %x1 = stream.fby %zero, %x : f64
  %x2 = stream.fby %zero, %x1 : f64
  %x3 = stream.fby %zero, %x2 : f64
  %a = stream.fby %ten, %b : f64
  %b = stream.fby %twenty, %a : f64
  stream.yield %x3, %a, %b : f64, f64, f64
}

// 5. A dependency cycle of no net delay that is accepted because it contains a `fby`, or a `post` and a condition that ends it.
// FIVE: mistakes.mlir:{{.*}}: error: 'stream.post' op E-CAUSALITY: each of the streams `next`, `back`, `x` depends on itself in the same cycle, because the circular dependency reads values of the next cycle as often as values of the previous one
stream.node @nothing_between(%p: i1, %a: f64) -> (x: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %x : f64
  %back = stream.fby %zero, %next : f64
  %x = stream.select %p, %a, %back : f64
  stream.yield %x : f64
}

// 6. Results in the order in which they become known, or without the cycles in which all are absent: `now` is known at once, `later`
// at the end.
// SIX:      {{^}}{"cycle":0}
// SIX-NEXT: {{^}}{"cycle":1,"later":4.0,"now":1.0}
// SIX-NEXT: {{^}}{"cycle":2}
// SIX-NEXT: {{^}}{"cycle":3,"later":4.0,"now":3.0}
// SIX-NEXT: {{^}}{"cycle":4,"later":4.0,"now":4.0}
// SIX-NEXT: {{^}}{"cycle":5,"later":5.0,"now":5.0}
stream.node @later_and_now(%x: f64, %end: i1) -> (later: f64, now: f64) {
  %next = stream.post %later : f64
  %later = stream.select %end, %x, %next : f64
  stream.yield %later, %x : f64, f64
}

// 7. State or parameters that two instances share: `b` runs where `c` holds, and has its own weight.
// SEVEN:      {{^}}a      2   6  12{{$}}
// SEVEN-NEXT: {{^}}b      -1  .  -4{{$}}
stream.node @weighted_sum(%x: f64) -> (sum: f64) {
  %k0 = stream.initial "k0" "glorot_uniform" : f64
  %k = stream.param "k" %k0 : f64
  %zero = arith.constant 0.0 : f64
  %before = stream.fby %zero, %sum : f64
  %kx = arith.mulf %k, %x : f64
  %sum = arith.addf %kx, %before : f64
  stream.yield %sum : f64
}
stream.node @two_layers(%x: f64, %c: i1) -> (a: f64, b: f64) {
  %a = stream.instance "a" @weighted_sum(%x) : (f64) -> f64
  %xc = stream.when %x, %c : f64
  %b = stream.instance "b" @weighted_sum(%xc) : (f64) -> f64
  stream.yield %a, %b : f64, f64
}

// 8. A parameter that changes in the cycle of its correction, or in each cycle of a sequence: corrections of a sequence are summed in
// its first cycle, the parameter changes in the next one, and is used from the next sequence on.
// EIGHT:      {{^}}kept         0  6  6  6  15  15{{$}}
// EIGHT-NEXT: {{^}}used         0  0  0  6  6   15{{$}}
// EIGHT-NEXT: {{^}}correction   6  0  0  9  0   ?{{$}}
stream.node @learn(%end: i1, %d: f64) -> (kept: f64, used: f64, correction: f64) {
  %zero = arith.constant 0.0 : f64
  %true = arith.constant true
  %first = stream.fby %true, %end : i1
  %kept = stream.fby %zero, %new : f64
  %new = arith.addf %kept, %correction : f64
  %held = stream.fby %zero, %used : f64
  %used = stream.select %first, %kept, %held : f64
  %rest = stream.post %sum : f64
  %later = stream.select %end, %zero, %rest : f64
  %sum = arith.addf %d, %later : f64
  %correction = stream.select %first, %sum, %zero : f64
  stream.yield %kept, %used, %correction : f64, f64, f64
}

// 9. A use that is omitted when adjoints are summed: `h` is a result, twice in `y`, and half of it is in the next `h`.
// NINE:      {{^}}x_ct   3  2    2     11  2{{$}}
stream.node @used_twice(%x: f64, %end: i1) -> (y: f64, h: f64) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %carried = stream.select %end, %zero, %h : f64
  %before = stream.fby %zero, %carried : f64
  %part = arith.mulf %half, %before : f64
  %h = arith.addf %x, %part : f64
  %y = arith.addf %h, %h : f64
  stream.yield %y, %h : f64, f64
}

// 10. The first cycle of the run as the only one that begins a sequence: each cycle after an end does, and a sequence may be one cycle.
// TEN:      {{^}}first  T  F  T  T  F  F{{$}}
// TEN-NEXT: {{^}}count  1  2  1  1  2  3{{$}}
stream.node @sequences(%end: i1) -> (first: i1, count: i64) {
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = stream.fby %true, %end : i1
  %before = stream.fby %zero, %count : i64
  %counted = stream.select %first, %zero, %before : i64
  %count = arith.addi %counted, %one : i64
  stream.yield %first, %count : i1, i64
}
