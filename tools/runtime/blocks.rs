//! Blocks of memory for results and intermediate arrays, which are kept for later blocks of about the same size when
//! they are freed.
//!
//! A training step needs the memory that the step before has freed. If this memory went back to the operating system,
//! each step would spend more time on page faults than on its code: a step of Adam with 2.8 MB of results takes 0.2 ms,
//! and 690 page faults 1.1 ms.
//!
//! The process keeps at most twice the memory that its blocks have used at once, 512 MiB, and an eighth of the memory
//! of the machine. Memory that no block has used for long is freed, and all of it when an allocation fails.
#![allow(unsafe_code)]

use crate::limit;
use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// The alignment of blocks: a cache line, and the widest vector.
pub const ALIGNMENT: usize = 64;

/// The alignment of all memory of the C library.
const PLAIN: usize = 16;

/// The bytes from which the memory of a block is kept. The C library keeps smaller ones itself.
const LEAST: usize = 128 << 10;

/// The most bytes that are kept. Memory that was freed first makes room.
const MOST: usize = 512 << 20;

/// The number of blocks that are freed until memory is freed that none of them has used.
const LONGEST: u64 = 4096;

/// The memory that is kept, for all threads of the process.
static KEPT: Mutex<Kept> = Mutex::new(Kept::new());

/// The bytes of blocks from [`LEAST`] on that exist, and the largest number of them until now.
static USED: AtomicUsize = AtomicUsize::new(0);
static MOST_USED: AtomicUsize = AtomicUsize::new(0);

/// Returns the memory that is kept, unless another thread uses it. Nothing waits for the lock: in the child of a fork,
/// another thread of the parent may have it for good.
fn kept() -> Option<MutexGuard<'static, Kept>> {
    match KEPT.try_lock() {
        Ok(kept) => Some(kept),
        Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Returns the most bytes that the process keeps.
fn bound() -> usize {
    MOST.min(limit::memory() / 8).min(MOST_USED.load(Ordering::Relaxed).saturating_mul(2))
}

/// Frees all memory that is kept.
pub fn release() {
    let all = kept().map(|mut kept| std::mem::replace(&mut *kept, Kept::new()));
    // Without the lock.
    drop(all);
}

/// Returns the memory that a function allocates. If it finds none, all memory that is kept is freed, and it is called
/// again.
pub fn allocated<T>(allocate: impl Fn() -> Option<T>) -> Option<T> {
    allocate().or_else(|| {
        release();
        allocate()
    })
}

/// Checks whether this number of bytes can be allocated.
pub fn is_available(bytes: usize) -> bool {
    allocated(|| Vec::<u8>::new().try_reserve_exact(bytes).ok()).is_some()
}

/// A block of memory, not initialised, aligned to 64 bytes.
pub struct Block(Memory);

impl Block {
    /// Returns a block of at least `bytes`, or `None` if there is no memory for it. An empty block has memory, too:
    /// compiled code may read the first element of an empty array and discard it.
    pub fn new(bytes: usize) -> Option<Block> {
        let size = rounded(bytes)?;
        if size < LEAST {
            return allocated(|| Memory::new(size)).map(Block);
        }
        let again = kept().and_then(|mut kept| kept.take(size));
        let memory = again.or_else(|| allocated(|| Memory::new(size)))?;
        MOST_USED.fetch_max(USED.fetch_add(size, Ordering::Relaxed) + size, Ordering::Relaxed);
        Some(Block(memory))
    }

    /// The address of its first byte.
    pub fn start(&self) -> *mut u8 {
        self.0.start
    }

    /// Its size, of which all may be used.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let size = self.bytes();
        if size >= LEAST {
            let memory = std::mem::replace(&mut self.0, Memory::NONE);
            USED.fetch_sub(size, Ordering::Relaxed);
            let most = bound();
            let unused = match kept() {
                Some(mut kept) => kept.give(memory, most),
                None => vec![memory],
            };
            // Without the lock.
            drop(unused);
        }
    }
}

