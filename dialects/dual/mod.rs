//! Differentiation as a program: requests for derivatives, structural zeros and ones (`spec/arrays.md` D, E.0).

mod verify;

use crate::ir::{Op, Value};
use crate::verify::Verifier;

pub const VERIFIERS: &[Verifier] = &[
    ("dual.jvp", verify::wrt_is_increasing),
    ("dual.grad", verify::wrt_is_increasing),
    ("dual.jacobian", verify::wrt_is_increasing),
];

pub const SYMBOL_VERIFIERS: &[Verifier] =
    &[("dual.jvp", verify::jvp), ("dual.grad", verify::grad), ("dual.jacobian", verify::jacobian)];

/// A request for derivatives, taken apart.
pub struct Request {
    pub op: Op,
    /// The function to differentiate.
    pub callee: String,
    /// The point: one value per argument of the function.
    pub inputs: Vec<Value>,
    /// The direction, for `dual.jvp`: one value per entry of `wrt`.
    pub tangents: Vec<Value>,
    /// Positions of the arguments that vary.
    pub wrt: Vec<usize>,
}

impl Request {
    /// `None` when `op` is not a request.
    pub fn of(op: Op) -> Option<Request> {
        let (inputs, tangents) = match op.name() {
            "dual.jvp" => (op.operand_segment(0), op.operand_segment(1)),
            "dual.grad" | "dual.jacobian" => (op.operands(), Vec::new()),
            _ => return None,
        };
        let callee = op.attribute("callee").and_then(|a| a.as_symbol())?;
        let wrt = match op.attribute("wrt").and_then(|a| a.as_i64_array()) {
            Some(positions) => positions.into_iter().map(|p| p.max(0) as usize).collect(),
            None => (0..inputs.len()).filter(|&i| inputs[i].ty().is_differentiable()).collect(),
        };
        Some(Request { op, callee, inputs, tangents, wrt })
    }
}
