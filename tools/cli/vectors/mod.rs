//! `mlopt test --vectors FILE`: translates the programs in a file of test vectors, differentiates them, runs them with
//! every runner, and compares the results. Files of reactive and of functional programs have formats of their own
//! (`streams.rs`, `functions.rs`).

mod by_kind;
mod compare;
mod compiled_functions;
mod configurations;
mod dispatch;
mod file;
mod function_cases;
pub mod functions;
mod passes;
mod program;
mod pullbacks;
mod read;
mod request;
mod score;
mod stream_primitives;
pub mod streams;
mod structures;

pub use configurations::Runner;
pub use read::ReadError;
pub use request::Mode;

use configurations::Configuration;
use file::{File, Vector};
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::ir::Op;
use mlopt_dialects::{lambda, text};
use mlopt_functions::run::Stop;
use mlopt_lowering::native::{self, Target};
use mlopt_runtime::streams::compiled::CompileError;
use passes::Diagnostics;
use program::{Check, Program};
use score::Cell;
use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use streams::Rejected;

/// The stack size of each thread that runs programs, in bytes of address space. Passes recurse with the program's
/// nesting.
const STACK: usize = 1 << 30;

/// The reason why vectors do not run, or why one fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read `{path}`: {error}")]
    File { path: String, error: std::io::Error },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("no {0} matches")]
    NoMatch(&'static str),
    #[error("not supported: none of the selected cases can be run")]
    NoWay,
    #[error("{place}: {error}")]
    At { place: String, error: Box<Error> },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Import(#[from] text::Problem),
    #[error("{0} is not valid")]
    Invalid(&'static str),
    #[error(transparent)]
    Rejected(#[from] Rejected),
    #[error(transparent)]
    Passes(#[from] Diagnostics),
    #[error(transparent)]
    Node(#[from] CompileError),
    #[error(transparent)]
    Code(#[from] native::Error),
    #[error(transparent)]
    Stop(#[from] Stop),
    #[error(transparent)]
    Evaluator(#[from] EvalError),
    #[error(transparent)]
    Functions(#[from] lambda::eval::Error),
    #[error("internal error: {0}")]
    Panic(String),
    /// A fact that does not hold, or that cannot be checked.
    #[error("{0}")]
    Wrong(String),
}

impl Error {
    /// Adds a place in front of the error.
    fn at(self, place: impl Display) -> Error {
        Error::At { place: place.to_string(), error: Box::new(self) }
    }
}

/// Returns a function of a program of a case.
fn function(module: Op, name: &str) -> Result<Op, Error> {
    module.lookup(name).ok_or_else(|| Error::Wrong(format!("expected a function `@{name}`, found none")))
}

fn wrong<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Wrong(text.into()))
}

/// The vectors to run, and their file.
pub struct Selection<'a> {
    pub path: &'a Path,
    /// The runners; all if empty.
    pub runners: &'a [Runner],
    /// The mode; both if absent.
    pub mode: Option<Mode>,
    /// The filter of ids; all if absent.
    pub filter: Option<&'a fancy_regex::Regex>,
    pub jobs: usize,
    pub verbose: bool,
}

/// Returns the programs of a file of vectors by id, each with the requests for its derivatives.
pub fn texts(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let file = file::parse(&load(path)?).map_err(|e| Error::from(e).at(path.display()))?;
    let whole = |vector: &Vector| {
        let program = program::program(vector)?;
        let mut seen = std::collections::HashSet::from(["f"]);
        let requests = program.checks.iter().filter(|c| seen.insert(c.function.as_str())).map(|c| c.text.as_str());
        Ok((vector.id.clone(), std::iter::once(program.text.as_str()).chain(requests).collect::<Vec<_>>().join("\n")))
    };
    file.vectors.iter().map(whole).collect()
}

fn load(path: &Path) -> Result<serde_json::Value, Error> {
    let unreadable = |error| Error::File { path: path.display().to_string(), error };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    serde_json::from_str(&text).map_err(|e| Error::from(e).at(path.display()))
}

/// Runs the vectors and prints the scoreboard. Returns whether none failed.
pub fn run(selection: &Selection) -> Result<bool, Error> {
    let json = load(selection.path)?;
    mlopt_lowering::register_passes();
    let passed = if streams::is_one(&json) {
        dispatch::streams(&json, selection)
    } else if functions::is_one(&json) {
        dispatch::functions(&json, selection)
    } else {
        arrays(&json, selection)
    };
    passed.map_err(|e| e.at(selection.path.display()))
}

/// Runs the vectors of a file of programs of arrays.
fn arrays(json: &serde_json::Value, selection: &Selection) -> Result<bool, Error> {
    let mut file = file::parse(json)?;
    if let Some(filter) = selection.filter {
        file.vectors.retain(|v| filter.is_match(&v.id).unwrap_or(false));
    }
    if file.vectors.is_empty() {
        return Err(Error::NoMatch("vector"));
    }
    let wanted = |configuration: &Configuration| {
        (selection.runners.is_empty() || selection.runners.contains(&configuration.runner))
            && selection.mode.is_none_or(|mode| mode == configuration.mode)
    };
    let configurations: Vec<Configuration> = configurations::all().filter(wanted).collect();
    let rows = all(&file, &configurations, selection)?;
    if selection.verbose {
        for (vector, row) in file.vectors.iter().zip(&rows) {
            println!("// {}\n{}", vector.id, row.text);
        }
    }
    let cells: Vec<Vec<Cell>> = rows.into_iter().map(|row| row.cells).collect();
    print!("{}", score::table(&file, &configurations, &cells, selection.verbose));
    Ok(cells.iter().flatten().all(|cell| !matches!(cell, Cell::Failed(_))))
}

/// Returns one row for each vector, with one cell for each configuration.
fn all(file: &File, configurations: &[Configuration], selection: &Selection) -> Result<Vec<Row>, Error> {
    let (next, (send, receive)) = (AtomicUsize::new(0), channel());
    std::thread::scope(|scope| {
        for _ in 0..selection.jobs.min(file.vectors.len()) {
            let (send, next) = (send.clone(), &next);
            let work = move || match Target::host() {
                Ok(target) => {
                    let indices = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                    for (i, vector) in indices.map_while(|i| Some((i, file.vectors.get(i)?))) {
                        if send.send(Ok((i, row(file, vector, configurations, &target)))).is_err() {
                            break;
                        }
                    }
                }
                Err(e) => drop(send.send(Err(e))),
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.map_err(Error::Thread)?;
        }
        drop(send);
        let mut rows = receive.into_iter().collect::<Result<Vec<(usize, Row)>, native::Error>>()?;
        rows.sort_by_key(|(i, _)| *i);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    })
}

/// A vector in every configuration.
struct Row {
    /// The imported program; empty if there is none.
    text: String,
    cells: Vec<Cell>,
}

fn row(file: &File, vector: &Vector, configurations: &[Configuration], target: &Target) -> Row {
    match program::program(vector) {
        Ok(program) => {
            let cells = configurations.iter().map(|configuration| cell(file, &program, configuration, target));
            Row { cells: cells.collect(), text: program.text }
        }
        Err(e) => {
            let failed = |_| Cell::Failed(vec![("import".into(), e.to_string())]);
            Row { text: String::new(), cells: configurations.iter().map(failed).collect() }
        }
    }
}

fn cell(file: &File, program: &Program, configuration: &Configuration, target: &Target) -> Cell {
    if !configuration.missing().is_empty() {
        return Cell::NotRun;
    }
    let checks: Vec<&Check> = program.checks.iter().filter(|c| c.mode == configuration.mode).collect();
    if checks.is_empty() {
        return Cell::Nothing;
    }
    let mut failures = vec![];
    for (check, found) in checks.iter().zip(configuration.run(program, &checks, target)) {
        let problem = match found {
            Ok(found) => compare::difference(file, &found, &check.expected),
            Err(problem) => Some(problem.to_string()),
        };
        failures.extend(problem.map(|text| (check.name.clone(), text)));
    }
    if failures.is_empty() { Cell::Passed(checks.len()) } else { Cell::Failed(failures) }
}
