//! `mlopt.h` is what `cbindgen` generates, and the library exports the functions that it declares.

use crate::crate_folder;
use crate::programs::{prefix, run};
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
    let library = prefix().join("lib/libmlopt.so.0");
    let mut names = Command::new("nm");
    names.args(["--dynamic", "--defined-only", "--with-symbol-versions", "--format=just-symbols"]).arg(&library);
    let output = run(&mut names);
    // The version itself is a symbol, which is not a function.
    let exported: BTreeSet<&str> = output.lines().filter(|name| *name != "MLOPT_1@@MLOPT_1").collect();
    let header = header();
    let declared: BTreeSet<String> = declared(&header).iter().map(|name| format!("{name}@@MLOPT_1")).collect();
    assert_eq!(exported, declared.iter().map(String::as_str).collect());
    let version = format!("#define MLOPT_ABI_VERSION {}\n", mlopt_c::compile::mlopt_abi_version());
    assert!(header.contains(&version) && version.ends_with(" 1\n"));
    let sections = run(Command::new("readelf").arg("--dynamic").arg(&library));
    assert!(sections.contains("Library soname: [libmlopt.so.0]"), "{sections}");
}
