//! The dialects of mlopt: the definition of each op, its verifier, and its reference semantics.
//!
//! Each folder with a `.td` file is a dialect. `eval` runs programs over arrays, `lambda/eval` programs with functions
//! as values, and `interpret` reactive nodes. References such as `spec/arrays.md` C.4 name a section of the
//! specification (docs/glossary.md).
#![deny(unsafe_code)]

pub mod array;
pub mod attributes;
mod constraints;
pub mod docs;
pub mod dual;
pub mod eval;
pub mod interpret;
pub mod lambda;
pub mod primitives;
pub mod stablehlo;
pub mod stream;
pub mod suggest;
pub mod sweep;
pub mod text;
pub mod verify;

pub use mlopt_mlir as bridge;
pub use mlopt_mlir::diagnostics::{self, Reported};
pub use mlopt_mlir::{affine_map, limits, value, with_both, with_data};
pub use mlopt_ops as ops;

/// Handles to MLIR's objects, and the builder of ops.
pub mod ir {
    pub use mlopt_mlir::ir::*;
    pub use mlopt_ops::Builder;
}

mlopt_mlir::dialect_hooks! {
    op: crate::verify::verify,
    symbols: crate::verify::verify_symbols,
    attribute: crate::attributes::verify,
    argument_attribute: crate::attributes::verify_on_argument,
    encoding: crate::lambda::structure::wrong,
}
