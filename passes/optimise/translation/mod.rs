//! Translation between MLIR and terms: `import` reads the ops of a block as a plan, `read` converts the plan to terms,
//! and `export` writes a plan as ops. This module may use `terms`, `placement`, and the set of enabled rules. It must
//! not rewrite: the terms have exactly the meaning of the block.

mod desugar;
pub mod export;
pub mod import;
pub mod names;
pub mod read;
pub mod same_sizes;
mod upstream;
