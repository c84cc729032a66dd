//! Limits of the resources that a program may use at run time: memory, and steps of an evaluator. They hold for the
//! whole process. There are no limits unless [`set`] is called: the command line calls it, the library does not.

use std::sync::atomic::{AtomicU64, Ordering};

/// The default limit of memory in bytes.
pub const MEMORY: u64 = 4 << 30;
/// The default limit of evaluator steps: ops, and ends of blocks.
pub const STEPS: u64 = 30_000_000;
/// The number of steps of an evaluator between two checks of the limits of the process.
const INTERVAL: u64 = 512;

/// The maximum number of elements of one array: 2^31 doubles are 16 GiB.
const MAX_ELEMENTS: usize = 1 << 31;

static MEMORY_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static STEP_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// The number of steps that all evaluators together may still take; [`u64::MAX`] if there is no limit.
static STEPS_LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Limits the memory of the process, in bytes, and the steps that all evaluators together take from now on.
pub fn set(memory: u64, steps: u64) {
    MEMORY_LIMIT.store(memory, Ordering::Relaxed);
    STEP_LIMIT.store(steps, Ordering::Relaxed);
    STEPS_LEFT.store(steps, Ordering::Relaxed);
}

/// Checks whether the evaluators have taken all steps that they may take together.
pub fn are_steps_exhausted() -> bool {
    STEPS_LEFT.load(Ordering::Relaxed) == 0
}

/// Rejects arrays that are too large for any machine, before anything is allocated.
pub fn allocatable(shape: &[usize]) -> Result<(), String> {
    let elements = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    // Elements are assumed to have eight bytes, as most do; arrays of smaller ones are rare.
    if elements.is_some_and(|n| n as u64 > memory() / 8 && n <= MAX_ELEMENTS) {
        return Err(no_memory(&format!("an array of shape {shape:?}")));
    }
    if elements.is_some_and(|n| n <= MAX_ELEMENTS) {
        return Ok(());
    }
    Err(format!("an array of shape {shape:?} is too large: expected at most {MAX_ELEMENTS} elements"))
}

pub fn memory() -> u64 {
    MEMORY_LIMIT.load(Ordering::Relaxed)
}

pub fn steps() -> u64 {
    STEP_LIMIT.load(Ordering::Relaxed)
}

/// Decrements the number of steps that an evaluator may still take. From time to time, checks the memory of the process
/// and the steps of all evaluators together: an evaluator of fewer than [`INTERVAL`] steps is not counted.
///
/// # Errors
///
/// Returns the limit that is reached, and the option that raises it.
pub fn step(left: &mut u64) -> Result<(), String> {
    let Some(rest) = left.checked_sub(1) else { return Err(no_steps()) };
    *left = rest;
    if !rest.is_multiple_of(INTERVAL) {
        return Ok(());
    }
    let after = |left: u64| match left {
        0 => None,
        u64::MAX => Some(u64::MAX),
        left => Some(left.saturating_sub(INTERVAL)),
    };
    if STEPS_LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after).is_err() {
        return Err(no_steps());
    }
    if memory() != u64::MAX && resident().is_some_and(|bytes| bytes > memory()) {
        return Err(format!("is not run: {}", no_memory("the program")));
    }
    Ok(())
}

fn no_steps() -> String {
    let found = if steps() == u64::MAX { String::new() } else { format!(" {}", steps()) };
    format!("is not run: the program has taken more than{found} steps; `--max-steps` raises the limit")
}

/// Returns `… needs more than 4096 MiB of memory; …`.
pub fn no_memory(what: &str) -> String {
    format!("{what} needs more than {} MiB of memory; `--max-memory` raises the limit", memory() >> 20)
}

/// Returns the number of bytes of physical memory of the process.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<u64>().ok()? * PAGE)
}
