//! Loop-invariant code motion: a value in a nest that depends only on the indices of outer loops is computed in the
//! outer loop.
//!
//! LLVM moves arithmetic out of loops itself. It does not move the read of an array out of a loop that writes another
//! one, because for LLVM all scratch memory is one buffer. The memory plan provides more information: two arrays that
//! are live at the same time are disjoint.

use crate::ir::*;
use crate::nests::indices;
use std::collections::{HashMap, HashSet};

/// Returns for ops in the body of `nest` the number of loops of the nest, counted from the outermost, that must enclose
/// them. Ops without an entry need all loops.
pub fn loops_around(nest: Op) -> HashMap<Op, usize> {
    let extents = nest.operand_segment(0);
    // Ops are not moved out of a loop that may have no iteration, because a read may then be out of range.
    let runs = |n: &Value| known(*n).is_some_and(|n| n > 0);
    let fewest = extents.iter().rposition(|n| !runs(n)).map_or(0, |k| k + 1);
    let mut around = HashMap::new();
    if fewest >= extents.len() || extents.len() < 2 {
        return around;
    }
    let body = nest.entry();
    let at = indices(nest);
    let written = written(nest);
    let needed = |v: Value, around: &HashMap<Op, usize>| match v.defining_op() {
        Some((op, _)) if op.block() == Some(body) => around.get(&op).copied().unwrap_or(extents.len()),
        None if v.block() == Some(body) => at.iter().position(|i| *i == v).map_or(extents.len(), |k| k + 1),
        _ => 0,
    };
    for op in body.ops() {
        let movable = match op.kind() {
            Kind::MemrefLoad => !written.contains(&root(op.operand(0))),
            _ => (op.kind().dialect() == "arith" || op.kind().dialect() == "math") && op.num_regions() == 0,
        };
        let least = op.operands().into_iter().map(|v| needed(v, &around)).max().unwrap_or(0).max(fewest);
        if movable && least < extents.len() {
            around.insert(op, least);
        }
    }
    around
}

/// Returns the memory that `nest` may write.
fn written(nest: Op) -> HashSet<Value> {
    let changes = |op: &Op| {
        !matches!(op.kind(), Kind::MemrefLoad | Kind::MemrefDim | Kind::MemrefView | Kind::MemrefReinterpretCast)
    };
    let ops = nest.nested_ops().into_iter().filter(changes);
    ops.flat_map(Op::operands).filter(|v| v.ty().is_memref()).map(root).collect()
}

/// Returns the array of which `memory` is a view with other sizes.
pub fn root(memory: Value) -> Value {
    match memory.defining_op() {
        Some((op, _)) if op.kind() == Kind::MemrefReinterpretCast => root(op.operand(0)),
        _ => memory,
    }
}
