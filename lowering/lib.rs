//! Lowerings: passes that convert a program to the level below. The levels are arrays, loop nests (*sweeps*) on
//! tensors, loop nests on buffers, loops, LLVM, and machine code.
//!
//! `pipelines` lists the order of the passes, and the folders follow this order: `sweeps`, `memory`, `loops`, `llvm`,
//! `native`. `gpu` lowers nests to kernels for GPUs, and `data` lowers programs with recursion and lists. `abi` defines
//! the interface between compiled code and its callers. `contraction` handles sums of products; `sweeps`, `memory` and
//! `loops` use it. All modules may use `ir`, `nests`, `scf`, `reduction` and `work`. References such as
//! `spec/arrays.md` G.1 name a section of the specification (docs/glossary.md).
#![forbid(unsafe_code)]

pub mod abi;
mod contraction;
pub mod data;
pub mod gpu;
pub mod ir;
pub mod llvm;
pub mod loops;
pub mod memory;
pub mod native;
mod nests;
pub mod pipelines;
mod reduction;
mod scf;
pub mod sweeps;
mod work;

use mlopt_dialects::bridge::{Pass, register_pass, register_upstream_passes};

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    data::lambda_to_llvm::PASS,
    sweeps::array_to_sweeps::PASS,
    memory::plan_memory::PASS,
    gpu::sweeps_to_kernels::PASS,
    gpu::launches_to_loops::PASS,
    loops::parallelise::PASS,
    loops::sweeps_to_loops::PASS,
    gpu::kernels_to_nvvm::PASS,
    llvm::loops_to_llvm::PASS,
    data::functions_for_c::PASS,
];

/// Registers the passes by name. Further calls have no effect.
pub fn register() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| PASSES.iter().for_each(register_pass));
}

/// Registers all passes of MLIR and ours by name. Further calls have no effect.
pub fn register_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        register_upstream_passes();
        mlopt_passes::register();
        register();
    });
}
