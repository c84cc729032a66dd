//! `mlopt test`: runs the textual tests. This module may use the executable `mlopt`, which it starts as a process, and
//! `vectors`. It must not depend on a dialect or a pass: a test sees only texts and exit statuses.
//!
//! There are three kinds of tests: `lit` (a `.mlir` or `.test` file with RUN lines), `picture` (the blocks `mlir
//! before` and `mlir after` in the doc comment of a pass or lowering), and `document` (the blocks of a Markdown file).
//! docs/testing.md describes how to write each. Only the `sh` blocks of documents need a shell, and nothing needs
//! Python.

use crate::{conformance, vectors};
use std::path::{Path, PathBuf};
use std::time::Duration;

mod bless;
mod blocks;
mod discover;
mod document;
mod execute;
pub mod features;
pub mod filecheck;
mod lit;
mod picture;
mod schedule;
pub mod script;
pub mod shell;
mod split_file;
mod tool;

use discover::TestKind;

/// Run the tests written as text: RUN/CHECK files, before/after blocks of passes, blocks in documents
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = include_str!("../commands/help/test.txt").trim_ascii_end())]
pub struct TestArgs {
    /// Files or folders; by default those of the project: dialects passes lowering test docs README.md
    pub paths: Vec<PathBuf>,
    /// Only tests whose path, or vectors whose id, matches this regular expression
    #[arg(long, value_name = "RE")]
    pub filter: Option<String>,
    /// Number of parallel tests; by default one per core
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Print every test, not only those that fail or are skipped
    #[arg(short, long)]
    pub verbose: bool,
    /// Replace expectations of pictures and documents that differ, instead of failing; review the changes afterwards
    #[arg(long)]
    pub bless: bool,
    /// Run the programs of this file of vectors instead, with every runner, and compare their values and derivatives
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["paths", "bless", "verdicts"])]
    pub vectors: Option<PathBuf>,
    /// With --vectors: only this runner; may be repeated
    #[arg(long = "way", value_enum, value_name = "WAY", requires = "vectors")]
    pub ways: Vec<vectors::Runner>,
    /// With --vectors: only derivatives of this mode
    #[arg(long, value_enum, value_name = "MODE", requires = "vectors")]
    pub mode: Option<vectors::Mode>,
    /// Run programs of StableHLO that contain their expected values instead: all below a folder, or one file
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "bless", "verdicts", "vectors"])]
    pub stablehlo: Option<PathBuf>,
    /// Seconds that one test may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub timeout: u64,
    /// Write the verdict of each test, one line `pass PATH`, `fail PATH` or `skip PATH`, to this file
    #[arg(long, value_name = "FILE")]
    pub verdicts: Option<PathBuf>,
}

