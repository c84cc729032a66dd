//! Lowering to NVIDIA devices: nests become kernels and launches, and kernels become `nvvm`. For tests, launches can
//! also become loops on the CPU. This module may use `llvm` and `abi`. It must not call a driver: it only generates
//! code, and `tools/runtime` runs it.

pub mod kernels_to_nvvm;
pub mod launches_to_loops;
pub mod sweeps_to_kernels;

use crate::ir::*;

/// Reports a kernel whose body has arguments besides those of its type. MLIR calls them *attributions*: memory of the
/// block (`workgroup`) or of the thread (`private`).
fn reject_attributions(kernel: Op, body: Block) -> Result<()> {
    if kernel.function_type().is_none_or(|(inputs, _)| inputs.len() != body.num_arguments()) {
        return Err(kernel.not_supported("kernels must not declare `workgroup` or `private` memory"));
    }
    Ok(())
}
