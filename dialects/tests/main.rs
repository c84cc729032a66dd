//! Tests of the dialects: builders and evaluators.
//!
//! One executable, so that LLVM and MLIR are linked once.

mod builder;
mod eval;
mod lambda_depth;
mod ops;
