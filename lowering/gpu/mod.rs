//! NVIDIA devices: nests become kernels and launches, and kernels become `nvvm`; launches can also run as loops on the
//! CPU. May use `llvm` and `abi`. Must never call a driver.

pub mod kernels_to_nvvm;
pub mod launches_to_loops;
pub mod sweeps_to_kernels;
