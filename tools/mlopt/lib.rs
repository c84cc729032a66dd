//! The `mlopt` library: everything the command line does, callable from Rust.

pub mod cli;
pub mod functions;
pub mod notation;
pub mod test;
pub mod toolchain;
pub mod vectors;

pub use mlopt_lowering::register_passes;
