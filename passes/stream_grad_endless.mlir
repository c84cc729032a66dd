// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline --stream-plan --verify-diagnostics
// Without an end, the adjoint of the first cycle would depend on all that follow.

stream.node @cumul(%x: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  // expected-error @+2 {{'stream.post' op E-PRODUCTIVITY: recurrence through `fby` has no end, so its adjoint is never known; start it again at the ends of sequences (`fby_end`)}}
  // expected-note @+1 {{of the next cycle}}
  %p = stream.fby %zero, %o : f64
  %o = arith.addf %x, %p : f64
  stream.yield %o : f64
}
