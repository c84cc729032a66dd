//! The numbered constraints of `array.td`. The constraints of an op are checked in order, so that the check of a
//! constraint may rely on the earlier ones.

mod access;
mod arrange;
mod check;
mod loops;
mod reduce;
mod total;
mod vmap;

pub use check::MOST_VALUES;

use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates, violates_by};
use crate::ir::{Block, Dim, Lookup, Op, Type, Value, types_of};
use crate::ops::array::{ArrayOp, DivisionOp, ReductionOp, SearchOp, Yield};
use crate::ops::{HasKind, Kind};
use crate::text::count;
use crate::value::Element;

/// Checks the constraints of one op that depend on the op alone.
pub fn verify(op: ArrayOp) -> Verdict {
    match op {
        ArrayOp::Build(op) => loops::build(op),
        ArrayOp::Ifold(op) => loops::ifold(op),
        ArrayOp::Fold(op) => loops::fold(op),
        ArrayOp::MapAccum(op) => loops::map_accum(op),
        ArrayOp::Get(op) => access::get(op),
        ArrayOp::Gather(op) => access::gather(op),
        ArrayOp::Scatter(op) => access::scatter(op),
        ArrayOp::OneHot(op) => access::one_hot(op),
        ArrayOp::Length(op) => access::length(op),
        ArrayOp::Sum(op) => reduce::reduction(ReductionOp::from(op)),
        ArrayOp::Prod(op) => reduce::reduction(ReductionOp::from(op)),
        ArrayOp::Max(op) => reduce::reduction(ReductionOp::from(op)),
        ArrayOp::Min(op) => reduce::reduction(ReductionOp::from(op)),
        ArrayOp::Argmax(op) => reduce::search(SearchOp::from(op)),
        ArrayOp::Argmin(op) => reduce::search(SearchOp::from(op)),
        ArrayOp::Replicate(op) => arrange::replicate(op),
        ArrayOp::Transpose(op) => arrange::transpose(op),
        ArrayOp::Reshape(op) => arrange::reshape(op),
        ArrayOp::Stack(op) => arrange::stack(op),
        ArrayOp::Append(op) => arrange::append(op),
        ArrayOp::Slice(op) => arrange::slice(op),
        ArrayOp::Reverse(op) => arrange::reverse(op),
        ArrayOp::Iota(op) => arrange::iota(op),
        ArrayOp::Div(op) => total::division(DivisionOp::from(op)),
        ArrayOp::Mod(op) => total::division(DivisionOp::from(op)),
        ArrayOp::Floor(op) => total::floor(op),
        ArrayOp::Check(op) => check::check(op),
        ArrayOp::SameSize(_) => Ok(()),
        ArrayOp::Vmap(op) => vmap::axes(op),
        ArrayOp::Yield(_) => Ok(()),
    }
}

/// Checks the constraints of the symbols to which an op refers.
pub fn verify_symbols(op: ArrayOp, lookup: Lookup) -> Verdict {
    match op {
        ArrayOp::Vmap(op) => vmap::callee(op, lookup),
        _ => Ok(()),
    }
}

