//! From values to buffers: memory for each tensor, in the caller's output or in one arena. May use `contraction` and
//! `abi`. Must never know loops or LLVM: only the reads and writes of a nest are considered.

pub mod plan_memory;
