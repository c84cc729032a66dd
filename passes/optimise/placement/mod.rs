//! From terms to an ordered plan of statements: the loop that each term belongs to, fusion of loops of equal extent,
//! bulk operations. May use `terms`. Must never know MLIR or the rules: a plan means what its terms mean.

mod bulk;
pub mod fuse;
pub mod place;
pub mod plan;
pub mod tidy;
mod work;
