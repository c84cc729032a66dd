//! Rust types for operations, generated from TableGen.
//!
//! `llvm-tblgen --dump-json` evaluates the `.td` files of a dialect; this crate reads the records ([`records`]),
//! decides
//! what each op looks like in Rust ([`op`], [`attribute`], [`family`]) and writes it ([`emit`]). The text refers to the
//! traits and macros of `mlopt-ops`, whose build script is the only caller. Nothing here knows an op by name.
//!
//! A form of TableGen that is not known stops the build with the op, the argument and the form.
#![deny(unsafe_code)]

mod attribute;
mod emit;
mod family;
pub mod inputs;
mod names;
mod op;
mod records;

use attribute::Enums;
use op::OpDef;
use records::Records;
use std::path::{Path, PathBuf};

/// A dialect, and the `.td` files that define its ops.
pub struct Dialect {
    /// As in the names of ops: `arith`.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// A dialect of ours. Its attributes made of integers get types too, since the bridge can read them.
    pub is_ours: bool,
}

/// The inputs besides the `.td` files.
pub struct Config<'a> {
    /// The prefix where LLVM is installed.
    pub llvm: &'a Path,
    /// Folders in which `include` finds files.
    pub includes: &'a [PathBuf],
    /// Enums whose class in C++ has another name here: two dialects use one name, or ours is shorter.
    pub enum_names: &'a [((&'a str, &'a str), &'a str)],
    /// The attributes `DIALECT.MNEMONIC` that hold an enum and that the bridge can read. Others stay `Attribute`.
    pub readable_enums: &'a [&'a str],
}

/// A file of Rust.
pub struct File {
    pub name: String,
    pub text: String,
}

/// Generates the types of all ops of `dialects`: `kinds.rs`, one file for each dialect, and `mod.rs`, which includes
/// these.
///
/// # Panics
/// When TableGen fails, or a definition has a form that is not known.
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

/// The names of all ops that the `.td` files of a dialect define.
pub fn op_names(config: &Config, dialect: &Dialect) -> Vec<String> {
    let mut enums = Enums::new(config);
    let none = Default::default();
    let read = |path: &PathBuf| OpDef::read_all(&Records::read(config, path), &dialect.name, &none, &mut enums);
    let mut names: Vec<String> = dialect.files.iter().flat_map(read).map(|op| op.name).collect();
    names.sort();
    names.dedup();
    names
}
