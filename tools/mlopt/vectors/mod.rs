//! `mlopt test --vectors FILE`: translates the programs in a file of test vectors, differentiates them, runs them in
//! every way, and compares the results. Files of reactive and of functional programs have formats of their own
//! (`streams.rs`, `functions.rs`).

mod by_kind;
mod compare;
mod compiled_functions;
mod dispatch;
mod file;
mod function_cases;
pub mod functions;
mod program;
mod pullbacks;
mod read;
mod request;
mod score;
mod stream_primitives;
mod streams;
mod structures;
mod ways;

pub use request::Mode;
pub use ways::WayName;

use file::{File, Vector};
use program::{Check, Program};
use score::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use ways::{Way, Workshop};

/// The stack size of each thread that runs programs, in bytes of address space. Passes recurse with the program's
/// nesting.
const STACK: usize = 1 << 30;

/// The vectors to run, and their file.
pub struct Selection<'a> {
    pub path: &'a Path,
    /// The ways; all if empty.
    pub ways: &'a [WayName],
    /// The mode; both if absent.
    pub mode: Option<Mode>,
    /// The filter of ids; all if absent.
    pub filter: Option<&'a fancy_regex::Regex>,
    pub jobs: usize,
    pub verbose: bool,
}

/// Returns the programs of a file of vectors by id, each with the requests for its derivatives.
pub fn texts(path: &Path) -> Result<Vec<(String, String)>, String> {
    let file = file::parse(&load(path)?).map_err(|e| format!("{}: {e}", path.display()))?;
    let whole = |vector: &Vector| {
        let program = program::program(vector)?;
        let mut seen = std::collections::HashSet::from(["f"]);
        let requests = program.checks.iter().filter(|c| seen.insert(c.function.as_str())).map(|c| c.text.as_str());
        Ok((vector.id.clone(), std::iter::once(program.text.as_str()).chain(requests).collect::<Vec<_>>().join("\n")))
    };
    file.vectors.iter().map(whole).collect()
}

fn load(path: &Path) -> Result<serde_json::Value, String> {
    let place = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read `{place}`: {e}"))?;
    serde_json::from_str(&text).map_err(|e| format!("{place}: {e}"))
}

/// Runs the vectors and prints the scoreboard. Returns whether none failed.
pub fn run(selection: &Selection) -> Result<bool, String> {
    let place = selection.path.display();
    let json = load(selection.path)?;
    if streams::is_one(&json) {
        mlopt_lowering::register_passes();
        return dispatch::streams(&json, selection).map_err(|e| format!("{place}: {e}"));
    }
    if functions::is_one(&json) {
        mlopt_lowering::register_passes();
        return dispatch::functions(&json, selection).map_err(|e| format!("{place}: {e}"));
    }
    let mut file = file::parse(&json).map_err(|e| format!("{place}: {e}"))?;
    if let Some(filter) = selection.filter {
        file.vectors.retain(|v| filter.is_match(&v.id).unwrap_or(false));
    }
    if file.vectors.is_empty() {
        return Err(format!("{place}: no vector matches"));
    }
    mlopt_lowering::register_passes();
    let wanted = |way: &Way| {
        (selection.ways.is_empty() || selection.ways.contains(&way.name))
            && selection.mode.is_none_or(|mode| mode == way.mode)
    };
    let ways: Vec<Way> = ways::all().filter(wanted).collect();
    let rows = all(&file, &ways, selection)?;
    if selection.verbose {
        for (vector, row) in file.vectors.iter().zip(&rows) {
            println!("// {}\n{}", vector.id, row.text);
        }
    }
    let cells: Vec<Vec<Cell>> = rows.into_iter().map(|row| row.cells).collect();
    print!("{}", score::table(&file, &ways, &cells, selection.verbose));
    Ok(cells.iter().flatten().all(|cell| !matches!(cell, Cell::Failed(_))))
}

/// Returns one row for each vector, with one cell for each way.
fn all(file: &File, ways: &[Way], selection: &Selection) -> Result<Vec<Row>, String> {
    let (next, (send, receive)) = (AtomicUsize::new(0), channel());
    std::thread::scope(|scope| {
        for _ in 0..selection.jobs.min(file.vectors.len()) {
            let (send, next) = (send.clone(), &next);
            let work = move || {
                let workshop = Workshop::new();
                while let Some((i, vector)) = take(next, &file.vectors) {
                    let row = match &workshop {
                        Ok(workshop) => Ok(row(file, vector, ways, workshop)),
                        Err(e) => Err(e.clone()),
                    };
                    if send.send((i, row)).is_err() {
                        break;
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.map_err(|e| format!("cannot start a thread: {e}"))?;
        }
        drop(send);
        let mut rows: Vec<(usize, Row)> = vec![];
        for (i, row) in receive {
            rows.push((i, row?));
        }
        rows.sort_by_key(|(i, _)| *i);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    })
}

fn take<'v>(next: &AtomicUsize, vectors: &'v [Vector]) -> Option<(usize, &'v Vector)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    vectors.get(i).map(|v| (i, v))
}

/// A vector in every way.
struct Row {
    /// The imported program; empty if there is none.
    text: String,
    cells: Vec<Cell>,
}

fn row(file: &File, vector: &Vector, ways: &[Way], workshop: &Workshop) -> Row {
    match program::program(vector) {
        Ok(program) => {
            let cells = ways.iter().map(|way| cell(file, &program, way, workshop)).collect();
            Row { text: program.text, cells }
        }
        Err(e) => {
            let failed = |_| Cell::Failed(vec![("import".into(), e.clone())]);
            Row { text: String::new(), cells: ways.iter().map(failed).collect() }
        }
    }
}

fn cell(file: &File, program: &Program, way: &Way, workshop: &Workshop) -> Cell {
    if !way.missing().is_empty() {
        return Cell::NotRun;
    }
    let checks: Vec<&Check> = program.checks.iter().filter(|c| c.mode == way.mode).collect();
    if checks.is_empty() {
        return Cell::Nothing;
    }
    let mut failures = vec![];
    for (check, found) in checks.iter().zip(workshop.run(way, program, &checks)) {
        let problem = match found {
            Ok(found) => compare::difference(file, &found, &check.expected),
            Err(problem) => Some(problem),
        };
        failures.extend(problem.map(|text| (check.name.clone(), text)));
    }
    if failures.is_empty() { Cell::Passed(checks.len()) } else { Cell::Failed(failures) }
}
