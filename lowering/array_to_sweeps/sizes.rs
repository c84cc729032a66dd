//! What is known of sizes and indices while sweeps are made.

pub use mlopt_passes::facts::{Facts, Size};