/// Returns the size of the memory of a block. Large blocks have eight sizes between powers of two, so that blocks whose
/// sizes vary have the same memory one after the other.
fn rounded(bytes: usize) -> Option<usize> {
    if bytes < LEAST { Some(bytes) } else { bytes.checked_next_multiple_of(1 << (bytes.ilog2() - 3)) }
}

/// The memory of a block, which goes back to the C library when it is dropped.
struct Memory {
    start: *mut u8,
    bytes: usize,
    /// The bytes before `start` that were allocated with it.
    offset: usize,
}

// SAFETY: it owns its memory.
unsafe impl Send for Memory {}
// SAFETY: as above; who writes to the memory through a block ensures that nothing else uses it.
unsafe impl Sync for Memory {}

impl Memory {
    const NONE: Memory = Memory { start: std::ptr::null_mut(), bytes: 0, offset: 0 };

    fn new(bytes: usize) -> Option<Memory> {
        let bytes = bytes.max(ALIGNMENT);
        let layout = Memory::layout(bytes)?;
        // SAFETY: the size is not zero.
        let base = unsafe { std::alloc::alloc(layout) };
        let offset = base.addr().wrapping_neg() % ALIGNMENT;
        (!base.is_null()).then(|| Memory { start: base.wrapping_add(offset), bytes, offset })
    }

    /// The layout of what is allocated. Small memory is aligned by us: the C library needs several times as long for an
    /// aligned allocation as for a plain one.
    fn layout(bytes: usize) -> Option<Layout> {
        match bytes {
            ..LEAST => Layout::from_size_align(bytes + ALIGNMENT - PLAIN, PLAIN).ok(),
            _ => Layout::from_size_align(bytes, ALIGNMENT).ok(),
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(layout) = Memory::layout(self.bytes).filter(|_| !self.start.is_null()) {
            // SAFETY: `new` has allocated the memory with this layout, `offset` bytes before `start`.
            unsafe { std::alloc::dealloc(self.start.sub(self.offset), layout) }
        }
    }
}

/// Memory that was freed.
struct Kept {
    /// By size and by the time at which it was freed.
    by_size: BTreeMap<(usize, u64), Memory>,
    /// The sizes by time.
    by_time: BTreeMap<u64, usize>,
    bytes: usize,
    /// The number of blocks that were freed.
    time: u64,
}

impl Kept {
    const fn new() -> Kept {
        Kept { by_size: BTreeMap::new(), by_time: BTreeMap::new(), bytes: 0, time: 0 }
    }

    /// Removes the memory of this size that was freed last.
    fn take(&mut self, size: usize) -> Option<Memory> {
        let key = *self.by_size.range((size, 0)..=(size, u64::MAX)).next_back()?.0;
        self.by_time.remove(&key.1);
        self.bytes -= size;
        self.by_size.remove(&key)
    }

    /// Adds memory. Returns the memory that is no longer kept, so that at most `most` bytes are: first that which was
    /// freed first.
    fn give(&mut self, memory: Memory, most: usize) -> Vec<Memory> {
        let size = memory.bytes;
        self.time += 1;
        let mut unused = vec![];
        if size > most {
            unused.push(memory);
        } else {
            self.by_size.insert((size, self.time), memory);
            self.by_time.insert(self.time, size);
            self.bytes += size;
        }
        while let Some(first) = self.by_time.first_entry()
            && (self.bytes > most || self.time - first.key() > LONGEST)
        {
            let (time, size) = first.remove_entry();
            unused.extend(self.by_size.remove(&(size, time)));
            self.bytes -= size;
        }
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: usize) -> Memory {
        Memory::new(bytes).unwrap()
    }

    #[test]
    fn the_memory_freed_last_is_used_first() {
        let mut kept = Kept::new();
        let all = [LEAST, LEAST, 2 * LEAST].map(memory);
        let [a, b, c] = [0, 1, 2].map(|k| all[k].start);
        all.into_iter().for_each(|memory| assert!(kept.give(memory, usize::MAX).is_empty()));
        assert!(kept.take(LEAST + 1).is_none(), "memory of another size is not cut");
        let again = [LEAST, LEAST, 2 * LEAST].map(|bytes| kept.take(bytes).unwrap());
        assert_eq!([0, 1, 2].map(|k| again[k].start), [b, a, c]);
        assert_eq!((kept.by_size.len(), kept.by_time.len(), kept.bytes), (0, 0, 0));
        assert!(kept.take(LEAST).is_none());
    }

