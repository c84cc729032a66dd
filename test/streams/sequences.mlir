// RUN: mlopt run %s --interpret --node @single --input 'x=[1, 2, 3, 4, 5]' --input 'end=[1, 0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=SINGLE
// RUN: mlopt run %s --node @single --input 'x=[1, 2, 3, 4, 5]' --input 'end=[1, 0, 0, 1, 1]' --chronogram | FileCheck %s --check-prefix=SINGLE
// RUN: mlopt run %s --interpret --node @over_the_end --input 'x=[1, 2, 3, 4]' --input 'end=[0, 0, 1, 1]' --input 'c=[1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=OVER
// RUN: mlopt run %s --node @over_the_end --input 'x=[1, 2, 3, 4]' --input 'end=[0, 0, 1, 1]' --input 'c=[1, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=OVER
// RUN: mlopt run %s --interpret --node @read_twice --input 'x=[1, 2, 3, 4]' --input 'end=[0, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=TWICE
// RUN: mlopt run %s --node @read_twice --input 'x=[1, 2, 3, 4]' --input 'end=[0, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=TWICE
// RUN: mlopt run %s --interpret --node @from_the_end --input 'x=[1, 2, 3, 4]' --input 'end=[0, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %s --node @from_the_end --input 'x=[1, 2, 3, 4]' --input 'end=[0, 1, 0, 1]' --chronogram | FileCheck %s --check-prefix=LAST
// RUN: mlopt run %s --node @resumed --input 'x=[1, 2, 3]' --input 'end=[0, 1, 1]' --set rst=false --set held=5 --chronogram | FileCheck %s --check-prefix=RESUMED
// Sequences that are processed in passes: state that must not be shared between them.

// A sequence of one cycle starts with a value that is known at its end only, others with one that is known at once.
// SINGLE: {{^}}y      10  2  2  2  50{{$}}
stream.node @single(%x: f64, %end: i1) -> (y: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %rst = stream.fby %true, %end : i1
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  %so_far = stream.fby %zero, %r : f64
  %before = stream.select %rst, %zero, %so_far : f64
  %scaled = arith.mulf %ten, %s : f64
  %r = arith.addf %scaled, %before : f64
  %first = stream.select %end, %r, %x : f64
  %held = stream.fby %zero, %y : f64
  %y = stream.select %rst, %first, %held : f64
  stream.yield %y : f64
}

// The next cycle of a slower clock may be in the next sequence.
// OVER: {{^}}s      5  2  3  4{{$}}
stream.node @over_the_end(%x: f64, %end: i1, %c: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %sc = stream.when %s, %c : f64
  %q = stream.post %sc : f64
  %none = stream.when %zero, not %c : f64
  %next = stream.merge %c, %q, %none : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}

// A delay does not restart if another stream reads its value.
// TWICE: {{^}}y      14  26  33  34{{$}}
stream.node @read_twice(%x: f64, %end: i1) -> (y: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %rst = stream.fby %true, %end : i1
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  %held = stream.fby %zero, %so_far : f64
  %before = stream.select %rst, %ten, %held : f64
  %so_far = arith.addf %before, %x : f64
  %sum = arith.addf %held, %so_far : f64
  %y = arith.addf %sum, %s : f64
  stream.yield %y : f64
}

// The value that a backward pass computes for the last cycle is not the value that it computes last.
// LAST: {{^}}y      3  2  27  24{{$}}
stream.node @from_the_end(%x: f64, %end: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  %scaled = arith.mulf %ten, %s : f64
  %held = stream.fby %zero, %last : f64
  %last = stream.select %end, %scaled, %held : f64
  %y = arith.addf %held, %s : f64
  stream.yield %y : f64
}

// A run may begin in the middle of a sequence.
// RESUMED: {{^}}y      9  10  16{{$}}
stream.node @resumed(%x: f64, %end: i1) -> (y: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %rst = stream.fby %true, %end : i1
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  %held = stream.fby %zero, %so_far : f64
  %before = stream.select %rst, %ten, %held : f64
  %so_far = arith.addf %before, %x : f64
  %y = arith.addf %so_far, %s : f64
  stream.yield %y : f64
}
