//! Texts of ops, constants and types in pictures.

use mlopt_dialects::ir::{Attribute, Op, Type};
use mlopt_dialects::ops::arith::{Cmpf, Cmpi};
use mlopt_dialects::ops::{HasKind, Kind};

/// Formats a constant without its type; a tensor of equal elements as its element.
pub fn constant(value: Attribute) -> String {
    value.splat_value().map_or_else(|| plain(value), constant)
}

/// Formats a constant without its type.
pub fn plain(constant: Attribute) -> String {
    if let Some(x) = constant.as_f64() {
        return x.to_string();
    }
    let text = constant.to_string();
    text.split(" : ").next().unwrap_or(&text).to_string()
}

/// Formats a type without the prefix of the dialect.
pub fn short(ty: Type) -> String {
    ty.to_string().replace("!lambda.", "")
}

/// Returns the name of an op; for a comparison, with its predicate.
pub fn with_predicate(name: String, op: Op) -> String {
    match op.kind() {
        Kind::ArithCmpf => format!("{name} {}", op.cast::<Cmpf>().predicate().text()),
        Kind::ArithCmpi => format!("{name} {}", op.cast::<Cmpi>().predicate().text()),
        _ => name,
    }
}
