//! Objects behind opaque pointers. Each begins with a word that states its kind, so that null, pointers to other
//! objects and pointers to freed objects are errors. The words of freed objects are kept for some time, because reading
//! freed memory is not defined.

use crate::status::Failure;
use mlopt_dialects::bridge::crash::silently;
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of freed objects that are recognised.
const KEPT: usize = 1024;

/// The mark of freed objects.
const FREED: u64 = u64::from_le_bytes(*b"mloptfre");

static GRAVES: Mutex<VecDeque<Grave>> = Mutex::new(VecDeque::new());

/// An object that C refers to by a pointer to an opaque type.
#[repr(C)]
struct Object<V> {
    mark: AtomicU64,
    value: UnsafeCell<Option<Box<V>>>,
}

/// The memory of a freed object, without its value.
struct Grave(#[allow(dead_code)] Box<Object<()>>);

// SAFETY: it contains no value.
unsafe impl Send for Grave {}

/// An opaque type of the interface.
pub trait Kind: Sized {
    type Value;

    /// The name in messages, of at most eight letters.
    const NAME: &'static str;

    /// The first word of its objects.
    const MARK: u64 = {
        let (name, mut mark, mut k) = (Self::NAME.as_bytes(), [0x80; 8], 0);
        while k < name.len() {
            mark[k] ^= name[k];
            k += 1;
        }
        u64::from_le_bytes(mark)
    };
}

/// Returns a new object, which [`free`] frees.
pub fn create<K: Kind>(value: K::Value) -> *mut K {
    let object = Object { mark: AtomicU64::new(K::MARK), value: UnsafeCell::new(Some(Box::new(value))) };
    Box::into_raw(Box::new(object)).cast()
}

/// Checks a pointer.
///
/// # Safety
/// It is null, misaligned, or the address of at least a word of memory.
unsafe fn check<K: Kind>(object: *const K) -> Result<*const Object<K::Value>, Failure> {
    let wrong = |text: &str| Err(Failure::argument(format!("the {} {text}", K::NAME)));
    let object: *const Object<K::Value> = object.cast();
    if object.is_null() {
        return wrong("must not be null");
    }
    if !object.is_aligned() {
        return wrong("is not an object of mlopt");
    }
    // SAFETY: guaranteed by the caller.
    match unsafe { (*object).mark.load(Ordering::Acquire) } {
        mark if mark == K::MARK => Ok(object),
        FREED => wrong("has been freed"),
        _ => wrong("is another object"),
    }
}

/// Returns the value of an object.
///
/// # Safety
/// As for [`check`]. An object of this kind is alive while the result is used.
pub unsafe fn get<'a, K: Kind>(object: *const K) -> Result<&'a K::Value, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { Ok((*(*check(object)?).value.get()).as_deref().expect("an object that is alive has a value")) }
}

/// Returns the value of an object for changes.
///
/// # Safety
/// As for [`get`]; nothing else uses the object at the same time.
pub unsafe fn get_mut<'a, K: Kind>(object: *mut K) -> Result<&'a mut K::Value, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { Ok((*(*check(object)?).value.get()).as_deref_mut().expect("an object that is alive has a value")) }
}

/// Frees an object. Null, and an object that has been freed, are ignored.
///
/// # Safety
/// As for [`check`]; nothing else uses the object at the same time.
pub unsafe fn free<K: Kind>(object: *mut K) {
    // SAFETY: guaranteed by the caller. An object with the mark is from `create`, and the exchange succeeds once.
    unsafe {
        let Ok(object) = check(object) else { return };
        let mark = &(*object).mark;
        if mark.compare_exchange(K::MARK, FREED, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return;
        }
        // A destructor that panics must not unwind into C.
        let value = (*(*object).value.get()).take();
        let _panic = silently(move || drop(value));
        // All objects have the same layout: a mark and a pointer.
        let grave = Grave(Box::from_raw(object.cast_mut().cast::<Object<()>>()));
        let mut graves = GRAVES.lock().unwrap_or_else(PoisonError::into_inner);
        graves.push_back(grave);
        let oldest = if graves.len() > KEPT { graves.pop_front() } else { None };
        drop(graves);
        drop(oldest);
    }
}
