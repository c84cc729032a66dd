//! Parallel work on the items of a list, with a progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

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

/// Returns a progress bar, which is hidden unless the error stream is a terminal.
fn progress(items: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} tests");
    let bar = ProgressBar::new(items as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
