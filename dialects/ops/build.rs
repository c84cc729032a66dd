//! Generates the Rust types of ops: of all our ops, and of the ops of MLIR that we use.

use mlopt_ops_generator::{Config, generate};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let llvm =
        env::var("MLIR_SYS_190_PREFIX").map_err(|_| "MLIR_SYS_190_PREFIX must be set, see .cargo/config.toml")?;
    let llvm = PathBuf::from(llvm);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let dialects = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("..");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");
    println!("cargo:rerun-if-changed={}", dialects.join("mlir/bridge/base.td").display());

    let mut inputs = mlopt_ops_generator::inputs::ours(&dialects);
    for file in inputs.iter().flat_map(|dialect| &dialect.files) {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    inputs.extend(mlopt_ops_generator::inputs::upstream(&llvm));
    let config = Config {
        llvm: &llvm,
        includes: &[dialects.join("mlir"), dialects],
        enum_names: mlopt_ops_generator::inputs::ENUM_NAMES,
        readable_enums: mlopt_ops_generator::inputs::READABLE_ENUMS,
    };
    for file in generate(&config, &inputs) {
        fs::write(out.join(file.name), file.text)?;
    }
    Ok(())
}
