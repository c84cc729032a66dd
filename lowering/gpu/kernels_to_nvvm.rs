//! Translation of GPU kernels to functions of the LLVM dialect for NVIDIA's devices.
//!
//! Input: a `gpu.module` with kernels on buffers and scalar code, and `gpu.launch_func` in host code. Output: one
//! `llvm` function with `nvvm` ops for each kernel. The host code is removed; attributes of the kernels record the
//! order of its launches, from which `native::ptx` writes a plan (docs/gpu.md).
//!
//! Names in PTX consist of letters, digits, `_` and `$`, so `@f.0` becomes `f$0`.
//! ```mlir before
//! module attributes {gpu.container_module} {
//!   gpu.module @kernels {
//!     gpu.func @f.0() kernel {
//!       %c0 = arith.constant 0 : index
//!       %c1 = arith.constant 1 : index
//!       %t = gpu.thread_id x
//!       gpu.return
//!     }
//!   }
//! }
//! ```
//! ```mlir after
//! llvm.func @f$0() attributes {nvvm.kernel, passthrough = ["nounwind"]} {
//!   %0 = llvm.mlir.constant(0 : index) : i64
//!   %1 = llvm.mlir.constant(1 : index) : i64
//!   %2 = nvvm.read.ptx.sreg.tid.x : i32
//!   %3 = llvm.zext %2 : i32 to i64
//!   llvm.return
//! }
//! ```

use super::reject_attributions;
use crate::abi::{CHECKS, SIGNATURE};
use crate::ir::*;
use crate::llvm::loops_to_llvm::{all_converted, raw_convention, spare_llvm_depth, upstream};
use crate::llvm::{expand, maths};
use crate::nests::keep;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// The pass `--kernels-to-nvvm`.
pub const PASS: Pass = Pass {
    name: "kernels-to-nvvm",
    description: "GPU kernels become functions of the LLVM dialect for NVIDIA's devices",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["llvm", "nvvm", "func", "cf", "arith"],
    run: |module, _| run(module),
};

/// An attribute of a kernel: the useful number of blocks, as an expression in sizes, and the number of threads per
/// block.
pub const BLOCKS: &str = "sweep.blocks";
pub const THREADS: &str = "sweep.threads";
/// An attribute of a kernel: the function of which it is a step.
pub const STEP_OF: &str = "sweep.step_of";

pub fn run(module: Op) -> Result<()> {
    let is_half = |v: Value| v.ty().scalar().element().is_some_and(Element::is_half);
    if let Some(op) =
        module.nested_ops().into_iter().find(|op| op.operands().into_iter().chain(op.results()).any(is_half))
    {
        return Err(op.not_supported("GPU kernels have no elements of type f16 or bf16; use f32"));
    }
    let mut kernels = HashMap::new();
    let body = module.entry();
    for container in children_of(module, Kind::GpuModule) {
        for op in container.child_ops() {
            match op.kind() {
                Kind::GpuFunc => {
                    let name = name_of(op);
                    kernels.insert(name, body.insert_before(container, plain(op)?));
                }
                Kind::MemrefGlobal => {
                    body.insert_before(container, op.detach());
                }
                Kind::GpuModuleEnd => {}
                _ => return Err(op.not_supported("`kernels-to-nvvm` supports kernels and constants only")),
            }
        }
        container.erase();
    }
    for host in children_of(module, Kind::FuncFunc) {
        if host.attribute("nvvm.kernel").is_none() {
            remember_launches(host, &kernels)?;
            host.erase();
        }
    }
    module.remove_attribute("gpu.container_module");

    expand::expand(module);
    maths::without_library(module)?;
    let mut symbols = Symbols::of(module);
    for function in children_of(module, Kind::FuncFunc) {
        spare_llvm_depth(function);
        raw_convention(function, &mut symbols, true)?;
    }
    upstream(module)?;
    all_converted(module, &["llvm", "nvvm"])
}

/// Converts a kernel to a function that reads its position from the device's registers.
fn plain(kernel: Op) -> Result<Op> {
    let ctx = kernel.context();
    let body =
        kernel.body().ok_or_else(|| kernel.error("expected a kernel with a body, found a declaration").emit())?;
    reject_attributions(kernel, body)?;
    let kernel = kernel.detach();
    for op in kernel.nested_ops() {
        let Some(register) = register(op) else { continue };
        let b = Builder::before(op);
        let narrow = b.value(OpName::read(&format!("nvvm.read.ptx.sreg.{register}")), &[], ctx.int(32), &[]);
        // Hardware counters have 31 bits.
        op.replace_with([b.value(Kind::ArithIndexCastui, &[narrow], ctx.index(), &[])]);
    }
    let end = body.end();
    Builder::before(end).make(Kind::FuncReturn, &[], &[], &[]);
    end.erase();
    let name = name_of(kernel);
    let block = Block::new(&body.arguments().iter().map(|v| (v.ty(), v.location())).collect::<Vec<_>>());
    replace_all(body.arguments(), block.arguments());
    move_ops(body, &[], block);
    let function = OpBuilder::function(Kind::FuncFunc, &ptx_name(&name), block, &[], kernel.location())
        .attribute("nvvm.kernel", ctx.unit_attr())
        .build();
    keep(function, kernel, &["arg_attrs"]);
    kernel.erase();
    Ok(function)
}

