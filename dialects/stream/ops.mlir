// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// Printing and parsing preserve the order of equations, cyclic dependencies, and the names of inputs and outputs.

// CHECK-LABEL: stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
// CHECK:         %[[A:.*]] = stream.when %i, %bp : f64
// CHECK:         %[[P:.*]] = stream.post %[[O:.*]] : f64
// CHECK:         %[[B:.*]] = stream.when %[[P]], not %bp : f64
// CHECK:         %[[O]] = stream.merge %bp, %[[A]], %[[B]] : f64
// CHECK:         stream.yield %[[O]] : f64
stream.node @backfill(%i: f64, %bp: i1) -> (o: f64) {
  %a = stream.when %i, %bp : f64
  %p = stream.post %o : f64
  %b = stream.when %p, not %bp : f64
  %o = stream.merge %bp, %a, %b : f64
  stream.yield %o : f64
}

// A node without inputs; its equations refer to each other.
// CHECK-LABEL: stream.node @counter() -> (o: i64) {
// CHECK:         %[[O:.*]] = stream.fby %{{.*}}, %[[U:.*]] : i64
// CHECK:         %[[U]] = arith.addi %[[O]]
stream.node @counter() -> (o: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = stream.fby %zero, %u : i64
  %u = arith.addi %o, %one : i64
  stream.yield %o : i64
}

// CHECK-LABEL: stream.node @dense(%x: tensor<4xf64>) -> (o: tensor<3xf64>) {
// CHECK:         %[[K0:.*]] = stream.initial "kernel0" "glorot_uniform" : tensor<3x4xf64>
// CHECK:         stream.param "kernel" %[[K0]] : tensor<3x4xf64>
stream.node @dense(%x: tensor<4xf64>) -> (o: tensor<3xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<3x4xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<3x4xf64>
  %o = array.build (%j < 3) -> (tensor<3xf64>) {
    %row = array.get %kernel[%j] : (tensor<3x4xf64>) -> tensor<4xf64>
    %p = arith.mulf %row, %x : tensor<4xf64>
    %s = array.sum %p : (tensor<4xf64>) -> f64
    array.yield %s : f64
  }
  stream.yield %o : tensor<3xf64>
}

// Instances that depend on each other, before and after their node; several outputs.
// CHECK-LABEL: stream.node @twice(%x: f64, %c: i1) -> (first: f64, then: f64) {
// CHECK:         %[[A:.*]]:2 = stream.instance "a" @pair(%x, %[[B:.*]]) : (f64, f64) -> (f64, f64)
// CHECK:         %[[B]] = stream.select %c, %[[A]]#0, %[[A]]#1 : f64
stream.node @twice(%x: f64, %c: i1) -> (first: f64, then: f64) {
  %a, %d = stream.instance "a" @pair(%x, %b) : (f64, f64) -> (f64, f64)
  %b = stream.select %c, %a, %d : f64
  stream.yield %a, %b : f64, f64
}
stream.node @pair(%x: f64, %y: f64) -> (a: f64, b: f64) {
  %z = stream.fby %x, %y : f64
  stream.yield %x, %z : f64, f64
}

// CHECK-LABEL: stream.node @halves(%n: i64, %m: i64) -> (q: i64) {
// CHECK:         stream.div %n, %m : i64
stream.node @halves(%n: i64, %m: i64) -> (q: i64) {
  %q = stream.div %n, %m : i64
  stream.yield %q : i64
}

// CHECK-LABEL: stream.node @constants(%x: f64) -> (y: f64, v: tensor<2xf64>) {
// CHECK-NEXT:    stream.constant 2.000000e+00 : f64
// CHECK:         stream.constant dense<1.000000e+00> : tensor<2xf64>
stream.node @constants(%x: f64) -> (y: f64, v: tensor<2xf64>) {
  %k = stream.constant 2.0 : f64
  %y = arith.mulf %k, %x : f64
  %v = stream.constant dense<1.0> : tensor<2xf64>
  stream.yield %y, %v : f64, tensor<2xf64>
}
