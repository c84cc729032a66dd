//! Tests of the executable and its library, and of programs under the evaluator and as compiled code.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod abstracts;
mod bench;
mod check_calls;
mod cli;
mod corpus;
mod determinism;
mod equalities;
mod functions;
mod fuzz;
mod gpu;
mod help;
mod lit;
mod lsp;
mod numpy_print;
mod pairs;
#[path = "../../../passes/testing/programs/mod.rs"]
mod programs;
mod pullbacks;
mod random_streams;
mod rejected;
mod special_points;
mod stablehlo;
mod streams;
mod suite;
mod tasks;
mod terms;
mod versions;
