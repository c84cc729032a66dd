//! Limits on the size of nests. The time of scheduling and register allocation grows faster than the size of a loop
//! body, and values that do not fit in the registers are stored in any case. Beyond some hundreds of operations fusion
//! therefore has no benefit.
//!
//! A larger nest is cut into pieces, each a section of the program, at points where few arrays are live. Those arrays
//! are stored, or recomputed where that is cheaper.

use super::{Fusion, Root, is_view};
use crate::ir::*;
use std::collections::HashMap;

/// The maximum number of operations of one nest, unless a single op has more.
pub const MOST_TOGETHER: usize = 384;

/// An array that a nest computes, its position in the block, and the operations that it adds to the nest's body.
#[derive(Clone, Copy)]
struct Member {
    array: Value,
    position: usize,
    weight: usize,
}

impl Fusion {
    /// Finds the roots of all arrays of `block`, so that no nest exceeds the limit.
    pub(super) fn decide(&mut self, block: Block) {
        let ops = block.ops();
        let arrays: Vec<Value> = ops.iter().flat_map(|op| op.results()).filter(|z| z.ty().is_tensor()).collect();
        self.find_roots(&arrays);
        // Few programs have this many operations in one block.
        if ops.iter().map(|op| weight(*op)).sum::<usize>() <= MOST_TOGETHER {
            return;
        }
        let before = self.cuts.len();
        for nest in self.nests(&ops) {
            if nest.iter().map(|m| m.weight).sum::<usize>() > MOST_TOGETHER {
                self.cut(&sunk(nest));
            }
        }
        if self.cuts.len() > before {
            self.roots.retain(|z, _| z.block() != Some(block));
            self.find_roots(&arrays);
        }
    }

    /// Finds the roots of `arrays`, the last one first, because the root of an array depends on the roots of its
    /// readers.
    fn find_roots(&mut self, arrays: &[Value]) {
        for z in arrays.iter().rev() {
            self.root(*z);
        }
    }

    /// Returns the nests that compute arrays of one block, in the order of their first arrays.
    fn nests(&self, ops: &[Op]) -> Vec<Vec<Member>> {
        let mut nests: Vec<Vec<Member>> = Vec::new();
        let mut number: HashMap<Op, usize> = HashMap::new();
        for (position, op) in ops.iter().enumerate().filter(|(_, op)| !is_view(**op)) {
            for array in op.results() {
                let Some(Root::Fused(nest) | Root::Own(nest)) = self.roots.get(&array) else { continue };
                let n = *number.entry(*nest).or_insert(nests.len());
                nests.resize(nests.len().max(n + 1), Vec::new());
                nests[n].push(Member { array, position, weight: weight(*op) });
            }
        }
        nests
    }

    /// Cuts one nest, starting at its end. The size of each piece is between half the limit and the limit.
    fn cut(&mut self, nest: &[Member]) {
        let mut read_last_by: Vec<Vec<usize>> = vec![Vec::new(); nest.len()];
        for (k, readers) in readers(nest).into_iter().enumerate() {
            let last = readers.into_iter().max().unwrap_or(k);
            read_last_by[last.min(nest.len() - 1)].push(k);
        }
        let mut end = nest.len();
        loop {
            // The piece is `start..end`, as large as the limit allows; at most half of it is given up for a better
            // position of the cut.
            let (mut start, mut size, mut half) = (end, 0, end);
            while start > 0 && (start == end || size + nest[start - 1].weight <= MOST_TOGETHER) {
                start -= 1;
                size += nest[start].weight;
                if size <= MOST_TOGETHER / 2 || half == end {
                    half = start;
                }
            }
            if start == 0 {
                return;
            }
            let mut crossing = vec![0; half - start + 1];
            for (reader, read) in read_last_by.iter().enumerate().take(end).skip(start) {
                for k in read {
                    let span = start.max(k + 1)..=half.min(reader);
                    span.for_each(|at| crossing[at - start] += 1);
                }
            }
            let best = (start..=half).min_by_key(|at| crossing[at - start]).expect("not empty");
            let crosses = read_last_by[best..end].iter().flatten().filter(|k| **k < best);
            self.cuts.extend(crosses.map(|k| nest[*k].array));
            end = best;
        }
    }
}

/// Reorders the arrays of a nest: an array that needs at most one other array is placed before its first reader. In
/// reverse mode this moves derivatives from the point where their argument is computed to the point where they are
/// used.
fn sunk(mut nest: Vec<Member>) -> Vec<Member> {
    let readers = readers(&nest);
    let mut reads = vec![0; nest.len()];
    readers.iter().flatten().filter(|r| **r < nest.len()).for_each(|r| reads[*r] += 1);
    for k in (0..nest.len()).rev() {
        let first = readers[k].iter().filter_map(|r| nest.get(*r)).map(|m| m.position).min();
        if let Some(first) = first.filter(|_| reads[k] <= 1) {
            nest[k].position = first;
        }
    }
    // Members at the same place keep the order of the program.
    nest.sort_by_key(|m| m.position);
    nest
}

/// Returns the readers of each array of a nest. The index after the last array stands for the nest's own op and for
/// other readers.
fn readers(nest: &[Member]) -> Vec<Vec<usize>> {
    let place: HashMap<Value, usize> = nest.iter().enumerate().map(|(k, m)| (m.array, k)).collect();
    let of = |m: &Member| {
        let (mut todo, mut readers) = (vec![m.array], Vec::new());
        while let Some(v) = todo.pop() {
            for (user, _) in v.uses() {
                if is_view(user) {
                    todo.extend(user.results());
                    continue;
                }
                let reader = user.results().iter().find_map(|r| place.get(r).copied());
                readers.push(reader.unwrap_or(nest.len()));
            }
        }
        readers.sort_unstable();
        readers.dedup();
        readers
    };
    nest.iter().map(of).collect()
}

/// Returns the number of operations that `op` adds to a body.
fn weight(op: Op) -> usize {
    1 + if op.num_regions() == 0 { 0 } else { op.nested_ops().len() }
}
