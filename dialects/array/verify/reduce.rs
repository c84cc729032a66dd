//! Constraints of the reductions and searches.

use super::{Cause, numeric, same};
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
        let rank = x.rank();
        let text = format!("`axes` must be strictly increasing among the {rank} axes of {x}, found {axes:?}");
        return violates_by(cause, "C1", text);
    }
    same(cause, "C2", op.z().ty(), Type::array(&without(x, &axes), x.scalar()))
}

/// Checks `array.argmax`, `array.argmin`: `z` has the sizes of `x` without `axis`.
pub fn search(op: SearchOp) -> Verdict {
    let cause = ("x", op.x());
    let x = cause.1.ty();
    let axis = op.axis();
    reducible(cause)?;
    if axis < 0 || axis >= x.rank() as i64 {
        let text = format!("`axis` must be one of the {} axes of {x}, found {axis}", x.rank());
        return violates_by(cause, "C1", text);
    }
    same(cause, "C2", op.z().ty(), Type::array(&without(x, &[axis]), op.context().index()))
}

fn reducible(cause: Cause) -> Verdict {
    if cause.1.ty().rank() == 0 {
        return violates_by(cause, "C1", format!("`x` must have at least one axis, found {}", cause.1.ty()));
    }
    numeric(cause, "C1")
}

/// Returns the sizes of the other axes.
fn without(x: Type, axes: &[i64]) -> Vec<Dim> {
    x.shape().into_iter().zip(0..).filter(|(_, axis)| !axes.contains(axis)).map(|(d, _)| d).collect()
}
