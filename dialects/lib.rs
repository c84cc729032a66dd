//! What can be said: the dialects, their verifiers and their reference evaluators.
#![deny(unsafe_code)]

pub mod array;
pub mod attributes;
pub mod bridge;
pub mod docs;
pub mod dual;
pub mod eval;
pub mod lambda;
pub mod limits;
pub mod stream;
pub mod suggest;
pub mod sweep;
pub mod text;
pub mod value;
pub mod verify;

pub use bridge::affine_map;
pub use bridge::diagnostics::{self, Reported};
pub use bridge::ir;
