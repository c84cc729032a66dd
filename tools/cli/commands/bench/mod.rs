//! `mlopt bench`: runs the benchmark programs of `tools/bench/programs`. At the measured size, their results are first
//! compared with a reference; then they are timed. Alternatively they are linked into a library, which other harnesses
//! load.

mod library;
pub mod programs;
pub mod reference;
pub mod size;
pub mod values;

use crate::commands::compile::PassOptions;
use crate::commands::limits::Threads;
use crate::commands::pipeline_check::check_pipeline;
use clap::ValueEnum;
use mlopt_dialects::value::Array;
use mlopt_lowering::native::{self, Target};
use mlopt_lowering::pipelines::GRAD_CPU;
use mlopt_runtime::code::{Compiled, Function};
use mlopt_runtime::failure::Failure;
use programs::{BENCHMARKS, Benchmark};
use reference::{Reference, TOLERANCE};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use values::{arguments, rounded, widened};

/// Run the benchmark programs and check their results before timing them, or link the programs into one library
#[derive(clap::Args)]
#[command(after_help = include_str!("../help/bench.txt").trim_ascii_end())]
pub struct Bench {
    /// Programs to run; all by default
    names: Vec<String>,
    /// Size of the arrays
    #[arg(long, value_enum, default_value = "medium")]
    size: Scale,
    /// Link the programs into this library instead of running them
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Compile for all sizes at once instead of the measured ones
    #[arg(long)]
    any_size: bool,
    /// Passes instead of the default ones
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    #[command(flatten)]
    options: PassOptions,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// A few elements: only the comparison with the evaluator
    Tiny,
    Small,
    Medium,
    Large,
}

/// The duration of one batch of calls, and the number of batches; the result is their minimum.
const BATCH: Duration = Duration::from_millis(20);
const BATCHES: usize = 7;

impl Bench {
    pub fn execute(&self) -> Result<(), Failure> {
        self.threads.set();
        mlopt_lowering::register_passes();
        self.pass_pipeline.as_deref().map_or(Ok(()), check_pipeline)?;
        let pipeline = self.pass_pipeline.clone().unwrap_or_else(|| self.options.in_pipeline(GRAD_CPU).to_string());
        let chosen = choose(&self.names)?;
        let target = Target::host().map_err(Failure::new)?;
        if let Some(output) = &self.library {
            return library::write(&chosen, self.any_size, &pipeline, &target, output);
        }
        let mut right = Vec::new();
        for benchmark in chosen {
            right.extend(self.compared(benchmark, &pipeline, &target)?);
        }
        println!("{:<16} {:>12} {:>12} {:>10}", "program", "compile", "call", "error");
        right.iter().try_for_each(Measured::time)
    }

    /// Returns the sizes that are timed.
    fn dims(&self, benchmark: &'static Benchmark) -> &'static [i64] {
        match self.size {
            Scale::Tiny => benchmark.tiny,
            Scale::Small => benchmark.small,
            Scale::Medium => benchmark.medium,
            Scale::Large => benchmark.large,
        }
    }

    /// Compiles a benchmark in each of its precisions and compares the results with those of a reference: the timed
    /// function at the timed size, and functions for all sizes and for given sizes at tiny ones.
    fn compared(
        &self,
        benchmark: &'static Benchmark,
        pipeline: &str,
        target: &Target,
    ) -> Result<Vec<Measured>, Failure> {
        let precisions: &[bool] = if benchmark.single { &[false, true] } else { &[false] };
        let mut measured = Vec::new();
        for &single in precisions {
            let evaluator = Reference::Evaluator(benchmark);
            for made_for in [None, Some(benchmark.tiny)] {
                Measured::new(benchmark, single, made_for, benchmark.tiny, pipeline, target)?.compare(&evaluator)?;
            }
            let dims = self.dims(benchmark);
            let made_for = (!self.any_size).then_some(dims);
            measured.push(Measured::new(benchmark, single, made_for, dims, pipeline, target)?);
        }
        let reference = match self.size {
            Scale::Large => Reference::plain(benchmark)?,
            Scale::Tiny | Scale::Small | Scale::Medium => Reference::Evaluator(benchmark),
        };
        measured.iter_mut().try_for_each(|m| m.compare(&reference))?;
        Ok(measured)
    }
}

/// A compiled benchmark in one precision.
pub struct Measured {
    benchmark: &'static Benchmark,
    single: bool,
    dims: &'static [i64],
    function: Function,
    compile: Duration,
    /// The error of its results, relative to the largest entry.
    error: f64,
}

impl Measured {
    /// Compiles `benchmark` for the sizes `made_for`, or for all.
    pub fn new(
        benchmark: &'static Benchmark,
        single: bool,
        made_for: Option<&[i64]>,
        dims: &'static [i64],
        pipeline: &str,
        target: &Target,
    ) -> Result<Measured, Failure> {
        let wrong = |e: native::Error| Failure::at(label(benchmark, single), e);
        let started = Instant::now();
        let program = benchmark.program(single, made_for)?;
        target.describe(program.module());
        program.run_pipeline(pipeline)?;
        let compiled = Compiled::new(program.module(), target).map_err(wrong)?;
        let function = compiled.function(benchmark.name).map_err(wrong)?;
        Ok(Measured { benchmark, single, dims, function, compile: started.elapsed(), error: 0.0 })
    }

