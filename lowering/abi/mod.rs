//! What compiled code and its callers agree on: attributes that a lowered function keeps, symbols, and functions of the
//! C library (`docs/abi.md`). May use `ir`. Must never know a pass: passes write these attributes, the runtime reads
//! them.

pub mod checks;
pub mod libm;
pub mod names;
pub mod shape;

pub use mlopt_dialects::sweep::VECTOR_BITS;

/// The attribute on a lowered function that keeps its type in terms of arrays.
pub const SIGNATURE: &str = "sweep.signature";
/// The attribute that lists the texts of run-time checks; status `k` of `f.sizes` is message `k - 1`.
pub const CHECKS: &str = "sweep.checks";
/// On functions that ask for memory.
pub const ALLOCATES: &str = "sweep.allocates";
/// On functions that may stop: `[place, message]` for each check; status `-k` is number `k - 1`.
pub const TRAPS: &str = "sweep.traps";
/// On functions of arrays that functions of data call.
pub const KERNEL: &str = "lambda.kernel";
