//! How programs descend one level: arrays, sweeps, loops, LLVM, machine code.
#![deny(unsafe_code)]

mod addresses;
pub mod array_to_sweeps;
mod contraction;
mod expand;
pub mod functions_for_c;
mod heap;
mod invariants;
pub mod ir;
pub mod kernels_to_nvvm;
pub mod lambda_to_llvm;
mod lanes;
pub mod launches_to_loops;
pub mod libm;
pub mod loops_to_llvm;
mod maths;
pub mod names;
mod narrow;
pub mod native;
pub mod pipeline;
pub mod plan_memory;
mod reduction;
mod rows;
pub mod sweeps_to_kernels;
pub mod sweeps_to_loops;
pub mod traps;
mod wide;

use mlopt_dialects::bridge::{Pass, register_pass};

/// Every pass of this storey.
pub const PASSES: &[Pass] = &[
    lambda_to_llvm::PASS,
    array_to_sweeps::PASS,
    plan_memory::PASS,
    sweeps_to_kernels::PASS,
    launches_to_loops::PASS,
    sweeps_to_loops::PASS,
    kernels_to_nvvm::PASS,
    loops_to_llvm::PASS,
    functions_for_c::PASS,
];

/// Makes the passes available by name.
pub fn register() {
    PASSES.iter().for_each(register_pass);
}
