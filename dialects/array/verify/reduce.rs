//! Constraints of the reductions and searches.

use super::{Cause, has_axes, is_axis, numeric, same};
use crate::constraints::{Verdict, violates_by};
use crate::ir::{Dim, Type};
use crate::ops::array::{ReductionOp, SearchOp};

/// Checks `array.sum`, `array.prod`, `array.max`, `array.min`: `z` is `x` without `axes`.
pub fn reduction(op: ReductionOp) -> Verdict {
    let cause = ("x", op.x());
    let x = cause.1.ty();
    let axes = op.axes();
    reducible(cause)?;
    let inside = axes.iter().all(|&axis| axis >= 0 && axis < x.rank() as i64);
    if axes.is_empty() || !inside || axes.windows(2).any(|w| w[0] >= w[1]) {
        let list = format!("a non-empty, strictly increasing list of axes of {x}, counted from 0");
        return violates_by(cause, "C1", format!("`axes` must be {list}, found {axes:?}"));
    }
    same(cause, "C2", op.z().ty(), Type::array(&without(x, &axes), x.scalar()))
}

/// Checks `array.argmax`, `array.argmin`: `z` has the sizes of `x` without `axis`.
pub fn search(op: SearchOp) -> Verdict {
    let cause = ("x", op.x());
    let x = cause.1.ty();
    let axis = op.axis();
    reducible(cause)?;
    is_axis(cause, axis)?;
    same(cause, "C2", op.z().ty(), Type::array(&without(x, &[axis]), op.context().index()))
}

fn reducible(cause: Cause) -> Verdict {
    has_axes(cause, "C1")?;
    numeric(cause, "C1")
}

/// Returns the sizes of the other axes.
fn without(x: Type, axes: &[i64]) -> Vec<Dim> {
    x.shape().into_iter().zip(0..).filter(|(_, axis)| !axes.contains(axis)).map(|(d, _)| d).collect()
}
