//! Chooses the position of each computation. A value is computed once, outside of the loops that it does not depend on;
//! if loops read it for several indices, it is stored in an array. Loops of equal extent are fused, and a build that
//! equals an operation on whole arrays is written as such.
//!
//! The last phase of `egg-optimize`, and of every other pass that rewrites terms. It applies no rules.
//!
//! Requires: nothing. Result: a function with the same or a lower cost.
//! ```mlir before
//! func.func @f(%x: f64, %v: tensor<9xf64>) -> tensor<9xf64> {
//!   %e = array.build (%i < 9) -> (tensor<9xf64>) {
//!     %a = math.exp %x : f64
//!     %b = math.exp %x : f64
//!     %c = arith.addf %a, %b : f64
//!     %y = array.get %v[%i] : (tensor<9xf64>) -> f64
//!     %z = arith.mulf %c, %y : f64
//!     array.yield %z : f64
//!   }
//!   return %e : tensor<9xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %v: tensor<9xf64>) -> tensor<9xf64> {
//!   %a = math.exp %x : f64
//!   %c = arith.addf %a, %a : f64
//!   %e = array.build (%i < 9) -> (tensor<9xf64>) {
//!     %y = array.get %v[%i] : (tensor<9xf64>) -> f64
//!     %z = arith.mulf %c, %y : f64
//!     array.yield %z : f64
//!   }
//!   return %e : tensor<9xf64>
//! }
//! ```

use crate::optimise::egg_optimize::options::{self, phase_pass};
use crate::optimise::phases::{Accept, Phases};

phase_pass! {
    "place-terms",
    "Move invariants out of loops, compute common subexpressions once, and fuse loops",
    options::OF_PLACEMENT,
    Phases::NONE,
    Accept::Cheaper
}
