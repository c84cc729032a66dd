//! Generation of the shared library of `mlopt bench --library`. For each benchmark it contains a function `void
//! NAME(const int64_t *dims, const double *const *in, double *const *out)`, and `NAME_f32` with `float` in place of
//! `double`. The function is a wrapper around compiled functions: one for each of the usual sizes (unless `--any-size`
//! is given), and one for all other sizes. The wrapper computes sizes, keeps scratch memory between calls, and traps if
//! a check of sizes fails.

use super::programs::Benchmark;
use super::size::Size;
use crate::toolchain;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Type};
use mlopt_lowering::native::{self, Emit, Target};
use mlopt_runtime::failure::Failure;
use std::fmt::Write;
use std::path::Path;

/// Compiles `benchmarks` for `target` and links them. With `any_size`, the function for all sizes also runs at the
/// usual ones.
pub fn write(
    benchmarks: &[&Benchmark],
    any_size: bool,
    pipeline: &str,
    target: &Target,
    output: &Path,
) -> Result<(), Failure> {
    let linker = toolchain::linker().ok_or_else(crate::cli::compile::no_linker)?;
    let mut objects = Vec::new();
    let mut wrappers = String::from("llvm.func @free(!llvm.ptr)\nllvm.func @aligned_alloc(i64, i64) -> !llvm.ptr\n");
    for benchmark in benchmarks {
        let precisions: &[bool] = if benchmark.single { &[false, true] } else { &[false] };
        for &single in precisions {
            let symbol = if single { format!("{}_f32", benchmark.name) } else { benchmark.name.to_string() };
            let versions = match any_size {
                true => vec![None],
                false => vec![Some(benchmark.small), Some(benchmark.medium), Some(benchmark.large), None],
            };
            for (k, dims) in versions.iter().enumerate() {
                let name = format!("{symbol}.{k}");
                let program = benchmark.program(single, *dims)?;
                let entry = program.module().lookup(benchmark.name).expect("a program has a function of its name");
                entry.set_attribute("sym_name", entry.context().string_attr(&raw(&name)));
                wrappers.push_str(&wrapper(benchmark, &name, entry));
                target.describe(program.module());
                program.run_pipeline(pipeline)?;
                objects.push(target.emit(program.module(), Emit::Object).map_err(|e| Failure::at(&symbol, e))?);
            }
            wrappers.push_str(&dispatch(&symbol, &versions));
        }
    }
    let wrappers = Program::parse(wrappers.as_bytes(), "wrappers")?;
    target.describe(wrappers.module());
    objects.push(target.emit(wrappers.module(), Emit::Object).map_err(Failure::new)?);
    native::link_objects(&objects, output, linker.to_str()).map_err(|e| Failure::at(output.display(), e))
}

/// Returns the symbol of the compiled function, next to that of its wrapper.
fn raw(symbol: &str) -> String {
    format!("{symbol}.raw")
}

