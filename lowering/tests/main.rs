//! Tests that run compiled code, and compare it with the evaluator and with closed forms.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

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
