//! Chains of nests over one long axis run block by block: what one nest hands to the next stays in the cache.
//!
//! ```text
//! %x = nest (p < n, i < d) { … }                nest (k < n / B) fold(a = 0) {
//! %y = nest (p < n, i < d) { … x[p, …] … }        x = nest (i < d, p < B) { … }
//! %s = nest (i < d) { sum (p < n) y[p, i] }  →    y = nest (i < d, p < B) { … x[…, p] … }
//!                                                 nest (i < d) { a[i] + sum (p < B) y[i, p] } }
//! ```
//! The arrays of a block have the long axis last: there are as many neighbours as a vector wants, however short the others
//! are. Arrays from outside that have it elsewhere are copied once for each block. The rest of `n / B` is a block of its own.
//!
//! One thread runs the blocks in turn. For devices, on which each index of the long axis is a thread, nests stay whole.

mod emit;
mod group;

use crate::contraction::{kinds, known};
use crate::ir::*;
use group::{Group, Role};
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use mlopt_dialects::sweep::Kind;

/// Which chains run block by block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    Never,
    /// Those of known sizes that pay.
    Paying,
    /// All whose long axis is known and has more indices than this, in blocks of so many.
    Of(i64),
}

/// Bytes that the arrays of one block may have: a part of what a core has to itself.
const ROOM: i64 = 1 << 19;
/// Indices of a block: enough for several vectors, and too many to be unrolled by `registers/`.
const LEAST: i64 = 40;
const MOST: i64 = 128;
/// Blocks are multiples of this: whole vectors, of double precision at least.
const LANES: i64 = 8;
/// Lengths that are looked at in one function.
const MOST_LENGTHS: usize = 16;

/// Cuts the chains of `function` into blocks.
pub fn cut(function: Op, blocks: Blocks) {
    let Some(body) = function.body() else { return };
    if blocks == Blocks::Never {
        return;
    }
    for n in lengths(body, blocks) {
        while let Some(group) = Group::of(body, n) {
            let Some(size) = size(&group, blocks, body) else { break };
            emit::emit(&group, size, body);
        }
    }
}

/// Extents of outer nests that are long enough, in order of appearance.
fn lengths(body: Block, blocks: Blocks) -> Vec<i64> {
    let least = match blocks {
        Blocks::Of(size) => size + 1,
        _ => 2 * LEAST,
    };
    let mut found = Vec::new();
    for op in body.ops().into_iter().filter(|op| op.kind() == OpKind::SweepNest && !kinds(*op).contains(&Kind::Fold)) {
        for n in op.operand_segment(0).into_iter().filter_map(known) {
            if n >= least && !found.contains(&n) && found.len() < MOST_LENGTHS {
                found.push(n);
            }
        }
    }
    found
}

/// How many indices a block of `group` has; `None` if the nests are better left whole.
fn size(group: &Group, blocks: Blocks, body: Block) -> Option<i64> {
    if let Blocks::Of(size) = blocks {
        return Some(size);
    }
    let (n, mut at_a_time, mut saved) = (group.length, 0, 0);
    for (array, _) in group.arrays.all() {
        let size = bytes(array.ty())?;
        at_a_time += size / n;
        saved += size * (1 + group.readers(array, body) as i64);
    }
    for (array, _) in group.copied.all() {
        at_a_time += bytes(array.ty())? / n;
    }
    // Memory that is read, or read and written, once more for each block.
    let mut again = 0;
    for member in group.members.iter().filter(|m| !matches!(m.role, Role::Map(_))) {
        for z in member.nest.results() {
            again += 2 * bytes(z.ty())?;
        }
    }
    for array in &group.whole {
        again += bytes(array.ty())?;
    }
    let fits = (ROOM / at_a_time.max(1)).clamp(LEAST, MOST);
    let whole_vectors = (LEAST..=fits).rev().filter(|size| size % LANES == 0);
    let size = whole_vectors.clone().find(|size| n % size == 0).or_else(|| whole_vectors.max())?;
    let stays = at_a_time * n <= ROOM;
    (!stays && saved > again * (n / size)).then_some(size)
}

/// The size of a value in memory, if it is known.
fn bytes(ty: Type) -> Option<i64> {
    let elements = ty.shape().into_iter().product::<Option<usize>>()?;
    i64::try_from(elements * ty.element()?.bytes()).ok()
}