    #[test]
    fn the_oldest_memory_makes_room() {
        let (mut kept, most) = (Kept::new(), 2 * LEAST + 3);
        let mut sizes = vec![];
        for bytes in [LEAST, LEAST + 1, LEAST + 2] {
            sizes.extend(kept.give(memory(bytes), most).iter().map(|memory| memory.bytes));
        }
        assert_eq!(sizes, [LEAST]);
        assert_eq!(kept.by_time.values().copied().collect::<Vec<_>>(), [LEAST + 1, LEAST + 2]);
        assert_eq!((kept.by_size.len(), kept.bytes), (2, 2 * LEAST + 3));
        // Memory that is too large itself does not.
        assert_eq!(kept.give(memory(3 * LEAST), most)[0].bytes, 3 * LEAST);
        assert_eq!((kept.by_size.len(), kept.by_time.len(), kept.bytes), (2, 2, 2 * LEAST + 3));
    }

    #[test]
    fn memory_that_is_not_used_is_freed() {
        let mut kept = Kept::new();
        kept.give(memory(2 * LEAST), usize::MAX);
        for _ in 0..LONGEST {
            let other = kept.take(LEAST).unwrap_or_else(|| memory(LEAST));
            assert!(kept.give(other, usize::MAX).is_empty());
        }
        let other = kept.take(LEAST).unwrap();
        let unused = kept.give(other, usize::MAX);
        assert_eq!(unused.iter().map(|memory| memory.bytes).collect::<Vec<_>>(), [2 * LEAST]);
    }

    #[test]
    fn sizes_are_rounded_up_by_at_most_an_eighth() {
        assert_eq!([0, 1, LEAST - 1, LEAST].map(|n| rounded(n).unwrap()), [0, 1, LEAST - 1, LEAST]);
        assert_eq!([LEAST + 1, 9 * LEAST / 8].map(|n| rounded(n).unwrap()), [9 * LEAST / 8; 2]);
        for bytes in (LEAST..64 * LEAST).step_by(997) {
            let size = rounded(bytes).unwrap();
            assert!(bytes <= size && size <= bytes + bytes / 8 && rounded(size) == Some(size));
        }
        assert_eq!(rounded(usize::MAX), None);
    }

    #[test]
    fn blocks_of_similar_sizes_share_memory_one_after_the_other() {
        // A size that no other test of this process uses. While another test uses the memory that is kept, nothing is
        // kept.
        let bytes = 37 * LEAST + 12_345;
        let shares = || {
            let first = Block::new(bytes).unwrap();
            let (start, second) = (first.start(), Block::new(bytes).unwrap());
            assert_ne!(second.start(), start);
            assert!(start.addr().is_multiple_of(ALIGNMENT) && first.bytes() >= bytes);
            drop(first);
            Block::new(bytes + 100).unwrap().start() == start
        };
        assert!((0..1000).any(|_| shares()));
        assert_eq!(Block::new(0).unwrap().bytes(), ALIGNMENT);
        assert!(Block::new(usize::MAX).is_none() && !is_available(usize::MAX));
    }

    #[test]
    fn a_program_that_needs_little_memory_keeps_little() {
        for k in 0..2000 {
            drop(Block::new(LEAST + k * 1000));
        }
        let bytes = kept().map_or(0, |kept| kept.bytes);
        assert!(bytes <= 2 * MOST_USED.load(Ordering::Relaxed) && bytes <= MOST);
    }

    /// As in the child of a fork, in which no thread frees the lock.
    #[test]
    fn blocks_do_not_wait_for_the_lock() {
        let kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let block = Block::new(3 * LEAST).unwrap();
        drop(block);
        release();
        drop(kept);
    }
}
