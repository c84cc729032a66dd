//! The chores of this repository, as `cargo xtask CHORE`; `cargo xtask` lists them.
#![forbid(unsafe_code)]

#[cfg(test)]
mod constraints;
mod docs;
mod faults;
mod new_pass;
#[cfg(test)]
mod readme;
mod rivals;
#[cfg(test)]
mod setup;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask CHORE
  check          formatting, lints and every test, as continuous integration runs them
  bless          rewrites the expectations of tests and tools/bench/counts.txt; read the difference before you commit it
  bless counts [--reason TEXT]
                 rewrites tools/bench/counts.txt alone; counts that grow by more than 3 % need a reason
  docs           writes docs/generated/ from the .td files
  docs --check   fails when docs/generated/ is not what `docs` would write
  faults [WORD]  plants faults in a copy of the sources, turns them on one at a time, and runs the test that must find it
  rivals [cpu|streams|functions]... [--harness DIR]
                 measures what docs/benchmarks shows, and rewrites the tables there
  random [OPTION ...]  compiles random programs at real sizes and compares them with the evaluator; --help lists options
  new pass NAME  writes passes/NAME.rs and passes/NAME.mlir and lists the pass in passes/lib.rs";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["check"] => check(),
        ["bless"] => {
            cargo(&["run", "--release", "--package", "mlopt", "--", "test", "--bless"]).and_then(|()| bless_counts(&[]))
        }
        ["bless", "counts"] => bless_counts(&[]),
        ["bless", "counts", "--reason", text] => bless_counts(&["--reason", text]),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["faults"] => faults::run(""),
        ["faults", word] => faults::run(word),
        ["rivals", words @ ..] => rivals::run(words),
        ["random", options @ ..] => random(options),
        ["new", "pass", name] => new_pass::write(name),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

/// Fails on the first thing that is wrong, cheapest first.
fn check() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    docs::check()?;
    cargo(&["clippy", "--release", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    cargo(&["test", "--release", "--workspace"])
}

/// Counts instructions and writes them down.
fn bless_counts(further: &[&str]) -> Result<(), String> {
    let run = ["run", "--release", "--package", "mlopt-bench", "--", "--check", "counts", "--bless"];
    cargo(&[&run, further].concat())
}

/// Random programs: the long run of what `random_programs` has a share of.
fn random(options: &[&str]) -> Result<(), String> {
    let run = ["run", "--release", "--package", "mlopt-testkit", "--bin", "mlopt-random", "--"];
    cargo(&[&run[..], options].concat())
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    println!("$ cargo {}", arguments.join(" "));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo).args(arguments).current_dir(root()).status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`cargo {}` did not succeed", arguments.join(" "))) }
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("tools/xtask is in the repository")
}
