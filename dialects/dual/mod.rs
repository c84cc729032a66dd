//! Differentiation as a program: requests for derivatives, structural zeros and ones (`spec/arrays.md` D, E.0).

mod rules;
mod verify;

pub use rules::{COTANGENT_RULE, TANGENT_RULE, verify as verify_attribute};

use crate::ir::{Block, Context, Op, Type, Value};
use crate::verify::{SymbolVerifier, Verifier};

pub const VERIFIERS: &[Verifier] = &[
    ("dual.jvp", verify::request),
    ("dual.vjp", verify::request),
    ("dual.hvp", verify::request),
    ("dual.grad", verify::request),
    ("dual.value_and_grad", verify::request),
    ("dual.jacobian", verify::request),
    ("dual.hessian", verify::request),
    ("dual.linear", verify::linear),
    ("dual.transpose", verify::transpose),
];

pub const SYMBOL_VERIFIERS: &[SymbolVerifier] = &[
    ("dual.jvp", verify::jvp),
    ("dual.vjp", verify::vjp),
    ("dual.hvp", verify::hvp),
    ("dual.grad", verify::grad),
    ("dual.value_and_grad", verify::value_and_grad),
    ("dual.jacobian", verify::jacobian),
    ("dual.hessian", verify::hessian),
];

/// Which way a derivative is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Forward,
    Reverse,
    /// Whichever promises less work.
    Auto,
}

/// A request for derivatives, taken apart.
pub struct Request {
    pub op: Op,
    /// The function to differentiate; empty where it is `body`.
    pub callee: String,
    pub body: Option<Block>,
    /// The point: one value per argument of the function.
    pub inputs: Vec<Value>,
    /// Tangents of `dual.jvp` and `dual.hvp`, one per entry of `wrt`; cotangents of `dual.vjp`, one per float result.
    pub directions: Vec<Value>,
    /// Positions of the arguments that vary.
    pub wrt: Vec<usize>,
    pub mode: Mode,
}

impl Request {
    /// `None` when `op` is not a request.
    pub fn of(op: Op) -> Option<Request> {
        let (inputs, directions) = match op.name() {
            "dual.jvp" | "dual.vjp" | "dual.hvp" => (op.operand_segment(0), op.operand_segment(1)),
            "dual.grad" | "dual.value_and_grad" | "dual.jacobian" | "dual.hessian" => (op.operands(), Vec::new()),
            _ => return None,
        };
        let mode = match (op.name(), op.attribute("mode").and_then(|a| a.as_i64())) {
            ("dual.jvp", _) | (_, Some(0)) => Mode::Forward,
            ("dual.vjp" | "dual.hvp" | "dual.hessian", _) | (_, Some(1)) => Mode::Reverse,
            _ => Mode::Auto,
        };
        let callee = op.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
        let wrt = match op.attribute("wrt").and_then(|a| a.as_i64_array()) {
            Some(positions) => positions.into_iter().map(|p| p.max(0) as usize).collect(),
            None => (0..inputs.len()).filter(|&i| inputs[i].ty().is_differentiable()).collect(),
        };
        Some(Request { op, callee, body: op.body(), inputs, directions, wrt, mode })
    }
}

/// `!dual.delta<(inputs) -> results>`.
pub fn delta_type(context: Context, inputs: &[Type], results: &[Type]) -> Type {
    let map = context.function_type(inputs, results);
    context.parse_type(&format!("!dual.delta<{map}>")).expect("a type of this dialect parses")
}

/// Inputs and results of a `!dual.delta`; `None` for other types.
pub fn delta_signature(ty: Type) -> Option<(Vec<Type>, Vec<Type>)> {
    let text = ty.to_string();
    let map = text.strip_prefix("!dual.delta<")?.strip_suffix('>')?;
    ty.context().parse_type(map)?.signature()
}
