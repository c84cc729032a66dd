//! Known facts about sizes and indices during `array-to-sweeps`.

pub use mlopt_passes::analysis::facts::{Facts, Size};
