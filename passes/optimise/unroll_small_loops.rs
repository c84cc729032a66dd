//! Unrolls small loops in which the index decides a comparison or selects an operand of `array.stack`. In the unrolled
//! code the comparison becomes a constant, and the read of the stacked array becomes one of the operands.
//!
//! A phase of `egg-optimize`, which runs after `contract-sums`. The rules of `normalise-terms` also run here, before
//! and after. The unrolled form replaces the loop whatever its cost is, because its benefit may appear only in later
//! phases.
//!
//! Requires: the number of iterations is known. Preserves: all other loops.
//! ```mlir before
//! func.func @f(%v: tensor<3xf64>, %x: f64) -> f64 {
//!   %n = arith.constant 3 : index
//!   %one = arith.constant 1 : index
//!   %s = array.ifold (%i < %n) iter_args(%a = %x) -> (f64) {
//!     %here = arith.cmpi eq, %i, %one : index
//!     %y = array.get %v[%i] : (tensor<3xf64>) -> f64
//!     %t = arith.select %here, %y, %x : f64
//!     %b = arith.mulf %a, %t : f64
//!     array.yield %b : f64
//!   }
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%v: tensor<3xf64>, %x: f64) -> f64 {
//!   %one = arith.constant 1 : index
//!   %y = array.get %v[%one] : (tensor<3xf64>) -> f64
//!   %a = arith.mulf %x, %x : f64
//!   %b = arith.mulf %y, %a : f64
//!   %c = arith.mulf %x, %b : f64
//!   return %c : f64
//! }
//! ```

use crate::optimise::egg_optimize::options::{self, phase_pass};
use crate::optimise::phases::{Accept, Phases};

phase_pass! {
    "unroll-small-loops",
    "Unroll small loops that compare their index with a constant",
    options::OF_RULES,
    Phases { normalise: true, unroll: true, ..Phases::NONE },
    Accept::Changed
}
