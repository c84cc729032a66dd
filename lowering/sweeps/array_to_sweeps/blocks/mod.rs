//! Blocking of chains of nests over one long axis. The nests are executed block by block, so that the values that one
//! nest passes to the next stay in the cache.
//!
//! ```text
//! %x = nest (p < n, i < d) { … }                nest (k < n / B) fold(a = 0) {
//! %y = nest (p < n, i < d) { … x[p, …] … }        x = nest (i < d, p < B) { … }
//! %s = nest (i < d) { sum (p < n) y[p, i] }  →    y = nest (i < d, p < B) { … x[…, p] … }
//!                                                 nest (i < d) { a[i] + sum (p < B) y[i, p] } }
//! ```
//! In the arrays of a block the long axis is innermost, so that vectors are filled even if the other axes are short.
//! For an array from outside the chain whose long axis is not innermost, the part of a block is copied, transposed,
//! at the start of the block. The last `n mod B` indices form a block of their own.
//!
//! One thread executes all blocks. Nests for a device are not cut, because each index of the long axis becomes a thread
//! there.

mod emit;
mod group;

use crate::ir::*;
use crate::nests::kinds;
use group::{Group, Role};
use mlopt_dialects::sweep::ResultKind;

/// The choice of chains that run block by block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    Never,
    /// Chains of known sizes for which blocks are profitable.
    Profitable,
    /// All chains whose long axis is known and has more indices than this number, which is also the size of a block.
    Of(i64),
}

/// The maximum number of bytes of the arrays of one block: a part of the cache of one core.
const ROOM: i64 = 1 << 19;
/// The minimum number of indices of a block: enough for several vectors, and too many to be unrolled by
/// `scalar_replacement/`.
const LEAST: i64 = 40;
const MOST: i64 = 128;
/// The size of a block is a multiple of this: whole vectors, at least of double precision.
const LANES: i64 = 8;
/// The size from which an array is never in blocks, far below that of an integer.
const MOST_BYTES: i64 = 1 << 48;
/// The maximum number of lengths that are tried in one function.
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

/// Returns the extents of outer nests that are long enough, in order of appearance.
fn lengths(body: Block, blocks: Blocks) -> Vec<i64> {
    let least = match blocks {
        Blocks::Of(size) => size + 1,
        _ => 2 * LEAST,
    };
    let mut found = Vec::new();
    for op in
        body.ops().into_iter().filter(|op| op.kind() == Kind::SweepNest && !kinds(*op).contains(&ResultKind::Fold))
    {
        for n in op.operand_segment(0).into_iter().filter_map(known) {
            if n >= least && !found.contains(&n) && found.len() < MOST_LENGTHS {
                found.push(n);
            }
        }
    }
    found
}

/// Returns the number of indices of a block of `group`, or `None` if cutting the nests is not profitable.
fn size(group: &Group, blocks: Blocks, body: Block) -> Option<i64> {
    if let Blocks::Of(size) = blocks {
        return Some(size);
    }
    let (n, mut at_a_time, mut saved) = (group.length, 0, 0);
    for (array, _) in group.arrays.all() {
        let size = bytes(array.ty())?;
        at_a_time += size / n;
        saved += size * group.accesses(array, body) as i64;
    }
    for (array, _) in group.copied.all() {
        at_a_time += bytes(array.ty())? / n;
    }
    // The memory that is read, or read and written, once more per block.
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

/// Returns the size of a value in memory, if it is known.
fn bytes(ty: Type) -> Option<i64> {
    let bytes = ty.shape().into_iter().try_fold(ty.element()?.bytes(), |bytes, n| bytes.checked_mul(n?))?;
    i64::try_from(bytes).ok().filter(|bytes| *bytes < MOST_BYTES)
}
