//! How programs descend one level: arrays, sweeps, loops, LLVM, machine code.
#![deny(unsafe_code)]

pub mod ir;
pub mod libm;
pub mod loops_to_llvm;
pub mod native;

use mlopt_dialects::bridge::{Pass, register_pass};

/// Every pass of this storey.
pub const PASSES: &[Pass] = &[loops_to_llvm::PASS];

/// Makes the passes available by name.
pub fn register() {
    PASSES.iter().for_each(register_pass);
}
