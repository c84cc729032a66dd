//! Measurements of speed. Each also checks the results of the measured programs: `cargo run --release -p mlopt-bench --
//! grad-dot`.

mod chain;
mod counts;
mod error;
mod folder;
mod foreign;
mod functions;
mod grad_dot;
mod optimiser;
mod startup;
mod streams;
mod timing;

use clap::{Parser, Subcommand, ValueEnum};
use error::Error;

/// The allocator of `mlopt`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(name = "mlopt-bench", about = "Measurements of mlopt; build with --release")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Exit with status 1 if a bound that the project promises is exceeded
    #[arg(long, global = true)]
    check: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Time of the gradient of a dot product by size, optimised and unoptimised
    GradDot,
    /// Time from program text to the first result of the gradient of a dot product
    Latency,
    /// Time to differentiate and compile chains of up to 10,000 links, by length
    Chain,
    /// The tables of docs/optimiser.md: growth, time and memory of egg-optimize
    Optimiser {
        /// Tables to print; all by default
        tables: Vec<optimiser::Table>,
    },
    /// Optimise one file: seconds and further megabytes
    Optimise { file: std::path::PathBuf },
    /// Reactive nodes against hand-written C, and the time to compile them
    Streams {
        /// Tables to print; all by default
        tables: Vec<streams::Table>,
    },
    /// Programs with functions as values, compared with first-order programs and C, and the time to compile derivatives
    Functions {
        /// Tables to print; all by default
        tables: Vec<functions::Table>,
    },
    /// Instructions of compiled programs and of the compiler, compared with those recorded in tools/bench/counts.txt
    Counts {
        /// Write the file instead
        #[arg(long)]
        bless: bool,
        /// Reason why counts grow by more than 3 %
        #[arg(long, value_name = "TEXT", requires = "bless")]
        reason: Option<String>,
    },
    /// Exponents of the growth of instructions with the size of programs, from programs of four times the size
    Growth,
    /// Run the code that `counts` and `growth` count in valgrind
    #[command(hide = true)]
    Counted {
        /// A part of the cases of `growth`
        #[arg(long)]
        growth: Option<usize>,
    },
    /// Start-up time of mlopt on a trivial module, compared with mlir-opt
    Startup {
        /// The mlir-opt to compare with
        #[arg(long, default_value = "/usr/lib/llvm-19/bin/mlir-opt")]
        mlir_opt: String,
        /// The mlopt to measure; by default the one next to this program
        #[arg(long)]
        mlopt: Option<std::path::PathBuf>,
    },
}

fn main() {
    let cli = Cli::parse();
    if cfg!(debug_assertions) {
        eprintln!("this is a debug build: compile times are several times too long");
    }
    let outcome = match cli.command {
        Command::GradDot => grad_dot::scaling(),
        Command::Chain => chain::scaling(),
        Command::Optimiser { tables } => print(&tables, optimiser::Table::print),
        Command::Optimise { file } => optimiser::once(&file),
        Command::Streams { tables } => print(&tables, streams::Table::print),
        Command::Functions { tables } => print(&tables, functions::Table::print),
        Command::Counts { bless: true, reason } => counts::bless(reason.as_deref()),
        Command::Counts { bless: false, .. } => counts::check(),
        Command::Growth => counts::growth::check(),
        Command::Counted { growth } => counts::counted(growth),
        Command::Latency => grad_dot::latency(),
        Command::Startup { mlir_opt, mlopt } => startup::compare(&mlir_opt, mlopt),
    };
    match outcome {
        Ok(true) => {}
        Ok(false) if !cli.check => {}
        Ok(false) => std::process::exit(1),
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
    }
}

/// Prints the head of a table in Markdown, from its first line.
fn print_head(titles: &str) {
    println!("{titles}\n|{}", "---|".repeat(titles.matches('|').count() - 1));
}

/// Prints the wanted tables, or all of them. Returns false if a bound does not hold.
fn print<T: ValueEnum + PartialEq>(wanted: &[T], print: fn(&T) -> Result<bool, Error>) -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    let mut tables = T::value_variants().iter().filter(|table| wanted.is_empty() || wanted.contains(table));
    tables.try_fold(true, |is_fine, table| Ok(print(table)? && is_fine))
}
