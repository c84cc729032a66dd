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

use crate::optimise::egg_optimize::options;
use crate::optimise::phases::{Accept, Phases};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;

/// The pass `--saturate-terms`.
pub const PASS: Pass = Pass {
    name: "saturate-terms",
    description: "Extract the cheapest of the equal forms that equality saturation finds",
    anchor: Kind::FuncFunc.name(),
    options: options::OF_SATURATION,
    dialects: options::DIALECTS,
    run,
};

fn run(function: Op, options: &Options) -> Result<(), Reported> {
    options::run(&PASS, function, options, Phases { normalise: true, saturate: true, ..Phases::NONE }, Accept::Cheaper)
}
