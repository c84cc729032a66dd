//! The allocator of compiled functions in this process. It uses the C library, counts the allocated memory, and limits
//! it to the memory that is available.
#![allow(unsafe_code)]

use crate::blocks;
use crate::limit;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn _setjmp();
    fn longjmp();
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn malloc_usable_size(memory: *mut c_void) -> usize;
}

/// The number of blocks of compiled functions on all threads, and their bytes. Blocks may be freed on another thread
/// than they were allocated on, because programs have tasks. There is no lock, so that the child of a fork can go on.
static BLOCKS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

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
    BLOCKS.load(Ordering::Relaxed)
}

/// Returns the maximum number of bytes that compiled functions hold on this thread while `run` runs.
pub fn most_held(run: impl FnOnce()) -> usize {
    MOST.set(held());
    run();
    MOST.get()
}

extern "C" fn counted_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    if BYTES.load(Ordering::Relaxed).saturating_add(bytes) > limit::memory() {
        return std::ptr::null_mut();
    }
    let allocate = || {
        // SAFETY: the alignment is a power of two and the size a multiple of it: `lowering/llvm/heap.rs`.
        let memory = unsafe { aligned_alloc(alignment, bytes) };
        (!memory.is_null()).then_some(memory)
    };
    let memory = blocks::allocated(allocate).unwrap_or(std::ptr::null_mut());
    if !memory.is_null() {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the memory was allocated above.
        BYTES.fetch_add(unsafe { malloc_usable_size(memory) }, Ordering::Relaxed);
        HELD.with_borrow_mut(|all| all.push((memory, bytes)));
        MOST.set(MOST.get().max(held()));
    }
    memory
}

extern "C" fn counted_free(memory: *mut c_void) {
    if !memory.is_null() {
        BLOCKS.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: the block is freed below. It has the size that `counted_alloc` has added.
        BYTES.fetch_sub(unsafe { malloc_usable_size(memory) }, Ordering::Relaxed);
    }
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
