//! The options `--max-memory`, `--max-steps`, `--max-seconds` and `--threads` of subcommands that run programs.

use mlopt_dialects::limits;
use mlopt_runtime::threads;

/// Limits of a program's resources.
#[derive(clap::Args)]
pub struct Limits {
    /// MiB of memory that the program may use
    #[arg(long, value_name = "MIB", default_value_t = limits::MEMORY >> 20,
          value_parser = clap::value_parser!(u64).range(1..))]
    max_memory: u64,
    /// Steps that the evaluator may take in all calls: ops, ends of blocks, and four for each operation that it
    /// records for a derivative; compiled code counts none
    #[arg(long, value_name = "N", default_value_t = limits::STEPS, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,
}

impl Limits {
    /// Sets the limits of this process.
    pub fn set(&self) {
        limits::set(self.max_memory.saturating_mul(1 << 20), self.max_steps);
    }
}

/// The number of threads of parallel loops.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads that execute a parallel loop; by default $MLOPT_THREADS, or else one for each processor. The results do
    /// not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=threads::MOST as i64))]
    threads: Option<u32>,
}

impl Threads {
    /// Sets the number for this process.
    pub fn set(&self) {
        threads::set_threads(self.threads.unwrap_or(0) as usize);
    }
}

/// A value of `--max-seconds` that does not suit a timer.
#[derive(Debug, thiserror::Error)]
#[error("expected a number from 0.001 to 1e9")]
pub struct OutOfRange;

/// Parses the value of `--max-seconds`.
pub fn seconds(text: &str) -> Result<f64, OutOfRange> {
    text.parse::<f64>().ok().filter(|seconds| (1e-3..=1e9).contains(seconds)).ok_or(OutOfRange)
}
