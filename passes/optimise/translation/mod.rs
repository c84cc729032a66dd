//! Translation between MLIR and terms: `import` reads the ops of a block as a plan, `read` makes terms of the plan,
//! `export` writes a plan as ops. May use `terms`, `placement` and the set of enabled rules. Must never rewrite: the
//! meaning of a block is the meaning of its terms.

mod desugar;
pub mod export;
pub mod import;
pub mod names;
pub mod read;
mod upstream;
