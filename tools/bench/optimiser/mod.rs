//! The tables of `docs/optimiser.md`: results and cost of `egg-optimize`.

mod experiment;

use crate::error::{Context, Error};
use crate::folder::Folder;
use crate::print_head;
use crate::timing::{exponent, median, per_call};
use mlopt_cases::Xorshift;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{default_pipeline, pipeline_text, pipeline_without};
use mlopt_passes::optimise::egg_optimize::Rewriter;
use mlopt_passes::optimise::phases::Options;
use mlopt_passes::optimise::rules::Laws;
use mlopt_runtime::arguments::random::{RandomError, random};
use mlopt_runtime::code::{Compiled, Function};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub const GROWTH: &str = include_str!("../../../test/gradients/asymptotics.mlir");
pub const COLUMNS: &str = include_str!("../../../test/gradients/bundle_adjustment.mlir");
const ATTENTION: &str = include_str!("../../../test/arrays/learning.mlir");
const VECTORS: &str = "test/vectors/arrays_vectors.json";

/// The maximum ratio of time or memory per operation between the largest and the smallest program.
const MAX_SPREAD: f64 = 2.0;
/// The maximum of the median time for the programs of the vectors.
const MAX_MEDIAN: f64 = 0.05;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Table {
    /// Work and time of gradients by forward mode, by size
    Growth,
    /// The gradients of the experiment that preceded the design, with its figures
    Experiment,
    /// Work and time for each point of Jacobians by forward mode, with and without the optimiser
    Columns,
    /// Work and time of gradients by reverse mode, with and without the optimiser
    Reverse,
    /// Time to optimise the programs of the vectors
    Vectors,
    /// Time and memory by number of operations
    Size,
}

impl Table {
    /// Prints the table. Returns false if a bound that the project promises is exceeded.
    pub fn print(&self) -> Result<bool, Error> {
        match self {
            Table::Growth => growth(),
            Table::Experiment => experiment::table(),
            Table::Columns => columns(),
            Table::Reverse => reverse(),
            Table::Vectors => vectors(),
            Table::Size => size(),
        }
    }
}

pub fn parse(text: &str, passes: &[&str]) -> Result<Program, Error> {
    let program = Program::parse(text.as_bytes(), "program")?;
    if !passes.is_empty() {
        program.run_pipeline(&pipeline_text(passes))?;
    }
    Ok(program)
}

/// Returns random arguments, with `n` for dynamic sizes.
pub fn arguments(function: Op, n: usize) -> Result<Vec<Array>, Error> {
    let (inputs, _) = function.function_type().context("a function has a type")?;
    let one = |(k, ty): (usize, mlopt_dialects::ir::Type)| {
        let sizes: String = ty.shape().into_iter().map(|d| format!("{}x", d.unwrap_or(n))).collect();
        Ok(random(&format!("{sizes}f64:seed={}", k + 1))?)
    };
    inputs.into_iter().enumerate().map(one).collect()
}

pub fn work(program: &Program, name: &str, arguments: &[Array]) -> Result<f64, Error> {
    let mut evaluator = Evaluator::new(program.module());
    evaluator.call(name, arguments)?;
    Ok(evaluator.work() as f64)
}

pub fn power(small: f64, large: f64) -> f64 {
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).log2() }
}

/// Returns the text of one function and of its private callees.
pub fn alone(text: &str, name: &str) -> Result<String, Error> {
    let program = parse(text, &[])?;
    for function in program.module().child_ops() {
        let is_private = function.attribute("sym_visibility").is_some();
        if !is_private && function.symbol().as_deref() != Some(name) {
            function.erase();
        }
    }
    program.run_pipeline("builtin.module(symbol-dce)")?;
    Ok(program.module().to_string())
}

/// Returns the code of a program, compiled by a pipeline for this machine.
pub fn compiled(program: &Program, pipeline: &str) -> Result<Compiled, Error> {
    let target = lower(program, pipeline)?;
    Ok(Compiled::new(program.module(), &target)?)
}

