//! Functional arrays: `build`, `ifold`, total indexing, reductions (`spec/arrays.md` A).

mod builder;
pub mod eval;
mod verify;

use crate::verify::Verifier;

pub const VERIFIERS: &[Verifier] = &[
    ("array.build", verify::build),
    ("array.ifold", verify::ifold),
    ("array.get", verify::get),
    ("array.length", verify::length),
    ("array.sum", verify::sum),
    ("array.replicate", verify::replicate),
    ("array.transpose", verify::transpose),
];
