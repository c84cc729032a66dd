//! Expands every request for a derivative: in forward mode by `jvp`, in reverse mode by `bulk-operations`,
//! `dual-arrays` and `transpose-delta`. These passes alternate, innermost requests first, until no request remains.
//!
//! Requires: ops that the table of derivatives contains (`ad/derivatives/`). Result: no request remains.
//! ```mlir before
//! func.func @f(%x: f64) -> f64 {
//!   %y = math.sin %x : f64
//!   return %y : f64
//! }
//! func.func @d2f(%x: f64, %x_t: f64) -> f64 {
//!   %h = dual.hvp @f(%x) tangents(%x_t) : (f64, f64) -> f64
//!   return %h : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64) -> f64 {
//!   %y = math.sin %x : f64
//!   return %y : f64
//! }
//! func.func @d2f(%x: f64, %x_t: f64) -> f64 {
//!   %one = dual.one : f64
//!   %s = math.sin %x : f64
//!   %m = arith.negf %s : f64
//!   %w_t = arith.mulf %m, %x_t : f64
//!   %g_t = arith.mulf %one, %w_t : f64
//!   return %g_t : f64
//! }
//! ```

use crate::ad::choose_mode::choose_modes;
use crate::ad::discrete;
use crate::ad::dual_arrays;
use crate::ad::dual_arrays::Memory;
use crate::ad::jvp;
use crate::ad::outline;
use crate::ad::transpose_delta;
use crate::analysis::dead_code;
use crate::arrays::vmap;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Pass, names};
use mlopt_dialects::dual::{COTANGENT_RULE, Request, TANGENT_RULE};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;
use std::collections::HashSet;

pub const PASS: Pass = Pass {
    name: "differentiate",
    description: "Replace every request for a derivative by code, in the mode that the request names",
    anchor: Kind::BuiltinModule.name(),
    options: dual_arrays::OPTIONS,
    dialects: &["arith", "array", "dual", "func", "math", "scf", "tensor"],
    run: |module, options| {
        names::from_source(module);
        outline::outline(module);
        discrete::warn(module, |_| true);
        run(module, Memory::of(options))
    },
};

/// Replaces every request, and removes code around them that is then dead.
pub fn run(module: Op, memory: Memory) -> Result<(), Reported> {
    outline::outline(module);
    choose_modes(module);
    let holds = |function: &Op| function.nested_ops().into_iter().any(|op| Request::of(op).is_some());
    let asking: HashSet<String> = module.child_ops().into_iter().filter(holds).filter_map(Op::symbol).collect();
    let mut left = requests(module);
    if !left.is_empty() {
        vmap::expand_in(module);
    }
    while !left.is_empty() {
        jvp::run(module)?;
        dual_arrays::run_in_bulk(module, memory)?;
        transpose_delta::run(module)?;
        let now = requests(module);
        if now == left {
            return Err(now[0].not_supported(
                "the function whose derivative is requested here contains a `dual.linear` without a `dual.transpose`; \
                 remove this `dual.linear`",
            ));
        }
        left = now;
    }
    outline::remove_temporary(module);
    for function in module.child_ops() {
        // The rules are no longer needed, and later passes change the types of functions.
        [TANGENT_RULE, COTANGENT_RULE].into_iter().for_each(|rule| function.remove_attribute(rule));
        if function.symbol().is_some_and(|name| asking.contains(&name)) {
            dead_code::remove(function);
        }
    }
    Ok(())
}

fn requests(module: Op) -> Vec<Op> {
    module.nested_ops().into_iter().filter(|op| Request::of(*op).is_some()).collect()
}
