//! Functional arrays: loops with values, total indexing, bulk operations, reductions (`spec/arrays.md` A).

mod builder;
pub mod eval;
mod verify;

pub use verify::{SYMBOL_VERIFIERS, VERIFIERS};
