// RUN: not mlopt run %s --node @backfill --input 'i=[1, 2, 3, 4, 5, 6]' --input 'bp=[1, 0, 0, 0, 0, 1]' --horizon 4 2>&1 | FileCheck %s --check-prefix=HORIZON4
// RUN: mlopt run %s --node @backfill --input 'i=[1, 2, 3, 4, 5, 6]' --input 'bp=[1, 0, 0, 0, 0, 1]' --horizon 5 2>&1 | FileCheck %s --check-prefix=HORIZON5
// RUN: not mlopt run %s --node @backfill --input 'i=[1, 2]' --input 'bp=[0, 1]' --horizon 1 2>&1 | FileCheck %s --check-prefix=HORIZON1
// RUN: not mlopt run %s --node @next_sample --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 0, 0, 1]' --horizon 3 2>&1 | FileCheck %s --check-prefix=HORIZON3
// RUN: not mlopt run %s --node @backfill --input 'i=[1, 2, 3, 4]' --input 'bp=[0, 1, 0, 0]' 2>&1 | FileCheck %s --check-prefix=OPEN1
// RUN: not mlopt run %s --node @ahead --input 'x=[1, 2, 3, 4]' 2>&1 | FileCheck %s --check-prefix=OPEN2
// RUN: not mlopt run %s --node @next_sample --input 'x=[1, 2, 3, 4, 5]' --input 'c=[1, 0, 0, 1, 0]' 2>&1 | FileCheck %s --check-prefix=OPEN3
// RUN: not mlopt run %s --node @gated --input 'x=[1, 2, 3]' --input 'c=[1, 0, 1]' --input 'y=[5, ., .]' 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not mlopt run %s --node @gated --input 'x=[1, 2, 3]' --input 'c=[1, 0, 1]' --input 'y=[5, 6, .]' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not mlopt run %s --node @gated --input 'x=[1, ., 3]' --input 'c=[1, 0, 1]' --input 'y=[5, ., 7]' 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not mlopt run %s --node @quotient --input 'a=[7, -7, 5]' --input 'b=[2, 2, 0]' 2>&1 | FileCheck %s --check-prefix=ZERO1
// RUN: not mlopt run %s --node @guarded --input 'a=[7, 8, 9]' --input 'b=[2, 3, 0]' --input 'c=[1, 0, 1]' 2>&1 | FileCheck %s --check-prefix=ZERO2
// RUN: not mlopt run %s --node @quotients --input 'a=[[7, 8], [1, 2]]' --input 'b=[[2, 3], [4, 0]]' 2>&1 | FileCheck %s --check-prefix=ZERO3
// RUN: not mlopt run %s --node @quotient --input 'a=[7, ., 5]' --input 'b=[2, ., 0]' 2>&1 | FileCheck %s --check-prefix=ZERO4
// RUN: mlopt run %s --node @quotient --input 'a=[7, -9223372036854775808, 5]' --input 'b=[2, -1, 1]' 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: mlopt run %s --node @guarded --input 'a=[7, 8, 9]' --input 'b=[2, 0, 3]' --input 'c=[1, 0, 1]' 2>&1 | FileCheck %s --check-prefix=SPARED
// RUN: not mlopt run %s --node @backfill --input 'i=[1, 2, 3, .]' --input 'bp=[1, 0, 0, 0]' 2>&1 | FileCheck %s --check-prefix=FIRST
// An error that stops a run names the cycle, and earlier outputs are printed.

// Compiled code divides even where the quotient is not read, so the divisor is made nonzero; overflow wraps, as for integers.
// HORIZON4: {"cycle":0,"o":1.0}
// HORIZON4-NEXT: {"cycle":1}
// HORIZON4-NEXT: {"cycle":2}
// HORIZON4-NEXT: {"cycle":3}
// HORIZON4-NEXT: {"cycle":4}
// HORIZON4-NEXT: stopped.mlir:{{[0-9]+}}:1: error: E-RT-HORIZON: in cycle 5, the sequence that began in cycle 1 became longer than the horizon of 4 cycles; outputs wait for the condition `bp`

// HORIZON5: {"cycle":0,"o":1.0}
// HORIZON5-NEXT: {"cycle":1,"o":6.0}
// HORIZON5-NEXT: {"cycle":2,"o":6.0}

// HORIZON1: {"cycle":0}
// HORIZON1-NEXT: error: E-RT-HORIZON: in cycle 1, the sequence that began in cycle 0 became longer than the horizon of 1 cycle; outputs wait for the condition `bp`

// HORIZON3: {"cycle":0}
// HORIZON3-NEXT: {"cycle":1,"o":0.0}
// HORIZON3-NEXT: {"cycle":2,"o":0.0}
// HORIZON3-NEXT: error: E-RT-HORIZON: in cycle 3, the sequence that began in cycle 0 became longer than the horizon of 3 cycles

