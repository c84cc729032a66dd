//! Detection of uses of erased ops, in debug builds.
//!
//! [`Op::erase`](super::Op::erase) records the addresses of the op and of all ops in it. Reading an op at a recorded
//! address panics. MLIR reuses memory, so an address is removed from the record when an [`OpBuilder`](super::OpBuilder)
//! or a clone creates an op there. Ops that C++ creates, in parsers and passes, are not observed, so the whole record
//! is emptied whenever C++ calls Rust, and whenever a call of a parser or of passes returns to Rust.
//!
//! One record for each thread suffices, because between two calls from C++ an op is used by one thread only. To run the
//! tests of optimised builds with these checks:
//! `cargo test --release --config profile.release.package.mlopt-mlir.debug-assertions=true`.

#[cfg(debug_assertions)]
mod table {
    use crate::ir::Op;
    use std::cell::RefCell;
    use std::collections::HashSet;

    thread_local! {
        static ERASED: RefCell<HashSet<usize>> = RefCell::default();
    }

    /// Records that `op` and the ops in it are about to be erased.
    pub fn record(op: Op) {
        let nested = op.nested_ops();
        ERASED.with_borrow_mut(|erased| {
            erased.insert(op.0.ptr as usize);
            erased.extend(nested.into_iter().map(|op| op.0.ptr as usize));
        });
    }

    /// Forgets the addresses of `op` and of the ops in it, which were just created.
    pub fn forget(op: Op) {
        // Most ops are created while nothing is recorded.
        if ERASED.with_borrow(HashSet::is_empty) {
            return;
        }
        ERASED.with_borrow_mut(|erased| erased.remove(&(op.0.ptr as usize)));
        for block in op.blocks() {
            let mut child = block.first_op();
            while let Some(op) = child {
                forget(op);
                // Only now: to read an op at a recorded address panics.
                child = op.next();
            }
        }
    }

    pub fn forget_all() {
        ERASED.with_borrow_mut(HashSet::clear);
    }

    #[track_caller]
    pub fn check(op: Op) {
        let is_erased = ERASED.with_borrow(|erased| erased.contains(&(op.0.ptr as usize)));
        assert!(!is_erased, "use of an op that was erased");
    }
}

#[cfg(not(debug_assertions))]
mod table {
    use crate::ir::Op;

    pub fn record(_: Op) {}
    pub fn forget(_: Op) {}
    pub fn forget_all() {}
    #[inline(always)]
    pub fn check(_: Op) {}
}

pub(crate) use table::{check, forget, forget_all, record};
