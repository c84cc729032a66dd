//! The `mlopt` library: everything the command line does, callable from Rust.

pub mod argument;
pub mod doctor;
pub mod gpu;
pub mod literal;
pub mod memory;
pub mod npy;
pub mod numpy_print;
pub mod parameter;
pub mod plot;
pub mod random;
pub mod suggest;
pub mod table;
pub mod toolchain;
