//! Internal errors: a panic in Rust or a crash in MLIR ends in one diagnostic, `LOCATION: error: internal error: …`.

use super::text;
use mlir_sys::MlirStringRef;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once};

/// Sizes of the stack of a thread that works on programs, in bytes of address space; the first one that the system
/// grants is used. MLIR's parser, verifier and printer recurse with the nesting of the program.
pub const STACKS: [usize; 4] = [4 << 30, 1 << 30, 256 << 20, 64 << 20];

/// The position of the last panic: `file:line`.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// The exit status of a program that has found a bug in itself: `EX_SOFTWARE` of `sysexits.h`.
pub const INTERNAL_ERROR_STATUS: i32 = 70;

/// Turns crashes of MLIR and LLVM (signals, fatal errors) into a diagnostic and status 70, and makes panics silent: the
/// code that catches a panic reports it. Call once, on the thread that does the work; `place` is the position of the
/// diagnostic.
pub fn install(place: &str) {
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    // SAFETY: C++ copies the text; `install` is called once, so no other thread writes to the buffers.
    unsafe {
        mlopt_install_crash_handler();
        mlopt_set_crash_place(text(&place));
    }
    std::panic::set_hook(Box::new(|info| {
        let location = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
        let mut last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A panic that may not unwind aborts by a second panic, whose message does not contain the cause.
        if message(info.payload()).contains("cannot unwind") && !last.is_empty() {
            return;
        }
        // SAFETY: C++ copies the text, to a buffer that the lock of `LAST_PANIC` guards.
        unsafe { mlopt_set_crash_cause(text(&format!("{} ({location})", message(info.payload())))) };
        *last = location;
    }));
}

thread_local! {
    /// The number of calls of [`silently`] on this thread, one in the other. The plugin of JAX enters each of its
    /// functions so, ten times in a call of a program: without a panic, there is nothing else to do.
    static SILENT: Cell<usize> = const { Cell::new(0) };
    /// The position of the last panic in them.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `work`. A panic in it is not reported by the panic hook, but returned: its message and position.
///
/// Panics of other code are reported as before: the first call replaces the panic hook of the process by one that
/// passes them on. Rust has no other way to keep a panic from being printed. Calls may be nested.
pub fn silently<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static ONCE: Once = Once::new();
    let install = || {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let location = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
            match SILENT.get() {
                0 => before(info),
                _ => drop(PLACE.replace(location)),
            }
        }));
    };
    // In a destructor during a panic, the hook cannot be replaced.
    if !std::thread::panicking() {
        ONCE.call_once(install);
    }
    SILENT.set(SILENT.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    SILENT.set(SILENT.get() - 1);
    result.map_err(|panic| format!("{} ({})", message(&*panic), PLACE.take()))
}

/// Returns the position of the last panic, as `file:line` of mlopt's sources; empty if neither `install` nor
/// [`silently`] recorded it.
pub fn last_panic() -> String {
    if SILENT.get() > 0 {
        return PLACE.with_borrow(String::clone);
    }
    LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
}

/// Returns the message of a panic.
pub fn message(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Sets the stack size in bytes of threads that are created after this call, including MLIR's worker threads: parsers,
/// verifiers and printers recurse with the nesting of the program.
pub fn set_thread_stack_size(bytes: usize) {
    // SAFETY: C++ reports no error for an unsuitable size, and the C library locks the default that it changes.
    unsafe { mlopt_set_thread_stack_size(bytes) }
}

/// Limits the processor time of the process from here on, to at least a microsecond. At the limit the process ends with
/// one diagnostic at the place of crashes and status 1. Compiled code counts no steps, so it cannot be stopped in
/// another way.
pub fn limit_seconds(seconds: f64) {
    // SAFETY: C++ writes the message before it installs the handler that prints it.
    unsafe { mlopt_limit_seconds(seconds) }
}

unsafe extern "C" {
    fn mlopt_limit_seconds(seconds: f64);
    fn mlopt_install_crash_handler();
    fn mlopt_set_crash_place(text: MlirStringRef);
    fn mlopt_set_crash_cause(text: MlirStringRef);
    fn mlopt_set_thread_stack_size(bytes: usize);
}
