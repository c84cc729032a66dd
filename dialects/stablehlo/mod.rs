//! The dialects `stablehlo` and `chlo`: programs of JAX and other front ends, before `stablehlo-to-array`.

mod verify;

pub use verify::{verify, verify_chlo, verify_symbols};
