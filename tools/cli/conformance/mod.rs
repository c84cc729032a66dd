//! `mlopt test --stablehlo`: runs programs of StableHLO that contain their inputs and expected results.
//!
//! Such a program is a function `@main` without arguments that passes computed and expected values to calls of
//! `check.expect_eq`, `check.expect_close` or `check.expect_almost_eq`, as the conformance tests of StableHLO do. It is
//! imported, evaluated by the reference evaluator, and compiled; the values of both are compared with the expected
//! ones. The verdict is *right*, *refused* (the program or a part of it is not supported) or *wrong*. Each program runs
//! in a process of its own.
//!
//! Other programs, such as those with sizes as arguments, contain no expected values, so that they are never right.
//! They are wrong if evaluator and compiled code disagree for arguments of a fixed size, and refused otherwise.

mod compare;
mod program;

use crate::parallel::in_parallel;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read `{}`: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("expected a folder with .mlir, .mlirbc or .bc files, found none in `{}`", .0.display())]
    Empty(PathBuf),
    #[error("cannot find this executable: {0}")]
    Executable(std::io::Error),
}

/// The outcome of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// The reason.
    Refused(String),
    /// The difference.
    Wrong(String),
}

impl Verdict {
    /// Reads the line that the process of a program prints.
    fn read(line: &str) -> Option<Verdict> {
        match line.split_once(": ") {
            Some(("refused", text)) => Some(Verdict::Refused(text.to_string())),
            Some(("wrong", text)) => Some(Verdict::Wrong(text.to_string())),
            _ => (line == "right").then_some(Verdict::Right),
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Verdict::Right => f.write_str("right"),
            Verdict::Refused(text) => write!(f, "refused: {text}"),
            Verdict::Wrong(text) => write!(f, "wrong: {text}"),
        }
    }
}

/// Runs the programs below a folder, or one file. Prints the verdicts that are not `right`, all of them if `verbose`,
/// and their counts. Returns false if a program is wrong.
pub fn run(
    path: &Path,
    filter: Option<&fancy_regex::Regex>,
    jobs: usize,
    timeout: u64,
    verbose: bool,
) -> Result<bool, Error> {
    if path.is_file() {
        let verdict = program::run(path);
        println!("{verdict}");
        return Ok(!matches!(verdict, Verdict::Wrong(_)));
    }
    let mut files = Vec::new();
    find(path, &mut files).map_err(|error| Error::Read { path: path.to_path_buf(), error })?;
    files.retain(|file| filter.is_none_or(|filter| filter.is_match(&file.to_string_lossy()).unwrap_or(false)));
    files.sort();
    if files.is_empty() {
        return Err(Error::Empty(path.to_path_buf()));
    }
    let mlopt = std::env::current_exe().map_err(Error::Executable)?;
    let timeout = Duration::from_secs(timeout);
    let report = |file: &PathBuf, verdict: &Verdict| {
        if verbose || *verdict != Verdict::Right {
            println!("{}: {verdict}", file.strip_prefix(path).unwrap_or(file).display());
        }
    };
    let verdicts = in_parallel(&files, jobs, |_, file| in_process(&mlopt, file, timeout), report);
    let mut counts = [0; 3];
    for verdict in &verdicts {
        counts[match verdict {
            Verdict::Right => 0,
            Verdict::Refused(_) => 1,
            Verdict::Wrong(_) => 2,
        }] += 1;
    }
    println!("right {}, refused {}, wrong {}", counts[0], counts[1], counts[2]);
    Ok(counts[2] == 0)
}

/// Collects the programs below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|e| ["mlir", "mlirbc", "bc"].iter().any(|known| e == *known)) {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs one program in a process of its own.
fn in_process(mlopt: &Path, file: &Path, timeout: Duration) -> Verdict {
    let mut command = Command::new(mlopt);
    command.arg("test").arg("--stablehlo").arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Verdict::Wrong(format!("cannot start a process: {error}")),
    };
    let start = std::time::Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() > timeout => {
                let _ = child.kill();
                let _ = child.wait();
                return Verdict::Wrong(format!("not finished after {} s", timeout.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Verdict::Wrong(error.to_string()),
        }
    }
    let Ok(output) = child.wait_with_output() else { return Verdict::Wrong("cannot read its output".to_string()) };
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.lines().last().and_then(Verdict::read);
    verdict.unwrap_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        Verdict::Wrong(format!("{}: {}", output.status, errors.lines().next().unwrap_or_default()))
    })
}
