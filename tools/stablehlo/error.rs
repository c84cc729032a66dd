//! Reasons why an artifact cannot be read. Every error that concerns bytes names their section and offset.

use crate::section::Section;
use crate::version::VhloVersion;

/// An error of [`crate::read`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes do not start with the magic number of MLIR's bytecode.
    #[error("expected MLIR bytecode, which starts with the bytes 4D 4C EF 52")]
    NotBytecode,
    /// The version of the container is newer than this crate.
    #[error("bytecode version {found} is not supported: the newest supported version is {newest}")]
    BytecodeVersion {
        /// The version in the header.
        found: u64,
        /// The newest version that this crate reads.
        newest: u64,
    },
    /// The version of VHLO is newer than this crate.
    #[error("VHLO version {found} is not supported: the newest supported version is {newest}")]
    TooNew {
        /// The version in the name of the producer.
        found: VhloVersion,
        /// The newest version that this crate reads.
        newest: VhloVersion,
    },
    /// The bytes violate the format.
    #[error("{section} section, offset {offset}: expected {expected}, found {found}")]
    Malformed {
        /// The section that holds the bytes.
        section: Section,
        /// The offset of the bytes from the start of the artifact.
        offset: usize,
        /// The constraint that does not hold.
        expected: String,
        /// The value that violates it.
        found: String,
    },
    /// The artifact uses an operation, attribute or type that this crate does not know.
    #[error("{section} section, offset {offset}: unknown {kind} {name}")]
    Unknown {
        /// The section that holds the bytes.
        section: Section,
        /// The offset of the bytes from the start of the artifact.
        offset: usize,
        /// One of "operation", "attribute", "type" and the like.
        kind: &'static str,
        /// The name or code of the unknown entity.
        name: String,
    },
    /// The artifact is within the format but exceeds a limit of this crate.
    #[error("{section} section, offset {offset}: {what} exceeds the limit of {limit}")]
    Limit {
        /// The section that holds the bytes.
        section: Section,
        /// The offset of the bytes from the start of the artifact.
        offset: usize,
        /// The limited quantity.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// An operation of VHLO has no equivalent in StableHLO with these attributes.
    #[error("`{op}`: attribute `{attribute}`: expected {expected}")]
    Attribute {
        /// The name of the operation in VHLO.
        op: String,
        /// The name of the attribute.
        attribute: String,
        /// The form that the attribute should have.
        expected: &'static str,
    },
}
