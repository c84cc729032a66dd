//! Conversion of ops on parts of arrays: reading a part, overwriting a part, and padding. A part along the outermost
//! axis becomes an `array.slice`, any other part a gather. Overwriting becomes a selection, element by element.

use super::Converted;
use super::index::{self, Index, compare, mixed};
use super::rewriter::{Rewriter, check_effects, element, inlined};
use crate::analysis::edit;
use mlopt_dialects::ir::{Attribute, Builder, Dim, Op, Type, Value};
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// The offset, size and stride along one axis.
struct Range {
    offset: Index,
    size: Index,
    stride: Index,
    /// True for a size of one whose axis the type of the part does not have.
    dropped: bool,
}

impl Range {
    /// Returns the position of element `i` of the part.
    fn place(&self, b: Builder, i: Index) -> Value {
        i.multiply(b, self.stride).add(b, self.offset).value(b)
    }

    fn is_all_of(&self, whole: Dim) -> bool {
        let whole = whole.map(|n| Index::Known(n as i64));
        self.offset == Index::Known(0) && self.stride == Index::Known(1) && Some(self.size) == whole && !self.dropped
    }
}

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

/// Returns the smallest number of leading axes such that all others are whole.
fn cut_axes(ranges: &[Range], whole: &[Dim]) -> usize {
    (0..ranges.len()).rev().find(|&k| !ranges[k].is_all_of(whole[k])).map_or(0, |k| k + 1)
}

pub fn extract_slice(rewriter: &mut Rewriter, op: Op) -> Value {
    let (b, x, ty) = (Builder::before(op), op.operand(0), op.result(0).ty());
    let ranges = ranges(op, 1, ty);
    let k = cut_axes(&ranges, &x.ty().shape());
    let kept: Vec<&Range> = ranges[..k].iter().filter(|r| !r.dropped).collect();
    let z = match (k, &kept[..]) {
        (0, _) => x,
        (_, []) => {
            let position: Vec<Value> = ranges[..k].iter().map(|r| r.place(b, Index::Known(0))).collect();
            element(b, x, &position)
        }
        (1, [rows]) if rows.stride == Index::Known(1) => {
            let (dims, extents) = index::sizes(b, &[rows.size]);
            b.slice(x, rows.offset.value(b), dims[0], extents.first().copied())
        }
        _ => {
            let sizes: Vec<Index> = kept.iter().map(|r| r.size).collect();
            let (dims, extents) = index::sizes(b, &sizes);
            b.gather(x, &dims, &extents, |b, position| {
                let mut position = position.iter();
                let next = |r: &Range| match r.dropped {
                    true => r.place(b, Index::Known(0)),
                    false => r.place(b, Index::Value(*position.next().expect("one index for each kept axis"))),
                };
                ranges[..k].iter().map(next).collect()
            })
        }
    };
    let sizes: Vec<Index> = ranges.iter().filter(|r| !r.dropped).map(|r| r.size).collect();
    rewriter.retyped(b, z, ty, &sizes)
}

pub fn insert_slice(rewriter: &mut Rewriter, op: Op) -> Value {
    let (x, part) = (op.operand(1), op.operand(0));
    overwritten(rewriter, op, x, part, &ranges(op, 2, part.ty()))
}

pub fn insert(rewriter: &mut Rewriter, op: Op) -> Value {
    let one = Index::Known(1);
    let at = |&v: &Value| Range { offset: Index::of(v), size: one, stride: one, dropped: true };
    let ranges: Vec<Range> = op.operands()[2..].iter().map(at).collect();
    overwritten(rewriter, op, op.operand(1), op.operand(0), &ranges)
}

