//! Limits of the resources that a program may use at run time: memory, and steps of an evaluator. They hold for the
//! whole process. There are no limits unless [`set`] is called: the command line calls it, the library does not.

use std::sync::atomic::{AtomicU64, Ordering};

/// The default limit of memory in bytes.
pub const MEMORY: u64 = 4 << 30;
/// The default limit of evaluator steps: ops, ends of blocks, and four for each operation that is recorded.
pub const STEPS: u64 = 30_000_000;
/// The number of steps of an operation that an evaluator records on a tape for a derivative, which takes more time and
/// memory than its op.
const RECORDED: u64 = 4;
/// The number of steps of an evaluator between two checks of the limits of the process.
const INTERVAL: u64 = 512;

/// The maximum number of elements of one array: 2^31 doubles are 16 GiB.
const MAX_ELEMENTS: usize = 1 << 31;

/// A limit that a program exceeds, with the option that raises it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    #[error("an array of shape {0:?} is too large: expected at most {max} elements", max = MAX_ELEMENTS)]
    Elements(Vec<usize>),
    #[error("an array of shape {shape:?} needs more than {mebibytes} MiB of memory; `--max-memory` raises the limit")]
    Array { shape: Vec<usize>, mebibytes: u64 },
    /// The limit in MiB.
    #[error("is not run: the program needs more than {0} MiB of memory; `--max-memory` raises the limit")]
    Process(u64),
    /// The limit, if one was set.
    #[error("is not run: the program has taken more than{} steps; `--max-steps` raises the limit", found(.0))]
    Steps(Option<u64>),
}

fn found(steps: &Option<u64>) -> String {
    steps.map_or(String::new(), |steps| format!(" {steps}"))
}

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
pub fn allocatable(shape: &[usize]) -> Result<(), LimitError> {
    let elements = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    // Elements are assumed to have eight bytes, as most do; arrays of smaller ones are rare.
    if elements.is_some_and(|n| n as u64 > memory() / 8 && n <= MAX_ELEMENTS) {
        return Err(LimitError::Array { shape: shape.to_vec(), mebibytes: memory() >> 20 });
    }
    if elements.is_some_and(|n| n <= MAX_ELEMENTS) {
        return Ok(());
    }
    Err(LimitError::Elements(shape.to_vec()))
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
pub fn step(left: &mut u64) -> Result<(), LimitError> {
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
        return Err(LimitError::Process(memory() >> 20));
    }
    Ok(())
}

/// Counts the steps of one recorded operation. The next check of [`step`] reports the limit.
pub fn record() {
    let after = |left: u64| (left != u64::MAX).then(|| left.saturating_sub(RECORDED));
    let _unlimited = STEPS_LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
}

fn no_steps() -> LimitError {
    LimitError::Steps((steps() != u64::MAX).then(steps))
}

/// Returns the number of bytes of physical memory of the process.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<u64>().ok()? * PAGE)
}
