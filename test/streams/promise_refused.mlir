// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-plan)' 2>&1 | FileCheck %s

// Such declarations are allowed on the base clock only.
// CHECK: error: 'stream.node' op not supported: an assumption of the node about `c` requires the base clock for it, found the clock `. on end`
stream.node @sampled(%x: f64, %end: i1, %c: i1) -> (y: f64) {
  %xs = stream.when %x, %end : f64
  %a = stream.when %xs, %c : f64
  stream.yield %a : f64
} {stream.boundary = "end", stream.segment_constant = ["c"]}
