// RUN: mlopt %s --stream-inline --split-input-file --verify-diagnostics | FileCheck %s
// Instances become the equations of their nodes, with fresh names; state and parameters are not shared.

// CHECK-LABEL: stream.node @sum
// CHECK:         %p = stream.fby %{{.*}}, %o : f64
// CHECK-NEXT:    %o = arith.addf %i, %p : f64
// CHECK-NEXT:    stream.yield %o : f64
stream.node @sum(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %i, %p : f64
  stream.yield %o : f64
}

// CHECK-LABEL: stream.node @two(%x: f64, %c: i1) -> (a: f64, b: f64) {
// CHECK-NOT:     stream.instance
// CHECK:         %a.p = stream.fby %{{.*}}, %a.o : f64
// CHECK-NEXT:    %a.o = arith.addf %x, %a.p : f64
// CHECK:         %s = stream.when %x, %c : f64
// CHECK:         %b.p = stream.fby %{{.*}}, %b.o : f64
// CHECK-NEXT:    %b.o = arith.addf %s, %b.p : f64
// CHECK:         stream.yield %a.o, %b.o
stream.node @two(%x: f64, %c: i1) -> (a: f64, b: f64) {
  %a = stream.instance "a" @sum(%x) : (f64) -> f64
  %s = stream.when %x, %c : f64
  %b = stream.instance "b" @sum(%s) : (f64) -> f64
  stream.yield %a, %b : f64, f64
}

// -----

// Paths of parameters; a node that comes later; mutually dependent instances, one of them through a region.
// CHECK-LABEL: stream.node @net(%x: f64) -> (y: f64) {
// CHECK:         stream.param "l.inner.k"
// CHECK:         array.build
// CHECK:           arith.mulf %{{.*}}, %r.o
// CHECK:         stream.yield %r.o
stream.node @net(%x: f64) -> (y: f64) {
  %z = stream.instance "l" @layer(%x, %y) : (f64, f64) -> f64
  %y = stream.instance "r" @delay(%z) : (f64) -> f64
  stream.yield %y : f64
}
stream.node @layer(%x: f64, %back: f64) -> (o: f64) {
  %k = stream.instance "inner" @scale(%x) : (f64) -> f64
  %v = array.build (%i < 3) -> (tensor<3xf64>) {
    %p = arith.mulf %k, %back : f64
    array.yield %p : f64
  }
  %o = array.sum %v axes [0] : (tensor<3xf64>) -> f64
  stream.yield %o : f64
}
stream.node @scale(%x: f64) -> (o: f64) {
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %o = arith.mulf %k, %x : f64
  stream.yield %o : f64
}
stream.node @delay(%x: f64) -> (o: f64) {
  %one = arith.constant 1.0 : f64
  %o = stream.fby %one, %x : f64
  stream.yield %o : f64
}

// -----

// An input that is also an output, and an input of another instance.
// CHECK-LABEL: stream.node @through(%x: f64) -> (y: f64) {
// CHECK-NEXT:    stream.yield %x
stream.node @through(%x: f64) -> (y: f64) {
  %a, %b = stream.instance "s" @both(%x, %a) : (f64, f64) -> (f64, f64)
  stream.yield %b : f64
}
stream.node @both(%x: f64, %y: f64) -> (a: f64, b: f64) {
  stream.yield %x, %y : f64, f64
}

// -----

stream.node @same(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'stream.instance' op E-CAUSALITY: `y` is defined as itself, through `y.x`}}
  %y = stream.instance "y" @identity(%y) : (f64) -> f64
  stream.yield %y : f64
}
stream.node @identity(%x: f64) -> (y: f64) {
  stream.yield %x : f64
}

// -----

// expected-error @+1 {{'stream.node' op E-RECURSION: a node must not contain an instance of itself}}
stream.node @even(%x: f64) -> (y: f64) {
  // expected-note @+1 {{`@even` contains `@odd` here}}
  %y = stream.instance "y" @odd(%x) : (f64) -> f64
  stream.yield %y : f64
}
stream.node @odd(%x: f64) -> (y: f64) {
  // expected-note @+1 {{`@odd` contains `@even` here}}
  %y = stream.instance "y" @even(%x) : (f64) -> f64
  stream.yield %y : f64
}