/// Returns the register of a `gpu` op: `tid.x` for `gpu.thread_id x`.
fn register(op: Op) -> Option<String> {
    let register = match op.kind() {
        Kind::GpuBlockId => "ctaid",
        Kind::GpuThreadId => "tid",
        Kind::GpuGridDim => "nctaid",
        Kind::GpuBlockDim => "ntid",
        _ => return None,
    };
    let axis = op.attribute("dimension")?.to_string();
    Some(format!("{register}.{}", axis.trim_start_matches("#gpu<dim ").trim_end_matches('>')))
}

/// Returns a name that PTX allows, different for different names: `f.0` becomes `f$0`, and `é` becomes `$$e9$`.
pub fn ptx_name(name: &str) -> String {
    let mut text = String::new();
    let mut before = None;
    for c in name.chars() {
        match c {
            '.' if before.is_some_and(|b| b != '.') => text.push('$'),
            c if c == '_' || c.is_ascii_alphabetic() || c.is_ascii_digit() && before.is_some() => text.push(c),
            c => text.push_str(&format!("$${:x}$", c as u32)),
        }
        before = Some(c);
    }
    text
}

/// Records the launches of the host function in attributes of the kernels.
fn remember_launches(host: Op, kernels: &HashMap<String, Op>) -> Result<()> {
    let ctx = host.context();
    let name = name_of(host);
    for launch in nested_of(host, Kind::GpuLaunchFunc) {
        let path = launch.attribute("kernel").map_or(String::new(), |a| a.to_string());
        let last = path.rsplit("::").next().unwrap_or_default().trim_start_matches('@').trim_matches('"').to_string();
        let Some(kernel) = kernels.get(&last) else {
            return Err(launch.error(format!("`kernel` must name a kernel of this module, found {path}")).emit());
        };
        let size = |group: usize| launch.operand_segment(group)[0];
        let blocks = expression(size(1), host)
            .ok_or_else(|| launch.not_supported("the grid size must derive from array extents"))?;
        let threads = expression(size(4), host).and_then(|e| e.parse::<i64>().ok());
        let threads = threads.ok_or_else(|| launch.not_supported("the number of threads must be a constant"))?;
        kernel.set_attribute(STEP_OF, ctx.string_attr(&name));
        kernel.set_attribute(BLOCKS, ctx.string_attr(&blocks));
        kernel.set_attribute(THREADS, Attribute::integer(ctx.int(64), threads));
    }
    // The kernel that computes sizes records the signature of the function in terms of arrays.
    if let (Some(signature), Some(sizes)) = (host.attribute(SIGNATURE), kernels.get(&format!("{name}.sizes"))) {
        sizes.set_attribute(STEP_OF, ctx.string_attr(&name));
        sizes.set_attribute(SIGNATURE, signature);
        keep(*sizes, host, &[CHECKS]);
    }
    Ok(())
}

/// Returns a value on the host as an expression in sizes, in C notation with `min` and `max`; `in0_1` is axis 1 of
/// input 0.
fn expression(value: Value, host: Op) -> Option<String> {
    let (op, _) = value.defining_op()?;
    let operand = |k: usize| expression(op.operand(k), host);
    let number = |s: &str| s.parse::<i64>().ok();
    let binary = |sign: &str, fold: fn(i64, i64) -> i64| {
        let (x, y) = (operand(0)?, operand(1)?);
        Some(match (number(&x), number(&y), sign) {
            (Some(x), Some(y), _) => fold(x, y).to_string(),
            (Some(1), _, "*") => y,
            (_, Some(1), "*") => x,
            (_, _, "min" | "max") => format!("{sign}({x}, {y})"),
            _ => format!("({x} {sign} {y})"),
        })
    };
    match op.kind() {
        Kind::ArithConstant => Some(op.attribute("value")?.as_i64()?.to_string()),
        Kind::ArithAddi => binary("+", i64::wrapping_add),
        Kind::ArithSubi => binary("-", i64::wrapping_sub),
        Kind::ArithMuli => binary("*", i64::wrapping_mul),
        Kind::ArithDivui => binary("/", |x, y| if y == 0 { 0 } else { (x as u64 / y as u64) as i64 }),
        Kind::ArithMinsi | Kind::ArithMinui => binary("min", i64::min),
        Kind::ArithMaxsi | Kind::ArithMaxui => binary("max", i64::max),
        Kind::MemrefDim => {
            let (_, k) = op.operand(0).block_argument()?;
            let axis: i64 = operand(1)?.parse().ok()?;
            let (inputs, results) = host.attribute(SIGNATURE)?.as_type()?.signature()?;
            Some(match k.checked_sub(inputs.len()) {
                None => format!("in{k}_{axis}"),
                Some(r) if r < results.len() => format!("out{r}_{axis}"),
                Some(_) => "scratch_bytes".to_string(),
            })
        }
        _ => None,
    }
}
