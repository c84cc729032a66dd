//! The scoreboard of files whose vectors have kinds: each vector runs with every runner, and each kind has a line.

use super::configurations::Runner;
use super::read::read;
use super::{Error, Selection};
use serde::Deserialize;
use serde_json::Value as Json;

/// The reference evaluator or interpreter, machine code, and machine code after `egg-optimize`.
pub const RUNNERS: [Runner; 3] = [Runner::Eval, Runner::Jit, Runner::Egg];

/// The outcome of a vector that has not failed with one runner.
pub enum Outcome {
    Passed,
    /// The runner does not support the vector.
    NotRun,
    /// The vector does not apply to this runner.
    NotAbout,
}

/// The numbers of passed, failed and skipped vectors.
pub type Counts = [usize; 3];

/// The fields of every vector.
#[derive(Deserialize)]
pub struct Head {
    pub id: String,
    pub kind: String,
}

/// Runs the vectors in the list `key` of a file, and prints a scoreboard. A vector that cannot be read has failed; the
/// others run. Returns the counts of all kinds and runners, or `None` if no vector matches. The last
/// argument of `check` is the path of the vector in the file.
pub fn run(
    key: &str,
    vectors: &[Json],
    selection: &Selection,
    check: impl Fn(Runner, &Head, &Json, &str) -> Result<Outcome, Error>,
) -> Option<Counts> {
    let mut kinds: Vec<(String, [Counts; 3])> = Vec::new();
    for (i, json) in vectors.iter().enumerate() {
        let path = format!("{key}[{i}]");
        let text = |field: &str, default: &str| json[field].as_str().unwrap_or(default).to_string();
        let (id, kind) = (text("id", &path), text("kind", "no kind"));
        if selection.filter.is_some_and(|f| !f.is_match(&id).unwrap_or(false)) {
            continue;
        }
        let k = kinds.iter().position(|(k, _)| *k == kind).unwrap_or_else(|| {
            kinds.push((kind, [[0; 3]; 3]));
            kinds.len() - 1
        });
        for (runner, counts) in RUNNERS.into_iter().zip(&mut kinds[k].1) {
            if !selection.runners.is_empty() && !selection.runners.contains(&runner) {
                continue;
            }
            let head = read::<Head>(json, &path).map_err(Error::from);
            match head.and_then(|head| check(runner, &head, json, &path)) {
                Ok(Outcome::Passed) => counts[0] += 1,
                Ok(Outcome::NotRun) => counts[2] += 1,
                Ok(Outcome::NotAbout) => {}
                Err(error) => {
                    counts[1] += 1;
                    println!("FAILED {id}, {}: {error}", title(runner));
                }
            }
        }
        if selection.verbose {
            println!("{id}");
        }
    }
    if kinds.is_empty() {
        return None;
    }
    print!("{}", scoreboard(&kinds));
    Some(sum(kinds.iter().flat_map(|(_, counts)| counts)))
}

/// Adds counts.
fn sum<'c>(counts: impl Iterator<Item = &'c Counts>) -> Counts {
    counts.fold([0; 3], |sum, counts| std::array::from_fn(|k| sum[k] + counts[k]))
}

fn title(runner: Runner) -> String {
    format!("{runner:?}").to_lowercase()
}

/// Returns a line for each kind, and one for all, with a column for each runner.
fn scoreboard(kinds: &[(String, [Counts; 3])]) -> String {
    let width = kinds.iter().map(|(name, _)| name.len() + 1).max().unwrap_or(0).max(8);
    let head: String = RUNNERS.iter().map(|&runner| format!("{:>13}", title(runner))).collect();
    let cell = |[passed, failed, not_run]: &Counts| match (passed + failed + not_run, passed + failed) {
        (0, _) => format!("{:>13}", "-"),
        (_, 0) => format!("{:>13}", "not run"),
        (all, _) => format!("{:>13}", format!("{passed}/{all}")),
    };
    let row = |name: &str, counts: &[Counts; 3]| {
        format!("{name:width$}{}", counts.iter().map(cell).collect::<String>()).trim_end().to_string() + "\n"
    };
    let all = std::array::from_fn(|k| sum(kinds.iter().map(|(_, counts)| &counts[k])));
    let rows: String = kinds.iter().map(|(name, counts)| row(name, counts)).collect();
    format!("{:width$}{head}\n{rows}{}", "", row("all", &all))
}
