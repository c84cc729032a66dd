//! Reads StableHLO's portable artifacts: MLIR bytecode (versions 0 to 6) with the versioned dialect VHLO.
//!
//! [`read`] turns the bytes of an artifact into a plain data model with the names of StableHLO, the same module that
//! StableHLO's own deserialisation gives. Its `Display` is MLIR's generic text. The crate depends on nothing but the
//! standard library and `thiserror`, and knows nothing about our dialects.
//!
//! Reading order: `container` (bytes) and `section`, `tables` (strings, dialects, attributes, types), `kinds` with
//! `types`, `attributes`, `builtin` and `sdy` (the kinds of attributes and types), `body` (operations and regions),
//! `ops` with `shape` and `vhlo` (the table of operations), `legalize` (VHLO to StableHLO), `ir` (the model), `text`
//! and `numbers` (the printer).
//!
//! Sources: the format is documented at <https://mlir.llvm.org/docs/BytecodeFormat/>; the kinds and their codes are
//! those of StableHLO's `VhloBytecode.cpp`, `VhloOps.td` and `VhloLegalizeToStablehlo.cpp`, and of MLIR's
//! `BuiltinDialectBytecode.td`.

mod attributes;
mod body;
mod builtin;
mod container;
mod error;
mod ir;
mod kinds;
mod legalize;
mod numbers;
mod ops;
mod sdy;
mod section;
mod shape;
mod tables;
mod text;
mod types;
mod version;
mod vhlo;

pub use error::Error;
pub use ir::{
    Attribute, Block, Dense, Field, FloatKind, Location, Module, NamedAttribute, Op, Quantization, Region, Signedness,
    Type, Value,
};
pub use section::Section;
pub use version::VhloVersion;

/// The newest version of VHLO that this crate knows, up to its patch version.
pub const NEWEST: VhloVersion = VhloVersion { major: 1, minor: 21, patch: 0 };

/// A portable artifact.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// The program that wrote the artifact, such as `StableHLO_v1.9.0`.
    pub producer: String,
    /// The version of MLIR's bytecode format.
    pub bytecode_version: u64,
    /// The program.
    pub module: Module,
}

/// Checks whether `bytes` are MLIR bytecode that StableHLO wrote.
pub fn is_artifact(bytes: &[u8]) -> bool {
    let container = container::Container::open(bytes);
    container.is_ok_and(|container| VhloVersion::of_producer(&container.producer).is_some())
}

/// Reads a portable artifact.
///
/// Memory and time are bounded by the size of `bytes`, and nesting by stated limits, so `bytes` need not be trusted.
pub fn read(bytes: &[u8]) -> Result<Artifact, Error> {
    let container = container::Container::open(bytes)?;
    if let Some(version) = VhloVersion::of_producer(&container.producer)
        && (version.major, version.minor) > (NEWEST.major, NEWEST.minor)
    {
        return Err(Error::TooNew { found: version, newest: NEWEST });
    }
    let mut tables = tables::Tables::read(&container, kinds::KINDS)?;
    let module = body::read(&mut tables, &container)?;
    Ok(Artifact { producer: container.producer, bytecode_version: container.version, module })
}
