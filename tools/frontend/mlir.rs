//! The parts of modules that all front ends emit: names, locations in the source, constants, elementwise primitives.

use mlopt_dialects::ir::{Attribute, Builder, Context, Location, Type, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::primitives::{Computation, Primitive};
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;
use std::collections::HashMap;
use std::fmt::Display;

/// The names in use, each with the next number to try after it.
#[derive(Default)]
pub struct Taken(HashMap<String, usize>);

impl Taken {
    /// Returns `name`, `name_1`, `name_2`, … whichever is unused first.
    pub fn unique(&mut self, name: &str) -> String {
        let mut free = name.to_string();
        let mut next = self.0.get(name).copied().unwrap_or(1);
        while self.0.contains_key(&free) {
            free = format!("{name}_{next}");
            next += 1;
        }
        self.0.insert(free.clone(), 1);
        self.0.insert(name.into(), next);
        free
    }
}

/// Converts a name to an MLIR identifier: other characters become `_`.
pub fn identifier(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "$._-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Quotes a string.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for byte in text.bytes() {
        match byte {
            b'"' => quoted += "\\\"",
            b'\\' => quoted += "\\\\",
            b' '..=b'~' => quoted.push(byte.into()),
            _ => quoted += &format!("\\{byte:02X}"),
        }
    }
    quoted + "\""
}

/// Joins items as `a, b, c`.
pub fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns a position in `file`, inside locations with these names, outermost first.
pub(crate) fn location(context: Context, file: &str, at: Span, names: &[&str]) -> Location {
    let place = context.position(file, at.line, at.column);
    names.iter().rev().fold(place, |place, name| place.inside(name))
}

/// Returns an attribute that has `number` in every element of an array of type `ty`, or of a scalar.
pub(crate) fn constant(number: Number, ty: Type) -> Attribute {
    let value = match number {
        Number::Bool(b) => Attribute::integer(ty.scalar(), b.into()),
        Number::Int(n) if ty.scalar().is_float() => Attribute::float(ty.scalar(), n as f64),
        Number::Int(n) => Attribute::integer(ty.scalar(), n),
        Number::Float(x) => Attribute::float(ty.scalar(), x),
    };
    if ty.is_tensor() { Attribute::splat(ty, value) } else { value }
}

/// Creates an elementwise primitive of operands of one type; `several` creates one that is several ops.
pub(crate) fn primitive(b: Builder, of: &Primitive, x: &[Value], several: impl FnOnce() -> Value) -> Value {
    match of.computation {
        Computation::Op(kind) => b.unary(kind, x, x[0].ty()),
        Computation::CompareFloats(predicate) => b.compare_floats(predicate, x[0], x[1]),
        Computation::CompareIntegers(predicate) => b.compare_integers(predicate, x[0], x[1]),
        Computation::Several => several(),
    }
}

/// Creates the product of two numbers, or of the elements of two arrays.
pub(crate) fn product(b: Builder, x: Value, y: Value) -> Value {
    let kind = if x.ty().scalar().is_float() { Kind::ArithMulf } else { Kind::ArithMuli };
    b.unary(kind, &[x, y], x.ty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        assert_eq!(identifier("x'"), "x_");
        assert_eq!(identifier("0γ"), "_0_");
        assert_eq!(quoted("a\"\\é"), r#""a\"\\\C3\A9""#);
        let mut taken = Taken::default();
        assert_eq!(["x", "x", "x_1"].map(|name| taken.unique(name)), ["x", "x_1", "x_1_1"]);
    }
}
