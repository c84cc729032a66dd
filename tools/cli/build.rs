//! Passes the version of the Rust compiler and its optimisation level to the program, because instruction counts depend
//! on both, and sets linker options that keep the executable small.

use std::process::Command;

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let said = Command::new(variable("RUSTC")).arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = said.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=MLOPT_BUILD=rustc {version}, opt-level {}", variable("OPT_LEVEL"));
    // `libMLIR.so` is among the libraries that the linker is offered. It is not needed, but its symbols would all be
    // exported and none of them could be dropped: 17 MB. Nothing loads the executable's symbols: see decision 036.
    println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
    // Relative relocations take one bit instead of 24 bytes each: 6 MB. glibc 2.36 and newer read them.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    println!("cargo::rerun-if-changed=build.rs");
}
