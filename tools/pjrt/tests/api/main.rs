//! Drives the plugin through its table of C functions, as JAX does, with a compiler of the tests.
#![allow(unsafe_code, reason = "the functions are those of a C API")]
#![allow(clippy::not_unsafe_ptr_arg_deref, reason = "the tests pass pointers that the plugin has returned")]

mod buffers;
mod client;
mod double;
mod events;
mod executables;
mod native;
mod structs;

use mlopt_pjrt::api::*;
use mlopt_pjrt::{GetPjrtApi, NAMES};
use std::ffi::{c_char, c_int};

/// Calls a function of the table by name. Returns the code and the message of its error.
pub fn call<A>(name: &str, args: &mut A) -> Result<(), (c_int, String)> {
    let slot = NAMES.iter().position(|n| *n == name).expect("a function of the table");
    // SAFETY: the tests pass the struct of the function.
    let error = unsafe { ((*GetPjrtApi()).functions[slot])((args as *mut A).cast()) };
    if error.is_null() { Ok(()) } else { Err(taken(error)) }
}

/// Reads and frees an error through the table.
pub fn taken(error: *mut opaque::Error) -> (c_int, String) {
    let mut message = ErrorMessage { error, ..Default::default() };
    call("PJRT_Error_Message", &mut message).expect("a message");
    let mut code = ErrorGetCode { error, ..Default::default() };
    call("PJRT_Error_GetCode", &mut code).expect("a code");
    let text = text(message.message, message.message_size);
    call("PJRT_Error_Destroy", &mut ErrorDestroy { error, ..Default::default() }).expect("freed");
    (code.code, text)
}

pub fn text(pointer: *const c_char, size: usize) -> String {
    // SAFETY: the plugin has returned a text of this size.
    unsafe { String::from_utf8(std::slice::from_raw_parts(pointer.cast(), size).to_vec()).expect("UTF-8") }
}

/// Returns the elements of a list that the plugin has returned.
pub fn list<T: Clone>(pointer: *const T, size: usize) -> Vec<T> {
    // SAFETY: the plugin has returned a list of this size.
    if size == 0 { vec![] } else { unsafe { std::slice::from_raw_parts(pointer, size).to_vec() } }
}

/// Destroys the event when it is ready.
pub fn finish(event: *mut opaque::Event) -> Result<(), (c_int, String)> {
    let outcome = call("PJRT_Event_Await", &mut EventAwait { event, ..Default::default() });
    call("PJRT_Event_Destroy", &mut EventDestroy { event, ..Default::default() }).expect("freed");
    outcome
}
