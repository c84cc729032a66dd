//! The functions of the command line, callable from Rust for tests and measurements. Other programs use the crate
//! `mlopt`.
#![forbid(unsafe_code)]

pub mod commands;
pub mod conformance;
pub mod notation;
pub mod parallel;
pub mod test;
pub mod toolchain;
pub mod vectors;
