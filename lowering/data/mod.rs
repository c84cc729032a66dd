//! Functions of data to LLVM: recursion, lists, variants, tasks, and their entry points for C. May use `llvm` and
//! `abi`. Must never know arrays as values: kernels are called as compiled functions.

pub mod functions_for_c;
pub mod lambda_to_llvm;
