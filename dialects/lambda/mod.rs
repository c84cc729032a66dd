//! The dialect `lambda`: functions as values, their derivatives, and their pullbacks (`spec/functional.md`; see
//! *specification* in docs/glossary.md).

mod attributes;
pub mod eval;
mod linear;
pub mod philox;
pub mod structure;
pub mod types;
mod verify;

pub use attributes::{ENTRY, NAME, verify as verify_attribute};
pub use verify::{verify, verify_symbols};

pub use types::TypeKind;
