//! From values to buffers: a place for each tensor, in the caller's output or in one arena. May use `contraction` and
//! `abi`. Must never know loops or LLVM: a nest is read for what it reads and writes.

pub mod plan_memory;
