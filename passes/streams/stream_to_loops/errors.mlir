// RUN: mlopt %s --stream-to-loops --split-input-file --verify-diagnostics

// expected-note @+1 {{the function with that name is here}}
func.func @f_init() {
  return
}
// expected-error @+1 {{'stream.node' op not supported: the node would generate a second function `@f_init`; rename the first one or the node}}
stream.node @f(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %y = stream.fby %zero, %x : f64
  stream.yield %y : f64
}

// -----

// expected-error @+1 {{'stream.node' op not supported: `x` must have static sizes}}
stream.node @sizes(%x: tensor<?xf64>) -> (y: tensor<?xf64>) {
  %y = arith.addf %x, %x : tensor<?xf64>
  stream.yield %y : tensor<?xf64>
}
