//! The dialect `dual`: requests for derivatives as ops, structural zeros and ones, and linear maps (`spec/arrays.md` D,
//! E.0).

mod rules;
mod verify;

pub use rules::{COTANGENT_RULE, TANGENT_RULE, verify as verify_attribute};
pub use verify::{result_types, verify, verify_symbols};

use crate::ir::{Block, Context, Op, Type, Value};
use crate::ops;
/// The mode in which a derivative is computed.
pub use crate::ops::DerivativeMode as Mode;

/// A request for derivatives, with its parts.
pub struct Request {
    pub op: Op,
    /// The function to differentiate; empty if it is `body`.
    pub callee: String,
    pub body: Option<Block>,
    /// The point: one value per argument of the function.
    pub inputs: Vec<Value>,
    /// The tangents of `dual.jvp` and `dual.hvp`, one per entry of `wrt`; the cotangents of `dual.vjp`, one per float
    /// result.
    pub directions: Vec<Value>,
    /// The positions of the arguments that vary.
    pub wrt: Vec<usize>,
    pub mode: Mode,
}

impl Request {
    /// Returns `None` if `op` is not a request.
    pub fn of(op: Op) -> Option<Request> {
        let request = ops::dual::Request::of(op)?;
        use ops::dual::Request::*;
        let (inputs, directions, mode) = match request {
            Jvp(jvp) => (jvp.inputs(), jvp.directions(), Mode::Forward),
            Vjp(vjp) => (vjp.inputs(), vjp.directions(), Mode::Reverse),
            Hvp(hvp) => (hvp.inputs(), hvp.directions(), Mode::Reverse),
            Grad(grad) => (grad.inputs(), Vec::new(), grad.mode().unwrap_or(Mode::Auto)),
            ValueAndGrad(grad) => (grad.inputs(), Vec::new(), grad.mode().unwrap_or(Mode::Auto)),
            Jacobian(jacobian) => (jacobian.inputs(), Vec::new(), jacobian.mode().unwrap_or(Mode::Auto)),
            Hessian(hessian) => (hessian.inputs(), Vec::new(), Mode::Reverse),
        };
        let wrt = match request.wrt() {
            Some(positions) => positions.into_iter().map(|p| p.max(0) as usize).collect(),
            None => (0..inputs.len()).filter(|&i| inputs[i].ty().is_differentiable()).collect(),
        };
        let callee = request.callee().map(|symbol| symbol.0).unwrap_or_default();
        Some(Request { op, callee, body: op.body(), inputs, directions, wrt, mode })
    }
}

/// Returns `!dual.delta<(inputs) -> results>`.
pub fn delta_type(context: Context, inputs: &[Type], results: &[Type]) -> Type {
    let map = context.function_type(inputs, results);
    context.ty(&format!("!dual.delta<{map}>"))
}

/// Returns the inputs and results of a `!dual.delta`, or `None` for other types.
pub fn delta_signature(ty: Type) -> Option<(Vec<Type>, Vec<Type>)> {
    if ty.name() != "dual.delta" {
        return None;
    }
    ty.parts().first()?.signature()
}
