//! Tests of the dialects: builders and evaluators.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod builder;
mod eval;
mod lambda_depth;
mod ops;
