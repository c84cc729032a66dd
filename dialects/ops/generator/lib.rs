//! The generator of Rust types for ops, from TableGen.
//!
//! `llvm-tblgen --dump-json` evaluates the `.td` files of a dialect and prints *records*. This crate reads the records
//! ([`records`]), determines the Rust form of each op ([`op`], [`attribute`], [`family`]) and emits it ([`emit`]). The
//! build script of the crate `mlopt-ops` calls the generator; the emitted code uses traits and macros of that crate.
//! [`methods`] emits the methods of the builders of the crate `mlopt`. No op has special treatment in the generator.
//!
//! If a definition uses a feature of TableGen that is not supported, the build stops with a message that names the op,
//! the argument and the feature.
#![forbid(unsafe_code)]

mod attribute;
mod emit;
mod family;
pub mod inputs;
pub mod methods;
mod names;
mod op;
mod records;

use attribute::Enums;
use op::OpDef;
use records::Records;
use std::path::{Path, PathBuf};

/// A dialect, and the `.td` files that define its ops.
pub struct Dialect {
    /// The name as in names of ops: `arith`.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// True for our dialects. Their attributes with integer parameters have types too, because the bridge can read
    /// them.
    pub is_ours: bool,
}

/// The inputs in addition to the `.td` files.
pub struct Config<'a> {
    /// The prefix where LLVM is installed.
    pub llvm: &'a Path,
    /// Folders in which `include` searches for files.
    pub includes: &'a [PathBuf],
    /// Enums with a name other than that of their C++ class: two dialects use the same name, or ours is shorter.
    pub enum_names: &'a [((&'a str, &'a str), &'a str)],
    /// The attributes `DIALECT.MNEMONIC` that contain an enum and that the bridge can read. Others have the type
    /// `Attribute`.
    pub readable_enums: &'a [&'a str],
}

/// A Rust file.
pub struct File {
    pub name: String,
    pub text: String,
}

/// Generates the types of all ops of `dialects`: `kinds.rs`, one file for each dialect, and `mod.rs`, which includes
/// these.
///
/// # Panics
/// Panics if TableGen fails, or if a definition has an unsupported form.
pub fn generate(config: &Config, dialects: &[Dialect]) -> Vec<File> {
    let mut enums = Enums::new(config);
    let mut files = Vec::new();
    let mut all: Vec<(String, Vec<OpDef>)> = Vec::new();
    for dialect in dialects {
        let (mut ops, mut attributes) = (Vec::new(), String::new());
        for path in &dialect.files {
            let records = Records::read(config, path);
            let inferring = records::inferring(config, path);
            ops.extend(OpDef::read_all(&records, &dialect.name, &inferring, &mut enums));
            if dialect.is_ours {
                attributes += &emit::own_attributes(&records, &dialect.name);
            }
        }
        assert!(!ops.is_empty(), "no ops of dialect `{}` in {:?}", dialect.name, dialect.files);
        ops.sort_by(|a, b| a.name.cmp(&b.name));
        ops.dedup_by(|a, b| a.name == b.name);
        let families = family::families(&dialect.name, &ops, dialect.is_ours);
        files.push(File {
            name: format!("{}.rs", dialect.name),
            text: emit::dialect(&dialect.name, &ops, &families) + &attributes,
        });
        all.push((dialect.name.clone(), ops));
    }
    files.push(File { name: "enums.rs".into(), text: enums.into_text() });
    files.push(File { name: "layouts.rs".into(), text: emit::layouts(&all) });
    files.push(File { name: "kinds.rs".into(), text: emit::kinds(&all) });
    files.push(File { name: "mod.rs".into(), text: emit::root(&all) });
    files
}

/// Returns the names of all ops that the `.td` files of a dialect define.
pub fn op_names(config: &Config, dialect: &Dialect) -> Vec<String> {
    let mut enums = Enums::new(config);
    let none = Default::default();
    let read = |path: &PathBuf| OpDef::read_all(&Records::read(config, path), &dialect.name, &none, &mut enums);
    let mut names: Vec<String> = dialect.files.iter().flat_map(read).map(|op| op.name).collect();
    names.sort();
    names.dedup();
    names
}
