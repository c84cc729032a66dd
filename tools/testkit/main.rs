//! `mlopt-random`: generates and checks random programs of real sizes. `cargo xtask random` runs it.
#![forbid(unsafe_code)]

use clap::Parser;
use mlopt_testkit::random::builder::Form;
use mlopt_testkit::random::campaign::{self, Campaign, Error};
use mlopt_testkit::random::generate;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The allocator of `mlopt`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Compile random programs in three size forms and compare them with the reference evaluator
#[derive(Parser)]
#[command(name = "mlopt-random")]
struct Cli {
    /// Number of programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of parallel processes
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
    /// Append a line for each program to this file, and skip the seeds that it contains
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Folder for failing programs and their arguments
    #[arg(long, value_name = "FOLDER", default_value = "target/random")]
    folder: PathBuf,
    /// Seconds that one program may take
    #[arg(long, default_value_t = 600)]
    patience: u64,
    /// Print the program of --seed in this form instead
    #[arg(long, value_name = "FORM", value_parser = ["static", "dynamic", "specialised"])]
    print: Option<String>,
    /// Check these seeds in this process
    #[arg(long, value_name = "SEED,...", value_delimiter = ',', hide = true)]
    worker: Vec<u64>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(form) = &cli.print {
        let form = match form.as_str() {
            "static" => Form::Static,
            "dynamic" => Form::Dynamic,
            _ => Form::Specialised,
        };
        print!("{}", generate(cli.seed, form, &[]).text);
        return ExitCode::SUCCESS;
    }
    let outcome = if cli.worker.is_empty() {
        run(&cli)
    } else {
        campaign::work(cli.worker.into_iter(), &cli.folder).map(|()| true)
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the programs. Returns whether all agree.
fn run(cli: &Cli) -> Result<bool, Error> {
    let campaign = Campaign {
        first: cli.seed,
        count: cli.count,
        jobs: cli.jobs,
        log: cli.resume.clone(),
        folder: cli.folder.clone(),
        patience: Duration::from_secs(cli.patience),
    };
    let this = std::env::current_exe()?;
    let tally = campaign.run(&this)?;
    println!("{tally}");
    Ok(tally.failed().is_empty())
}
