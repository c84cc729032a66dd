// RUN: mlopt %s --split-input-file --verify-diagnostics --differentiate
// A function without a body may do anything: its derivative is not zero, but unknown.

func.func private @elsewhere(f64) -> f64
func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{not supported: 'func.call': `@elsewhere` must have a body to be differentiated, found a declaration}}
  %z = func.call @elsewhere(%x) : (f64) -> f64
  return %z : f64
}
func.func @reverse(%x: f64, %z_ct: f64) -> f64 {
  %z, %x_ct = dual.vjp @f(%x) cotangents(%z_ct) : (f64, f64) -> (f64, f64)
  return %x_ct : f64
}

// -----

func.func private @elsewhere(f64) -> f64
func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{not supported: 'func.call': `@elsewhere` must have a body to be differentiated, found a declaration}}
  %z = func.call @elsewhere(%x) : (f64) -> f64
  return %z : f64
}
func.func @forward(%x: f64, %x_t: f64) -> f64 {
  %z, %z_t = dual.jvp @f(%x) tangents(%x_t) : (f64, f64) -> (f64, f64)
  return %z_t : f64
}
