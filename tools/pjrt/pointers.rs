//! Pointers of the caller: structs, objects of the plugin, lists and texts.
#![allow(unsafe_code)]

use crate::api;
use crate::error::Error;
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// An object of the plugin behind a pointer of C.
///
/// # Safety
/// Every pointer to `Opaque` that the plugin returns points to a `Self`; if the caller owns it, it is from
/// [`into_raw`].
pub unsafe trait Object: Sized {
    /// The type in C.
    type Opaque;
    /// The kind of the object in messages.
    const KIND: &'static str;
}

/// Returns an owned pointer for C.
pub fn into_raw<T: Object>(object: T) -> *mut T::Opaque {
    Box::into_raw(Box::new(object)).cast()
}

/// Frees an object that the caller owns, or nothing if the pointer is null.
pub fn free<T: Object>(pointer: *mut T::Opaque) {
    if !pointer.is_null() {
        // SAFETY: the caller of the API owns the object and gives it up, and it is from `into_raw`.
        drop(unsafe { Box::from_raw(pointer.cast::<T>()) });
    }
}

/// Returns the object at a pointer of the caller, which must not be null.
pub fn object<'a, T: Object>(pointer: *const T::Opaque) -> Result<&'a T, Error> {
    // SAFETY: the caller of the API passes null or a pointer to an object of this type that it has not destroyed, and
    // keeps it during the call.
    let object = unsafe { pointer.cast::<T>().as_ref() };
    object.ok_or_else(|| Error::invalid(format!("expected a pointer to {}, found null", T::KIND)))
}

/// Returns a copy of a struct of the caller. Fields that the caller does not know are zero.
#[inline]
pub fn read<A: api::Sized>(pointer: *const A) -> Result<A, Error> {
    // SAFETY: the caller passes a struct of this type or a prefix of it, of as many bytes as it says; every such struct
    // begins with its size.
    let given = (!pointer.is_null()).then(|| unsafe { pointer.cast::<usize>().read() });
    if let Some(given) = given
        && given >= size_of::<A>()
    {
        // SAFETY: as above, and the struct is whole.
        return Ok(unsafe { pointer.read_unaligned() });
    }
    read_prefix(pointer, given)
}

/// Reads a struct of which the caller gives this many bytes.
#[cold]
fn read_prefix<A: api::Sized>(pointer: *const A, given: Option<usize>) -> Result<A, Error> {
    let Some(given) = given else {
        return Err(Error::invalid(format!("expected a pointer to {}, found null", A::NAME)));
    };
    if given < A::REQUIRED {
        let text = format!("{}: expected a struct_size of at least {}, found {given}", A::NAME, A::REQUIRED);
        return Err(Error::invalid(text));
    }
    let mut copy = MaybeUninit::<A>::zeroed();
    // SAFETY: the caller gives this many bytes of a struct of this type, and all bytes of `A` may be zero.
    unsafe {
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), copy.as_mut_ptr().cast(), given.min(size_of::<A>()));
        Ok(copy.assume_init())
    }
}

/// Writes a struct back to the caller, as far as the caller knows its fields.
///
/// # Safety
/// [`read`] has returned the struct at `pointer`.
#[inline]
pub unsafe fn write<A: api::Sized>(pointer: *mut A, value: &A) {
    // SAFETY: as for this function.
    unsafe {
        match pointer.cast::<usize>().read() {
            given if given >= size_of::<A>() => std::ptr::copy_nonoverlapping(value, pointer, 1),
            given => std::ptr::copy_nonoverlapping((&raw const *value).cast::<u8>(), pointer.cast(), given),
        }
    }
}

/// Returns the elements at a pointer of the caller.
pub fn slice<'a, T>(pointer: *const T, len: usize) -> Result<&'a [T], Error> {
    match (pointer.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Error::invalid(format!("expected a pointer to {len} elements, found null"))),
        // SAFETY: the caller of the API passes a pointer to that many elements, and keeps them during the call.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, len) }),
    }
}

/// Returns a text of the caller.
pub fn text<'a>(pointer: *const c_char, len: usize) -> Result<&'a str, Error> {
    std::str::from_utf8(slice(pointer.cast(), len)?).map_err(|_| Error::invalid("expected a text in UTF-8"))
}

/// Gives bytes to the caller: sets the pointer to them, their number, the object that owns them and its deleter.
pub fn give(
    bytes: Vec<u8>,
    (pointer, size): (&mut *const c_char, &mut usize),
    (owner, deleter): (&mut *mut Vec<u8>, &mut api::Deleter<Vec<u8>>),
) {
    unsafe extern "C" fn delete(bytes: *mut Vec<u8>) {
        if !bytes.is_null() {
            // SAFETY: the caller owns the bytes, and calls the deleter once.
            drop(unsafe { Box::from_raw(bytes) });
        }
    }
    let bytes = Box::new(bytes);
    (*pointer, *size) = (bytes.as_ptr().cast(), bytes.len());
    *owner = Box::into_raw(bytes);
    *deleter = Some(delete);
}
