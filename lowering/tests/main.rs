//! Tests that run compiled code, against the evaluator and closed forms.
//!
//! One executable, so that LLVM and MLIR are linked once.

mod blocks;
mod checkpoints;
mod common;
mod derivatives;
mod growth;
mod kernels;
mod maths;
mod memory;
mod native;
#[path = "../../passes/testing/programs/mod.rs"]
mod programs;
mod random;
#[path = "../../passes/testing/requests.rs"]
mod requests;
#[path = "../../passes/testing/samples.rs"]
mod samples;
