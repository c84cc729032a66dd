//! What is known of sizes and indices while sweeps are made.

pub use mlopt_passes::analysis::facts::{Facts, Size};
