//! Operations as Rust types, generated from TableGen, and the builder that creates them.
//!
//! For `array.sum` there is [`array::Sum`]: `Sum::of(op)` checks the kind, `sum.x()` and `sum.axes()` read what the
//! definition in the `.td` file names, and `Sum::create` inserts a new op. A pass that must handle every op of a
//! dialect matches [`array::ArrayOp`] without a wildcard. [`Kind`] numbers all ops, for sets, tables and comparisons;
//! [`OpName`] also names ops without a generated type. TableGen classes become families: [`array::ReductionOp`] has the
//! accessors that all reductions share.
//!
//! Accessors rely on the verifier, and panic on ops that are not verified: parsers, printers and structural verifiers
//! use `Op` instead.
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
