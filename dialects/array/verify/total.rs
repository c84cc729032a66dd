//! Constraints of the total arithmetic.

use super::Cause;
use crate::constraints::{Verdict, ensure_by};
use crate::ir::Type;
use crate::ops::array::{DivisionOp, Floor};
use crate::value::Element;

/// Checks `array.div` and `array.mod`, elementwise on integers.
pub fn division(op: DivisionOp) -> Verdict {
    let x = op.x();
    integers(("x", x), "`x`", x.ty())
}

/// Checks `array.floor`: floats `x`, integers `z` of the same sizes.
pub fn floor(op: Floor) -> Verdict {
    let cause = ("x", op.x());
    let (x, z) = (cause.1.ty(), op.z().ty());
    ensure_by(cause, x.is_differentiable(), "C1", || format!("`x` must have float elements, found {x}"))?;
    integers(cause, "the result", z)?;
    ensure_by(cause, z.is_tensor() == x.is_tensor() && z.shape() == x.shape(), "C1", || {
        let expected = if x.is_tensor() { Type::tensor(&x.shape(), z.scalar()) } else { z.scalar() };
        format!("the result must have type {expected}, found {z}")
    })
}

fn integers(cause: Cause, what: &str, ty: Type) -> Verdict {
    ensure_by(cause, ty.element().is_some_and(Element::is_integer), "C1", || {
        format!("{what} must have elements of type i8, i16, i32, i64 or index, found {ty}")
    })
}
