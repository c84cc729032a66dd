//! Tests of the dialects: builders and evaluators.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod builder;
mod eval;
mod lambda_depth;
mod lambda_examples;
mod lambda_vectors;
mod notation;
mod ops;