// OPEN1: {"cycle":0,"o":2.0}
// OPEN1-NEXT: {"cycle":1,"o":2.0}
// OPEN1-NEXT: {"cycle":2}
// OPEN1-NEXT: {"cycle":3}
// OPEN1-NEXT: error: E-RT-UNTERMINATED: the inputs end before the value of `o` in cycles 2, 3 is known; outputs wait for the condition `bp`

// OPEN2: {"cycle":0,"o":3.0}
// OPEN2-NEXT: {"cycle":1,"o":4.0}
// OPEN2-NEXT: {"cycle":2}
// OPEN2-NEXT: {"cycle":3}
// OPEN2-NEXT: error: E-RT-UNTERMINATED: the inputs end before the value of `o` in cycles 2, 3 is known

// OPEN3: {"cycle":0,"o":4.0}
// OPEN3-NEXT: {"cycle":1,"o":0.0}
// OPEN3-NEXT: {"cycle":2,"o":0.0}
// OPEN3-NEXT: {"cycle":3}
// OPEN3-NEXT: {"cycle":4,"o":0.0}
// OPEN3-NEXT: error: E-RT-UNTERMINATED: the inputs end before the value of `o` in cycle 3 is known

// LATE: {"cycle":0,"o":6.0}
// LATE-NEXT: {"cycle":1,"o":2.0}
// LATE-NEXT: error: E-RT-CLOCK: input `y` on the clock `. on c` must be present in cycle 2, found it absent

// EARLY: {"cycle":0,"o":6.0}
// EARLY-NEXT: error: E-RT-CLOCK: input `y` on the clock `. on c` must be absent in cycle 1, found it present

// HALF: {"cycle":0,"o":6.0}
// HALF-NEXT: error: E-RT-CLOCK: input `x` on the clock `.` must be present in cycle 1, found it absent

// ZERO1: {"cycle":0,"q":3}
// ZERO1-NEXT: {"cycle":1,"q":-3}
// ZERO1-NEXT: stopped.mlir:{{[0-9]+}}:8: error: E-RT-OP: division by zero in cycle 2

// ZERO2: {"cycle":0,"q":3}
// ZERO2-NEXT: {"cycle":1,"q":8}
// ZERO2-NEXT: error: E-RT-OP: division by zero in cycle 2

// ZERO3: {"cycle":0,"q":[3,2]}
// ZERO3-NEXT: error: E-RT-OP: division by zero in cycle 1

// ZERO4: {"cycle":0,"q":3}
// ZERO4-NEXT: {"cycle":1}
// ZERO4-NEXT: error: E-RT-OP: division by zero in cycle 2

// LARGE: {"cycle":0,"q":3}
// LARGE-NEXT: {"cycle":1,"q":-9223372036854775808}
// LARGE-NEXT: {"cycle":2,"q":5}

// SPARED: {"cycle":0,"q":3}
// SPARED-NEXT: {"cycle":1,"q":8}
// SPARED-NEXT: {"cycle":2,"q":3}
// The first error is reported, even if earlier cycles are not yet known.
// FIRST: {"cycle":0,"o":1.0}
// FIRST: error: E-RT-CLOCK: input `i` on the clock `.` must be present in cycle 3, found it absent
// FIRST-NOT: E-RT-UNTERMINATED

stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
  %a = stream.when %i, %bp : f64
  %p = stream.post %o : f64
  %b = stream.when %p, not %bp : f64
  %o = stream.merge %bp, %a, %b : f64
  stream.yield %o : f64
}
stream.node @gated(%x: f64, %c: i1, %y: f64) -> (o: f64) {
  %s = stream.when %x, %c : f64
  %t = stream.when %x, not %c : f64
  %u = arith.addf %s, %y : f64
  %o = stream.merge %c, %u, %t : f64
  stream.yield %o : f64
}
stream.node @ahead(%x: f64) -> (o: f64) {
  %p = stream.post %x : f64
  %o = stream.post %p : f64
  stream.yield %o : f64
}
stream.node @next_sample(%x: f64, %c: i1) -> (o: f64) {
  %s = stream.when %x, %c : f64
  %n = stream.post %s : f64
  %zero = arith.constant 0.0 : f64
  %e = stream.when %zero, not %c : f64
  %o = stream.merge %c, %n, %e : f64
  stream.yield %o : f64
}
stream.node @quotient(%a: i64, %b: i64) -> (q: i64) {
  %q = stream.div %a, %b : i64
  stream.yield %q : i64
}
stream.node @guarded(%a: i64, %b: i64, %c: i1) -> (q: i64) {
  %x = stream.when %a, %c : i64
  %y = stream.when %b, %c : i64
  %z = stream.when %a, not %c : i64
  %d = stream.div %x, %y : i64
  %q = stream.merge %c, %d, %z : i64
  stream.yield %q : i64
}
stream.node @quotients(%a: tensor<2xi64>, %b: tensor<2xi64>) -> (q: tensor<2xi64>) {
  %q = stream.div %a, %b : tensor<2xi64>
  stream.yield %q : tensor<2xi64>
}
