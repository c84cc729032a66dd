//! The sections of an artifact.

use std::fmt;

/// A section of MLIR's bytecode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Magic number, version and producer.
    Header,
    /// Strings that other sections refer to.
    String,
    /// Dialects and names of operations.
    Dialect,
    /// Encodings of attributes and types.
    AttrType,
    /// Sizes of the encodings in `AttrType`.
    AttrTypeOffset,
    /// Operations and regions.
    Ir,
    /// Resources.
    Resource,
    /// Sizes of the resources.
    ResourceOffset,
    /// Versions of dialects.
    DialectVersions,
    /// Inherent attributes of operations.
    Properties,
}

impl Section {
    /// The number of sections at the top level, which have the codes 0 to 8.
    pub(crate) const COUNT: usize = 9;

    /// Returns the section with the code `id`.
    pub(crate) fn of_id(id: u8) -> Option<Section> {
        Some(match id {
            0 => Section::String,
            1 => Section::Dialect,
            2 => Section::AttrType,
            3 => Section::AttrTypeOffset,
            4 => Section::Ir,
            5 => Section::Resource,
            6 => Section::ResourceOffset,
            7 => Section::DialectVersions,
            8 => Section::Properties,
            _ => return None,
        })
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Section::Header => "header",
            Section::String => "string",
            Section::Dialect => "dialect",
            Section::AttrType => "attribute and type",
            Section::AttrTypeOffset => "attribute and type offset",
            Section::Ir => "IR",
            Section::Resource => "resource",
            Section::ResourceOffset => "resource offset",
            Section::DialectVersions => "dialect version",
            Section::Properties => "properties",
        })
    }
}
