//! What compiled functions get when they ask for memory in this process: the C library's, counted, and no more than there is.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn _setjmp();
    fn longjmp();
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Blocks that compiled functions have on any thread.
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// What compiled functions have on this thread, with its bytes: as many as one function has slots.
    static HELD: RefCell<Vec<(*mut c_void, usize)>> = const { RefCell::new(Vec::new()) };
    /// The most bytes that they had.
    static MOST: Cell<usize> = const { Cell::new(0) };
}

fn held() -> usize {
    HELD.with_borrow(|all| all.iter().map(|(_, bytes)| bytes).sum())
}

/// How many blocks of memory compiled functions in this process have asked for that nobody has given back.
pub fn blocks_held() -> usize {
    BLOCKS.load(Ordering::Relaxed)
}

/// The most bytes that compiled functions have held on this thread while `run` ran.
pub fn most_held(run: impl FnOnce()) -> usize {
    MOST.set(held());
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
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        HELD.with_borrow_mut(|all| all.push((memory, bytes)));
        MOST.set(MOST.get().max(held()));
    }
    memory
}

extern "C" fn counted_free(memory: *mut c_void) {
    if !memory.is_null() {
        BLOCKS.fetch_sub(1, Ordering::Relaxed);
    }
    HELD.with_borrow_mut(|all| all.retain(|(other, _)| *other != memory));
    // SAFETY: null or what `counted_alloc` gave, once.
    unsafe { free(memory) }
}

/// Frees what compiled code has asked for and left to us.
///
/// # Safety
/// Nobody uses it any more, and it is freed once.
pub unsafe fn give_back(memory: *mut c_void) {
    counted_free(memory);
}

/// By the names that compiled code uses.
pub fn symbols() -> [(&'static str, usize); 4] {
    [
        ("aligned_alloc", counted_alloc as *const () as usize),
        ("free", counted_free as *const () as usize),
        ("_setjmp", _setjmp as *const () as usize),
        ("longjmp", longjmp as *const () as usize),
    ]
}
