//! Tests that run compiled code, and compare it with the evaluator and with closed forms; and tests of names, of the
//! text of pipelines, and of views.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod blocks;
mod checkpoints;
mod common;
mod derivatives;
mod elements;
mod growth;
mod kernels;
mod maths;
mod memory;
mod names;
mod native;
mod pipelines;
#[path = "../../passes/testing/programs/mod.rs"]
mod programs;
mod random;
#[path = "../../passes/testing/requests.rs"]
mod requests;
mod rows;
#[path = "../../passes/testing/samples.rs"]
mod samples;
mod threads;
mod views;
