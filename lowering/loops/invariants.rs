//! What a nest computes for each index of an outer loop only is computed there.
//!
//! LLVM moves arithmetic out of loops by itself, but no read of an array while others are written: all of scratch memory
//! is one buffer to it. The plan of the memory says more: two arrays that are needed at the same time are apart.

use crate::contraction::{indices, known};
use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// For each op in the body of `nest` how many of its loops must be around it, the outermost first; ops that are not listed
/// need all.
pub fn loops_around(nest: Op) -> HashMap<Op, usize> {
    let extents = nest.operand_segment(0);
    // A loop that may have no iteration keeps what stands in it: a read may be out of range then.
    let runs = |n: &Value| known(*n).is_some_and(|n| n > 0);
    let fewest = extents.iter().rposition(|n| !runs(n)).map_or(0, |k| k + 1);
    let mut around = HashMap::new();
    if fewest >= extents.len() || extents.len() < 2 {
        return around;
    }
    let body = nest.body().expect("verified");
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
            _ => (op.name().starts_with("arith.") || op.name().starts_with("math.")) && op.num_regions() == 0,
        };
        let least = op.operands().into_iter().map(|v| needed(v, &around)).max().unwrap_or(0).max(fewest);
        if movable && least < extents.len() {
            around.insert(op, least);
        }
    }
    around
}

/// The memory that anything in `nest` may change.
fn written(nest: Op) -> HashSet<Value> {
    let changes = |op: &Op| {
        !matches!(op.kind(), Kind::MemrefLoad | Kind::MemrefDim | Kind::MemrefView | Kind::MemrefReinterpretCast)
    };
    let ops = nest.nested_ops().into_iter().filter(changes);
    ops.flat_map(Op::operands).filter(|v| v.ty().is_memref()).map(root).collect()
}

/// The array that a view with other sizes looks at.
pub fn root(memory: Value) -> Value {
    match memory.defining_op() {
        Some((op, _)) if op.kind() == Kind::MemrefReinterpretCast => root(op.operand(0)),
        _ => memory,
    }
}
