//! Rust types for ops, generated from TableGen, and the builder that creates ops.
//!
//! For example, the op `array.sum` has the type [`array::Sum`]. `Sum::of(op)` returns a `Sum` if `op` is of this kind.
//! The accessors `sum.x()` and `sum.axes()` return the operand and the attribute that have these names in the `.td`
//! file, and `Sum::create` inserts a new op. Other types describe several ops:
//!
//! - [`array::ArrayOp`] is the enum of the ops of a dialect. A pass that must handle every op matches it without a
//!   wildcard.
//! - [`array::ReductionOp`] is a *family*: a type for all ops that derive from one TableGen class, with the accessors
//!   that they have in common.
//! - [`Kind`] is the enum of all ops of all dialects, for comparisons and as the index of sets and tables.
//! - [`OpName`] is the name of any op, including ops without a generated type.
//!
//! Accessors rely on the verifier, and may panic on an op that has not been verified. Parsers, printers and the
//! verifier itself handle unverified ops, so they use the untyped handle `Op` instead.
#![forbid(unsafe_code)]

mod builder;
mod generated;
mod kind;
mod name;
mod runtime;

pub use builder::Builder;
pub use generated::*;
pub use kind::{HasKind, Kind};
use mlopt_mlir::{ir, value};
pub use name::OpName;
#[doc(hidden)]
pub use runtime::{Count, Group, Layout};
pub use runtime::{FromAttribute, List, Symbol, ToAttribute};
