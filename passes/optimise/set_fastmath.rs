//! Adds `fastmath` flags to all ops that can carry such flags (spec/arrays.md E.0).
//!
//! Requires: nothing. Preserves: the ops and the flags that they have; results may differ as the added flags permit.
//! ```mlir before
//! func.func @scaled(%x: tensor<4xf64>, %c: f64) -> f64 {
//!   %e = array.build (%i < 4) -> (tensor<4xf64>) {
//!     %a = array.get %x[%i] : (tensor<4xf64>) -> f64
//!     %p = arith.mulf %c, %a fastmath<nnan> : f64
//!     array.yield %p : f64
//!   }
//!   %s = array.sum %e : (tensor<4xf64>) -> f64
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @scaled(%x: tensor<4xf64>, %c: f64) -> f64 {
//!   %e = array.build (%i < 4) -> (tensor<4xf64>) {
//!     %a = array.get %x[%i] : (tensor<4xf64>) -> f64
//!     %p = arith.mulf %c, %a fastmath<fast> : f64
//!     array.yield %p : f64
//!   }
//!   %s = array.sum %e fastmath<fast> : (tensor<4xf64>) -> f64
//!   return %s : f64
//! }
//! ```

use crate::optimise::terms::Reduction;
use crate::optimise::terms::prim::Prim;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::diagnostics::{self, Reported};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{FastMath, FromAttribute, HasKind, Kind, ToAttribute};

pub const PASS: Pass = Pass {
    name: "set-fastmath",
    description: "Add fastmath flags to every operation that can have them",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::new(
        "flags",
        OptionKind::Text,
        "fast",
        "Flags, separated by commas: reassoc, nnan, ninf, nsz, arcp, contract, afn; fast for all of them",
    )],
    dialects: &["arith", "array"],
    run,
};

const FLAGS: [(&str, FastMath); 8] = [
    ("fast", FastMath::FAST),
    ("reassoc", FastMath::REASSOC),
    ("nnan", FastMath::NNAN),
    ("ninf", FastMath::NINF),
    ("nsz", FastMath::NSZ),
    ("arcp", FastMath::ARCP),
    ("contract", FastMath::CONTRACT),
    ("afn", FastMath::AFN),
];

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    let mut added = FastMath::NONE;
    for flag in options.list("flags") {
        let Some((_, bits)) = FLAGS.iter().find(|(name, _)| *name == flag) else {
            let names: Vec<&str> = FLAGS.iter().map(|(name, _)| *name).collect();
            let text = format!("set-fastmath: unknown flag `{flag}`; expected one of {}", names.join(", "));
            return Err(diagnostics::error(module.location(), text));
        };
        added = added | *bits;
    }
    for op in module.nested_ops().into_iter().filter(|&op| has_flags(op)) {
        let old = op.attribute("fastmath").and_then(FastMath::from_attribute).unwrap_or_default();
        op.set_attribute("fastmath", (old | added).to_attribute(op.context()));
    }
    Ok(())
}

fn has_flags(op: Op) -> bool {
    match Reduction::of(op.kind()) {
        Some(reduction) => !reduction.searches() && op.operand(0).ty().element().is_some_and(|e| e.is_float()),
        // Conversions have no flags.
        None => Prim::of(op.kind()).is_some_and(Prim::is_float) || op.kind() == Kind::ArithCmpf,
    }
}
