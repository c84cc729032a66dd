//! Passes the version of the compiler and its optimisation level to the program, because instruction counts depend on
//! both.

use std::process::Command;

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let said = Command::new(variable("RUSTC")).arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = said.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=MLOPT_BUILD=rustc {version}, opt-level {}", variable("OPT_LEVEL"));
    println!("cargo::rerun-if-changed=build.rs");
}
