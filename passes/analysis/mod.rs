//! Analyses that passes use: affine forms, ranges of sizes and indices, purity, unused code. This module may use the
//! dialects. It must not depend on another folder of this crate, because every other folder may use it.

pub mod affine;
pub mod dead_code;
pub mod derivative_rules;
pub mod facts;
pub mod mark_pure;
pub mod shrink;
pub mod stack;
