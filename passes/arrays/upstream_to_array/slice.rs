//! Conversion of ops on parts of arrays.

use super::Converted;
use super::rewriter::{Rewriter, check_effects, inlined};
use crate::analysis::edit;
use crate::arrays::shapes::index::{Index, mixed};
use crate::arrays::shapes::parts::{Padding, Range, extracted, is_zero, overwritten, padded};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};

/// Returns the ranges of a slice op. Its first `skip` operands are arrays, and `part` is the type of the part.
fn ranges(op: Op, skip: usize, part: Type) -> Vec<Range> {
    let operands = op.operands();
    let mut run_time = operands[skip..].iter().copied();
    let offsets = mixed(op, "static_offsets", &mut run_time);
    let sizes = mixed(op, "static_sizes", &mut run_time);
    let strides = mixed(op, "static_strides", &mut run_time);
    // The sizes in the type: a size that is an operand is `?`, even if it is known.
    let said = op.attribute("static_sizes").and_then(Attribute::as_i64_array).unwrap_or_default();
    let mut kept = part.shape().into_iter().peekable();
    let mut ranges = Vec::new();
    for (k, said) in said.into_iter().enumerate() {
        let dropped = kept.next_if_eq(&usize::try_from(said).ok()).is_none();
        ranges.push(Range { offset: offsets[k], size: sizes[k], stride: strides[k], dropped });
    }
    ranges
}

pub fn extract_slice(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, x, ty) = (Builder::before(op), op.operand(0), op.result(0).ty());
    let ranges = ranges(op, 1, ty);
    let z = extracted(rewriter, b, x, &ranges);
    let sizes: Vec<Index> = ranges.iter().filter(|r| !r.dropped).map(|r| r.size).collect();
    rewriter.retyped(b, z, ty, &sizes)
}

pub fn insert_slice(rewriter: &mut Rewriter, op: Op) -> Value {
    let (x, part) = (op.operand(1), op.operand(0));
    overwritten(rewriter, Builder::before(op), x, part, &ranges(op, 2, part.ty()))
}

pub fn insert(rewriter: &mut Rewriter, op: Op) -> Value {
    let one = Index::Known(1);
    let at = |&v: &Value| Range { offset: Index::of(v), size: one, stride: one, dropped: true };
    let ranges: Vec<Range> = op.operands()[2..].iter().map(at).collect();
    overwritten(rewriter, Builder::before(op), op.operand(1), op.operand(0), &ranges)
}

/// Converts a pad. Reads outside of the array return zero anyway; other padding is selected element by element.
pub fn pad(rewriter: &mut Rewriter, op: Op) -> Converted {
    check_effects(op)?;
    let (b, x, ty) = (Builder::before(op), op.operand(0), op.result(0).ty());
    let operands = op.operands();
    let mut run_time_ends = operands[1..].iter().copied();
    let low = mixed(op, "static_low", &mut run_time_ends);
    let high = mixed(op, "static_high", &mut run_time_ends);
    let inner = rewriter.sizes(b, x);
    let axis = |(&low, &high)| Padding { low, high, interior: Index::Known(0) };
    let axes: Vec<Padding> = low.iter().zip(&high).map(axis).collect();
    let size =
        |axis: usize| ty.shape()[axis].map_or_else(|| axes[axis].size(b, inner[axis]), |n| Index::Known(n as i64));
    let sizes: Vec<Index> = (0..inner.len()).map(size).collect();
    let body = op.entry();
    let zero = edit::constant(body.end().operand(0)).is_some_and(is_zero);
    let padding = |b: Builder, position: &[Value]| inlined(b, body, position)[0];
    Ok(vec![padded(rewriter, b, x, (ty, &sizes), &axes, zero, padding)])
}
