//! Analyses of programs before transformations: affine forms, ranges of sizes and indices, purity, unused code. May use
//! the dialects. Must never know another folder of this crate: every folder may use this one.

pub mod affine;
pub mod dead_code;
pub mod derivative_rules;
pub mod facts;
pub mod mark_pure;
pub mod shrink;
pub mod stack;
