// RUN: split-file %s %t
// RUN: mlopt %t/endless.mlir --stream-inline --stream-grad --differentiate --inline --stream-plan --verify-diagnostics
// RUN: mlopt %t/ended.mlir --stream-inline --stream-grad --differentiate --inline --stream-plan -o %t/out
// RUN: mlopt %t/endless.mlir --pass-pipeline='builtin.module(stream-grad{truncate=2},differentiate,inline,stream-plan)' -o %t/out
// Without an end, the adjoint of the first cycle would depend on all later cycles. Both alternatives that the message
// names are accepted.

//--- endless.mlir
stream.node @cumul(%x: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  // expected-error @+3 {{'stream.post' op E-PRODUCTIVITY: the gradient of a recurrence through `stream.fby` is computed backward from the end of the recurrence, but no condition ends the recurrence through }}
  // expected-note @+2 {{restart the recurrence through `stream.fby` after the end of each sequence, by a `stream.select` with the condition `stream.fby %true, %end`, or truncate its adjoint with the option `truncate` of `stream-grad`}}
  // expected-note @+1 {{of the next cycle}}
  %p = stream.fby %zero, %o : f64
  // expected-note @+1 {{`o_ct` needs the result of 'stream.post'}}
  %o = arith.addf %x, %p : f64
  stream.yield %o : f64
}

//--- ended.mlir
stream.node @cumul(%x: f64, %end: i1) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %true = arith.constant true
  %p = stream.fby %zero, %o : f64
  %first = stream.fby %true, %end : i1
  %before = stream.select %first, %zero, %p : f64
  %o = arith.addf %x, %before : f64
  stream.yield %o : f64
}
