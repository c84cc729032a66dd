//! The normaliser: it applies directed rules until none matches, and then tries certain other rules once. This module
//! may use `terms` and `rules`. It must not depend on the e-graph, in which normalised terms are inserted, or on MLIR:
//! `translation` is the only module that reads and writes ops.

pub mod bottom_up;
pub mod normalise;
pub mod record;
pub mod top_down;
