//! What compiled functions get when they ask for memory in this process: the C library's, counted, and no more than there is.
#![allow(unsafe_code)]

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

/// What compiled functions have on any thread; a program of tasks begins and ends on different ones.
static EVERYWHERE: Mutex<Everywhere> = Mutex::new(Everywhere { blocks: BTreeMap::new(), held: 0, most: 0 });

struct Everywhere {
    /// Bytes, by addresses.
    blocks: BTreeMap<usize, usize>,
    held: usize,
    most: usize,
}

fn everywhere() -> MutexGuard<'static, Everywhere> {
    EVERYWHERE.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    everywhere().blocks.len()
}

/// The most bytes that compiled functions have held in this process while `run` ran, on all threads.
pub fn most_held_anywhere(run: impl FnOnce()) -> usize {
    {
        let mut all = everywhere();
        all.most = all.held;
    }
    run();
    everywhere().most
}

/// The most bytes that compiled functions have held on this thread while `run` ran.
pub fn most_held(run: impl FnOnce()) -> usize {
    MOST.set(held());
    run();
    MOST.get()
}

extern "C" fn counted_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    if everywhere().held.saturating_add(bytes) > super::call::memory() {
        return std::ptr::null_mut();
    }
    // SAFETY: the alignment is a power of two and the size a multiple of it: `lowering/llvm/heap.rs`.
    let memory = unsafe { aligned_alloc(alignment, bytes) };
    if !memory.is_null() {
        let mut all = everywhere();
        all.blocks.insert(memory as usize, bytes);
        all.held += bytes;
        all.most = all.most.max(all.held);
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
