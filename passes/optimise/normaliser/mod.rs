//! The normaliser: it applies directed rules until none matches, and then tries certain other rules once. This module
//! may use `terms` and `rules`. It must not depend on the e-graph, which calls it to normalise new terms, or on MLIR:
//! it sees only terms.

pub mod bottom_up;
pub mod normalise;
pub mod record;
pub mod top_down;
