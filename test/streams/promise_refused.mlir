// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-plan)' 2>&1 | FileCheck %s

// The attributes may name only inputs on the base clock.
// CHECK: error: 'stream.node' op not supported: `stream.boundary` and `stream.segment_constant` may name only inputs on the base clock; `c` is on the clock `. on end`
stream.node @sampled(%x: f64, %end: i1, %c: i1) -> (y: f64) {
  %xs = stream.when %x, %end : f64
  %a = stream.when %xs, %c : f64
  stream.yield %a : f64
} {stream.boundary = "end", stream.segment_constant = ["c"]}