/// Lowers a program by a pipeline for this machine.
fn lower(program: &Program, pipeline: &str) -> Result<Target, Error> {
    let target = Target::host()?;
    target.describe(program.module());
    program.run_pipeline(pipeline)?;
    Ok(target)
}

/// Returns the entry of a text, compiled by a pipeline.
pub fn compile(text: &str, pipeline: &str, name: &str) -> Result<Function, Error> {
    Ok(compiled(&parse(text, &[])?, pipeline)?.function(name)?)
}

/// Returns the seconds of one call: the minimum of several, because the machine is shared.
fn seconds(function: &Function, arguments: &[Array]) -> Result<f64, Error> {
    let mut results = function.call(arguments)?;
    let mut run = || function.call_into(arguments, &mut results).expect("it worked with the same sizes");
    let batches = (0..5).map(|_| per_call(1, Duration::from_millis(4), &mut run));
    Ok(batches.fold(f64::INFINITY, f64::min))
}

/// Optimises a function. Returns the seconds, and the maximum number of e-nodes of a piece.
fn rewrite(function: Op) -> (f64, usize) {
    let mut rewriter = Rewriter::new(&LAWS, Options::default());
    let started = Instant::now();
    rewriter.rewrite(function);
    let nodes = rewriter.reports.iter().map(|r| r.nodes).max().unwrap_or(0);
    (started.elapsed().as_secs_f64(), nodes)
}

/// Prints work before and after by size, the time to optimise, and the time of the result by size. Returns false if an
/// exponent of counted work is too high.
fn growth() -> Result<bool, Error> {
    let mut good = true;
    print_head("| program | required | forward mode | optimised | optimised, measured | ms to optimise | e-nodes |");
    let all = parse(GROWTH, &[])?;
    // The first run initialises memory and tables of names.
    if let Some(first) = parse(GROWTH, &["jvp"])?.module().child_ops().last() {
        rewrite(*first);
    }
    for function in all.module().child_ops() {
        let Some(required) = function.attribute("growth").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().context("a function has a name")?;
        let mode: &[&str] = if function.to_string().contains("mode reverse") {
            &["bulk-operations", "differentiate"]
        } else {
            &["jvp"]
        };
        let naive = parse(GROWTH, mode)?;
        let optimised = parse(GROWTH, mode)?;
        let target = optimised.module().lookup(&name).context("the function is there")?;
        let (time, nodes) = rewrite(target);
        let counted = |program: &Program, n: usize| -> Result<f64, Error> {
            let f = program.module().lookup(&name).context("the function is there")?;
            Ok(power(work(program, &name, &arguments(f, n)?)?, work(program, &name, &arguments(f, 2 * n)?)?))
        };
        let (before, after) = (counted(&naive, 4)?, counted(&optimised, 12)?);
        good &= after <= required as f64 + 0.12;
        let compiled = compile(&alone(GROWTH, &name)?, &default_pipeline(), &name)?;
        let sizes = if required == 1 { [20_000, 80_000, 320_000] } else { [128, 256, 512] };
        let mut points = Vec::new();
        for n in sizes {
            points.push((n as f64, seconds(&compiled, &arguments(target, n)?)?));
        }
        println!(
            "| {name} | n^{required} | n^{before:.1} | n^{after:.1} | n^{:.1} | {:.1} | {nodes} |",
            exponent(&points),
            1e3 * time
        );
    }
    println!();
    Ok(good)
}

