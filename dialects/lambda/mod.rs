//! Functions as values, their differentiation, and their pullbacks.

mod attributes;
pub mod eval;
mod linear;
pub mod philox;
pub mod structure;
pub mod types;
mod verify;

pub use attributes::{ENTRY, NAME, verify as verify_attribute};
pub use verify::{verify, verify_symbols};

pub use types::Kind;

/// The operations of `lambda.prim`, with their arity (`spec/functional.md` F.1).
pub const PRIMITIVES: &[(&str, usize)] = &[
    ("+", 2),
    ("-", 2),
    ("*", 2),
    ("/", 2),
    ("neg", 1),
    ("exp", 1),
    ("log", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("tanh", 1),
    ("sqrt", 1),
    ("abs", 1),
    ("sign", 1),
    ("floor", 1),
    ("sigmoid", 1),
    ("powi", 2),
    ("pow", 2),
    ("max", 2),
    ("min", 2),
    ("relu", 1),
    ("<", 2),
    ("<=", 2),
    (">", 2),
    (">=", 2),
    ("=", 2),
    ("i+", 2),
    ("i-", 2),
    ("i*", 2),
    ("i<", 2),
    ("i=", 2),
    ("imod", 2),
    ("idiv2", 1),
    ("itof", 1),
    ("and", 2),
    ("or", 2),
    ("not", 1),
    ("sum", 1),
    ("dot", 2),
    ("mv", 2),
    ("vm", 2),
    ("mm", 2),
    ("@", 2),
    ("outer", 2),
    ("transpose", 1),
    ("scale", 2),
    ("fill", 2),
];
