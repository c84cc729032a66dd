//! `mlopt-random`: generates and checks random programs of real sizes. `cargo xtask random` runs it.
#![forbid(unsafe_code)]

use clap::Parser;
use mlopt_testkit::random::builder::Form;
use mlopt_testkit::random::campaign::{self, Campaign, Error};
use mlopt_testkit::random::generate;
use std::process::ExitCode;

/// The allocator of `mlopt`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Compile random programs in three size forms and compare them with the reference evaluator
#[derive(Parser)]
#[command(name = "mlopt-random")]
struct Cli {
    #[command(flatten)]
    campaign: Campaign,
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
        print!("{}", generate(cli.campaign.first, form, &[]).text);
        return ExitCode::SUCCESS;
    }
    let outcome = if cli.worker.is_empty() {
        run(&cli.campaign)
    } else {
        campaign::work(cli.worker.into_iter(), &cli.campaign.folder).map(|()| true)
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
fn run(campaign: &Campaign) -> Result<bool, Error> {
    let tally = campaign.run(&std::env::current_exe()?)?;
    println!("{tally}");
    Ok(tally.failed().is_empty())
}
