//! Converts arrays that are defined element by element, by `array.build`, to *bulk operations*, which are operations on
//! whole arrays. Every `array.build` is removed, and each `array.get` is replaced where the element can be computed
//! directly (spec/arrays.md B). Reverse-mode differentiation then sees a few large ops instead of many small ones.
//!
//! Reads move first: the read of an element of an array is replaced by the computation of this element, so that an
//! array of which only one element is read is never computed. Then each op in the body of a build is computed for all
//! values of the index at once, on values with one more axis, the outermost one. An op that does not depend on the
//! index is computed once. A read of an array in the body becomes an `array.gather`; a read at exactly the index of the
//! build becomes the array itself.
//!
//! A loop in the body of a build remains, and carries values with one more axis. Some ops cannot be converted, for
//! example a loop whose number of iterations depends on the index, or a branch with an arm that must not be executed
//! where it is not selected, because it may then divide an integer by zero (see `loops.rs`). Such an op stays inside a
//! loop over the index, an `array.map_accum` over an `array.iota`.
//!
//! Requires: sizes in the body of a build that do not depend on its indices. The pass itself first inlines calls in
//! builds and expands `array.vmap`. Result: the normal form of `bulk_operations/normal.rs`, which `verify-bulk` checks.
//! Exception: a build that calls a function with a custom derivative (`dual.jvp`) remains while the module contains a
//! request, which may use that derivative.
//! ```mlir before
//! func.func @dot(%x: tensor<8xf64>, %y: tensor<8xf64>) -> f64 {
//!   %p = array.build (%i < 8) -> (tensor<8xf64>) {
//!     %a = array.get %x[%i] : (tensor<8xf64>) -> f64
//!     %b = array.get %y[%i] : (tensor<8xf64>) -> f64
//!     %c = arith.mulf %a, %b : f64
//!     array.yield %c : f64
//!   }
//!   %s = array.sum %p : (tensor<8xf64>) -> f64
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @dot(%x: tensor<8xf64>, %y: tensor<8xf64>) -> f64 {
//!   %p = arith.mulf %x, %y : tensor<8xf64>
//!   %s = array.sum %p : (tensor<8xf64>) -> f64
//!   return %s : f64
//! }
//! ```

mod arrays;
pub(super) mod depend;
mod inline;
mod lift;
mod loops;
pub mod normal;
mod ops;
mod push;
mod ranges;
mod reshape;
mod simplify;
pub(super) mod sizes;
mod terms;
mod tidy;

use depend::Dependence;
use inline::Callees;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "bulk-operations",
    description: "Replace every array.build by bulk operations, and move every array.get to the definition of the \
                  array",
    // The pass looks up callees, which a pass on functions must not do while other threads change them.
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "dual", "scf"],
    run: |module, _| {
        let functions = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc);
        let callees = Callees::of(module);
        functions.into_iter().try_for_each(|function| run_with(function, &callees))
    },
};

/// Brings one `func.func` into normal form. Reads its callees, which must not be changed concurrently.
pub fn run_on(function: Op) -> Result<(), Reported> {
    run_with(function, &function.module().map(Callees::of).unwrap_or_default())
}

fn run_with(function: Op, callees: &Callees) -> Result<(), Reported> {
    inline::inline_in(function, callees)?;
    depend::check_sizes(function)?;
    // Innermost first, so that the body of a build contains no build. Ops may be erased by then, so names are read
    // before.
    let builds: Vec<Op> = function.nested_ops().into_iter().filter(|op| op.kind() == Kind::ArrayBuild).collect();
    for build in builds.into_iter().rev() {
        // Calls are inlined, except for those of functions whose custom derivative will be requested.
        if build.nested_ops().into_iter().any(|op| op.kind() == Kind::FuncCall) {
            continue;
        }
        let mut left = Some(build);
        while let Some(build) = left {
            prepare(build);
            left = lift::remove_index(build);
        }
    }
    tidy::tidy(function);
    while push::push_all(function, &|_| true) | simplify::simplify_all(function) {
        tidy::tidy(function);
    }
    Ok(())
}

/// Checks whether no size inside of a build depends on its indices, without a diagnostic.
pub fn has_free_sizes(function: Op) -> bool {
    depend::dependent_size(function).is_none()
}

/// Moves reads in the body of a build past ops that depend on its last index, so that only read elements are computed.
fn prepare(build: Op) {
    let move_reads = || {
        let body = build.entry();
        let index = body.argument(body.num_arguments() - 1);
        let dependence = Dependence::of(build, &[index], &|_| false);
        // An array that does not depend on the index is read by a gather; a read of a read is combined with it.
        push::push_all(build, &|made| made.kind() == Kind::ArrayGet || dependence.touches(made))
    };
    tidy::tidy(build);
    while move_reads() {
        tidy::tidy(build);
    }
}
