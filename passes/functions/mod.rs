//! Functions as values: what the passes on the dialect `lambda` share.

pub mod anf;
pub mod as_loops;
pub mod infer;
pub mod primitives;
pub mod reverse;
pub mod simplify;
pub mod unify;
