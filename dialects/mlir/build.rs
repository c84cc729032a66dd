//! Compiles the C++ of the bridge into one archive.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs, io};

include!("cpp.rs");

fn main() -> Result<(), Box<dyn Error>> {
    let llvm =
        env::var("MLIR_SYS_190_PREFIX").map_err(|_| "MLIR_SYS_190_PREFIX must be set, see .cargo/config.toml")?;
    let llvm = PathBuf::from(llvm);
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // `cc` disables cargo's own change detection, so every input is listed.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=cpp.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");
    // Clippy has its own build of the workspace, which is never linked.
    if env::var_os("CLIPPY_ARGS").is_some() {
        return Ok(());
    }
    let mut build = cpp(&[&llvm.join("include"), &here]);
    if env::var("CARGO_FEATURE_SLIM").is_ok() {
        build.define("MLOPT_SLIM", None);
    }
    let mut files =
        fs::read_dir(here.join("bridge"))?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    // One file, so that the headers of MLIR are read once.
    let mut all = String::new();
    for file in files.iter().filter(|path| path.extension().is_some_and(|e| e == "cpp" || e == "h")) {
        println!("cargo:rerun-if-changed={}", file.display());
        if file.extension().is_some_and(|e| e == "cpp") {
            all += &format!("#include \"{}\"\n", file.display());
        }
    }
    let file = PathBuf::from(env::var("OUT_DIR")?).join("bridge.cpp");
    fs::write(&file, all)?;
    build.file(file);
    build.compile("mlopt_mlir");
    Ok(())
}