/// Prints work and time for each point of Jacobians by forward mode, at three sizes, with and without the optimiser.
/// Returns false if there are more operations than the attribute `units` states.
fn columns() -> Result<bool, Error> {
    const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
    let mut good = true;
    print_head("| Jacobian | operations | optimised | ns for 10^3 | 10^4 | 10^5 points | optimised | | |");
    let naive = parse(COLUMNS, &["jvp", "inline"])?;
    let optimised = parse(COLUMNS, &["jvp", "inline", "egg-optimize"])?;
    let text = naive.module().to_string();
    for function in parse(COLUMNS, &[])?.module().child_ops() {
        let Some(units) = function.attribute("units").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().context("a function has a name")?;
        let each = |program: &Program| -> Result<f64, Error> {
            let counted = |n: usize| work(program, &name, &arguments(function, n)?);
            Ok((counted(8)? - counted(4)?) / 4.0)
        };
        let (before, after) = (each(&naive)?, each(&optimised)?);
        good &= after <= units as f64;
        let mut times = String::new();
        for pipeline in [pipeline_without("egg-optimize"), default_pipeline()] {
            let compiled = compile(&text, &pipeline, &name)?;
            for n in SIZES {
                let time = seconds(&compiled, &arguments(function, n)?)?;
                let _infallible = write!(times, " {:.0} |", 1e9 * time / n as f64);
            }
        }
        println!("| {name} | {before:.0} | {after:.0} |{times}");
    }
    println!();
    Ok(good)
}

pub static LAWS: LazyLock<Laws> = LazyLock::new(Laws::all);

/// A program, its entry, and the shapes of its arguments for counting and for timing.
struct Case {
    name: &'static str,
    text: String,
    shapes: [&'static [&'static str]; 2],
}

fn cases() -> Vec<Case> {
    let attention = [ATTENTION, "\n", include_str!("attention_vjp.mlir")].concat();
    let case = |name, text: &str, shapes| Case { name, text: text.to_string(), shapes };
    vec![
        case(
            "mlp_step",
            include_str!("../programs/mlp_step.mlir"),
            [
                &["4x5", "4x3", "5x6", "6", "6x6", "6", "6x3", "3"],
                &["32x48", "32x10", "48x64", "64", "64x64", "64", "64x10", "10"],
            ],
        ),
        case("attention_vjp", &attention, [&["6x4", "5x4", "5x3", "6x3"], &["64x32", "64x32", "64x32", "64x32"]]),
        case(
            "gmm_grad",
            include_str!("../programs/gmm_grad.mlir"),
            [&["3", "3x4", "3x10", "7x4"], &["5", "5x10", "5x55", "200x10"]],
        ),
        case(
            "lstm_train",
            include_str!("../programs/lstm_train.mlir"),
            [&["5x2x3", "5x2x4", "3x16", "4x16", "16"], &["16x8x16", "16x8x16", "16x64", "16x64", "64"]],
        ),
        case("ba_jac", include_str!("../programs/ba_jac.mlir"), [&["11", "7x3"], &["11", "500x3"]]),
    ]
}

impl Case {
    /// Returns random arguments of the shapes at `position`.
    fn arguments(&self, position: usize) -> Result<Vec<Array>, RandomError> {
        let one = |(k, s): (usize, &&str)| random(&format!("{s}xf64:seed={}", k + 1));
        self.shapes[position].iter().enumerate().map(one).collect()
    }

    /// Returns the work without and with the optimiser.
    fn works(&self) -> Result<[f64; 2], Error> {
        const PASSES: [&str; 5] = ["differentiate", "keep-sizes", "canonicalize", "cse", "egg-optimize"];
        let few = self.arguments(0)?;
        let before = work(&parse(&self.text, &PASSES[..4])?, self.name, &few)?;
        Ok([before, work(&parse(&self.text, &PASSES)?, self.name, &few)?])
    }
}

