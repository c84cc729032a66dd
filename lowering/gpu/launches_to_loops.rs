//! Translation of kernel launches to loops over their blocks and threads. The CPU then performs the computation of the
//! GPU, one thread at a time.
//!
//! Input: `gpu.launch_func` and the kernels that it launches. Output: `scf.for` with the body of the kernel. Globals
//! of the kernels (`memref.global`) move to the module. Preserves: everything else.
//!
//! The pass is for tests. A correct kernel computes the same bits in every order of its threads.
//! ```mlir before
//! module attributes {gpu.container_module} {
//!   gpu.module @kernels {
//!     gpu.func @f.0(%y: memref<4x4xindex>) kernel {
//!       %b = gpu.block_id x
//!       %t = gpu.thread_id x
//!       memref.store %t, %y[%b, %t] : memref<4x4xindex>
//!       gpu.return
//!     }
//!   }
//!   func.func @f(%y: memref<4x4xindex>) {
//!     %c1 = arith.constant 1 : index
//!     %c4 = arith.constant 4 : index
//!     gpu.launch_func @kernels::@f.0 blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%y : memref<4x4xindex>)
//!     return
//!   }
//! }
//! ```
//! ```mlir after
//! func.func @f(%y: memref<4x4xindex>) {
//!   %c1 = arith.constant 1 : index
//!   %c4 = arith.constant 4 : index
//!   %c0 = arith.constant 0 : index
//!   %step = arith.constant 1 : index
//!   scf.for %b = %c0 to %c4 step %step {
//!     scf.for %t = %c0 to %c4 step %step {
//!       memref.store %t, %y[%b, %t] : memref<4x4xindex>
//!     }
//!   }
//!   return
//! }
//! ```

use super::reject_attributions;
use crate::ir::*;
use crate::scf::for_each;
use mlopt_dialects::bridge::{Pass, PassOption};
use std::collections::HashMap;

/// The pass `--launches-to-loops`.
pub const PASS: Pass = Pass {
    name: "launches-to-loops",
    description: "Launches of kernels become loops over blocks and threads on the CPU, for tests",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::flag("backwards", "The last block and thread run first"),
        PassOption::integer("blocks", "0", "Number of blocks of each launch; 0 keeps the number in the program"),
    ],
    dialects: &["scf", "arith"],
    run: |module, options| run_in_order(module, options.bool("backwards"), options.integer("blocks")),
};

/// Emits `blocks` blocks instead of those of each launch, unless `blocks` is zero; `backwards` reverses the order.
pub fn run_in_order(module: Op, backwards: bool, blocks: i64) -> Result<()> {
    let kernels: HashMap<String, Symbols> =
        module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, Symbols::of(op)))).collect();
    for launch in nested_of(module, Kind::GpuLaunchFunc) {
        let path = launch.attribute("kernel").map_or(String::new(), |a| a.to_string());
        let find = |(from, name): (&str, &str)| kernels.get(&unquoted(from))?.get(&unquoted(name));
        let kernel = path.split_once("::").and_then(find);
        let Some((kernel, body)) = kernel.and_then(|kernel| Some((kernel, kernel.body()?))) else {
            let text = format!("`kernel` must name a kernel of this module that has a body, found {path}");
            return Err(launch.error(text).emit());
        };
        reject_attributions(kernel, body)?;
        loops(launch, kernel, backwards, blocks)?;
    }
    for op in children_of(module, Kind::GpuModule) {
        for global in children_of(op, Kind::MemrefGlobal) {
            Builder::before(op).insert(global.detach());
        }
        op.erase();
    }
    module.remove_attribute("gpu.container_module");
    Ok(())
}

/// Parses `@name` or `@"name"`.
fn unquoted(symbol: &str) -> String {
    symbol.trim_start_matches('@').trim_matches('"').to_string()
}

fn loops(launch: Op, kernel: Op, backwards: bool, blocks: i64) -> Result<()> {
    // The kernel may be launched again.
    let kernel = kernel.clone_op();
    let body = kernel.entry();
    let b = Builder::before(launch);
    let sizes: Vec<Value> = (1..7).map(|group| launch.operand_segment(group)[0]).collect();
    let (zero, one) = (b.index(0), b.index(1));
    let grid = if blocks > 0 { b.index(blocks) } else { sizes[0] };
    let (inner, block) = each(b, grid, (zero, one), backwards);
    let (inner, thread) = each(inner, sizes[3], (zero, one), backwards);
    replace_all(body.arguments(), launch.operand_segment(11));
    for op in body.ops() {
        if op.kind() != Kind::GpuReturn {
            inner.insert(op.detach());
        }
    }
    kernel.erase();
    for op in inner.block.ops().into_iter().flat_map(with_nested).collect::<Vec<_>>() {
        let value = match op.kind() {
            Kind::GpuBlockId => block,
            Kind::GpuThreadId => thread,
            Kind::GpuGridDim => grid,
            Kind::GpuBlockDim => sizes[3],
            _ if op.kind().dialect() == "gpu" => {
                return Err(op.not_supported(
                    "threads of a kernel must not communicate, because `launches-to-loops` runs the threads one after \
                     the other",
                ));
            }
            _ => continue,
        };
        let first_axis = op.attribute("dimension").is_some_and(|d| d.to_string() == "#gpu<dim x>");
        let along_others = if op.name().ends_with("_id") { zero } else { one };
        op.replace_with([if first_axis { value } else { along_others }]);
    }
    launch.erase();
    Ok(())
}

/// Emits a loop over the numbers below `n`. Returns the builder of its body, and the number.
fn each(b: Builder, n: Value, (zero, one): (Value, Value), backwards: bool) -> (Builder, Value) {
    let (inner, mut number) = for_each(b, zero, n, one);
    if backwards {
        number = inner.subi(inner.subi(n, number), one);
    }
    (inner, number)
}
