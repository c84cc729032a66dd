//! Flattening of nested builds. A build whose rows are builds, and that otherwise computes only a few cheap scalars,
//! becomes one build over all indices:
//!
//! ```text
//! build (i < n) { build (j < m) { e } }   →   build (i < n, j < m) { e }
//! ```
//! The elements of the flat build can be computed in any order of the indices, in particular in the order in which they
//! are read. Only builds of cheap elements that are read through a view (a transpose, a slice, …) are flattened:
//! otherwise the rows of such a build would be stored, and the view would read them along columns.

use super::fuse::{is_elementwise, is_view};
use crate::ir::*;

/// The maximum number of operations of a body that are recomputed for each element, if LLVM does not move them out of
/// the inner loop.
const MOST_OPERATIONS: usize = 16;

/// Flattens the nested builds in `op` whose only reader is a view.
pub fn flatten(op: Op) {
    op.child_ops().into_iter().for_each(flatten);
    if op.kind() == Kind::ArrayBuild && op.num_results() == 1 && is_viewed(op.result(0)) {
        let mut op = op;
        while let Some(flat) = flattened(op) {
            op = flat;
        }
    }
}

/// Checks whether the only reader of `z` is a view. Reading a length does not count.
fn is_viewed(z: Value) -> bool {
    let mut readers = z.uses().into_iter().filter(|(user, _)| user.kind() != Kind::ArrayLength);
    readers.next().is_some_and(|(user, _)| is_view(user)) && readers.next().is_none()
}

/// Returns `op` with the indices of the build that is its whole body.
fn flattened(op: Op) -> Option<Op> {
    let body = op.body()?;
    let rows = body.terminator()?.operand(0);
    let (inner, _) = rows.defining_op()?;
    let is_whole = inner.kind() == Kind::ArrayBuild && inner.block() == Some(body) && inner.num_results() == 1;
    if !is_whole || !rows.is_used_once() || op.result(0).ty().shape()[body.num_arguments()..] != rows.ty().shape() {
        return None;
    }
    let elements = inner.body()?;
    let is_small = |block: Block| {
        let computes = |op: &Op| is_scalar_work(*op) || *op == inner || op.kind() == Kind::ArrayYield;
        block.ops().len() <= MOST_OPERATIONS && block.ops().iter().all(computes)
    };
    // The lengths of rows are known before any row exists: operations that compute them are moved out.
    let lengths = inner.operands().into_iter().map(|n| moved_out(n, op)).collect::<Option<Vec<_>>>()?;
    if !is_small(body) || !(is_small(elements) || is_row(elements)) {
        return None;
    }
    let b = Builder::before(op).at(op.location());
    lengths.into_iter().flatten().for_each(|length| length.move_before(op));
    let arguments = [body.arguments(), elements.arguments()].concat();
    let block = block_of(types_of(&arguments), b.location);
    replace_all(arguments, block.arguments());
    move_ops(body, &[inner, body.end()], block);
    move_ops(elements, &[], block);
    let extents = [op.operands(), inner.operands()].concat();
    let flat = b.op(Kind::ArrayBuild).operands(&extents).results(&[op.result(0).ty()]);
    let flat = b.insert(flat.region(Region::with_block(block)).build());
    op.replace_with([flat.result(0)]);
    Some(flat)
}

/// Checks whether a body only creates a row, by a build.
fn is_row(body: Block) -> bool {
    body.terminator().is_some_and(|end| end.operands().iter().all(|v| v.ty().is_tensor()))
}

/// Returns the operation, if any, that must be moved before `op` so that `length` is known there, or `None` if this is
/// impossible.
fn moved_out(length: Value, op: Op) -> Option<Option<Op>> {
    if length.block() != op.body() {
        return Some(None);
    }
    let (maker, _) = length.defining_op()?;
    let is_known_outside = maker.operands().iter().all(|v| v.block() != op.body());
    let tells = matches!(maker.kind(), Kind::ArrayLength | Kind::TensorDim | Kind::ArithConstant);
    (tells && is_known_outside).then_some(Some(maker))
}

/// Checks whether an operation is cheap work on scalars: arithmetic and reads of elements.
fn is_scalar_work(op: Op) -> bool {
    let is_scalar = op.results().iter().all(|z| !z.ty().is_tensor());
    // An integer division may stop the program, even if there are no elements; one of floats is not cheap.
    let divides = |kind| divides_integers(kind) || matches!(kind, Kind::ArithDivf | Kind::ArithRemf);
    let computes = is_elementwise(op) && !divides(op.kind()) && op.kind().dialect() != "math";
    let reads = matches!(op.kind(), Kind::ArrayGet | Kind::ArrayLength | Kind::TensorDim | Kind::TensorExtract);
    is_scalar && (computes || reads || matches!(op.kind(), Kind::ArithConstant | Kind::DualZero | Kind::DualOne))
}
