//! The neutral element and the combining op of each kind of reduction.

use crate::ir::*;
use mlopt_dialects::ops::Kind as OpKind;
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
    let (op, flags): (OpKind, &[&str]) = match (kind, float) {
        (Kind::Prod, true) => (OpKind::ArithMulf, if free_order { &["reassoc"] } else { &[] }),
        (Kind::Max, true) => (OpKind::ArithMaxnumf, &["nnan", "nsz"]),
        (Kind::Min, true) => (OpKind::ArithMinnumf, &["nnan", "nsz"]),
        (_, true) => (OpKind::ArithAddf, if free_order { &["reassoc", "contract"] } else { &[] }),
        (Kind::Prod, false) => (OpKind::ArithMuli, &[]),
        (Kind::Max, false) => (OpKind::ArithMaxsi, &[]),
        (Kind::Min, false) => (OpKind::ArithMinsi, &[]),
        (_, false) => (OpKind::ArithAddi, &[]),
    };
    match with_flags(b.context(), fastmath, flags).filter(|_| float) {
        Some(flags) => b.value(op, &[x, y], x.ty(), &[("fastmath", flags)]),
        None => b.same(op, &[x, y]),
    }
}

/// Returns the `fastmath` attribute with the flags of `old` and `more`, or `None` if there are none.
pub fn with_flags(context: Context, old: Option<Attribute>, more: &[&str]) -> Option<Attribute> {
    // The flags in the order in which MLIR prints them.
    const ALL: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];
    let old = old.map_or(String::new(), |a| a.to_string());
    let old: Vec<&str> = old.trim_start_matches("#arith.fastmath<").trim_end_matches('>').split(',').collect();
    let has = |flag: &&str| old.contains(flag) || old.contains(&"fast") || more.contains(flag);
    let flags: Vec<&str> = ALL.into_iter().filter(has).collect();
    let text = if flags.len() == ALL.len() { "fast".into() } else { flags.join(",") };
    (!flags.is_empty()).then(|| context.attribute(&format!("#arith.fastmath<{text}>")))
}
