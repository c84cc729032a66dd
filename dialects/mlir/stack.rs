//! Threads with a large stack, for the parser, the verifier, the printer, destructors and passes, which recurse with
//! the nesting of a program.

use super::crash::{STACKS, silently};
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle};

thread_local! {
    /// True on the threads of this module.
    static IS_LARGE: Cell<bool> = const { Cell::new(false) };
}

/// The reason why work on a large stack has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StackError {
    /// There is no memory even for the smallest stack.
    #[error("expected {} MiB of memory for a stack, found less", STACKS[STACKS.len() - 1] >> 20)]
    Memory,
    /// The work has panicked: the message and the position.
    #[error("internal error: {0}")]
    Panic(String),
}

/// Runs `work` on a thread with a large stack, whatever the stack of the caller is, and waits for it. A panic becomes
/// an error and prints nothing.
///
/// # Errors
/// There is no memory for a stack; a panic.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, StackError> {
    if IS_LARGE.get() {
        return silently(work).map_err(StackError::Panic);
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
                let ended = thread.join().unwrap_or_else(|_| Err("a thread ended by a panic".to_string()));
                return ended.map_err(StackError::Panic);
            }
        }
        Err(StackError::Memory)
    })
}

/// Starts a thread with a large stack, for objects that belong to one thread. `failed` gets the error of a panic, which
/// prints nothing.
///
/// # Errors
/// There is no memory for a stack.
pub fn start_on_large_stack(
    name: &str,
    work: impl FnOnce() + Send + 'static,
    failed: impl FnOnce(StackError) + Send + 'static,
) -> Result<JoinHandle<()>, StackError> {
    let parts = Arc::new(Mutex::new(Some((work, failed))));
    for size in STACKS {
        let parts = parts.clone();
        let run = move || {
            IS_LARGE.set(true);
            let parts = parts.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (work, failed) = parts.expect("one thread runs");
            let _handled = silently(work).map_err(|panic| failed(StackError::Panic(panic)));
        };
        if let Ok(thread) = Builder::new().name(name.into()).stack_size(size).spawn(run) {
            return Ok(thread);
        }
    }
    Err(StackError::Memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let error = on_large_stack(|| panic!("a bug")).unwrap_err();
        assert!(error.to_string().starts_with("internal error: a bug (dialects/mlir/stack.rs:"), "{error}");
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = start_on_large_stack("test", || panic!("a bug"), move |error| sender.send(error).unwrap());
        thread.unwrap().join().unwrap();
        assert!(receiver.recv().unwrap().to_string().starts_with("internal error: a bug"));
    }

    #[test]
    fn nested_calls_use_one_thread() {
        let inner = on_large_stack(|| on_large_stack(|| thread::current().id()).unwrap() == thread::current().id());
        assert_eq!(inner, Ok(true));
    }
}
