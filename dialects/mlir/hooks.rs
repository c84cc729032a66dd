//! The functions by which C++ calls the verifiers in Rust: for ops, symbols, attributes and encodings.
//!
//! This crate does not depend on the dialects. The crate of the dialects defines these functions, by the macro
//! [`dialect_hooks!`].

use crate::diagnostics::Reported;
use crate::guarded;
use crate::ir::{Attribute, Lookup, Op, SymbolTables, to_str};
pub use mlir_sys::{MlirAttribute, MlirOperation, MlirStringRef};
pub use std::ffi::{CStr, c_char, c_void};

/// Defines the functions by which C++ calls the verifiers of the dialects. A program has one such crate.
#[macro_export]
macro_rules! dialect_hooks {
    (
        op: $op:expr,
        symbols: $symbols:expr,
        attribute: $attribute:expr,
        argument_attribute: $argument_attribute:expr,
        encoding: $encoding:expr $(,)?
    ) => {
        #[allow(unsafe_code)]
        mod dialect_hooks {
            use $crate::hooks::*;

            #[unsafe(no_mangle)]
            extern "C" fn mlopt_rust_verify(op: MlirOperation) -> bool {
                verify_op(op, $op)
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlopt_rust_verify_symbols(op: MlirOperation, tables: *mut c_void) -> bool {
                verify_symbols(op, tables, $symbols)
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlopt_rust_verify_attribute(
                op: MlirOperation,
                name: MlirStringRef,
                value: MlirAttribute,
            ) -> bool {
                verify_attribute(op, name, value, $attribute)
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlopt_rust_verify_argument_attribute(
                op: MlirOperation,
                kind: MlirStringRef,
                number: u32,
                name: MlirStringRef,
            ) -> bool {
                verify_argument_attribute(op, kind, number, name, $argument_attribute)
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlopt_rust_verify_encoding(
                shape: *const i64,
                rank: isize,
                encoding: MlirAttribute,
            ) -> *const c_char {
                verify_encoding(shape, rank, encoding, $encoding)
            }
        }
    };
}

type Verdict = Result<(), Reported>;

pub fn verify_op(op: MlirOperation, verify: fn(Op) -> Verdict) -> bool {
    let op = Op::from_raw(op);
    guarded(op, "verifier", || verify(op))
}

pub fn verify_symbols(op: MlirOperation, tables: *mut c_void, verify: fn(Op, Lookup) -> Verdict) -> bool {
    let (op, tables) = (Op::from_raw(op), SymbolTables::from_raw(tables));
    guarded(op, "verifier", || verify(op, &|name| tables.lookup(op, name)))
}

pub fn verify_attribute(
    op: MlirOperation,
    name: MlirStringRef,
    value: MlirAttribute,
    verify: fn(Op, &str, Attribute) -> Verdict,
) -> bool {
    // SAFETY: MLIR owns the name and keeps it during the call.
    let (op, name) = (Op::from_raw(op), unsafe { to_str(&name) });
    guarded(op, "verifier", || verify(op, name, Attribute::from_raw(value)))
}

pub fn verify_argument_attribute(
    op: MlirOperation,
    kind: MlirStringRef,
    number: u32,
    name: MlirStringRef,
    verify: fn(Op, &str, u32, &str) -> Verdict,
) -> bool {
    // SAFETY: the kind is a literal, and MLIR owns the name and keeps it during the call.
    let (op, kind, name) = (Op::from_raw(op), unsafe { to_str(&kind) }, unsafe { to_str(&name) });
    guarded(op, "verifier", || verify(op, kind, number, name))
}

#[allow(clippy::not_unsafe_ptr_arg_deref)] // Only the hook of `dialect_hooks!` calls it, with what C++ passes.
pub fn verify_encoding(
    shape: *const i64,
    rank: isize,
    encoding: MlirAttribute,
    wrong: fn(&[i64], Attribute) -> Option<&'static CStr>,
) -> *const c_char {
    // SAFETY: C++ passes the `rank` sizes of a tensor type, which outlives the call.
    let shape = if rank == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(shape, rank as usize) } };
    wrong(shape, Attribute::from_raw(encoding)).map_or(std::ptr::null(), CStr::as_ptr)
}
