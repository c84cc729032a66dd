//! The functions of the API on errors.

use crate::api::{ErrorDestroy, ErrorGetCode, ErrorMessage, opaque};
use crate::error::Error;
use crate::pointers::{self, Object, free, object};

// SAFETY: only `into_raw` makes pointers to errors.
#[allow(unsafe_code)]
unsafe impl Object for Error {
    type Opaque = opaque::Error;
    const KIND: &'static str = "an error";
}

/// Returns an owned pointer for C to the error of an outcome, or null.
pub fn into_raw(outcome: Result<(), Error>) -> *mut opaque::Error {
    outcome.err().map_or(std::ptr::null_mut(), pointers::into_raw)
}

/// `PJRT_Error_Destroy`: frees an error, which may be null.
pub fn destroy(args: &mut ErrorDestroy) -> Result<(), Error> {
    free::<Error>(args.error);
    Ok(())
}

/// `PJRT_Error_Message`: the message lives as long as the error.
pub fn message(args: &mut ErrorMessage) -> Result<(), Error> {
    let message = &object::<Error>(args.error)?.message;
    (args.message, args.message_size) = (message.as_ptr().cast(), message.len());
    Ok(())
}

/// `PJRT_Error_GetCode`.
pub fn get_code(args: &mut ErrorGetCode) -> Result<(), Error> {
    args.code = object::<Error>(args.error)?.code;
    Ok(())
}