/// Returns `x` with `part` in these ranges.
fn overwritten(rewriter: &mut Rewriter, op: Op, x: Value, part: Value, ranges: &[Range]) -> Value {
    let (b, shape) = (Builder::before(op), x.ty().shape());
    let mut k = cut_axes(ranges, &shape);
    if k == 0 {
        let sizes = rewriter.sizes(b, x);
        return rewriter.retyped(b, part, x.ty(), &sizes);
    }
    // Rows of the two must have the same type.
    if ranges[k..].iter().any(|r| r.dropped)
        || rows(part.ty(), ranges[..k].iter().filter(|r| !r.dropped).count()) != rows(x.ty(), k)
    {
        k = ranges.len();
    }
    let sizes = rewriter.sizes(b, x);
    let (dims, extents) = (&shape[..k], index::sizes(b, &run_time(&shape[..k], &sizes)).1);
    let z = b.build(dims, &extents, |b, position| {
        let mut inside: Option<Value> = None;
        let mut place = Vec::new();
        for (axis, range) in ranges[..k].iter().enumerate() {
            let i = Index::Value(position[axis]);
            if !range.is_all_of(shape[axis]) {
                let distance = i.subtract(b, range.offset);
                let step = distance.divide(b, range.stride);
                // As unsigned numbers, positions before the offset are far beyond the end.
                let mut conditions = vec![compare(b, CmpIPredicate::Ult, step, range.size)];
                if range.stride != Index::Known(1) {
                    conditions.push(compare(b, CmpIPredicate::Eq, distance.modulo(b, range.stride), Index::Known(0)));
                }
                for c in conditions {
                    inside = Some(inside.map_or(c, |all| b.unary(Kind::ArithAndi, &[all, c], c.ty())));
                }
                if !range.dropped {
                    place.push(step.value(b));
                }
            } else {
                place.push(position[axis]);
            }
        }
        let (new, old) = (element(b, part, &place), element(b, x, position));
        vec![inside.map_or(new, |inside| b.select(inside, new, old))]
    });
    rewriter.sized(z[0], &sizes)
}

/// Returns the type after indexing the first `k` axes.
fn rows(ty: Type, k: usize) -> Option<Type> {
    Some(Type::array(ty.shape().get(k..)?, ty.scalar()))
}

/// Returns the sizes of the axes that are `?`.
fn run_time(shape: &[Dim], sizes: &[Index]) -> Vec<Index> {
    shape.iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, &n)| n).collect()
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
    let padded = |axis: usize| inner[axis].add(b, low[axis]).add(b, high[axis]);
    let sizes: Vec<Index> = (0..inner.len())
        .map(|axis| ty.shape()[axis].map_or_else(|| padded(axis), |n| Index::Known(n as i64)))
        .collect();
    let none = Index::Known(0);
    let last = (0..inner.len()).rev().find(|&axis| low[axis] != none || high[axis] != none);
    let Some(k) = last.map(|axis| axis + 1) else {
        return Ok(vec![rewriter.retyped(b, x, ty, &sizes)]);
    };
    let body = op.entry();
    let zero = edit::constant(body.end().operand(0)).is_some_and(is_zero);
    let before = |b: Builder, i: Value, axis: usize| Index::Value(i).subtract(b, low[axis]);
    if zero {
        let (dims, extents) = index::sizes(b, &sizes[..k]);
        let z = match k {
            1 => b.slice(x, none.subtract(b, low[0]).value(b), dims[0], extents.first().copied()),
            _ => b.gather(x, &dims, &extents, |b, position| {
                position.iter().enumerate().map(|(axis, &i)| before(b, i, axis).value(b)).collect()
            }),
        };
        return Ok(vec![rewriter.retyped(b, z, ty, &sizes)]);
    }
    let extents: Vec<Value> = index::sizes(b, &run_time(&ty.shape(), &sizes)).1;
    let z = b.build(&ty.shape(), &extents, |b, position| {
        let padding = inlined(b, body, position)[0];
        let mut inside: Option<Value> = None;
        let mut place = Vec::new();
        for (axis, &i) in position.iter().enumerate() {
            let source = before(b, i, axis);
            place.push(source.value(b));
            if low[axis] != none || high[axis] != none {
                let c = compare(b, CmpIPredicate::Ult, source, inner[axis]);
                inside = Some(inside.map_or(c, |all| b.unary(Kind::ArithAndi, &[all, c], c.ty())));
            }
        }
        let inside = inside.expect("an axis is padded");
        vec![b.select(inside, element(b, x, &place), padding)]
    });
    Ok(vec![rewriter.sized(z[0], &sizes)])
}

/// Checks whether a value is the zero that reads out of range return: not -0.
fn is_zero(value: Attribute) -> bool {
    match (value.as_f64(), value.as_i64()) {
        (Some(x), _) => x == 0.0 && x.is_sign_positive(),
        (_, n) => n == Some(0),
    }
}
