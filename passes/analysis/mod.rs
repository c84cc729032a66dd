//! Analyses that passes use: linear forms and ranges of sizes and indices, purity, unused code, components of graphs,
//! and names for new symbols. This module may use the dialects. It must not depend on another folder of this crate,
//! because every other folder may use it.

pub mod components;
pub mod dead_code;
pub mod derivative_rules;
pub mod edit;
pub mod facts;
pub mod fresh_names;
pub mod linear;
pub mod mark_pure;
pub mod shrink;
pub mod stack;

/// Returns a constant slice of kinds of ops: `kinds![ArithAddf ArithMulf]`.
macro_rules! kinds {
    ($($kind:ident)*) => { &[$(::mlopt_dialects::ops::Kind::$kind),*] };
}
pub(crate) use kinds;
