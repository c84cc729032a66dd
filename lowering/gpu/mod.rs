//! Lowering to NVIDIA devices: nests become kernels and launches, and kernels become `nvvm`. For tests, launches can
//! also become loops on the CPU. This module may use `llvm` and `abi`. It must not call a driver: it only generates
//! code, and `tools/runtime` runs it.

pub mod kernels_to_nvvm;
pub mod launches_to_loops;
pub mod sweeps_to_kernels;
