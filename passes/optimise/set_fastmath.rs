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
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "set-fastmath",
    description: "Add fastmath flags to every operation that has them",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption {
        name: "flags",
        kind: OptionKind::Text,
        initial: "fast",
        description: "Flags, separated by commas: reassoc, nnan, ninf, nsz, arcp, contract, afn; fast for all of them",
    }],
    dialects: &["arith", "array"],
    run,
};

const FLAGS: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    let flags = options.list("flags");
    if let Some(other) = flags.iter().find(|f| **f != "fast" && !FLAGS.contains(f)) {
        return Err(diagnostics::error(
            module.location(),
            format!("set-fastmath: unknown flag `{other}`; expected fast or some of {}", FLAGS.join(", ")),
        ));
    }
    for op in module.nested_ops().into_iter().filter(|&op| has_flags(op)) {
        let old = op.attribute("fastmath").map(|a| a.to_string()).unwrap_or_default();
        let is_on = |flag: &str| {
            let before = old.split(['<', '>', ',']).map(str::trim).any(|word| word == flag || word == "fast");
            before || flags.contains(&flag) || flags.contains(&"fast")
        };
        let on: Vec<&str> = FLAGS.into_iter().filter(|f| is_on(f)).collect();
        let words = if on.len() == FLAGS.len() { "fast".to_string() } else { on.join(",") };
        let words = if words.is_empty() { "none".to_string() } else { words };
        let attribute = op.context().parse_attribute(&format!("#arith.fastmath<{words}>")).expect("known flags parse");
        op.set_attribute("fastmath", attribute);
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
