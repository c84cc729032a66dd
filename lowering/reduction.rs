//! The neutral element and the combining op of each kind of reduction.

use crate::ir::*;
use mlopt_dialects::ops::{FastMath, FromAttribute, ToAttribute};
use mlopt_dialects::sweep::Kind;

/// Returns the value of an empty reduction, as an attribute of the type `ty`.
pub fn neutral(kind: Kind, ty: Type) -> Attribute {
    let bits = ty.element().map_or(64, |e| e.bytes() * 8);
    let (least, greatest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let (float, integer) = match kind {
        Kind::Prod => (1.0, 1),
        Kind::Max => (f64::NEG_INFINITY, least),
        Kind::Min => (f64::INFINITY, greatest),
        Kind::Map | Kind::Fold | Kind::Sum => (0.0, 0),
    };
    if ty.is_float() { Attribute::float(ty, float) } else { Attribute::integer(ty, integer) }
}

/// Combines two values of a reduction. `fastmath` contains the additional flags of the user's `fastmath`; with
/// `free_order` the combining ops may be reassociated, and products that feed additions contracted. NaN and the sign of
/// zero do not matter in maxima and minima (spec/arrays.md A.3.7).
pub fn combine(b: Builder, kind: Kind, x: Value, y: Value, fastmath: Option<Attribute>, free_order: bool) -> Value {
    let float = x.ty().scalar().is_float();
    let free = |flags: FastMath| if free_order { flags } else { FastMath::NONE };
    let (op, flags) = match (kind, float) {
        (Kind::Prod, true) => (OpKind::ArithMulf, free(FastMath::REASSOC)),
        (Kind::Max, true) => (OpKind::ArithMaxnumf, FastMath::NNAN | FastMath::NSZ),
        (Kind::Min, true) => (OpKind::ArithMinnumf, FastMath::NNAN | FastMath::NSZ),
        (_, true) => (OpKind::ArithAddf, free(FastMath::REASSOC | FastMath::CONTRACT)),
        (Kind::Prod, false) => (OpKind::ArithMuli, FastMath::NONE),
        (Kind::Max, false) => (OpKind::ArithMaxsi, FastMath::NONE),
        (Kind::Min, false) => (OpKind::ArithMinsi, FastMath::NONE),
        (_, false) => (OpKind::ArithAddi, FastMath::NONE),
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