/// Returns the wrapper of `entry`, called `symbol`, in the LLVM dialect.
fn wrapper(benchmark: &Benchmark, symbol: &str, entry: Op) -> String {
    let function = entry.attribute("function_type").and_then(|a| a.as_type()?.signature());
    let (inputs, results) = function.expect("a function has a type");
    let dynamic = |ty: &Type| ty.shape().iter().filter(|n| n.is_none()).count();
    let unknown: usize = results.iter().map(dynamic).sum();
    let mut text = String::new();
    let mut line = |args: std::fmt::Arguments| {
        let _ = text.write_fmt(args);
        text.push('\n');
    };
    let raw = raw(symbol);
    let ptrs = |n: usize| vec!["!llvm.ptr"; n];
    let words = |n: usize| vec!["i64"; n];
    let sizes: Vec<Size> = std::iter::zip(&inputs, benchmark.inputs)
        .flat_map(|(ty, (shape, _))| {
            std::iter::zip(ty.shape(), *shape).filter(|(n, _)| n.is_none()).map(|(_, text)| text)
        })
        .map(|text| Size::parse(text, benchmark.dims))
        .collect();
    let ask = [ptrs(inputs.len() + 1), words(sizes.len())].concat().join(", ");
    let call = [ptrs(inputs.len() + results.len() + 1), words(sizes.len() + unknown + 1)].concat().join(", ");
    line(format_args!("llvm.func @\"{raw}.sizes\"({ask})"));
    line(format_args!("llvm.func @\"{raw}\"({call})"));
    for (name, ty, value) in
        [("scratch", "!llvm.ptr", "llvm.mlir.zero : !llvm.ptr"), ("room", "i64", "llvm.mlir.constant(0 : i64) : i64")]
    {
        line(format_args!(
            "llvm.mlir.global internal @\"{symbol}.{name}\"() : {ty} {{\n  %z = {value}\n  llvm.return %z : {ty}\n}}"
        ));
    }
    line(format_args!("llvm.func internal @\"{symbol}\"(%dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr) {{"));
    line(format_args!("  %c1 = llvm.mlir.constant(1 : i64) : i64\n  %c64 = llvm.mlir.constant(64 : i64) : i64"));
    line(format_args!("  %words = llvm.mlir.constant({} : i64) : i64", 2 + unknown));
    line(format_args!("  %answer = llvm.alloca %words x i64 : (i64) -> !llvm.ptr"));
    for k in 0..benchmark.dims.len() {
        line(format_args!("  %dp{k} = llvm.getelementptr %dims[{k}] : (!llvm.ptr) -> !llvm.ptr, i64"));
        line(format_args!("  %d{k} = llvm.load %dp{k} : !llvm.ptr -> i64"));
    }
    for (array, count) in [("in", inputs.len()), ("out", results.len())] {
        for k in 0..count {
            line(format_args!(
                "  %{array}p{k} = llvm.getelementptr %{array}[{k}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr"
            ));
            line(format_args!("  %{array}{k} = llvm.load %{array}p{k} : !llvm.ptr -> !llvm.ptr"));
        }
    }
    for (k, size) in sizes.iter().enumerate() {
        line(format_args!("  %s{k}_0 = llvm.mlir.constant(0 : i64) : i64"));
        for (t, (number, factors)) in size.terms.iter().enumerate() {
            line(format_args!("  %s{k}_t{t}_0 = llvm.mlir.constant({number} : i64) : i64"));
            for (f, letter) in factors.iter().enumerate() {
                line(format_args!("  %s{k}_t{t}_{} = llvm.mul %s{k}_t{t}_{f}, %d{letter} : i64", f + 1));
            }
            line(format_args!("  %s{k}_{} = llvm.add %s{k}_{t}, %s{k}_t{t}_{} : i64", t + 1, factors.len()));
        }
        line(format_args!("  %o{k} = llvm.mlir.constant({} : i64) : i64", size.over));
        line(format_args!("  %s{k} = llvm.sdiv %s{k}_{}, %o{k} : i64", size.terms.len()));
    }
    let named = |prefix: &str, n: usize| (0..n).map(|k| format!("%{prefix}{k}")).collect::<Vec<_>>();
    let (ins, outs, known) = (named("in", inputs.len()), named("out", results.len()), named("s", sizes.len()));
    let arguments = [ins.clone(), vec!["%answer".into()], known.clone()].concat().join(", ");
    line(format_args!("  llvm.call @\"{raw}.sizes\"({arguments}) : ({ask}) -> ()"));
    line(format_args!("  %status = llvm.load %answer : !llvm.ptr -> i64"));
    line(format_args!("  %zero = llvm.mlir.constant(0 : i64) : i64"));
    line(format_args!("  %failed = llvm.icmp \"ne\" %status, %zero : i64\n  llvm.cond_br %failed, ^failed, ^sized"));
    line(format_args!("^failed:\n  \"llvm.intr.trap\"() : () -> ()\n  llvm.unreachable\n^sized:"));
    for k in 0..=unknown {
        line(format_args!("  %ap{k} = llvm.getelementptr %answer[{}] : (!llvm.ptr) -> !llvm.ptr, i64", k + 1));
        line(format_args!("  %a{k} = llvm.load %ap{k} : !llvm.ptr -> i64"));
    }
    line(format_args!("  %room_at = llvm.mlir.addressof @\"{symbol}.room\" : !llvm.ptr"));
    line(format_args!("  %scratch_at = llvm.mlir.addressof @\"{symbol}.scratch\" : !llvm.ptr"));
    line(format_args!("  %room = llvm.load %room_at : !llvm.ptr -> i64"));
    line(format_args!("  %short = llvm.icmp \"slt\" %room, %a0 : i64\n  llvm.cond_br %short, ^grow, ^call\n^grow:"));
    line(format_args!("  %old = llvm.load %scratch_at : !llvm.ptr -> !llvm.ptr"));
    line(format_args!("  llvm.call @free(%old) : (!llvm.ptr) -> ()"));
    line(format_args!("  %blocks = llvm.udiv %a0, %c64 : i64\n  %enough = llvm.add %blocks, %c1 : i64"));
    line(format_args!("  %bytes = llvm.mul %enough, %c64 : i64"));
    line(format_args!("  %new = llvm.call @aligned_alloc(%c64, %bytes) : (i64, i64) -> !llvm.ptr"));
    line(format_args!(
        "  llvm.store %new, %scratch_at : !llvm.ptr, !llvm.ptr\n  llvm.store %bytes, %room_at : i64, !llvm.ptr"
    ));
    line(format_args!("  llvm.br ^call\n^call:\n  %scratch = llvm.load %scratch_at : !llvm.ptr -> !llvm.ptr"));
    let found = (1..=unknown).map(|k| format!("%a{k}")).collect();
    let arguments = [ins, outs, vec!["%scratch".into()], known, found, vec!["%a0".into()]].concat().join(", ");
    line(format_args!("  llvm.call @\"{raw}\"({arguments}) : ({call}) -> ()\n  llvm.return\n}}"));
    text
}

