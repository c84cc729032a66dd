//! Combination of scalar reads of neighbouring elements into one vector read, and of scalar stores of the lanes of a
//! vector into one vector store.
//!
//! LLVM combines reads itself, except if the elements were just stored as vectors of another size; in that case it
//! splits those vectors instead.

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
    // Unused lanes at the end are zero.
    let is_zero = |v: &&Value| constant(**v) == Some(zero_of(v.ty()));
    let operands = op.operands();
    let unused = operands.iter().rev().take_while(is_zero).count();
    let loads: Vec<Op> = operands[..operands.len() - unused].iter().map(load).collect::<Option<_>>()?;
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
    let (b, ty) = (Builder::before(latest), op.result(0).ty());
    let (element, lanes) = (ty.scalar(), loads.len());
    let read = b.value(Kind::VectorLoad, &first.operands(), b.context().vector(lanes, element), &[]);
    if unused == 0 {
        return Some(read);
    }
    let mask: Vec<i64> = (0..ty.lanes()).map(|k| k.min(lanes) as i64).collect();
    Some(b.shuffle(read, b.zeros(read.ty()), &mask))
}

/// Combines the stores in each of these blocks.
pub fn join_stores(blocks: impl IntoIterator<Item = Block>) {
    for block in blocks {
        let mut run: Vec<LaneStore> = Vec::new();
        for op in block.ops() {
            let next = LaneStore::of(op);
            if let (Some(store), Some(last)) = (&next, run.last())
                && store.follows(last)
            {
                run.extend(next);
            } else if next.is_some() || op.num_regions() > 0 || may_write(op) || may_read(op) {
                join_run(&run);
                run = next.into_iter().collect();
            }
        }
    }
}

/// A store of a lane of a vector to a known element of a row.
struct LaneStore {
    op: Op,
    vector: Value,
    lane: i64,
    column: i64,
}

impl LaneStore {
    fn of(op: Op) -> Option<LaneStore> {
        if op.kind() != Kind::MemrefStore || !op.operand(1).ty().is_contiguous_memref() {
            return None;
        }
        let (vector, lane) = lane_of(op.operand(0))?;
        Some(LaneStore { op, vector, lane, column: known(*op.operands()[2..].last()?)? })
    }

    fn row(&self) -> Vec<Value> {
        let operands = self.op.operands();
        operands[1..operands.len() - 1].to_vec()
    }

    fn follows(&self, last: &LaneStore) -> bool {
        self.vector == last.vector
            && (self.lane, self.column) == (last.lane + 1, last.column + 1)
            && self.row() == last.row()
    }
}

fn join_run(run: &[LaneStore]) {
    let [first, .., last] = run else { return };
    let b = Builder::before(last.op);
    let lanes: Vec<i64> = run.iter().map(|store| store.lane).collect();
    let is_whole = lanes.len() == first.vector.ty().lanes();
    let value = if is_whole { first.vector } else { b.shuffle(first.vector, first.vector, &lanes) };
    b.make(Kind::VectorStore, &[&[value], &first.op.operands()[1..]].concat(), &[], &[]);
    run.iter().for_each(|store| store.op.erase());
}

fn may_read(op: Op) -> bool {
    matches!(op.kind(), Kind::MemrefLoad | Kind::VectorLoad | Kind::VectorMaskedload | Kind::VectorGather)
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
