//! The neutral element and the combining op of each kind of reduction.

use crate::ir::*;
use mlopt_dialects::ops::{FastMath, FromAttribute, ToAttribute};
use mlopt_dialects::sweep::ResultKind;

/// Returns the value of an empty reduction, as an attribute of the type `ty`.
pub fn neutral(kind: ResultKind, ty: Type) -> Attribute {
    let bits = ty.element().map_or(64, |e| e.bits());
    let (least, greatest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let (float, integer) = match kind {
        ResultKind::Prod => (1.0, 1),
        ResultKind::Max => (f64::NEG_INFINITY, least),
        ResultKind::Min => (f64::INFINITY, greatest),
        ResultKind::Map | ResultKind::Fold | ResultKind::Sum => (0.0, 0),
    };
    if ty.is_float() { Attribute::float(ty, float) } else { Attribute::integer(ty, integer) }
}

/// Combines two values of a reduction. `fastmath` contains the additional flags of the user's `fastmath`; with
/// `free_order` the combining ops may be reassociated, and products that feed additions contracted. NaN and the sign of
/// zero do not matter in maxima and minima (spec/arrays.md A.3.7).
pub fn combine(
    b: Builder,
    kind: ResultKind,
    x: Value,
    y: Value,
    fastmath: Option<Attribute>,
    free_order: bool,
) -> Value {
    let float = x.ty().scalar().is_float();
    let free = |flags: FastMath| if free_order { flags } else { FastMath::NONE };
    let (op, flags) = match (kind, float) {
        (ResultKind::Prod, true) => (Kind::ArithMulf, free(FastMath::REASSOC)),
        (ResultKind::Max, true) => (Kind::ArithMaxnumf, FastMath::NNAN | FastMath::NSZ),
        (ResultKind::Min, true) => (Kind::ArithMinnumf, FastMath::NNAN | FastMath::NSZ),
        (_, true) => (Kind::ArithAddf, free(FastMath::REASSOC | FastMath::CONTRACT)),
        (ResultKind::Prod, false) => (Kind::ArithMuli, FastMath::NONE),
        (ResultKind::Max, false) => (Kind::ArithMaxsi, FastMath::NONE),
        (ResultKind::Min, false) => (Kind::ArithMinsi, FastMath::NONE),
        (_, false) => (Kind::ArithAddi, FastMath::NONE),
    };
    match with_flags(b.context(), fastmath, flags).filter(|_| float) {
        Some(flags) => b.value(op, &[x, y], x.ty(), &[("fastmath", flags)]),
        None => b.same(op, &[x, y]),
    }
}

/// Returns the `fastmath` attribute with the flags of `old` and `more`, or `None` if there are none.
pub fn with_flags(context: Context, old: Option<Attribute>, more: FastMath) -> Option<Attribute> {
    let flags = old.and_then(FastMath::from_attribute).unwrap_or_default() | more;
    (!flags.is_empty()).then(|| flags.to_attribute(context))
}

/// Reduces the lanes of vectors of one length, a power of two, to a number: first pairs of vectors, then pairs of
/// halves, so that the first sums fill registers and can be fused with products.
pub fn reduce_vectors(kind: ResultKind, mut vectors: Vec<Value>, fastmath: Option<Attribute>, b: Builder) -> Value {
    let combined = |x, y| combine(b, kind, x, y, fastmath, true);
    while vectors.len() > 1 {
        let pair = |pair: &[Value]| if let [x, y] = pair { combined(*x, *y) } else { pair[0] };
        vectors = vectors.chunks(2).map(pair).collect();
    }
    let mut v = vectors[0];
    while v.ty().lanes() > 1 {
        let half = v.ty().lanes() as i64 / 2;
        let part = |from: i64| b.shuffle(v, v, &(from..from + half).collect::<Vec<_>>());
        v = combined(part(0), part(half));
    }
    b.extract(v, 0)
}

/// Returns a vector of `width` lanes: the first `lanes` of `v`, and then the neutral element.
pub fn filled(kind: ResultKind, v: Value, lanes: usize, width: usize, b: Builder) -> Value {
    let ty = v.ty();
    if lanes == width && ty.lanes() == width {
        return v;
    }
    let others = b.everywhere(ty, neutral(kind, ty.scalar()));
    let mask: Vec<i64> = (0..width).map(|k| if k < lanes { k } else { ty.lanes() } as i64).collect();
    b.shuffle(v, others, &mask)
}
