//! Generates the methods of the builders from the definitions of ops, and sets a linker option for the tests: an
//! identity of the build, which is a part of the keys of the cache.

use mlopt_ops_generator::{Config, inputs, methods::methods};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The source of the rules for types of results.
const RULES: &str = "builder/rules.rs";

/// The dialects whose ops the builders create.
const DIALECTS: &[&str] = &["arith", "array", "dual", "lambda", "math", "stream"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-link-arg-tests=-Wl,--build-id");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={RULES}");
    println!("cargo::rerun-if-env-changed=MLIR_SYS_190_PREFIX");
    let llvm =
        env::var("MLIR_SYS_190_PREFIX").map_err(|_| "MLIR_SYS_190_PREFIX must be set, see .cargo/config.toml")?;
    let llvm = PathBuf::from(llvm);
    let dialects = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../dialects");
    println!("cargo::rerun-if-changed={}", dialects.join("mlir/bridge/base.td").display());
    let mut all = inputs::ours(&dialects);
    for file in all.iter().flat_map(|dialect| &dialect.files) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    all.extend(inputs::upstream(&llvm));
    all.retain(|dialect| DIALECTS.contains(&dialect.name.as_str()));
    let config = Config {
        llvm: &llvm,
        includes: &[dialects.join("mlir"), dialects],
        enum_names: inputs::ENUM_NAMES,
        readable_enums: inputs::READABLE_ENUMS,
    };
    let rules = fs::read_to_string(RULES)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("methods.rs"), methods(&config, &all, &kinds(&rules)))?;
    Ok(())
}

/// Returns the variants of `Kind` that the arms of a source name: `Kind::ArraySum | Kind::ArrayProd => …`.
fn kinds(source: &str) -> BTreeSet<&str> {
    let lines = source.lines().map(|line| line.trim_start().trim_start_matches("| "));
    let arms = lines.filter(|line| line.starts_with("Kind::")).filter_map(|line| line.split(" => ").next());
    let patterns = arms.flat_map(|patterns| patterns.split(" | "));
    patterns.filter_map(|pattern| pattern.strip_prefix("Kind::")).collect()
}
