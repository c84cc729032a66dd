//! Tests of the dialects: builders, evaluators, tables, and the readers of text.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod array_eval;
mod builder;
mod eval;
mod lambda_depth;
mod ops;
mod philox;
mod tables;
mod text;