/// Prints work and time of gradients by reverse mode, with and without the optimiser. Returns false if the optimiser
/// makes one worse. If both result in the same code, one time is measured.
fn reverse() -> Result<bool, Error> {
    print_head("| gradient | work | optimised | | code | µs | optimised | |");
    let mut good = true;
    for case in cases() {
        let [before, after] = case.works()?;
        let many = case.arguments(1)?;
        let Case { name, text, .. } = case;
        let pipelines = [pipeline_without("egg-optimize"), default_pipeline()];
        let code = |pipeline| lowered(&text, pipeline, name);
        let is_same = code(&pipelines[0])? == code(&pipelines[1])?;
        let functions = [compile(&text, &pipelines[0], name)?, compile(&text, &pipelines[1], name)?];
        // In alternation, so that both run under the same conditions.
        let mut times = [vec![], vec![]];
        for _ in 0..15 {
            for (times, function) in times.iter_mut().zip(&functions).skip(usize::from(is_same)) {
                times.push(seconds(function, &many)?);
            }
        }
        let [slow, fast] = times.map(|t| t.into_iter().fold(f64::INFINITY, f64::min));
        good &= after <= before && (is_same || fast <= 1.1 * slow);
        let gain = before / after;
        let time = if is_same {
            format!("the same | {:.1} | {0:.1} | 1.00", 1e6 * fast)
        } else {
            format!("another | {:.1} | {:.1} | {:.2}", 1e6 * slow, 1e6 * fast, slow / fast)
        };
        println!("| {name} | {before} | {after} | {gain:.2} | {time} |");
    }
    println!();
    Ok(good)
}

/// Returns the LLVM dialect of a function: its text, and that of its callees.
fn lowered(text: &str, pipeline: &str, name: &str) -> Result<String, Error> {
    let program = parse(text, &[])?;
    lower(&program, pipeline)?;
    let (mut todo, mut seen) = (vec![name.to_string()], Vec::new());
    let mut all = String::new();
    while let Some(name) = todo.pop() {
        let Some(function) = program.module().lookup(&name) else { continue };
        all += &function.to_string();
        let called = function.nested_ops().into_iter().filter_map(|op| op.attribute("callee")?.as_symbol());
        for callee in called {
            if !seen.contains(&callee) {
                seen.push(callee.clone());
                todo.push(callee);
            }
        }
    }
    Ok(all)
}

/// Prints the median and maximum time to optimise the programs of the vectors, each with all its derivatives.
fn vectors() -> Result<bool, Error> {
    let mut times = Vec::new();
    for (id, text) in mlopt_cli::vectors::texts(Path::new(VECTORS)).map_err(|e| Error::Missing(e.to_string()))? {
        let program = parse(&text, &["differentiate", "keep-sizes", "canonicalize", "cse"])?;
        let started = Instant::now();
        program.run_pipeline(&pipeline_text(&["egg-optimize"]))?;
        times.push((started.elapsed().as_secs_f64(), id));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = median(times.iter().map(|t| t.0).collect());
    let (longest, id) = times.last().context("there are vectors")?;
    println!(
        "{} programs with their derivatives: median {:.1} ms, at most {:.1} ms ({id})\n",
        times.len(),
        1e3 * half,
        1e3 * longest
    );
    Ok(half <= MAX_MEDIAN)
}

/// A name, and a function that returns a program of about `n` operations.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("functions", |n| (0..n / 10).map(function).collect()),
    ("scalars", |n| block(n, "f64", false, false)),
    ("chain of scalars", |n| block(n, "f64", true, false)),
    ("arrays", |n| block(n, "tensor<?x?xf64>", false, false)),
    ("chain of arrays", |n| block(n, "tensor<?x?xf64>", true, false)),
    ("arrays, turned", |n| block(n, "tensor<?x?xf64>", false, true)),
];

fn function(k: usize) -> String {
    include_str!("function.mlir").replace("@f", &format!("@f{k}"))
}

