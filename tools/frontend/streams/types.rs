//! The types of streams during inference: element types, of which possibly only the kind is known, and shapes.

use crate::mlir::array_type;
use mlopt_dialects::primitives::Elements;
use mlopt_dialects::value::Element;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Bool,
    Int,
    Float,
}

impl Kind {
    /// Returns the type of the elements, where floats have the type `float`.
    pub fn element(self, float: Element) -> Element {
        match self {
            Kind::Bool => Element::I1,
            Kind::Int => Element::I64,
            Kind::Float => float,
        }
    }

    pub fn elements(self) -> Elements {
        match self {
            Kind::Bool => Elements::Booleans,
            Kind::Int => Elements::Integers,
            Kind::Float => Elements::Floats,
        }
    }

    pub fn with_article(self) -> String {
        format!("{} {self}", if self == Kind::Int { "an" } else { "a" })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Bool => "Boolean",
            Kind::Int => "integer",
            Kind::Float => "float",
        })
    }
}

/// Types or shapes that do not fit.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    #[error("expected {expected}, found {found}")]
    Types { expected: String, found: String },
    #[error("`{function}` expects {expected}, found {found}")]
    Operands { function: &'static str, expected: String, found: String },
}

impl Mismatch {
    pub fn new(expected: impl Into<String>, found: impl Into<String>) -> Mismatch {
        Mismatch::Types { expected: expected.into(), found: found.into() }
    }
}

/// The sizes, outermost axis first; empty for a scalar.
pub type Shape = Vec<u64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub kind: Kind,
    pub shape: Shape,
}

impl Type {
    /// Formats the type in MLIR syntax, where floats have the type `float`.
    pub fn text(&self, float: Element) -> String {
        array_type(&self.shape, self.kind.element(float))
    }
}

/// Formats a shape as in the notation: `[2, 3]`.
pub fn show(shape: &Shape) -> String {
    format!("{shape:?}")
}
