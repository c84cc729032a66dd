//! The dialects, their verifiers and their reference evaluators.
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
pub mod stream;
pub mod suggest;
pub mod sweep;
pub mod text;
pub mod verify;

pub use mlopt_mlir as bridge;
pub use mlopt_mlir::diagnostics::{self, Reported};
pub use mlopt_mlir::{affine_map, limits, value, with_data};
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
