//! Checks at run time. `llvm/traps.rs` converts each of them to a branch to an exit of the function.

use super::{ALLOCATES, TRAPS};
use crate::ir::*;
use mlopt_dialects::array::MOST_VALUES;

/// The number of bytes of scratch memory that a function needs for the values of a message.
pub const BYTES: i64 = 8 * MOST_VALUES as i64;

/// Checks whether `op` contains a check.
pub fn has_checks(op: Op) -> bool {
    op.nested_ops().iter().any(|op| op.kind() == Kind::ArrayCheck)
}

/// Checks whether a function returns a status.
pub fn has_status(function: Op) -> bool {
    function.attribute(ALLOCATES).is_some() || function.attribute(TRAPS).is_some()
}
