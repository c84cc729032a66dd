//! Tests of the executable, and of programs under the evaluator and as compiled code.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod cli;
mod determinism;
mod equalities;
mod functions;
mod fuzz;
mod gpu;
mod numpy_print;
mod pairs;
#[path = "../../../passes/testing/programs/mod.rs"]
mod programs;
mod pullbacks;
mod random_streams;
mod rejected;
mod special_points;
mod streams;
mod suite;
mod tasks;
mod terms;
mod versions;
