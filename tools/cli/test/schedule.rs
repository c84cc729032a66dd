//! Parallel execution of tests. Reports appear in the order of the list.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use indicatif::{ProgressBar, ProgressStyle};

use super::discover::Test;
use super::{Error, Outcome};

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

/// Applies `run` to every item on `jobs` threads, and `report` to every item with its outcome in the order of `items`.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    run: impl Fn(usize, &T) -> R + Sync,
    report: impl Fn(&T, &R),
) -> Vec<R> {
    let bar = progress(items.len());
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    let mut outcomes = Vec::with_capacity(items.len());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (send, next, run) = (send.clone(), &next, &run);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    if send.send((i, run(i, item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        for (i, outcome) in receive {
            bar.inc(1);
            early.insert(i, outcome);
            while let Some(outcome) = early.remove(&outcomes.len()) {
                bar.suspend(|| report(&items[outcomes.len()], &outcome));
                outcomes.push(outcome);
            }
        }
    });
    bar.finish_and_clear();
    outcomes
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

/// Returns a progress bar, which is hidden unless the error stream is a terminal.
fn progress(tests: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} tests");
    let bar = ProgressBar::new(tests as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
