//! Chooses the order of the sums in a sum of products, if the ops have the flag `reassoc`. The next index to be summed
//! is always the one whose factors (those that depend on it) range over the fewest combinations of indices.
//!
//! This phase of `egg-optimize` runs after the phase `normalise-terms`. It also applies the rules of that phase, before
//! and after its own, because a program that is given to this pass alone need not be in normal form.
//!
//! Requires: nothing. Result: a function with the same or a lower cost.
//! ```mlir before
//! func.func @f(%c: f64, %v: tensor<9xf64>) -> f64 {
//!   %p = array.build (%i < 9) -> (tensor<9xf64>) {
//!     %x = array.get %v[%i] : (tensor<9xf64>) -> f64
//!     %y = arith.mulf %c, %x fastmath<reassoc> : f64
//!     array.yield %y : f64
//!   }
//!   %s = array.sum %p {fastmath = #arith.fastmath<reassoc>} : (tensor<9xf64>) -> f64
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%c: f64, %v: tensor<9xf64>) -> f64 {
//!   %s = array.sum %v fastmath<reassoc> : (tensor<9xf64>) -> f64
//!   %y = arith.mulf %c, %s fastmath<reassoc> : f64
//!   return %y : f64
//! }
//! ```

use crate::optimise::egg_optimize::options::{self, phase_pass};
use crate::optimise::phases::{Accept, Phases};

phase_pass! {
    "contract-sums",
    "Choose the order of sums of products by their cost",
    options::OF_RULES,
    Phases { normalise: true, contract: true, ..Phases::NONE },
    Accept::Cheaper
}
