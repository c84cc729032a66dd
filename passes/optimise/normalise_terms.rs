//! Computes the normal form of pure array code: applies the directed rules of `rules/`, bottom up, until none applies.
//! They include fusion, partial evaluation, removal of zeros and masks, and simpler forms of loops.
//!
//! The first phase of `egg-optimize`. Later phases expect the normal form, so it replaces the program even if its cost
//! is higher. Code in normal form may compute an element of an array again at each place that reads it.
//!
//! Requires: nothing. Preserves: ops that terms cannot represent.
//! ```mlir before
//! func.func @f(%v: tensor<9xf64>) -> tensor<9xf64> {
//!   %zero = dual.zero : f64
//!   %s = math.sin %v : tensor<9xf64>
//!   %e = array.build (%i < 9) -> (tensor<9xf64>) {
//!     %x = array.get %s[%i] : (tensor<9xf64>) -> f64
//!     %y = arith.addf %x, %zero : f64
//!     %z = math.exp %y : f64
//!     array.yield %z : f64
//!   }
//!   return %e : tensor<9xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%v: tensor<9xf64>) -> tensor<9xf64> {
//!   %e = array.build (%i < 9) -> (tensor<9xf64>) {
//!     %x = array.get %v[%i] : (tensor<9xf64>) -> f64
//!     %y = math.sin %x : f64
//!     %z = math.exp %y : f64
//!     array.yield %z : f64
//!   }
//!   return %e : tensor<9xf64>
//! }
//! ```

use crate::optimise::egg_optimize::options::{self, phase_pass};
use crate::optimise::phases::{Accept, Phases};

phase_pass! {
    "normalise-terms",
    "Rewrite pure array code to its normal form by the directed rules",
    options::OF_RULES,
    Phases { normalise: true, ..Phases::NONE },
    Accept::Changed
}
