//! The lexical elements of MLIR text that front ends write: identifiers, strings, numbers, array types, locations.

use mlopt_dialects::text::Span;
use mlopt_dialects::value::Element;
use std::collections::HashMap;
use std::fmt::{self, Display};

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

/// Returns the indentation at a nesting depth. It is bounded, so that the size of the text is linear in the number of
/// lines.
pub fn indentation(depth: usize) -> usize {
    2 * depth.min(40)
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

/// Formats a location in `file`, inside locations with these names, outermost first.
pub fn location(file: &str, at: Span, names: &[&str]) -> String {
    let place = format!("{}:{}:{}", quoted(file), at.line, at.column);
    format!("loc({})", names.iter().rev().fold(place, |place, name| format!("{}({place})", quoted(name))))
}

/// Joins items as `a, b, c`.
pub fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// Formats a number so that MLIR reads it back exactly.
pub fn float(x: f64, element: Element) -> String {
    let single = element == Element::F32;
    let finite = if single { (x as f32).is_finite() } else { x.is_finite() };
    if !finite {
        return if single { format!("{:#010X}", (x as f32).to_bits()) } else { format!("{:#018X}", x.to_bits()) };
    }
    let text = if single { format!("{:?}", x as f32) } else { format!("{x:?}") };
    match text.split_once('e') {
        // MLIR requires a point before an exponent.
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

/// The type of an array; a scalar when `shape` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub element: Element,
    pub shape: Vec<usize>,
}

impl Type {
    pub fn new(element: Element, shape: &[usize]) -> Type {
        Type { element, shape: shape.to_vec() }
    }

    pub fn scalar(element: Element) -> Type {
        Type::new(element, &[])
    }

    /// Returns the type of the same shape with other elements.
    pub fn of(&self, element: Element) -> Type {
        Type::new(element, &self.shape)
    }

    /// Returns this type with `leading` axes before its own.
    pub fn within(&self, leading: &[usize]) -> Type {
        Type::new(self.element, &[leading, &self.shape].concat())
    }

    /// Returns the type of a derivative: the axes of this type, then those of `input`.
    pub fn by(&self, input: &Type) -> Type {
        Type::new(self.element, &[&self.shape[..], &input.shape].concat())
    }

    /// Returns this type without its first `n` axes.
    pub fn after(&self, n: usize) -> Type {
        Type::new(self.element, &self.shape[n..])
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }
}

/// Prints the type in MLIR syntax: `tensor<4x3xf64>`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.shape[..] {
            [] => write!(f, "{}", self.element),
            sizes => write!(f, "tensor<{}{}>", sizes.iter().map(|n| format!("{n}x")).collect::<String>(), self.element),
        }
    }
}

/// Formats an attribute that has `number` in every element of an array, or of a scalar.
pub fn splat(number: &str, rank: usize) -> String {
    if rank == 0 { number.into() } else { format!("dense<{number}>") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_mlir() {
        assert_eq!(float(1e-7, Element::F64), "1.0e-7");
        assert_eq!(float(2.0, Element::F64), "2.0");
        assert_eq!(float(-0.0, Element::F32), "-0.0");
        assert_eq!(float(0.1, Element::F32), "0.1");
        assert_eq!(float(f64::INFINITY, Element::F64), "0x7FF0000000000000");
        assert_eq!(float(f64::NEG_INFINITY, Element::F32), "0xFF800000");
        assert_eq!(Type::new(Element::I1, &[2, 3]).to_string(), "tensor<2x3xi1>");
    }

    #[test]
    fn names_are_valid_and_unique() {
        assert_eq!(identifier("x'"), "x_");
        assert_eq!(identifier("0γ"), "_0_");
        assert_eq!(quoted("a\"\\é"), r#""a\"\\\C3\A9""#);
        assert_eq!(location("f", Span::START, &["x", "y"]), r#"loc("x"("y"("f":1:1)))"#);
        let mut taken = Taken::default();
        assert_eq!(["x", "x", "x_1"].map(|name| taken.unique(name)), ["x", "x_1", "x_1_1"]);
    }
}
