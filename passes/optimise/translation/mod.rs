//! Between MLIR and terms: `import` reads the operations of a block as a plan, `read` makes terms of the plan, `export`
//! writes a plan as operations. May use `terms`, `placement` and which laws are asked for. Must never rewrite: the
//! meaning of a block is the meaning of its terms.

mod desugar;
pub mod export;
pub mod import;
pub mod names;
pub mod read;
mod upstream;
