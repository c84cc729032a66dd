//! Lowering of functions of data, which use recursion, lists, variants or tasks, to the LLVM dialect, with entry points
//! for C. This module may use `llvm` and `abi`. It must not depend on the lowering of arrays: array computations are
//! lowered separately and called as compiled functions.

pub mod functions_for_c;
pub mod lambda_to_llvm;
