//! The interface between compiled code and its callers (`docs/abi.md`): the attributes of a lowered function, the
//! symbols of machine code, and the functions of the C library. This module may use `ir`. It must not depend on a pass:
//! passes write these attributes and the runtime reads them, and both use this module.

pub mod checks;
pub mod libm;
pub mod names;
pub mod scratch;
pub mod shape;

pub use mlopt_dialects::sweep::VECTOR_BITS;

/// An attribute of a lowered function: its type in terms of arrays.
pub const SIGNATURE: &str = "sweep.signature";
/// The attribute that lists the texts of run-time checks; status `k` of `f.sizes` is message `k - 1`.
pub const CHECKS: &str = "sweep.checks";
/// The attribute of a `sweep.require` that operands have the same sizes: place and text of its message.
pub const MISMATCH: &str = "sweep.mismatch";
/// The attribute that lists [`MISMATCH`] of the checks in [`CHECKS`], with empty texts for others. Functions without
/// such a check lack it.
pub const MISMATCHES: &str = "sweep.mismatches";
/// An attribute of functions that allocate memory.
pub const ALLOCATES: &str = "sweep.allocates";
/// An attribute of functions that may stop: `[place, message]` for each check; status `-k` is number `k - 1`.
pub const TRAPS: &str = "sweep.traps";
/// An attribute of functions of arrays that functions of data call.
pub const KERNEL: &str = "lambda.kernel";
/// The symbol of the function that executes the chunks of a parallel loop: `void f(void (*body)(void *, int64_t), void
/// *context, int64_t chunks)`. Object files contain a weak definition, which executes them in order.
pub const PARALLEL_FOR: &str = "mlopt_parallel_for";
