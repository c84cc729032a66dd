//! Rejection of arrays that exceed the memory of the machine before they are allocated. Linux would grant the
//! allocation and kill the process later.

use mlopt_dialects::limits;
use thiserror::Error;

#[derive(Debug, Error, PartialEq)]
#[error("expected at most {available} bytes, {bound}, found an array of {}", size(.needed))]
pub struct TooLarge {
    /// `None` for more than 2^64.
    pub needed: Option<u64>,
    pub available: u64,
    /// The origin of the bound.
    pub bound: &'static str,
}

fn size(bytes: &Option<u64>) -> String {
    bytes.map_or("more than 2^64 bytes".into(), |bytes| format!("{bytes} bytes"))
}

/// Returns the number of elements of `shape`, if that many elements of `element_bytes` fit the free memory.
pub fn elements(shape: &[usize], element_bytes: usize) -> Result<usize, TooLarge> {
    let (available, bound) = match (available(), limits::memory()) {
        (free, limit) if limit < free => (limit, "the limit that `--max-memory` raises"),
        (free, _) => (free, "the free memory of this machine"),
    };
    // An extent of zero makes the array empty, whatever the others are.
    let count = if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d)) };
    let needed = count.and_then(|n| n.checked_mul(element_bytes)).map(|n| n as u64);
    match (count, needed) {
        (Some(count), Some(needed)) if needed <= available => Ok(count),
        _ => Err(TooLarge { needed, available, bound }),
    }
}

/// Returns Linux's estimate of the number of bytes that can be allocated without swapping; 2^40 if there is none.
fn available() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib =
        text.lines().find_map(|l| l.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map_or(1 << 40, |kib| kib * 1024)
}
