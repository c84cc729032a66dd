//! What compiled functions get when they ask for memory in this process: the C library's, counted, and no more than there is.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::c_void;

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn malloc_usable_size(memory: *mut c_void) -> usize;
}

thread_local! {
    /// Bytes that compiled functions have on this thread, and the most that they had.
    static HELD: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

/// The most bytes that compiled functions have held on this thread while `run` ran.
pub fn most_held(run: impl FnOnce()) -> usize {
    MOST.set(HELD.get());
    run();
    MOST.get()
}

extern "C" fn counted_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    if bytes > super::call::memory() {
        return std::ptr::null_mut();
    }
    // SAFETY: the alignment is a power of two and the size a multiple of it: `lowering/heap.rs`.
    let memory = unsafe { aligned_alloc(alignment, bytes) };
    if !memory.is_null() {
        // SAFETY: it has just been allocated.
        HELD.set(HELD.get() + unsafe { malloc_usable_size(memory) });
        MOST.set(MOST.get().max(HELD.get()));
    }
    memory
}

extern "C" fn counted_free(memory: *mut c_void) {
    // SAFETY: null or what `counted_alloc` gave, once.
    unsafe {
        HELD.set(HELD.get() - malloc_usable_size(memory));
        free(memory);
    }
}

/// By the names that compiled code uses.
pub fn symbols() -> [(&'static str, usize); 2] {
    [
        ("aligned_alloc", counted_alloc as *const () as usize),
        ("free", counted_free as *const () as usize),
    ]
}
