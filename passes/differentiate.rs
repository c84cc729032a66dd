//! Every request for a derivative becomes code: `jvp` for forward mode; `bulk-operations`, `dual-arrays` and
//! `transpose-delta` for reverse mode; in turns, innermost first, until none is left.
//!
//! Needs: ops with a rule in `derivatives.rs`. Leaves: no request.
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
//!   %y = math.sin %x : f64
//!   %c = math.cos %x : f64
//!   %y_t = arith.mulf %c, %x_t : f64
//!   %one = dual.one : f64
//!   %w = math.cos %x : f64
//!   %s = math.sin %x : f64
//!   %m = arith.negf %s : f64
//!   %w_t = arith.mulf %m, %x_t : f64
//!   %g = arith.mulf %w, %one : f64
//!   %g_t = arith.mulf %one, %w_t : f64
//!   return %g_t : f64
//! }
//! func.func private @f.gradient(%x: f64) -> f64 {
//!   %y = math.sin %x : f64
//!   %one = dual.one : f64
//!   %w = math.cos %x : f64
//!   %g = arith.mulf %w, %one : f64
//!   return %g : f64
//! }
//! ```

use crate::{dual_arrays, jvp, transpose_delta, vmap};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::Op;

pub const PASS: Pass = Pass {
    name: "differentiate",
    description: "Replace every request for a derivative by code, in the mode that it asks for",
    anchor: "builtin.module",
    options: &[],
    dialects: &["arith", "array", "dual", "func", "math", "scf"],
    run: |module, _| run(module),
};

/// Replaces every request.
pub fn run(module: Op) -> Result<(), Reported> {
    let mut left = requests(module);
    if !left.is_empty() {
        vmap::expand_in(module);
    }
    while !left.is_empty() {
        jvp::run(module)?;
        dual_arrays::run_in_bulk(module)?;
        transpose_delta::run(module)?;
        let now = requests(module);
        if now == left {
            return Err(now[0].not_supported("its function holds a linear map that nothing transposes"));
        }
        left = now;
    }
    Ok(())
}

fn requests(module: Op) -> Vec<Op> {
    module.nested_ops().into_iter().filter(|op| Request::of(*op).is_some()).collect()
}
