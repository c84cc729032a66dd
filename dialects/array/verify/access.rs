//! Constraints of the ops that read and add at positions.

use super::{extents, has_axes, has_no_effects, is_axis, numeric, same, shape, takes_indices, up_to, yields_position};
use crate::constraints::{Verdict, ensure, ensure_by, violates_by};
use crate::ir::Type;
use crate::ops::array::{Gather, Get, Length, OneHot, Scatter};
use crate::text::count;

/// Checks `array.get`: `x` (n..., s...), one index per axis of n; `z` (s...).
pub fn get(op: Get) -> Verdict {
    let cause = ("x", op.x());
    let x = cause.1.ty();
    let indices = op.indices().len();
    has_axes(cause, "C1")?;
    ensure_by(cause, indices != 0 && indices <= x.rank(), "C1", || {
        format!("`x` of type {x} takes {}, found {indices}", up_to(x.rank(), "index"))
    })?;
    same(cause, "C2", op.z().ty(), Type::array(&x.shape()[indices..], x.scalar()))
}

/// Checks `array.gather`: `x` (m..., s...), `z` (n..., s...); the region takes indices for n and yields indices for m.
pub fn gather(op: Gather) -> Verdict {
    let cause = ("x", op.x());
    let (x, z) = (cause.1.ty(), op.z().ty());
    let body = op.body();
    let k = body.num_arguments();
    ensure(k != 0, "C1", || "the region must have at least one argument of type `index`, found none")?;
    takes_indices("C1", body)?;
    ensure(z.rank() >= k, "C1", || {
        format!("the result must have at least {}, one per index, found {z}", count(k, "axis"))
    })?;
    let m = yields_position("C2", body, cause)?;
    let leading = &z.shape()[..k];
    same(cause, "C3", z, Type::tensor(&[leading, &x.shape()[m..]].concat(), x.scalar()))?;
    extents("C4", leading, op.extents().len())?;
    has_no_effects("C5", *op)
}

/// Checks `array.scatter`: `x` (n..., s...), `init` and `z` (m..., s...); the region takes indices for n and yields
/// indices for m.
pub fn scatter(op: Scatter) -> Verdict {
    let (cause, init) = (("x", op.x()), ("init", op.init()));
    let (x, z) = (cause.1.ty(), init.1.ty());
    let body = op.body();
    let k = body.num_arguments();
    ensure_by(cause, k <= x.rank(), "C1", || {
        format!("the region must not have more arguments than {x} has axes: at most {}, found {k}", x.rank())
    })?;
    takes_indices("C1", body)?;
    let m = yields_position("C2", body, init)?;
    numeric(cause, "C3")?;
    ensure_by(cause, x.scalar() == z.scalar(), "C3", || format!("`x` must have the element type of {z}, found {x}"))?;
    let (found, expected) = (&x.shape()[k..], &z.shape()[m..]);
    if found != expected {
        let (found, expected) = (shape(found), shape(expected));
        let rule = "`x` and `init` must have the same sizes in the axes without indices";
        return violates_by(cause, "C3", format!("{rule}: {expected} in `init`, found {found} in `x`"));
    }
    has_no_effects("C4", *op)
}

/// Checks `array.one_hot`: `x` (s...), one index for each of n; `z` (n..., s...).
pub fn one_hot(op: OneHot) -> Verdict {
    let cause = ("x", op.x());
    let (x, z) = (cause.1.ty(), op.z().ty());
    let (indices, sizes) = (op.indices(), op.sizes());
    let k = indices.len();
    ensure(k != 0, "C1", || "expected at least one index, found none")?;
    let fits = z.rank() == k + x.rank() && z.shape()[k..] == x.shape() && z.scalar() == x.scalar();
    ensure_by(cause, fits, "C1", || {
        format!("the result must be {x} with {}, found {z}", count(k, "more leading axis"))
    })?;
    extents("C2", &z.shape()[..k], sizes.len())
}

/// Checks `array.length`: `x` (s...), `axis` one of its axes.
pub fn length(op: Length) -> Verdict {
    let cause = ("x", op.x());
    has_axes(cause, "C1")?;
    is_axis(cause, op.axis())
}