/// The reason why no tests run, or why one fails.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("--filter: {0}")]
    Filter(fancy_regex::Error),
    #[error("no test matches --filter")]
    NoMatch,
    #[error("no tests found: run in the project's folder, or name files or folders")]
    NoTests,
    #[error("`{}` is not a test: expected .mlir, .test, .md, or .rs with a code block `mlir before`", .0.display())]
    NoTest(PathBuf),
    #[error("cannot find this executable: {0}")]
    Executable(std::io::Error),
    /// The file of a test cannot be read.
    #[error("cannot read it: {0}")]
    Unreadable(std::io::Error),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Script(#[from] script::Error),
    #[error(transparent)]
    Block(#[from] blocks::Error),
    #[error(transparent)]
    Vectors(#[from] vectors::Error),
    #[error(transparent)]
    Conformance(#[from] conformance::Error),
}

/// A failed action on a file or folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {error}", .path.display())]
struct FileError {
    action: &'static str,
    path: PathBuf,
    error: std::io::Error,
}

impl FileError {
    /// Returns the conversion from an error of the file system.
    fn of(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> FileError {
        let path = path.into();
        move |error| FileError { action, path, error }
    }
}

/// The outcome of one test.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Pass,
    /// The features that this machine lacks.
    Skip(String),
    /// A readable description of the failure.
    Fail(String),
}

/// The settings common to all tests.
struct Setting {
    /// The executable under test.
    mlopt: PathBuf,
    timeout: Duration,
    /// True if expectations of pictures and documents that differ are rewritten.
    bless: bool,
}

/// Runs the tests. The exit status is 0 if none failed and none was missing.
pub fn run(args: &TestArgs) -> i32 {
    match try_run(args) {
        Ok(passed) => !passed as i32,
        Err(error) => {
            eprintln!("error: {error}");
            2
        }
    }
}

fn try_run(args: &TestArgs) -> Result<bool, Error> {
    let filter = args.filter.as_deref().map(fancy_regex::Regex::new).transpose().map_err(Error::Filter)?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())).max(1);
    if let Some(path) = &args.vectors {
        let (runners, mode, verbose) = (&args.ways, args.mode, args.verbose);
        let filter = filter.as_ref();
        return Ok(vectors::run(&vectors::Selection { path, runners, mode, filter, jobs, verbose })?);
    }
    if let Some(path) = &args.stablehlo {
        return Ok(conformance::run(path, filter.as_ref(), jobs, args.timeout, args.verbose)?);
    }
    let mut tests = discover::find(&args.paths)?;
    if let Some(filter) = &filter {
        tests.retain(|test| filter.is_match(&test.name).unwrap_or(false));
    }
    if tests.is_empty() {
        return Err(if filter.is_some() { Error::NoMatch } else { Error::NoTests });
    }
    let mlopt = std::env::current_exe().map_err(Error::Executable)?;
    let setting = Setting { mlopt, timeout: Duration::from_secs(args.timeout), bless: args.bless };
    let rooms = Rooms::new()?;
    let outcomes = schedule::run(&tests, jobs, args.verbose, |i, test| {
        let room = rooms.enter(i, test)?;
        match test.kind {
            TestKind::Lit => lit::run(&setting, &test.path, &room),
            TestKind::Picture => picture::run(&setting, &test.path, &room),
            TestKind::Document => document::run(&setting, &test.path, &room),
        }
    });
    if let Some(file) = &args.verdicts {
        let word = |outcome: &Outcome| match outcome {
            Outcome::Pass => "pass",
            Outcome::Skip(_) => "skip",
            Outcome::Fail(_) => "fail",
        };
        let lines = tests.iter().zip(&outcomes).map(|(test, outcome)| format!("{} {}\n", word(outcome), test.name));
        std::fs::write(file, lines.collect::<String>()).map_err(FileError::of("write", file))?;
    }
    let count = |of: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| of(outcome)).count();
    let passed = count(|o| matches!(o, Outcome::Pass));
    let failed = count(|o| matches!(o, Outcome::Fail(_)));
    let skipped = count(|o| matches!(o, Outcome::Skip(_)));
    if failed == 0 {
        rooms.remove();
    } else {
        println!("the files of the failed tests are kept in {}", rooms.0.display());
    }
    let skipped_text = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("{passed} passed, {failed} failed{skipped_text}");
    Ok(failed == 0)
}

/// The temporary folder of one run, with a folder for each test.
struct Rooms(PathBuf);

impl Rooms {
    fn new() -> Result<Self, FileError> {
        let mut n = 0;
        // An existing folder belongs to an earlier process, and its files may still be of interest.
        loop {
            let path = std::env::temp_dir().join(format!("mlopt-test-{}-{n}", std::process::id()));
            match std::fs::create_dir(&path).and_then(|()| path.canonicalize()) {
                Ok(path) => return Ok(Self(path)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => n += 1,
                Err(e) => return Err(FileError::of("create", path)(e)),
            }
        }
    }

    fn enter(&self, index: usize, test: &discover::Test) -> Result<PathBuf, FileError> {
        let stem = test.path.file_stem().unwrap_or_default().to_string_lossy();
        let path = self.0.join(format!("{index}-{stem}"));
        std::fs::create_dir(&path).map_err(FileError::of("create", &path))?;
        Ok(path)
    }

    fn remove(&self) {
        // An error has no consequences, because the next run has a folder of its own.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a FileCheck command line, as in `mlopt FileCheck FILE …` and RUN lines in a shell.
pub fn filecheck_main(args: &[String]) -> i32 {
    match filecheck::run(args, Path::new("."), &mut std::io::stdin().lock()) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit_status()
        }
    }
}
