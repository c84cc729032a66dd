//! Versions of VHLO.

use std::fmt;

/// A version of VHLO.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VhloVersion {
    /// The major version.
    pub major: u32,
    /// The minor version.
    pub minor: u32,
    /// The patch version.
    pub patch: u32,
}

impl VhloVersion {
    /// Returns the version in the name of a producer such as `StableHLO_v1.9.0`.
    pub fn of_producer(producer: &str) -> Option<VhloVersion> {
        let mut parts = producer.strip_prefix("StableHLO_v")?.splitn(3, '.').map(|part| part.parse().ok());
        Some(VhloVersion { major: parts.next()??, minor: parts.next()??, patch: parts.next()?? })
    }
}

impl fmt::Display for VhloVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
