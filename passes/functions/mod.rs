//! Functions as values: what the passes on the dialect `lambda` share.

pub mod anf;
pub mod infer;
pub mod primitives;
pub mod reverse;
pub mod unify;
