//! Constraints of the ops that rearrange arrays.

use super::{Cause, extent_of_first, extents, has_axes, same, shape};
use crate::constraints::{Verdict, ensure, ensure_by, violates, violates_by};
use crate::ir::{Dim, Type, types_of};
use crate::ops::array::{Append, Iota, Replicate, Reshape, Reverse, Slice, Stack, Transpose};
use crate::text::count;

/// Checks `array.replicate`: `x` (s...), `z` (n, s...).
pub fn replicate(op: Replicate) -> Verdict {
    let cause = ("x", op.x());
    let (x, z) = (cause.1.ty(), op.z().ty());
    let zs = z.shape();
    let fits = zs.len() == x.rank() + 1 && zs[1..] == x.shape() && z.scalar() == x.scalar();
    ensure_by(cause, fits, "C1", || format!("the result must be {x} with an additional outermost axis, found {z}"))?;
    extent_of_first(cause, "C2", "n", z, op.n().is_some())
}

/// Checks `array.transpose`: `x` (s...), `z` with axis j of size s[permutation[j]].
pub fn transpose(op: Transpose) -> Verdict {
    let cause = ("x", op.x());
    let x = cause.1.ty();
    let p = op.permutation();
    let mut sorted = p.clone();
    sorted.sort();
    ensure_by(cause, sorted == (0..x.rank() as i64).collect::<Vec<_>>(), "C1", || {
        format!("`permutation` must list each axis of {x} once, counted from 0, in any order, found {p:?}")
    })?;
    let sizes = x.shape();
    let expected: Vec<Dim> = p.iter().map(|&j| sizes[j as usize]).collect();
    same(cause, "C2", op.z().ty(), Type::tensor(&expected, x.scalar()))
}

/// Checks `array.reshape`: `x` and `z` have the same number of elements.
pub fn reshape(op: Reshape) -> Verdict {
    let cause = ("x", op.x());
    let (x, z) = (cause.1.ty(), op.z().ty());
    ensure_by(cause, x.scalar() == z.scalar(), "C1", || {
        format!("the result must have the element type of {x}, found {z}")
    })?;
    if let (Some(m), Some(n)) = (elements(x), elements(z))
        && m != n
    {
        let elements = count(m, "element");
        return violates_by(cause, "C1", format!("the result must have {elements} like {x}, found {n} in {z}"));
    }
    extents("C2", &z.shape(), op.sizes().len())
}

/// Returns the number of elements, or `None` if a size is `?` or the number overflows.
fn elements(ty: Type) -> Option<u128> {
    ty.shape().into_iter().try_fold(1u128, |n, d| n.checked_mul(d? as u128))
}

/// Checks `array.stack`: n parts (s...), `z` (n, s...).
pub fn stack(op: Stack) -> Verdict {
    let parts = op.elements();
    let Some(&first) = parts.first() else { return violates("C1", "expected at least one operand, found none") };
    let ty = first.ty();
    if let Some(k) = types_of(&parts).iter().position(|&t| t != ty) {
        let odd = parts[k];
        let text = format!("all operands must have the same type, found {ty} and {}", odd.ty());
        return violates_by(("x", odd), "C1", text);
    }
    let sizes = [&[Some(parts.len())], ty.shape().as_slice()].concat();
    same(("x", first), "C2", op.z().ty(), Type::tensor(&sizes, ty.scalar()))
}

/// Checks `array.append`: `x` (m, s...), `y` (n, s...), `z` (m+n, s...).
pub fn append(op: Append) -> Verdict {
    let (cause, y, z) = (("x", op.x()), op.y().ty(), op.z().ty());
    let x = cause.1.ty();
    like_rows(cause, ("`y`", y))?;
    like_rows(cause, ("the result", z))?;
    // An overflowing sum is equal to no size.
    let expected = match (x.shape()[0], y.shape()[0]) {
        (Some(m), Some(n)) => Some(m as u128 + n as u128),
        _ => None,
    };
    if z.shape()[0].map(|n| n as u128) != expected {
        let expected = expected.map_or("`?`".to_string(), |n| n.to_string());
        return violates_by(cause, "C2", format!("the outermost size of the result must be {expected}, found {z}"));
    }
    Ok(())
}

/// Checks `array.slice`: `x` (m, s...), `z` (n, s...).
pub fn slice(op: Slice) -> Verdict {
    let (cause, z) = (("x", op.x()), op.z().ty());
    like_rows(cause, ("the result", z))?;
    extent_of_first(cause, "C2", "size", z, op.size().is_some())
}

/// Checks (C1) of `array.append` and `array.slice`: `other` has an outermost axis and rows like those of `x`.
fn like_rows(cause: Cause, (what, other): (&str, Type)) -> Verdict {
    let x = cause.1.ty();
    has_axes(cause, "C1")?;
    if other.rank() != x.rank() || other.shape()[1..] != x.shape()[1..] || other.scalar() != x.scalar() {
        let rows = shape(&x.shape()[1..]);
        let text = format!("{what} must have elements of type {} and rows of shape {rows}", x.scalar());
        return violates_by(cause, "C1", format!("{text}, found {other}"));
    }
    Ok(())
}

/// Checks `array.reverse`: `x` (n, s...).
pub fn reverse(op: Reverse) -> Verdict {
    has_axes(("x", op.x()), "C1")
}

/// Checks `array.iota`: `z` (n).
pub fn iota(op: Iota) -> Verdict {
    let z = op.z().ty();
    ensure(z.rank() == 1 && z.scalar().is_index(), "C1", || {
        format!("the result must have one axis, and elements of type index, found {z}")
    })?;
    match (z.shape()[0], op.n()) {
        (None, None) => violates("C2", format!("the axis of {z} is dynamic: expected the operand `n`, found none")),
        (Some(n), Some(_)) => {
            violates("C2", format!("the axis of {z} has the static size {n}: expected no operand `n`, found one"))
        }
        _ => Ok(()),
    }
}
