//! The library `mlopt`: all functions of the command line, callable from Rust.
#![forbid(unsafe_code)]

pub mod cli;
pub mod conformance;
pub mod functions;
pub mod notation;
pub mod test;
pub mod toolchain;
pub mod vectors;

pub use mlopt_lowering::register_passes;
