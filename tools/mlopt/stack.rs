//! A large stack for the parser, the verifier, the printer and passes, which recurse with the nesting of a program.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::bridge::crash::{STACKS, silently};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

thread_local! {
    /// True on the threads of this module.
    static IS_LARGE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread with a large stack, whatever the stack of the caller is, and waits for it. A panic becomes
/// an error and prints nothing.
///
/// # Errors
/// There is no memory for a stack; a panic.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    if IS_LARGE.get() {
        return silently(work).map_err(Error::internal);
    }
    // A thread that is not created drops its closure.
    let work = Mutex::new(Some(work));
    let run = || {
        IS_LARGE.set(true);
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        silently(work.expect("one thread runs"))
    };
    thread::scope(|scope| {
        for size in STACKS {
            let thread = Builder::new().name("mlopt".into()).stack_size(size);
            if let Ok(thread) = thread.spawn_scoped(scope, run) {
                let result = thread.join().map_err(|_| Error::internal("a thread ended by a panic"))?;
                return result.map_err(Error::internal);
            }
        }
        let [.., least] = STACKS;
        Err(Error::new(ErrorKind::Memory, format!("expected {} MiB of memory for a stack, found less", least >> 20)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let error = on_large_stack(|| panic!("a bug")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(error.to_string().starts_with("error: internal error: a bug (tools/mlopt/stack.rs:"), "{error}");
    }

    #[test]
    fn nested_calls_use_one_thread() {
        let inner = on_large_stack(|| on_large_stack(|| thread::current().id()).unwrap() == thread::current().id());
        assert_eq!(inner, Ok(true));
    }
}
