//! Tests of the passes on whole programs: values, gradients, work.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod asymptotics;
mod bulk;
mod derivatives;
mod egg_optimize;
mod growth;
mod measure;
mod optimised;
#[path = "../testing/programs/mod.rs"]
mod programs;
#[path = "../testing/requests.rs"]
mod requests;
mod reverse;
#[path = "../testing/samples.rs"]
mod samples;
#[path = "../testing/sizes.rs"]
mod sizes;
mod static_sizes;
mod structures;
mod work;
