//! Execution of tests. Reports appear in the order of the list.

use super::discover::Test;
use super::{Error, Outcome};
use crate::parallel::in_parallel;

/// Runs every test on `jobs` threads. Prints failures and skips (with `verbose`, all outcomes) in the order of `tests`.
///
/// An `Err` of `run` is treated as a failure.
pub(super) fn run(
    tests: &[Test],
    jobs: usize,
    verbose: bool,
    run: impl Fn(usize, &Test) -> Result<Outcome, Error> + Sync,
) -> Vec<Outcome> {
    let outcome = |i: usize, test: &Test| run(i, test).unwrap_or_else(|e| Outcome::Fail(e.to_string()));
    in_parallel(tests, jobs, outcome, |test, outcome| report(test, outcome, verbose))
}

fn report(test: &Test, outcome: &Outcome, verbose: bool) {
    match outcome {
        Outcome::Pass if verbose => println!("passed {}", test.name),
        Outcome::Pass => {}
        Outcome::Skip(needs) => println!("skipped (needs {needs}) {}", test.name),
        Outcome::Fail(message) => {
            println!("FAILED {}", test.name);
            message.lines().for_each(|line| println!("  {line}"));
        }
    }
}
