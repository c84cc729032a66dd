//! Tests of the library. Examples of its documentation are run as well, and those marked `compile_fail` show that safe
//! code cannot use freed memory.

mod bad_input;
mod builders;
mod cache;
mod calls;
mod items;
mod nodes;
mod programs;
mod silence;
mod threads;
mod tutorial;

use mlopt::{Code, Session};

/// Compiles a program of arrays.
fn code(text: &str) -> Code {
    Session::new().compile("test.mlir", text).unwrap_or_else(|error| panic!("{error}"))
}
