//! Building `array` code from Rust: one method per op, result types worked out from the operands.
//!
//! Sizes are given as they stand in types; run-time ones, which are `?` there, follow as extents.

mod access;
mod arrange;
mod loops;
mod reduce;
mod values;
