//! From loops to the LLVM dialect: the calling convention, checks at run time, memory whose size depends on data, and
//! elementary functions. This module may use `abi`. It must not depend on arrays or sweeps: its input is loops on
//! buffers, whatever program they came from.

pub mod addresses;
pub mod chunks;
pub mod descriptors;
pub mod expand;
pub mod function_splitting;
pub mod halves;
pub mod heap;
pub mod loops_to_llvm;
pub mod maths;
pub mod narrow;
pub mod traps;
