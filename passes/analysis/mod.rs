//! What passes want to know of a program before they change it: affine forms, ranges of sizes and indices, purity,
//! unused code. May use the dialects. Must never know another folder of this crate: everything here may be used by all
//! of them.

pub mod affine;
pub mod dead_code;
pub mod derivative_rules;
pub mod facts;
pub mod mark_pure;
pub mod shrink;
pub mod stack;
