//! Translation from terms to a *plan*, an ordered list of statements in loops: it chooses the loop of each term, fuses
//! loops of equal extent, and recognises operations on whole arrays. This module may use `terms`. It must not depend on
//! MLIR or on the rules. The plan of a term computes the value of that term: no rule is applied here. `translation`
//! writes plans as ops.

mod bulk;
pub mod fuse;
pub mod place;
pub mod plan;
pub mod share;
pub mod tidy;
mod work;
