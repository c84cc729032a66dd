//! How programs descend one level: arrays, sweeps, loops, LLVM, machine code.
//!
//! `pipelines` lists the passes in order. The folders follow it: `sweeps`, `memory`, `loops`, `llvm`; `gpu` is the way to
//! devices, `data` that of recursion and lists, `native` writes machine code. `abi` is what all of them and the callers
//! of compiled code agree on, `contraction` knows sums of products for `sweeps`, `memory` and `loops`.
#![deny(unsafe_code)]

pub mod abi;
mod contraction;
pub mod data;
pub mod gpu;
pub mod ir;
pub mod llvm;
pub mod loops;
pub mod memory;
pub mod native;
pub mod pipelines;
mod reduction;
pub mod sweeps;

use mlopt_dialects::bridge::{Pass, register_pass, register_upstream_passes};

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    data::lambda_to_llvm::PASS,
    sweeps::array_to_sweeps::PASS,
    memory::plan_memory::PASS,
    gpu::sweeps_to_kernels::PASS,
    gpu::launches_to_loops::PASS,
    loops::sweeps_to_loops::PASS,
    gpu::kernels_to_nvvm::PASS,
    llvm::loops_to_llvm::PASS,
    data::functions_for_c::PASS,
];

/// Makes the passes available by name.
pub fn register() {
    PASSES.iter().for_each(register_pass);
}

/// Makes all passes available by name: MLIR's and ours. Further calls do nothing.
pub fn register_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        register_upstream_passes();
        mlopt_passes::register();
        register();
    });
}