/// A value with its name in the `.td`; a note shows its definition.
type Cause = (&'static str, Value);

/// Checks that the result `z` has the type that `x` requires.
fn same(cause: Cause, label: &'static str, found: Type, expected: Type) -> Verdict {
    ensure_by(cause, found == expected, label, || format!("the result must have type {expected}, found {found}"))
}

/// Checks that the body ends in `array.yield` of values with the types `expected`.
fn yields(label: &'static str, body: Block, expected: &[Type]) -> Verdict {
    let found = yielded(label, body)?;
    ensure(found == expected, label, || format!("the region must yield {}, found {}", list(expected), list(&found)))
}

/// Returns the types of the values that the body's `array.yield` yields.
fn yielded(label: &'static str, body: Block) -> Result<Vec<Type>, Violation> {
    match body.terminator().and_then(Yield::of) {
        Some(end) => Ok(types_of(&end.values())),
        None => violates(label, "the region must end in `array.yield`"),
    }
}

/// Checks that all region arguments are indices.
fn takes_indices(label: &'static str, body: Block) -> Verdict {
    match body.arguments().into_iter().find(|a| !a.ty().is_index()) {
        Some(argument) => violates(label, format!("region arguments must have type 'index', found {}", argument.ty())),
        None => Ok(()),
    }
}

/// Checks that the body ends in `array.yield` of a position in `array`. Returns the number of its indices.
fn yields_position(label: &'static str, body: Block, array: Cause) -> Result<usize, Violation> {
    let found = yielded(label, body)?;
    has_axes(array, label)?;
    let rank = array.1.ty().rank();
    if found.is_empty() || found.len() > rank || found.iter().any(|t| !t.is_index()) {
        let text = format!("the region must yield {} of type index, found {}", up_to(rank, "value"), list(&found));
        return violates_by(array, label, text);
    }
    Ok(found.len())
}

/// Formats `1 index`, `1 to 3 indices`.
fn up_to(most: usize, what: &str) -> String {
    if most == 1 { count(most, what) } else { format!("1 to {}", count(most, what)) }
}

/// Checks that the array `cause` has an axis.
fn has_axes(cause: Cause, label: &'static str) -> Verdict {
    let ty = cause.1.ty();
    ensure_by(cause, ty.rank() != 0, label, || format!("`{}` must have at least one axis, found {ty}", cause.0))
}

/// Checks (C1) of ops with an attribute `axis`, the number of an axis of the array `cause`.
fn is_axis(cause: Cause, axis: i64) -> Verdict {
    let ty = cause.1.ty();
    ensure_by(cause, (0..ty.rank() as i64).contains(&axis), "C1", || {
        format!("`axis` must be at least 0 and less than {}, the rank of {ty}, found {axis}", ty.rank())
    })
}

/// Checks that there is one extent operand for each `?` among `sizes`.
fn extents(label: &'static str, sizes: &[Dim], found: usize) -> Verdict {
    let dynamic = sizes.iter().filter(|d| d.is_none()).count();
    ensure(found == dynamic, label, || {
        format!("expected as many extent operands as `?` in {} ({dynamic}), found {found}", shape(sizes))
    })
}

/// Checks that the extent `name` is given if and only if the first axis of `z` is `?`.
fn extent_of_first(cause: Cause, label: &'static str, name: &str, z: Type, given: bool) -> Verdict {
    match (z.shape()[0], given) {
        (None, false) => {
            let text = format!("the first axis of {z} is dynamic: expected the operand `{name}`, found none");
            violates_by(cause, label, text)
        }
        (Some(n), true) => violates_by(
            cause,
            label,
            format!("the first axis of {z} has the static size {n}: expected no operand `{name}`, found one"),
        ),
        _ => Ok(()),
    }
}

/// Checks that elements can be added and compared.
fn numeric(cause: Cause, label: &'static str) -> Verdict {
    let ty = cause.1.ty();
    ensure_by(cause, ty.element().is_some_and(|e| e != Element::I1), label, || {
        format!("`{}` must have numeric elements, found {ty}", cause.0)
    })
}

/// Checks that the regions of an op have no effects. Calls are allowed: functions of the array language are pure, and
/// are inlined before this could matter.
fn has_no_effects(label: &'static str, op: Op) -> Verdict {
    // Ops of this dialect and of `dual` are pure by definition, and check their own regions.
    let mut pending = op.child_ops();
    while let Some(inner) = pending.pop() {
        if inner.kind() == Kind::FuncCall {
            continue;
        }
        ensure(inner.has_no_own_effects(), label, || {
            format!("the body must have no side effects, found '{}'", inner.name())
        })?;
        if inner.kind().dialect() != "array" && inner.num_regions() > 0 {
            pending.extend(inner.child_ops());
        }
    }
    Ok(())
}

/// Returns `[4, ?]`.
fn shape(sizes: &[Dim]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|d| d.map_or("?".to_string(), |n| n.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

/// Returns `(f64, index)`.
fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}
