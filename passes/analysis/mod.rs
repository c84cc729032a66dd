//! Analyses that passes use: linear forms and ranges of sizes and indices, purity, unused code. This module may use the
//! dialects. It must not depend on another folder of this crate, because every other folder may use it.

pub mod dead_code;
pub mod derivative_rules;
pub mod facts;
pub mod linear;
pub mod mark_pure;
pub mod shrink;
pub mod stack;
