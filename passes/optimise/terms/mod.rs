//! Terms: the representation of programs in `egg-optimize`. They are hash-consed. Variables are de Bruijn indices, and
//! each index variable contains its extent. `cost` measures terms, and `eval` defines their meaning. This module may
//! use the values and types of the dialects. It must not depend on ops of MLIR, on rules or on placement, which all use
//! terms.

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
