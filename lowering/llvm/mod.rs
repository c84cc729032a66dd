//! From loops to the LLVM dialect: the calling convention, checks at run time, memory whose size depends on data,
//! elementary functions. May use `abi`. Must never know arrays or sweeps.

pub mod addresses;
pub mod descriptors;
pub mod expand;
pub mod function_splitting;
pub mod heap;
pub mod loops_to_llvm;
pub mod maths;
pub mod narrow;
pub mod traps;
