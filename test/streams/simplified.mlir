// RUN: mlopt run %s --node @counters --input 'x=[1, 2, 3]' --set q=5 --show p --show q --show n --chronogram | FileCheck %s
// RUN: mlopt run %s --node @counters --input 'x=[1, 2, 3]' --set b.p=5 --chronogram | FileCheck %s --check-prefix=INSTANCE
// RUN: not mlopt run %s --node @ahead --input 'x=[1, 2, 3]' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-simplify{early=true})' \
// RUN:   | mlopt run - --node @ahead --input 'x=[1, 2, 3]' | FileCheck %s --check-prefix=AHEAD
// Compiled code is that of the simplified node. A merged stream keeps all of its names, in runs too; a named delay can be set individually.

// CHECK:      m 3.5 5.5 8.5
// CHECK-NEXT: a 1 3 6
// CHECK-NEXT: b 1 3 6
// CHECK-NEXT: p 0 1 3
// CHECK-NEXT: q 5 6 8
// CHECK-NEXT: n 6 8 11
// INSTANCE:      m 1 3 6
// INSTANCE-NEXT: a 1 3 6
// INSTANCE-NEXT: b 6 8 11
stream.node @sum(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %i, %p : f64
  stream.yield %o : f64
}
stream.node @counters(%x: f64) -> (m: f64, a: f64, b: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %m : f64
  %m = arith.addf %p, %x : f64
  %q = stream.fby %zero, %n : f64
  %n = arith.addf %q, %x : f64
  %s = arith.addf %m, %n : f64
  %half = arith.constant 0.5 : f64
  %mean = arith.mulf %s, %half : f64
  %a = stream.instance "a" @sum(%x) : (f64) -> f64
  %b = stream.instance "b" @sum(%x) : (f64) -> f64
  stream.yield %mean, %a, %b : f64, f64, f64
}

// The next value of a delay is its current operand; that it is known in the last cycle is more than the least fixpoint gives.
// AHEAD:      {"cycle":2,"y":3.0}
// OPEN:       E-RT-UNTERMINATED: the inputs end before the value of `y` in cycle 2 is known
stream.node @ahead(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %x : f64
  %y = stream.post %p : f64
  stream.yield %y : f64
}
