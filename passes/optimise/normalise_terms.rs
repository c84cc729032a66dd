//! Computes the normal form of pure array code: applies the directed rules of `rules/`, bottom up, until none applies.
//! They include fusion, partial evaluation, removal of zeros and masks, and simpler forms of loops.
//!
//! The first phase of `egg-optimize`. Later phases expect the normal form, so it replaces the program whatever its cost
//! is. It may compute an element of an array again at each place that reads it.
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

use crate::optimise::egg_optimize::options;
use crate::optimise::phases::{Accept, Phases};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;

/// The pass `--normalise-terms`.
pub const PASS: Pass = Pass {
    name: "normalise-terms",
    description: "Rewrite pure array code to its normal form by the directed rules",
    anchor: Kind::FuncFunc.name(),
    options: options::OF_RULES,
    dialects: options::DIALECTS,
    run,
};

fn run(function: Op, options: &Options) -> Result<(), Reported> {
    options::run(&PASS, function, options, Phases { normalise: true, ..Phases::NONE }, Accept::Changed)
}
