//! A large stack for what recurses with the nesting of a program.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::bridge::stack::{self, StackError};

/// Runs `work` on a thread with a large stack, and waits for it.
///
/// # Errors
/// There is no memory for a stack; a panic.
pub fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(stack::on_large_stack(work)?)
}

impl From<StackError> for Error {
    fn from(error: StackError) -> Error {
        match error {
            StackError::Memory => Error::new(ErrorKind::Memory, error),
            StackError::Panic(_) => Error::new(ErrorKind::Internal, error),
        }
    }
}
