//! `mlopt.h` is what `cbindgen` generates, and the library exports the functions that it declares.

use crate::{built, crate_folder};
use std::collections::BTreeSet;
use std::process::Command;

fn header() -> String {
    std::fs::read_to_string(crate_folder().join("include/mlopt.h")).unwrap_or_default()
}

/// Returns the functions that the header declares.
fn declared(header: &str) -> BTreeSet<&str> {
    let words = header.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("mlopt_"));
    words.filter(|word| header.contains(&format!("{word}("))).collect()
}

#[test]
fn the_header_is_generated() {
    let config = cbindgen::Config::from_file(crate_folder().join("cbindgen.toml")).unwrap();
    let mut generated = vec![];
    cbindgen::generate_with_config(crate_folder(), config).unwrap().write(&mut generated);
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("MLOPT_BLESS").is_some() {
        std::fs::write(crate_folder().join("include/mlopt.h"), &generated).unwrap();
    }
    assert!(header() == generated, "mlopt.h is out of date; run this test with MLOPT_BLESS=1");
    let count = declared(&generated).len();
    assert!((40..=50).contains(&count), "expected 40 to 50 functions, found {count}");
}

#[test]
fn exported_symbols_are_those_of_the_header() {
    let library = [built().join("libmlopt_c.so"), built().join("deps/libmlopt_c.so")];
    let library = library.into_iter().find(|path| path.exists()).expect("cargo builds the library");
    let output =
        Command::new("nm").args(["--dynamic", "--defined-only", "--format=just-symbols"]).arg(library).output();
    let output = String::from_utf8(output.unwrap().stdout).unwrap();
    let exported: BTreeSet<&str> = output.lines().collect();
    assert_eq!(exported, declared(&header()));
}
