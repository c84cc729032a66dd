//! Parts of arrays: reading a part, overwriting a part, and padding. A part along the outermost axis becomes an
//! `array.slice`, any other part a gather. Overwriting becomes a selection, element by element.

use super::index::{self, Index, compare};
use super::sizes::{Sizes, element};
use mlopt_dialects::ir::{Attribute, Builder, Dim, Type, Value};
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// The offset, size and stride along one axis.
#[derive(Clone, Copy)]
pub struct Range {
    pub offset: Index,
    pub size: Index,
    pub stride: Index,
    /// True for a size of one whose axis the part does not have.
    pub dropped: bool,
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

/// Returns the smallest number of leading axes such that all others are whole.
fn cut_axes(ranges: &[Range], whole: &[Dim]) -> usize {
    (0..ranges.len()).rev().find(|&k| !ranges[k].is_all_of(whole[k])).map_or(0, |k| k + 1)
}

/// Returns the part of `x` in these ranges, one for each axis; positions outside read as zero.
pub fn extracted(sizes: &mut Sizes, b: Builder, x: Value, ranges: &[Range]) -> Value {
    let k = cut_axes(ranges, &x.ty().shape());
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
            let kept: Vec<Index> = kept.iter().map(|r| r.size).collect();
            let (dims, extents) = index::sizes(b, &kept);
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
    let all: Vec<Index> = ranges.iter().filter(|r| !r.dropped).map(|r| r.size).collect();
    if z.ty().is_tensor() { sizes.sized(z, &all) } else { z }
}

/// Returns `x` with `part` in these ranges, one for each axis of `x`; positions outside are not written.
pub fn overwritten(sizes: &mut Sizes, b: Builder, x: Value, part: Value, ranges: &[Range]) -> Value {
    let shape = x.ty().shape();
    let mut k = cut_axes(ranges, &shape);
    let all = sizes.sizes(b, x);
    if k == 0 {
        return sizes.retyped(b, part, x.ty(), &all);
    }
    // Rows of the two must have the same type.
    if ranges[k..].iter().any(|r| r.dropped)
        || rows(part.ty(), ranges[..k].iter().filter(|r| !r.dropped).count()) != rows(x.ty(), k)
    {
        k = ranges.len();
    }
    let (dims, extents) = (&shape[..k], index::sizes(b, &run_time(&shape[..k], &all)).1);
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
    sizes.sized(z[0], &all)
}

/// Returns the type after indexing the first `k` axes.
fn rows(ty: Type, k: usize) -> Option<Type> {
    Some(Type::array(ty.shape().get(k..)?, ty.scalar()))
}

/// Returns the sizes of the axes that are `?`.
fn run_time(shape: &[Dim], sizes: &[Index]) -> Vec<Index> {
    shape.iter().zip(sizes).filter(|(d, _)| d.is_none()).map(|(_, &n)| n).collect()
}

/// The numbers of elements that `padded` inserts along one axis; a negative number removes elements.
#[derive(Clone, Copy, PartialEq)]
pub struct Padding {
    pub low: Index,
    pub high: Index,
    /// Between neighbours.
    pub interior: Index,
}

impl Padding {
    /// No padding.
    pub const NONE: Padding = Padding { low: Index::Known(0), high: Index::Known(0), interior: Index::Known(0) };

    /// Returns the size of a padded axis, whose size without padding is `n`.
    pub fn size(&self, b: Builder, n: Index) -> Index {
        let inner = match (self.interior, n) {
            (Index::Known(0), n) => n,
            (_, Index::Known(0)) => Index::Known(0),
            (gap, n) => n.add(b, n.subtract(b, Index::Known(1)).maximum(b, Index::Known(0)).multiply(b, gap)),
        };
        inner.add(b, self.low).add(b, self.high)
    }

    fn is_none(&self) -> bool {
        *self == Padding::NONE
    }
}

/// Returns `x` padded to a result of type `ty` and these sizes. `padding` computes the element at a position of the
/// result that no element of `x` has; `is_zero` states that it is zero everywhere.
pub fn padded(
    sizes: &mut Sizes,
    b: Builder,
    x: Value,
    (ty, all): (Type, &[Index]),
    axes: &[Padding],
    is_zero: bool,
    padding: impl FnOnce(Builder, &[Value]) -> Value,
) -> Value {
    let inner = sizes.sizes(b, x);
    let Some(k) = axes.iter().rposition(|p| !p.is_none()).map(|axis| axis + 1) else {
        return sizes.retyped(b, x, ty, all);
    };
    let before = |b: Builder, i: Value, axis: usize| Index::Value(i).subtract(b, axes[axis].low);
    if is_zero && axes.iter().all(|p| p.interior == Index::Known(0)) {
        let (dims, extents) = index::sizes(b, &all[..k]);
        let z = match k {
            1 => b.slice(x, Index::Known(0).subtract(b, axes[0].low).value(b), dims[0], extents.first().copied()),
            _ => b.gather(x, &dims, &extents, |b, position| {
                position.iter().enumerate().map(|(axis, &i)| before(b, i, axis).value(b)).collect()
            }),
        };
        return sizes.retyped(b, z, ty, all);
    }
    let extents: Vec<Value> = index::sizes(b, &run_time(&ty.shape(), all)).1;
    let z = b.build(&ty.shape(), &extents, |b, position| {
        let padding = padding(b, position);
        let mut conditions = Vec::new();
        let mut place = Vec::new();
        for (axis, &i) in position.iter().enumerate() {
            let mut source = before(b, i, axis);
            if axes[axis].interior != Index::Known(0) {
                let step = axes[axis].interior.add(b, Index::Known(1));
                conditions.push(compare(b, CmpIPredicate::Eq, source.modulo(b, step), Index::Known(0)));
                source = source.divide(b, step);
            }
            place.push(source.value(b));
            if !axes[axis].is_none() {
                conditions.push(compare(b, CmpIPredicate::Ult, source, inner[axis]));
            }
        }
        let inside = conditions.into_iter().reduce(|all, c| b.unary(Kind::ArithAndi, &[all, c], c.ty()));
        vec![b.select(inside.expect("an axis is padded"), element(b, x, &place), padding)]
    });
    sizes.sized(z[0], all)
}

/// Checks whether a value is the zero that reads out of range return: not -0.
pub fn is_zero(value: Attribute) -> bool {
    match (value.as_f64(), value.as_i64()) {
        (Some(x), _) => x == 0.0 && x.is_sign_positive(),
        (_, n) => n == Some(0),
    }
}
