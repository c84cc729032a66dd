//! The normal form of bulk code (spec/arrays.md B.5), as a predicate on single ops.
//!
//! 1. There is no `array.build`, and no `array.vmap`, which would expand to one.
//! 2. Every `array.get` reads a variable, a constant, or the result of `array.stack` (at a computed index), of
//!    `array.scatter` or `array.one_hot`, of a remaining loop or branch, of a call, or of an unknown op.
//!
//! In the language of the specification, a variable is a parameter or a name that `let` binds. Here a variable is a
//! block argument, a value that has uses other than the `array.get`, or a value that is defined outside of the loop or
//! region with the `array.get`. If a read moved past the op that defines such a value, the value would be computed once
//! for each of its reads, or once for each iteration.

use super::ops;
use super::ranges::Ranges;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};

/// Returns the reason for which an op is not in normal form; `None` if it is.
pub fn violation(op: Op) -> Option<String> {
    match op.kind() {
        Kind::ArrayBuild => Some("expected operations on whole arrays, found operations on elements".into()),
        Kind::ArrayVmap => Some("expected operations on whole arrays, found a mapped function".into()),
        Kind::ArrayGet => movable(op)
            .map(|made| format!("expected a read from an operand of '{}' instead of its result", made.name())),
        _ => None,
    }
}

/// Returns the op that defines the array that `get` reads, if the read can move past it (spec/arrays.md B.3).
pub fn movable(get: Op) -> Option<Op> {
    let (array, indices) = (get.operand(0), get.num_operands() - 1);
    let (made, _) = array.defining_op()?;
    match made.kind() {
        // Each such step removes an axis, so there are few, and they compute nothing twice.
        Kind::ArrayGet | Kind::ArrayReplicate | Kind::ArrayIota => return Some(made),
        Kind::ArrayStack if Ranges::default().constant(get.operand(1)).is_some() => return Some(made),
        _ => {}
    }
    let known = match made.kind() {
        Kind::ArrayStack => indices > 1,
        Kind::ArrayTranspose | Kind::ArrayReshape | Kind::ArrayAppend | Kind::ArraySlice | Kind::ArrayReverse => true,
        Kind::ArrayGather => ops::is_speculatable(made),
        Kind::ScfIf => has_one_use(made),
        _ if ops::is_reduction(made.kind()) || ops::is_search(made.kind()) => true,
        _ => made.num_results() == 1 && ops::is_elementwise(made) && made.is_pure(),
    };
    (known && array.is_used_once() && iteration(made) == iteration(get)).then_some(made)
}

/// Checks whether the results of an op have one use in total.
fn has_one_use(op: Op) -> bool {
    op.results().into_iter().filter(|r| !r.is_unused()).count() == 1
}

/// Returns the loop, index region or function whose every iteration executes `op` at most once: branches are skipped.
pub fn iteration(op: Op) -> Option<Op> {
    let mut around = op.parent_op()?;
    while around.kind() == Kind::ScfIf {
        around = around.parent_op()?;
    }
    Some(around)
}
