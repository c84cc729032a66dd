//! Terms: the representation of programs in `egg-optimize`. They are hash-consed, with de Bruijn indices and extents in
//! index variables. `cost` is their only measure, `eval` their meaning. May use the dialects' values and types. Must
//! never know MLIR ops, a rule, or the later position of a term.

pub mod cost;
pub mod data;
pub mod eval;
pub mod op;
pub mod pool;
pub mod prim;
pub mod range;
mod reshape;
pub mod subst;

pub use op::{Flags, Node, Op, Operands, Reduction};
pub use pool::Pool;
