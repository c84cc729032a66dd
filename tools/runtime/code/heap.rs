//! The allocator of compiled functions in this process. It uses the C library, counts the allocated memory, and limits
//! it to the memory that is available.
#![allow(unsafe_code)]

use super::limit;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

unsafe extern "C" {
    fn _setjmp();
    fn longjmp();
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// The blocks of compiled functions on all threads. A block may be freed on another thread than it was allocated on,
/// because programs have tasks.
static EVERYWHERE: Mutex<Everywhere> = Mutex::new(Everywhere { blocks: BTreeMap::new(), held: 0 });

struct Everywhere {
    /// The size of each block, by address.
    blocks: BTreeMap<usize, usize>,
    held: usize,
}

fn everywhere() -> MutexGuard<'static, Everywhere> {
    EVERYWHERE.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// The blocks of compiled functions on this thread, with their sizes. There are at most as many as one function has
    /// slots.
    static HELD: RefCell<Vec<(*mut c_void, usize)>> = const { RefCell::new(Vec::new()) };
    /// The maximum number of bytes held on this thread.
    static MOST: Cell<usize> = const { Cell::new(0) };
}

fn held() -> usize {
    HELD.with_borrow(|all| all.iter().map(|(_, bytes)| bytes).sum())
}

/// Returns the number of blocks that compiled functions in this process have allocated and not freed.
pub fn blocks_held() -> usize {
    everywhere().blocks.len()
}

/// Returns the maximum number of bytes that compiled functions hold on this thread while `run` runs.
pub fn most_held(run: impl FnOnce()) -> usize {
    MOST.set(held());
    run();
    MOST.get()
}

extern "C" fn counted_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    if everywhere().held.saturating_add(bytes) > limit::memory() {
        return std::ptr::null_mut();
    }
    // SAFETY: the alignment is a power of two and the size a multiple of it: `lowering/llvm/heap.rs`.
    let memory = unsafe { aligned_alloc(alignment, bytes) };
    if !memory.is_null() {
        let mut all = everywhere();
        all.blocks.insert(memory as usize, bytes);
        all.held += bytes;
        drop(all);
        HELD.with_borrow_mut(|all| all.push((memory, bytes)));
        MOST.set(MOST.get().max(held()));
    }
    memory
}

extern "C" fn counted_free(memory: *mut c_void) {
    let mut all = everywhere();
    all.held -= all.blocks.remove(&(memory as usize)).unwrap_or(0);
    drop(all);
    HELD.with_borrow_mut(|all| all.retain(|(other, _)| *other != memory));
    // SAFETY: null, or a block of `counted_alloc` that is freed once.
    unsafe { free(memory) }
}

/// Frees memory that compiled code has allocated and returned to the runtime.
///
/// # Safety
/// The memory must no longer be used, and is freed once.
pub unsafe fn give_back(memory: *mut c_void) {
    counted_free(memory);
}

/// Returns the symbols that compiled code uses, with their addresses.
pub fn symbols() -> [(&'static str, usize); 4] {
    [
        ("aligned_alloc", counted_alloc as *const () as usize),
        ("free", counted_free as *const () as usize),
        ("_setjmp", _setjmp as *const () as usize),
        ("longjmp", longjmp as *const () as usize),
    ]
}
