//! Equality saturation: collects all forms that the rules find, including alternatives, in one e-graph, and extracts
//! the cheapest. The option `fuel` limits the work.
//!
//! A phase of `egg-optimize`, which runs after `normalise-terms` and `contract-sums`. It starts from the normal form.
//!
//! Requires: nothing. Result: a function with the same or a lower cost.
//! ```mlir before
//! func.func @f(%x: f64, %y: f64, %z: f64) -> f64 {
//!   %a = arith.mulf %x, %y fastmath<reassoc> : f64
//!   %b = arith.mulf %x, %z fastmath<reassoc> : f64
//!   %s = arith.addf %a, %b fastmath<reassoc> : f64
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %y: f64, %z: f64) -> f64 {
//!   %a = arith.addf %y, %z fastmath<reassoc> : f64
//!   %s = arith.mulf %x, %a fastmath<reassoc> : f64
//!   return %s : f64
//! }
//! ```

use crate::optimise::egg_optimize::options::{self, phase_pass};
use crate::optimise::phases::{Accept, Phases};

phase_pass! {
    "saturate-terms",
    "Extract the cheapest of the equal forms that equality saturation finds",
    options::OF_SATURATION,
    Phases { normalise: true, saturate: true, ..Phases::NONE },
    Accept::Cheaper
}
