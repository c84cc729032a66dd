//! The types of streams during inference: element types, of which only the kind is known, and shapes.

pub use mlopt_dialects::primitives::Elements;

use mlopt_dialects::value::Element;

/// Returns the type of elements of this kind, where floats have the type `float`.
pub fn element(kind: Elements, float: Element) -> Element {
    match kind {
        Elements::Bool => Element::I1,
        Elements::Int => Element::I64,
        Elements::Float => float,
    }
}

pub fn with_article(kind: Elements) -> String {
    format!("{} {kind}", if kind == Elements::Int { "an" } else { "a" })
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
    pub kind: Elements,
    pub shape: Shape,
}
