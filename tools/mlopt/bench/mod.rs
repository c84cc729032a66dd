//! `mlopt bench`: the benchmark programs of `tools/bench/programs`, compared with the reference evaluator and timed, or
//! linked into the library that other harnesses load.

mod library;
pub mod programs;
mod size;

use crate::cli::{self, Failure};
use crate::compile::default_pipeline;
use crate::random;
use crate::run::check_pipeline;
use clap::ValueEnum;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::{Compiled, Function, Target};
use programs::{BENCHMARKS, Benchmark};
use size::Size;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Run the benchmark programs, each compared with the reference evaluator, or link them into one library
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mlopt bench                                          all programs at medium size
  mlopt bench gmm_grad --size large
  mlopt bench --library libmlopt.so                    for a harness: docs/benchmarks/cpu.md")]
pub struct Bench {
    /// Programs to run; all by default
    names: Vec<String>,
    /// How large the arrays are
    #[arg(long, value_enum, default_value = "medium")]
    size: Scale,
    /// Link the programs into this library instead of running them
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Compile for all sizes at once instead of for those that are measured
    #[arg(long)]
    any_size: bool,
    /// Passes instead of the default ones
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// A few elements: only the comparison with the evaluator
    Tiny,
    Small,
    Medium,
    Large,
}

/// Largest accepted error in double and single precision, relative to the largest entry of a result.
const TOLERANCE: [f64; 2] = [1e-9, 2e-3];
/// Time of one batch of calls, and how many batches there are; the least counts.
const BATCH: Duration = Duration::from_millis(20);
const BATCHES: usize = 7;

impl Bench {
    pub fn execute(&self) -> Result<(), Failure> {
        cli::register_passes();
        self.pass_pipeline.as_deref().map_or(Ok(()), check_pipeline)?;
        let pipeline = self.pass_pipeline.clone().unwrap_or_else(default_pipeline);
        let chosen = choose(&self.names)?;
        let target = Target::host().map_err(Failure::new)?;
        if let Some(output) = &self.library {
            return library::write(&chosen, &pipeline, &target, output);
        }
        println!("{:<16} {:>12} {:>12} {:>10}", "program", "compile", "call", "error");
        for benchmark in chosen {
            let precisions: &[bool] = if benchmark.single { &[false, true] } else { &[false] };
            for &single in precisions {
                self.measure(benchmark, single, &pipeline, &target)?;
            }
        }
        Ok(())
    }

    fn measure(&self, benchmark: &Benchmark, single: bool, pipeline: &str, target: &Target) -> Result<(), Failure> {
        let label = if single { format!("{}_f32", benchmark.name) } else { benchmark.name.to_string() };
        let wrong = |e: String| Failure::at(&label, e);
        let program = |dims| benchmark.program(single, dims);
        let compiled = |program: Program| -> Result<Function, Failure> {
            program.run_pipeline(pipeline)?;
            let compiled = Compiled::new(program.module(), target).map_err(|e| wrong(e.to_string()))?;
            compiled.function(benchmark.name).map_err(|e| wrong(e.to_string()))
        };
        let inputs = arguments(benchmark, single, benchmark.tiny).map_err(wrong)?;
        let reference = program(None)?;
        reference.run_pipeline("builtin.module(differentiate)")?;
        let expected = Evaluator::new(reference.module()).call(benchmark.name, &inputs);
        let expected = expected.map_err(|e| Failure::at(e.location, e.text))?;
        let mut error: f64 = 0.0;
        for made_for in [None, Some(benchmark.tiny)] {
            let found = compiled(program(made_for)?)?.call(&inputs).map_err(|e| wrong(e.to_string()))?;
            error = std::iter::zip(&found, &expected).map(|(x, y)| distance(x, y)).fold(error, worst);
        }
        if error.is_nan() || error > TOLERANCE[usize::from(single)] {
            return Err(wrong(format!(
                "expected the values of the reference evaluator, found an error of {error:.1e}"
            )));
        }
        let dims = match self.size {
            Scale::Tiny => benchmark.tiny,
            Scale::Small => benchmark.small,
            Scale::Medium => benchmark.medium,
            Scale::Large => benchmark.large,
        };
        let started = Instant::now();
        let function = compiled(program((!self.any_size).then_some(dims))?)?;
        let compile = started.elapsed();
        let inputs = arguments(benchmark, single, dims).map_err(wrong)?;
        let mut results = function.call(&inputs).map_err(|e| wrong(e.to_string()))?;
        let call = least_time(|| function.call_into(&inputs, &mut results)).map_err(|e| wrong(e.to_string()))?;
        println!("{label:<16} {:>12} {:>12} {error:>10.1e}", format!("{compile:.1?}"), format!("{call:.2?}"));
        Ok(())
    }
}

/// The benchmarks of these names, all when there is none.
fn choose(names: &[String]) -> Result<Vec<&'static Benchmark>, Failure> {
    if names.is_empty() {
        return Ok(BENCHMARKS.iter().collect());
    }
    let find = |name: &String| {
        let known = BENCHMARKS.iter().map(|b| b.name);
        let hint = crate::suggest::did_you_mean(name, known);
        BENCHMARKS.iter().find(|b| b.name == name).ok_or_else(|| Failure::new(format!("no benchmark `{name}`{hint}")))
    };
    names.iter().map(find).collect()
}

/// Numbers from 0.5 to 1.5 in the shapes of the inputs.
fn arguments(benchmark: &Benchmark, single: bool, dims: &[i64]) -> Result<Vec<Array>, String> {
    let element = if single { "f32" } else { "f64" };
    let argument = |(k, shape): (usize, &&[&str])| {
        let sizes = shape.iter().map(|s| format!("{}x", Size::parse(s, benchmark.dims).at(dims)));
        random::random(&format!("{}{element}:seed={k}:uniform=0.5,1.5", sizes.collect::<String>()))
    };
    benchmark.inputs.iter().enumerate().map(argument).collect()
}

/// The largest difference relative to the largest entry of `y`.
fn distance(x: &Array, y: &Array) -> f64 {
    let (x, y) = (x.to_f64(), y.to_f64());
    if x.len() != y.len() {
        return f64::INFINITY;
    }
    let scale = y.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
    x.iter().zip(&y).map(|(a, b)| (a - b).abs() / scale).fold(0.0, worst)
}

/// The greater error; NaN is worse than any.
fn worst(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// Time of one call: the least over batches.
fn least_time<E>(mut call: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let started = Instant::now();
    call()?;
    let once = started.elapsed().max(Duration::from_nanos(20));
    let calls = (BATCH.as_secs_f64() / once.as_secs_f64()).clamp(1.0, 1e6) as u32;
    let mut least = once;
    for _ in 0..BATCHES {
        let started = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        least = least.min(started.elapsed() / calls);
    }
    Ok(least)
}
