// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=sum truncate=2})' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=sum truncate=2})' | mlopt run - --node @sum_grad --input 'x=[1, 2, 3, 4, 5, 6]' --input 'y_ct=[1, 10, 100, 1000, 10000, 100000]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=sum truncate=1})' | mlopt run - --node @sum_grad --input 'x=[1, 2, 3, 4, 5, 6]' --input 'y_ct=[1, 10, 100, 1000, 10000, 100000]' --chronogram | FileCheck %s --check-prefix=ONE
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=cut})' | mlopt run - --node @cut_grad --input 'x=[1, 2, 3, 4, 5, 6]' --input 'c=[0, 0, 1, 0, 1, 1]' --input 'y_ct=[1, 10, 100, 1000, 10000, 100000]' --chronogram | FileCheck %s --check-prefix=CUT
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=pairs})' | mlopt run - --node @pairs_grad --input 'x=[1, 2, 3, 4, 5, 6]' --input 'y_ct=[1, 10, 100, 1000, 10000, 100000]' --chronogram | FileCheck %s --check-prefix=TWO
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=slow truncate=2})' | mlopt run - --node @slow_grad --input 'x=[1, 2, 3, 4, 5, 6]' --input 'c=[1, 0, 1, 1, 0, 1]' --input 'y_ct=[1, ., 10, 100, ., 1000]' --chronogram | FileCheck %s --check-prefix=SLOW
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=decay loss=loss truncate=2},stream-train)' -o %t.mlir
// RUN: mlopt run %t.mlir --node @decay_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=DECAY
// RUN: mlopt %t.mlir --differentiate --inline | mlopt run - --interpret --node @decay_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=DECAY
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-grad{node=recurrent loss=loss truncate=2},stream-train{end=end})' | mlopt run - --node @recurrent_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=BOTH
// Truncated back-propagation through time: adjoints are truncated to intervals of cycles, values are not.

// Cycles after a cut do not contribute to adjoints before it. So a recurrence that never ends has adjoints.
// CHECK-LABEL: stream.node @sum_grad
// CHECK:         %[[COUNT:.*]] = stream.fby %{{.*}}, %[[NEXT:.*]] : i64
// CHECK:         %cut = arith.cmpi eq, %[[COUNT]], %{{.*}} : i64
// CHECK:         %[[NEXT]] = stream.select %cut, %{{.*}}, %{{.*}} : i64
// CHECK:         stream.select %cut, %{{.*}}, %{{.*}} : f64
// TWO:      {{^}}y       1   3   6     10    15      21{{$}}
// TWO-NEXT: {{^}}x_ct    11  10  1100  1000  110000  100000{{$}}
// ONE:      {{^}}x_ct    1   10  100   1000  10000   100000{{$}}
stream.node @sum(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %x : f64
  stream.yield %y : f64
}

// A node may define the cuts itself: here after the cycles in which `c` is true.
// CUT: {{^}}x_ct    111  110  100  11000  10000  100000{{$}}
stream.node @cut(%x: f64, %c: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %x : f64
  stream.yield %y : f64
} {stream.truncate = "c"}

stream.node @pairs(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %x : f64
  stream.yield %y : f64
} {stream.truncate = 2}

// Cycles are counted on the clock of the delay.
// SLOW: {{^}}x_ct    11  0  10  1100  0  1000{{$}}
stream.node @slow(%x: f64, %c: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %s = stream.when %x, %c : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %s : f64
  stream.yield %y : f64
}

// Parameters are updated at the cuts. The numbers are those of the same computation in NumPy.
// DECAY:      {{^}}loss    0     2.25  2.7225  0.571536  0.335855  0.435759  0.00542653  1.60348{{$}}
// DECAY-NEXT: {{^}}a       0.5   0.5   0.44    0.44      0.13136   0.13136   0.16261     0.16261{{$}}
// DECAY-NEXT: {{^}}b       1     1     0.85    0.85      0.642323  0.642323  0.708458    0.708458{{$}}
stream.node @decay(%x: f64, %gt: f64) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %a = stream.param "a" %half : f64
  %b = stream.param "b" %one : f64
  %before = stream.fby %zero, %h : f64
  %ah = arith.mulf %a, %before : f64
  %bx = arith.mulf %b, %x : f64
  %h = arith.addf %ah, %bx : f64
  %e = arith.subf %h, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// Sequences, and cuts in them.
// BOTH:      {{^}}loss    0     2.25  5.0625  0.3364  0.696724  0.727629  0.0408505  0.981871{{$}}
// BOTH-NEXT: {{^}}a       0.5   0.5   0.5     0.215   0.215     0.195635  0.195635   0.195635{{$}}
// BOTH-NEXT: {{^}}b       1     1     1       0.58    0.58      0.573494  0.573494   0.573494{{$}}
stream.node @recurrent(%x: f64, %gt: f64, %end: i1) -> (loss: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %a = stream.param "a" %half : f64
  %b = stream.param "b" %one : f64
  %first = stream.fby %true, %end : i1
  %carried = stream.select %end, %zero, %h : f64
  %p = stream.fby %zero, %carried : f64
  %before = stream.select %first, %zero, %p : f64
  %ah = arith.mulf %a, %before : f64
  %bx = arith.mulf %b, %x : f64
  %h = arith.addf %ah, %bx : f64
  %e = arith.subf %h, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}
