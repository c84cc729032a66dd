//! Tools for tests of the whole compiler. Continuous integration and commands of `cargo xtask` use them.
#![forbid(unsafe_code)]

pub mod random;
