//! The `mlopt` library: everything the command line does, callable from Rust.

pub mod numpy_print;