/// Returns one block of operations on values of one type. Each uses the previous value, or any of the last twelve.
fn block(n: usize, ty: &str, is_chain: bool, turns: bool) -> String {
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    let mut text = format!("func.func @f(%v0: {ty}, %v1: {ty}) -> {ty} {{\n");
    for k in 2..n + 2 {
        let recent = |r: usize| if is_chain { k - 1 } else { k - 1 - r % 12.min(k) };
        let (a, b) = (recent(random.below(12)), if is_chain { 1 } else { recent(random.below(12)) });
        let line = match random.below(10) {
            0 if turns => format!("array.transpose %v{a} [1, 0] : ({ty}) -> {ty}"),
            1 if turns => format!("array.reverse %v{a} : {ty}"),
            0..6 => {
                let op = ["addf", "subf", "mulf", "maximumf"][random.below(4)];
                format!("arith.{op} %v{a}, %v{b} : {ty}")
            }
            _ => format!("math.{} %v{a} : {ty}", ["sin", "cos", "tanh"][random.below(3)]),
        };
        let _infallible = writeln!(text, "  %v{k} = {line}");
    }
    text + &format!("  return %v{} : {ty}\n}}\n", n + 1)
}

/// Prints time and memory by number of operations. Returns false if they grow faster than linearly.
fn size() -> Result<bool, Error> {
    print_head("| program | operations | seconds | µs for each | MB more | optimised again |");
    let mut good = true;
    let folder = Folder::new("size")?;
    for (name, make) in SHAPES {
        let mut each = Vec::new();
        for n in [1_000, 10_000, 100_000] {
            let file = folder.write("program.mlir", make(n).as_bytes())?;
            let runs = if n == 100_000 { 1 } else { 5 };
            let (mut time, mut memory) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..runs {
                let (t, m) = measure(&file)?;
                (time, memory) = (time.min(t), memory.min(m));
            }
            each.push(time / n as f64);
            let is_stable = is_stable(&file)?;
            good &= is_stable;
            let again = if is_stable { "the same" } else { "differs" };
            println!("| {name} | {n} | {time:.3} | {:.1} | {memory:.1} | {again} |", 1e6 * time / n as f64);
        }
        // Small programs also saturate. Large ones must not cost more per operation.
        good &= each[2] <= MAX_SPREAD * each[1] && each[1] <= MAX_SPREAD * each[0];
    }
    println!();
    Ok(good)
}

/// Checks whether the result for a file is unchanged when it is parsed and optimised again.
fn is_stable(file: &Path) -> Result<bool, Error> {
    let text = std::fs::read_to_string(file)?;
    let once = parse(&text, &["egg-optimize"])?.module().to_string();
    // The text is parsed again, because names depend on the pass that created them.
    let once = parse(&once, &[])?.module().to_string();
    Ok(once == parse(&once, &["egg-optimize"])?.module().to_string())
}

/// Returns the seconds and additional megabytes that another process needs to optimise a file.
fn measure(file: &Path) -> Result<(f64, f64), Error> {
    let program = std::env::current_exe()?;
    let output = Command::new(program).arg("optimise").arg(file).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(time)), Some(Ok(memory))) => Ok((time, memory)),
        _ => Err(Error::Tool(format!("no measurement:\n{text}\n{}", String::from_utf8_lossy(&output.stderr)))),
    }
}

/// Optimises a file, and prints the seconds and the additional megabytes at the peak.
pub fn once(file: &Path) -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    let program = Program::read(file)??;
    let before = peak()?;
    let started = Instant::now();
    program.run_pipeline(&pipeline_text(&["egg-optimize"]))?;
    println!("{} {}", started.elapsed().as_secs_f64(), peak()? - before);
    Ok(true)
}

/// Returns the peak memory of this process in megabytes, from Linux.
fn peak() -> Result<f64, Error> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kilobytes.map(|k| k / 1024.0).context("no peak in /proc/self/status")
}

#[cfg(test)]
mod tests {
    #[test]
    fn gradients_by_reverse_mode_do_not_do_more_work_when_optimised() {
        mlopt_lowering::register_passes();
        for case in super::cases() {
            let [before, after] = case.works().expect("the programs of the benchmarks run");
            assert!(after <= before, "{}: {before} operations became {after}", case.name);
        }
    }
}
