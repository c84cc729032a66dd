//! Errors.

use crate::guard::{at, or};
use crate::handle::{free, get};
use crate::status::{Failure, mlopt_status};
use crate::types::*;
use mlopt::Diagnostic;

/// Returns the status that the function has returned with this error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_status(error: *const mlopt_error) -> mlopt_status {
    // SAFETY: of this function: the error is one.
    or(mlopt_status::MLOPT_ERROR_ARGUMENT, || Ok(unsafe { get(error)? }.failure.status()))
}

/// Returns all diagnostics as one text, which lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_message(error: *const mlopt_error) -> mlopt_string {
    // SAFETY: of this function: the error is one.
    or(mlopt_string::EMPTY, || Ok(mlopt_string::of(&unsafe { get(error)? }.message)))
}

/// Returns the number of diagnostics. There are none for wrong arguments of a function of this interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_diagnostic_count(error: *const mlopt_error) -> usize {
    // SAFETY: of this function: the error is one.
    or(0, || Ok(unsafe { diagnostics(error)? }.len()))
}

/// Returns a diagnostic. Returns false if there is none at this position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_diagnostic(
    error: *const mlopt_error,
    position: usize,
    diagnostic: *mut mlopt_diagnostic,
) -> bool {
    // SAFETY: of this function: the error is one, and the address may be written.
    or(false, || unsafe { at(diagnostic, diagnostics(error)?.get(position).map(mlopt_diagnostic::of)) })
}

/// Returns a note of a diagnostic. Returns false if there is none at these positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_note(
    error: *const mlopt_error,
    position: usize,
    note: usize,
    diagnostic: *mut mlopt_diagnostic,
) -> bool {
    // SAFETY: of this function: the error is one, and the address may be written.
    or(false, || unsafe {
        let of = diagnostics(error)?.get(position);
        at(diagnostic, of.and_then(|of| of.notes.get(note)).map(mlopt_diagnostic::of))
    })
}

/// Frees an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_error_free(error: *mut mlopt_error) {
    // SAFETY: of this function: nothing else uses the error.
    unsafe { free(error) }
}

/// # Safety
/// The error is one.
unsafe fn diagnostics<'a>(error: *const mlopt_error) -> Result<&'a [Diagnostic], Failure> {
    // SAFETY: guaranteed by the caller.
    match &unsafe { get(error)? }.failure {
        Failure::Compiler(error) => Ok(error.diagnostics()),
        Failure::Interface(..) => Ok(&[]),
    }
}
