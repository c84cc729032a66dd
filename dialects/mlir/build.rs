//! Compiles the C++ of the bridge into one archive.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let llvm =
        PathBuf::from(env::var("MLIR_SYS_190_PREFIX").expect("MLIR_SYS_190_PREFIX is set in .cargo/config.toml"));
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    // `cc` disables cargo's own change detection, so every input is listed.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");
    // Clippy has its own build of the workspace, which is never linked.
    if env::var_os("CLIPPY_ARGS").is_some() {
        return;
    }
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        // Debian's LLVM has no RTTI.
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-Wno-unused-parameter")
        .flag("-Wno-comment")
        .warnings(false)
        .define("NDEBUG", None)
        .opt_level(1)
        .debug(false)
        .include(llvm.join("include"))
        .include(&here);
    if env::var("CARGO_FEATURE_SLIM").is_ok() {
        build.define("MLOPT_SLIM", None);
    }
    for file in sources(&here.join("bridge"), &["cpp", "h"]) {
        println!("cargo:rerun-if-changed={}", file.display());
        if file.extension().is_some_and(|e| e == "cpp") {
            build.file(&file);
        }
    }
    build.compile("mlopt_mlir");
}

fn sources(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| extensions.contains(&e.to_str().unwrap())))
        .collect();
    files.sort();
    files
}
