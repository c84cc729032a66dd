//! Tools for tests of the whole compiler, used by continuous integration and by the commands of `cargo xtask`.
#![forbid(unsafe_code)]

pub mod random;
