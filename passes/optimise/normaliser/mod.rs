//! The normaliser: directed rules, applied until none matches, and the rules that are tried once afterwards. May use
//! `terms` and `rules`. Must never know the e-graph or MLIR.

pub mod bottom_up;
pub mod normalise;
pub mod record;
pub mod top_down;
