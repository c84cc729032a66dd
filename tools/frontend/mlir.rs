//! Names, strings and array types in the syntax of MLIR.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        assert_eq!(identifier("x'"), "x_");
        assert_eq!(identifier("0γ"), "_0_");
        assert_eq!(quoted("a\"\\é"), r#""a\"\\\C3\A9""#);
        assert_eq!(Type::new(Element::I1, &[2, 3]).to_string(), "tensor<2x3xi1>");
        let mut taken = Taken::default();
        assert_eq!(["x", "x", "x_1"].map(|name| taken.unique(name)), ["x", "x_1", "x_1_1"]);
    }
}
