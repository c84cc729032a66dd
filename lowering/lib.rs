//! How programs descend one level: arrays, sweeps, loops, LLVM, machine code.

pub mod ir;
pub mod libm;
pub mod loops_to_llvm;
pub mod native;
