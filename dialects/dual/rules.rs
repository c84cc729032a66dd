//! User-defined derivatives: the attributes `dual.jvp` and `dual.vjp` of a `func.func` name the functions that compute
//! its derivatives. This module checks the constraints (R1) to (R3) of the attributes.

use crate::constraints::{Verdict, ensure, violates};
use crate::ir::{Op, Type};
use crate::ops::{HasKind, Kind};

/// The attribute that refers to a function from (x..., tangents) to (y..., tangents).
pub const TANGENT_RULE: &str = "dual.jvp";
/// The attribute that refers to a function from (x..., cotangents of y) to (y..., cotangents of x).
pub const COTANGENT_RULE: &str = "dual.vjp";

/// Checks the attribute `name` of this dialect on `op`.
pub fn verify(op: Op, name: &str) -> Verdict {
    let is_rule = (name == TANGENT_RULE || name == COTANGENT_RULE) && op.kind() == Kind::FuncFunc;
    let rule = op.attribute(name).filter(|_| is_rule).and_then(|a| a.as_symbol());
    let (Some((inputs, results)), Some(rule)) = (op.function_type(), rule) else { return Ok(()) };
    let Some(function) = op.module().and_then(|m| m.lookup(&rule)) else {
        let text = format!("must name a function in this module, found `@{rule}`, which is not defined");
        return violates("R1", format!("the attribute `{name}` {text}"));
    };
    ensure(function.kind() == Kind::FuncFunc && function.body().is_some(), "R1", || {
        format!("the attribute `{name}` must name a function with a body, found `@{rule}`")
    })?;
    let floats = |types: &[Type]| types.iter().copied().filter(|t| t.is_differentiable()).collect::<Vec<_>>();
    let (label, taken, given) = match name {
        TANGENT_RULE => ("R2", floats(&inputs), floats(&results)),
        _ => ("R3", floats(&results), floats(&inputs)),
    };
    let expected = ([inputs, taken].concat(), [results, given].concat());
    let Some(found) = function.function_type() else { return Ok(()) };
    // Lowered functions take buffers: their rules have been used, or are rejected there.
    let in_language = |types: &[Type]| types.iter().all(|t| t.element().is_some() && !t.is_memref());
    ensure(!in_language(&found.0) || !in_language(&expected.0) || found == expected, label, || {
        format!(
            "`@{rule}` must have arguments {:?} and results {:?}, found arguments {:?} and results {:?}",
            expected.0, expected.1, found.0, found.1
        )
    })
}
