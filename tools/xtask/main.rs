//! The commands of this repository, as `cargo xtask COMMAND`; `cargo xtask` lists them.
#![forbid(unsafe_code)]

mod claims;
#[cfg(test)]
mod constraints;
mod copy;
mod docs;
mod error;
mod exercise;
mod faults;
mod fuzz;
mod install;
mod layout;
mod new_pass;
mod op_names;
mod patch;
#[cfg(test)]
mod readme;
mod rivals;
mod rules;
#[cfg(test)]
mod setup;
mod tree;

use error::{Context, Error};
use std::path::Path;
use std::process::{Command, ExitCode};
use tree::root;

const USAGE: &str = "\
usage: cargo xtask CHORE
  check          formatting, lints and every test
  check layout   counts the folders of each crate that depend on each other in cycles, and long lines
  check ops      counts the names of ops that are string literals
  check claims   compares what docs/ARCHITECTURE.md says about unsafe code, crates, oracles and CI with the sources
  check rules    counts the rules of the optimiser that are text, and those that are functions
  bless          rewrites the expectations of tests and tools/bench/counts.txt; read the difference before you commit it
  bless counts [--reason TEXT]
                 rewrites tools/bench/counts.txt alone; counts that grow by more than 3 % need a reason
  docs           writes docs/generated/ from the .td files
  docs --check   fails when docs/generated/ is not what `docs` would write
  exercise       adds an op to a copy of the sources, as the tutorial does, and runs all tests there
  exercise --check  only compiles that copy, with all faults, without C++ and without code generation
  faults [WORD]  plants faults in a copy of the sources, turns on those of the list WORD or with WORD in their names, \
      one at a time, and runs the test that must find it
  fuzz [--count N] [--seed S] [--jobs N] [--mlopt FILE]
                 mutants of the project's text files through passes and subcommands: no internal error, no hang
  fuzz files     the files as they are, through every pass and pipeline
  random [OPTION ...]  compiles random programs at real sizes and compares them with the evaluator; --help lists options
  install --prefix DIR
                 builds and installs the C library, its headers and the command line
  install --libraries --prefix DIR --built DIR
                 only the library and its headers, from the folder of a build
  rivals [cpu|streams|functions]... [--harness DIR]
                 measures what docs/benchmarks shows, and rewrites the tables there
  new pass FOLDER/NAME  writes passes/FOLDER/NAME.rs and NAME.mlir, and lists the pass in passes/lib.rs";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["check"] => check(),
        ["check", "layout"] => layout::check(),
        ["check", "ops"] => op_names::check(),
        ["check", "claims"] => claims::check(),
        ["check", "rules"] => rules::check(),
        ["bless"] => program("mlopt", &["test", "--bless"]).and_then(|()| bless_counts(&[])),
        ["bless", "counts"] => bless_counts(&[]),
        ["bless", "counts", "--reason", text] => bless_counts(&["--reason", text]),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["exercise"] => exercise::run(),
        ["exercise", "--check"] => exercise::check(),
        ["faults"] => faults::run(""),
        ["faults", word] => faults::run(word),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["install", "--prefix", prefix] => install::run(Path::new(prefix)),
        ["install", "--libraries", "--prefix", prefix, "--built", built] => {
            install::libraries(Path::new(prefix), Path::new(built))
        }
        ["random", options @ ..] => random(options),
        ["rivals", words @ ..] => rivals::run(words),
        ["new", "pass", name] => new_pass::write(name),
        _ => Err(Error::Unexpected(USAGE.into())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all checks, cheapest first, until one fails.
fn check() -> Result<(), Error> {
    cargo(&["fmt", "--all", "--check"])?;
    tree_is_within_bounds()?;
    cargo(&["clippy", "--release", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    cargo(&["test", "--release", "--workspace"])
}

/// Compares the tree with what it promises: generated pages, layout, names of ops, claims of documents, rules.
fn tree_is_within_bounds() -> Result<(), Error> {
    docs::check()?;
    layout::check()?;
    op_names::check()?;
    claims::check()?;
    rules::check()
}

/// Runs random programs; the test `random_programs` runs some of them.
fn random(options: &[&str]) -> Result<(), Error> {
    program("mlopt-random", options)
}

/// Counts instructions and records them.
fn bless_counts(further: &[&str]) -> Result<(), Error> {
    program("mlopt-bench", &[&["--check", "counts", "--bless"], further].concat())
}

/// Builds the whole workspace, so that no dependency is built twice, and runs one of our programs.
fn program(name: &str, arguments: &[&str]) -> Result<(), Error> {
    cargo(&["build", "--release", "--workspace"])?;
    run(
        Command::new(root().join("target/release").join(name)).args(arguments),
        &format!("{name} {}", arguments.join(" ")),
    )
}

fn cargo(arguments: &[&str]) -> Result<(), Error> {
    // As in the Makefile: the use of freed memory fails at once.
    run(tree::cargo().env("MALLOC_PERTURB_", "165").args(arguments), &format!("cargo {}", arguments.join(" ")))
}

fn run(command: &mut Command, text: &str) -> Result<(), Error> {
    println!("$ {text}");
    let status = command.current_dir(root()).status().context(text)?;
    if status.success() { Ok(()) } else { Err(Error::Program(format!("`{text}` did not succeed"))) }
}

#[test]
fn the_tree_is_within_its_bounds() {
    if let Err(error) = tree_is_within_bounds() {
        panic!("{error}");
    }
}
