//! The `mlopt` library: everything the command line does, callable from Rust.

pub mod argument;
pub mod bench;
pub mod check_grad;
pub mod cli;
pub mod compile;
pub mod doctor;
pub mod entry;
pub mod equiv;
pub mod explain;
pub mod failure;
pub mod functions;
pub mod gpu;
pub mod import_lambda;
pub mod import_streams;
pub mod import_terms;
pub mod limits;
pub mod literal;
pub mod lsp;
pub mod memory;
pub mod nesting;
pub mod notation;
pub mod npy;
pub mod numpy_print;
pub mod parameter;
pub mod pipeline_check;
pub mod places;
pub mod plot;
pub mod progress;
pub mod random;
pub mod reduce_ops;
pub mod rewriting;
pub mod rules;
pub mod run;
pub mod streams;
pub mod table;
pub mod terms;
pub mod test;
pub mod toolchain;
pub mod vectors;
pub mod view;

pub use mlopt_dialects::suggest;

use mlopt_dialects::bridge;

/// Makes all passes available by name: MLIR's and ours. Further calls do nothing.
pub fn register_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        bridge::register_upstream_passes();
        mlopt_passes::register();
        mlopt_lowering::register();
    });
}
