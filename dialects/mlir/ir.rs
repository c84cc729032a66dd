//! Handles to MLIR's objects: small, copyable values that are compared by identity.
//!
//! As in MLIR's C++, a handle is valid only while its object exists: do not use an op after [`Op::erase`], nor any
//! handle after its context is destroyed. Passes use handles because they transform programs in place. Code that owns
//! contexts and modules uses `melior` instead.
//!
//! The types do not enforce the following invariants, on which the `SAFETY` comments of this project rely. Code that
//! uses handles must maintain them:
//!
//! - A handle is *valid*: MLIR has returned it, its object exists, and no other thread changes the object. Types,
//!   attributes, locations and names exist as long as their context.
//! - An index of an operand, result, region, successor or block argument is *in range*: it is less than their number.
//! - A method that requires a certain kind of type or attribute, such as a tensor type, is called only on that kind. A
//!   list that is passed to MLIR has the length that the call expects.
//! - An op, block or region is *detached* (has no parent) when it is inserted, and so is a block when it is destroyed.
//!
//! MLIR checks most of these invariants by assertions, which its release builds do not contain. Strings and arrays that
//! are passed to a call need to exist only during that call: MLIR copies what it still needs afterwards.

mod attributes;
mod blocks;
mod build;
mod context;
pub(crate) mod erased;
mod low_types;
mod ops;
mod symbols;
mod typed;
mod types;

pub use build::OpBuilder;
pub use ops::Purity;
pub use symbols::{Lookup, SymbolTables, Symbols};
pub use typed::TypedOp;

use crate::value::Element;
use mlir_sys::*;
use std::ffi::c_void;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Returns text that MLIR owns.
///
/// # Safety
///
/// The characters must be valid for as long as the result is used.
pub(crate) unsafe fn to_str<'a>(s: &MlirStringRef) -> &'a str {
    if s.length == 0 {
        return "";
    }
    // SAFETY: guaranteed by the caller; characters of a text that is not empty have an address.
    let bytes = unsafe { std::slice::from_raw_parts(s.data as *const u8, s.length) };
    // MLIR's own names are ASCII; names of users are arbitrary bytes.
    std::str::from_utf8(bytes).unwrap_or("<not utf-8>")
}

extern "C" fn append(chunk: MlirStringRef, data: *mut c_void) {
    // SAFETY: `data` is the list in `printed`, which nothing else accesses during the call.
    let out = unsafe { &mut *(data as *mut Vec<u8>) };
    // SAFETY: MLIR keeps the chunk during the call, and LLVM's streams write no empty chunks, which may have no
    // address.
    out.extend_from_slice(unsafe { std::slice::from_raw_parts(chunk.data as *const u8, chunk.length) });
}

/// Returns the text that MLIR prints by `print(callback, data)`.
pub(crate) fn printed(print: impl FnOnce(MlirStringCallback, *mut c_void)) -> String {
    let mut out: Vec<u8> = Vec::new();
    print(Some(append), &mut out as *mut _ as *mut c_void);
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name($raw);

        impl $name {
            pub fn from_raw(raw: $raw) -> $name {
                $name(raw)
            }

            pub fn raw(self) -> $raw {
                self.0
            }

            /// Returns `None` for MLIR's null.
            pub fn some(raw: $raw) -> Option<$name> {
                (!raw.ptr.is_null()).then_some($name(raw))
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.0.ptr == other.0.ptr
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (self.0.ptr as usize).hash(state)
            }
        }
    };
}

handle!(Context, MlirContext);
handle!(Location, MlirLocation);
handle!(Type, MlirType);
handle!(Attribute, MlirAttribute);
handle!(Value, MlirValue);
handle!(Op, MlirOperation);
handle!(Block, MlirBlock);
handle!(Region, MlirRegion);

// SAFETY: passes run on MLIR's threads, and MLIR locks the tables of a context that has several threads. A context with
// `Threading::DISABLED` has no locks; its handles must stay on one thread, which the types do not enforce.
unsafe impl Send for Context {}
// SAFETY: as for `Send`.
unsafe impl Sync for Context {}

/// True if this build checks that ops are not used after they are erased.
pub const CHECKS_ERASED_OPS: bool = cfg!(debug_assertions);

/// One size of a shape; `None` is known only at run time.
pub type Dim = Option<usize>;

/// Returns the types of values.
pub fn types_of(values: &[Value]) -> Vec<Type> {
    values.iter().map(|v| v.ty()).collect()
}
