//! The common part of all functions of the interface: it checks addresses, catches panics, and stores the result or an
//! error.

use crate::handle::create;
use crate::status::mlopt_status::*;
use crate::status::{Explained, Failure, mlopt_status};
use crate::types::mlopt_error;
use mlopt::ErrorKind;
use mlopt_dialects::bridge::crash::silently;
use std::ffi::c_char;

/// Runs a function of the interface. A panic becomes an error, and prints nothing.
///
/// # Safety
/// `error` is null or the address of a pointer that may be written.
pub unsafe fn guarded(error: *mut *mut mlopt_error, work: impl FnOnce() -> Result<(), Failure>) -> mlopt_status {
    let outcome = silently(work)
        .unwrap_or_else(|panic| Err(Failure::new(ErrorKind::Internal, format!("internal error: {panic}"))));
    let (status, object) = match outcome {
        Err(failure) if !error.is_null() => {
            (failure.status(), create(Explained { message: failure.to_string(), failure }))
        }
        Err(failure) => (failure.status(), std::ptr::null_mut()),
        Ok(()) => (MLOPT_OK, std::ptr::null_mut()),
    };
    if !error.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { error.write(object) };
    }
    status
}

/// Returns the result of a function that cannot fail, or `otherwise` for wrong arguments and after a panic.
pub fn or<R>(otherwise: R, work: impl FnOnce() -> Result<R, Failure>) -> R {
    match silently(work) {
        Ok(Ok(result)) => result,
        _ => otherwise,
    }
}

/// Returns the array of `count` values at an address.
///
/// # Safety
/// The address is that of `count` values that live as long as the result, or null.
pub unsafe fn list<'a, T>(start: *const T, count: usize, what: &str) -> Result<&'a [T], Failure> {
    match count {
        0 => Ok(&[]),
        _ if start.is_null() => Err(Failure::argument(format!("the address of {what} must not be null"))),
        // SAFETY: guaranteed by the caller.
        _ => Ok(unsafe { std::slice::from_raw_parts(start, count) }),
    }
}

/// Returns a text of the caller.
///
/// # Safety
/// As for [`list`].
pub unsafe fn text<'a>(data: *const c_char, size: usize, what: &str) -> Result<&'a str, Failure> {
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { list(data.cast::<u8>(), size, what)? };
    std::str::from_utf8(bytes).map_err(|e| Failure::argument(format!("{what} must be UTF-8: {e}")))
}

/// Stores a result of a function.
///
/// # Safety
/// The address is null or may be written.
pub unsafe fn store<T>(place: *mut T, value: impl FnOnce() -> Result<T, Failure>) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::argument("the address of the result must not be null"));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { place.write(value()?) };
    Ok(())
}

/// Stores a value, if there is one, and returns whether there is.
///
/// # Safety
/// The address is null or may be written.
pub unsafe fn at<T>(place: *mut T, value: Option<T>) -> Result<bool, Failure> {
    match value {
        // SAFETY: guaranteed by the caller.
        Some(value) => unsafe { store(place, || Ok(value)).map(|()| true) },
        None => Ok(false),
    }
}
