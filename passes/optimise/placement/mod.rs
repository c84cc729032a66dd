//! Translation from terms to an ordered plan of statements: the loop of each term, fusion of loops of equal extent,
//! bulk ops. May use `terms`. Must never know MLIR or the rules: a plan computes exactly its terms.

mod bulk;
pub mod fuse;
pub mod place;
pub mod plan;
pub mod tidy;
mod work;
