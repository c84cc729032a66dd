//! Tests of the C library: its header, its symbols, programs in C, C++ and Python, and wrong input at every function.
#![allow(unsafe_code)]

mod header;
mod interface;
mod programs;

use std::path::{Path, PathBuf};

/// The folder of this crate.
fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder in which cargo has built this test and the libraries.
fn built() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().to_path_buf()
}
