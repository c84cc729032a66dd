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
    let linker = toolchain::linker().ok_or_else(crate::commands::compile::no_linker)?;
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
                let entry = benchmark.entry(&program);
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

/// The wrapper of a compiled function, with `$NAME$` for the parts that depend on its type.
const WRAPPER: &str = include_str!("wrapper.mlir");

/// Returns the wrapper of `entry`, called `symbol`, in the LLVM dialect.
fn wrapper(benchmark: &Benchmark, symbol: &str, entry: Op) -> String {
    let (inputs, results) = entry.function_type().unwrap_or_default();
    let dynamic = |ty: &Type| ty.shape().iter().filter(|n| n.is_none()).count();
    let unknown: usize = results.iter().map(dynamic).sum();
    let ptrs = |n: usize| vec!["!llvm.ptr"; n];
    let words = |n: usize| vec!["i64"; n];
    let sizes: Vec<Size> = std::iter::zip(&inputs, benchmark.inputs)
        .flat_map(|(ty, (shape, _))| {
            std::iter::zip(ty.shape(), *shape).filter(|(n, _)| n.is_none()).map(|(_, text)| text)
        })
        .map(|text| Size::parse(text, benchmark.dims))
        .collect();
    let named = |prefix: &str, n: usize| (0..n).map(|k| format!("%{prefix}{k}")).collect::<Vec<_>>();
    let (ins, outs, known) = (named("in", inputs.len()), named("out", results.len()), named("s", sizes.len()));
    let found = (1..=unknown).map(|k| format!("%a{k}")).collect();
    let loaded = |name: &str, from: &str, ty: &str, count: usize, first: usize| -> String {
        let pointer = |k| format!("  %{name}p{k} = llvm.getelementptr %{from}[{}] : (!llvm.ptr)", first + k);
        let load = |k| format!("  %{name}{k} = llvm.load %{name}p{k} : !llvm.ptr -> {ty}");
        (0..count).map(|k| format!("{} -> !llvm.ptr, {ty}\n{}\n", pointer(k), load(k))).collect()
    };
    let loads = [
        loaded("d", "dims", "i64", benchmark.dims.len(), 0),
        loaded("in", "in", "!llvm.ptr", inputs.len(), 0),
        loaded("out", "out", "!llvm.ptr", results.len(), 0),
    ];
    let parts = [
        ("raw", raw(symbol)),
        ("symbol", symbol.to_string()),
        ("ask", [ptrs(inputs.len() + 1), words(sizes.len())].concat().join(", ")),
        ("call", [ptrs(inputs.len() + results.len() + 1), words(sizes.len() + unknown + 1)].concat().join(", ")),
        ("words", (2 + unknown).to_string()),
        ("loads", loads.concat()),
        ("sizes", sizes.iter().enumerate().map(|(k, size)| computed(k, size)).collect()),
        ("known", [ins.clone(), vec!["%answer".into()], known.clone()].concat().join(", ")),
        ("answers", loaded("a", "answer", "i64", unknown + 1, 1)),
        ("arguments", [ins, outs, vec!["%scratch".into()], known, found, vec!["%a0".into()]].concat().join(", ")),
    ];
    parts.iter().fold(WRAPPER.to_string(), |text, (name, part)| text.replace(&format!("${name}$"), part))
}

/// Returns the computation of size `k`, `%s0` for the first.
fn computed(k: usize, size: &Size) -> String {
    let mut text = format!("  %s{k}_0 = llvm.mlir.constant(0 : i64) : i64\n");
    for (t, (number, factors)) in size.terms.iter().enumerate() {
        let _ = writeln!(text, "  %s{k}_t{t}_0 = llvm.mlir.constant({number} : i64) : i64");
        for (f, letter) in factors.iter().enumerate() {
            let _ = writeln!(text, "  %s{k}_t{t}_{} = llvm.mul %s{k}_t{t}_{f}, %d{letter} : i64", f + 1);
        }
        let _ = writeln!(text, "  %s{k}_{} = llvm.add %s{k}_{t}, %s{k}_t{t}_{} : i64", t + 1, factors.len());
    }
    let (over, last) = (size.over, size.terms.len());
    text + &format!("  %o{k} = llvm.mlir.constant({over} : i64) : i64\n  %s{k} = llvm.sdiv %s{k}_{last}, %o{k} : i64\n")
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
