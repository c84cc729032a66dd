//! The `mlopt` library: everything the command line does, callable from Rust.

pub mod argument;
pub mod bench;
pub mod cli;
pub mod compile;
pub mod doctor;
pub mod entry;
pub mod gpu;
pub mod import_terms;
pub mod literal;
pub mod lsp;
pub mod memory;
pub mod npy;
pub mod numpy_print;
pub mod parameter;
pub mod pipeline_check;
pub mod plot;
pub mod progress;
pub mod random;
pub mod reduce_ops;
pub mod run;
pub mod suggest;
pub mod table;
pub mod terms;
pub mod test;
pub mod toolchain;
pub mod vectors;