    fn wrong(&self, text: impl std::fmt::Display) -> Failure {
        Failure::at(label(self.benchmark, self.single), text)
    }

    fn inputs(&self) -> Result<Vec<Array>, Failure> {
        let inputs = arguments(self.benchmark, self.dims).map_err(|e| self.wrong(e))?;
        Ok(if self.single { inputs.iter().map(rounded).collect() } else { inputs })
    }

    /// Returns the results at the timed sizes.
    pub fn results(&self) -> Result<Vec<Array>, Failure> {
        self.function.call(&self.inputs()?).map_err(|e| self.wrong(e))
    }

    /// Compares the results with those of `reference` at the timed sizes.
    pub fn compare(&mut self, reference: &Reference) -> Result<(), Failure> {
        let inputs = self.inputs()?;
        let found = self.results()?;
        let expected = reference.values(&inputs.iter().map(widened).collect::<Vec<_>>())?;
        let at = std::iter::zip(self.benchmark.dims.chars(), self.dims).map(|(letter, n)| format!("{letter} = {n}"));
        let at = at.collect::<Vec<_>>().join(", ");
        self.error = reference::compare(&found, &expected, TOLERANCE[usize::from(self.single)])
            .map_err(|e| self.wrong(format!("expected the values of {} at {at}; {e}", reference.name())))?;
        Ok(())
    }

    /// Prints the times of compilation and of a call.
    fn time(&self) -> Result<(), Failure> {
        let inputs = self.inputs()?;
        let mut results = self.function.call(&inputs).map_err(|e| self.wrong(e))?;
        let call = least_time(|| self.function.call_into(&inputs, &mut results)).map_err(|e| self.wrong(e))?;
        let (name, compile) = (label(self.benchmark, self.single), format!("{:.1?}", self.compile));
        println!("{name:<16} {compile:>12} {:>12} {:>10.1e}", format!("{call:.2?}"), self.error);
        Ok(())
    }
}

fn label(benchmark: &Benchmark, single: bool) -> String {
    if single { format!("{}_f32", benchmark.name) } else { benchmark.name.to_string() }
}

/// Returns the benchmarks of these names, or all if there are none.
fn choose(names: &[String]) -> Result<Vec<&'static Benchmark>, Failure> {
    if names.is_empty() {
        return Ok(BENCHMARKS.iter().collect());
    }
    let find = |name: &String| {
        let known = BENCHMARKS.iter().map(|b| b.name);
        let hint = mlopt_dialects::suggest::did_you_mean(name, known);
        BENCHMARKS
            .iter()
            .find(|b| b.name == name)
            .ok_or_else(|| Failure::new(format!("unknown benchmark `{name}`{hint}")))
    };
    names.iter().map(find).collect()
}

/// Returns the time of one call: the minimum over batches.
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
