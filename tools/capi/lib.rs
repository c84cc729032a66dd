//! The C interface of the crate `mlopt`: `mlopt.h`. Every function checks its arguments as far as C permits, catches
//! panics, and stores errors in objects. `mlopt.hpp` wraps it for C++.
#![allow(unsafe_code)]
// The conditions that all functions share are those of the header.
#![allow(clippy::missing_safety_doc)]

pub mod call;
pub mod compile;
pub mod errors;
mod guard;
mod handle;
pub mod status;
pub mod types;
