//! Tests of the dialects: builders and evaluators.
//!
//! One executable, so that LLVM and MLIR are linked once.

mod builder;
mod eval;
mod lambda_depth;
mod lambda_examples;
mod lambda_vectors;
mod notation;
mod ops;
