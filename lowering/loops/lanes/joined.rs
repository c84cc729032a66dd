//! Combination of scalar reads of neighbouring elements into one vector read.
//!
//! LLVM does this itself, except if the elements were just stored as vectors of another size; in that case it splits
//! those vectors instead.

use super::records::known;
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Combines the reads of these `vector.from_elements`.
pub fn join_reads(vectors: &[Op]) {
    let mut blocks = HashMap::new();
    for op in vectors {
        if let Some(read) = whole_read(*op, &mut blocks) {
            op.result(0).replace_all_uses_with(read);
            let loads: HashSet<Op> = op.operands().iter().filter_map(|v| Some(v.defining_op()?.0)).collect();
            op.erase();
            loads.into_iter().filter(|op| op.result(0).is_unused()).for_each(|load| load.erase());
        }
    }
}

/// The ops of a block, each with its position and the number of previous ops that may write.
type Order = HashMap<Op, (usize, usize)>;

fn whole_read(op: Op, blocks: &mut HashMap<Block, Order>) -> Option<Value> {
    let load = |v: &Value| v.defining_op().map(|(op, _)| op).filter(|op| op.kind() == Kind::MemrefLoad);
    let loads: Vec<Op> = op.operands().iter().map(load).collect::<Option<_>>()?;
    let (first, block) = (*loads.first()?, loads[0].block()?);
    let (last, outer) = first.operands()[1..].split_last().map(|(last, outer)| (*last, outer.to_vec()))?;
    let (memory, start) = (first.operand(0), known(last)?);
    let follows = |(k, load): (usize, &Op)| {
        load.block() == Some(block)
            && load.operand(0) == memory
            && load.operands()[1..]
                .split_last()
                .is_some_and(|(last, before)| known(*last) == Some(start + k as i64) && before == outer.as_slice())
    };
    if loads.len() < 2 || !memory.ty().is_contiguous_memref() || !loads.iter().enumerate().all(follows) {
        return None;
    }
    let order = blocks.entry(block).or_insert_with(|| order(block));
    let earliest = *loads.iter().min_by_key(|op| order[op].0)?;
    if loads.iter().any(|op| order[op].1 != order[&earliest].1) {
        return None;
    }
    // The last read is after all ops that compute the positions.
    let latest = *loads.iter().max_by_key(|op| order[op].0)?;
    Some(Builder::before(latest).value(Kind::VectorLoad, &first.operands(), op.result(0).ty(), &[]))
}

fn order(block: Block) -> Order {
    let mut writes = 0;
    let place = |(k, op): (usize, Op)| {
        let place = (k, writes);
        writes += usize::from(may_write(op));
        (op, place)
    };
    block.ops().into_iter().enumerate().map(place).collect()
}

/// Checks whether `op` may write to memory.
pub(super) fn may_write(op: Op) -> bool {
    let kind = op.kind();
    !matches!(kind.dialect(), "arith" | "math" | "vector" | "memref")
        || op.num_regions() > 0
        || kind == Kind::MemrefCopy
        || kind.name().contains("store")
}