/// Returns the function that harnesses call. It selects the first version whose sizes match.
fn dispatch(symbol: &str, versions: &[Option<&[i64]>]) -> String {
    let mut text = format!("llvm.func @{symbol}(%dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr) {{\n");
    for (k, dims) in versions.iter().enumerate() {
        let call = format!(
            "  llvm.call @\"{symbol}.{k}\"(%dims, %in, %out) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()\n  llvm.return\n"
        );
        let Some(dims) = dims else {
            text.push_str(&call);
            continue;
        };
        let _ = writeln!(text, "  %b{k}_0 = llvm.mlir.constant(true) : i1");
        for (d, n) in dims.iter().enumerate() {
            let _ = writeln!(text, "  %p{k}_{d} = llvm.getelementptr %dims[{d}] : (!llvm.ptr) -> !llvm.ptr, i64");
            let _ = writeln!(text, "  %d{k}_{d} = llvm.load %p{k}_{d} : !llvm.ptr -> i64");
            let _ = writeln!(text, "  %n{k}_{d} = llvm.mlir.constant({n} : i64) : i64");
            let _ = writeln!(text, "  %e{k}_{d} = llvm.icmp \"eq\" %d{k}_{d}, %n{k}_{d} : i64");
            let _ = writeln!(text, "  %b{k}_{} = llvm.and %b{k}_{d}, %e{k}_{d} : i1", d + 1);
        }
        let last = dims.len();
        let _ = writeln!(text, "  llvm.cond_br %b{k}_{last}, ^fits{k}, ^other{k}\n^fits{k}:\n{call}^other{k}:");
    }
    text + "}\n"
}
