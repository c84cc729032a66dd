//! Terms: what `egg-optimize` computes on. Hash-consed, de Bruijn indices, extents in index variables.

mod bulk;
pub mod data;
mod desugar;
pub mod eval;
pub mod export;
pub mod fuse;
pub mod import;
pub mod names;
pub mod op;
pub mod place;
pub mod plan;
pub mod pool;
pub mod prim;
pub mod range;
pub mod read;
mod reshape;
pub mod subst;
pub mod tidy;
mod upstream;
mod work;

pub use op::{Flags, Node, Op, Operands, Reduction};
pub use pool::Pool;
