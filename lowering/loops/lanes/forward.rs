//! Store-to-load forwarding: an array that is stored as one vector, and then read only at known positions, stays in
//! registers.
//!
//! LLVM does not do this, because it must assume that the caller reads the array, which is a part of scratch memory.
//! The memory plan guarantees that the caller does not. An array in memory would also occupy cache lines, which the
//! data of the surrounding loop could use.

use super::records::known;
use crate::ir::*;
use crate::scf::branch;
use std::collections::HashSet;

/// Forwards each of these `vector.store` ops, where possible.
pub fn forward_stores(stores: &[Op]) {
    for store in stores {
        if let Some(kept) = ForwardedStore::of(*store) {
            kept.forward();
        }
    }
}

/// A store whose value replaces all reads of the array.
struct ForwardedStore {
    store: Op,
    /// The conditional whose first branch contains the store, if the array is stored conditionally.
    choice: Option<Op>,
    /// The reads, each with the position in the whole array of the first element that it reads.
    reads: Vec<(Op, i64)>,
}

impl ForwardedStore {
    fn of(store: Op) -> Option<ForwardedStore> {
        let (vector, memory) = (store.operand(0).ty(), store.operand(1));
        let from_start = store.operands()[2..].iter().all(|i| known(*i) == Some(0));
        let made_here = memory.defining_op().is_some_and(|(op, _)| op.kind() == Kind::MemrefView);
        let whole = memory.ty().shape().into_iter().product::<Option<usize>>() == Some(vector.lanes());
        if !from_start || !made_here || !whole || !memory.ty().is_contiguous_memref() {
            return None;
        }
        let choice =
            store.parent_op().filter(|op| op.kind() == Kind::ScfIf && op.num_results() == 0 && op.regions().len() == 2);
        let choice = choice.filter(|op| op.region(0).first_block() == store.block());
        let point = choice.unwrap_or(store);
        let order: Vec<Op> = point.block()?.ops();
        let behind: HashSet<Op> = order.iter().skip_while(|op| **op != point).skip(1).copied().collect();
        let mut reads = Vec::new();
        for user in users(memory) {
            let is_read = matches!(user.kind(), Kind::VectorLoad | Kind::MemrefLoad) && behind.contains(&user);
            let other = choice.and_then(|op| op.region(1).first_block());
            let in_other_branch = || other.is_some_and(|block| ancestor_in(user, block).is_some());
            match user.kind() {
                _ if user == store => {}
                Kind::MemrefReinterpretCast => {}
                _ if is_read => {
                    reads.push((user, position(user)?));
                }
                _ if in_other_branch() => {}
                _ => return None,
            }
        }
        (!reads.is_empty()).then_some(ForwardedStore { store, choice, reads })
    }

    fn forward(self) {
        let ForwardedStore { store, choice, reads } = self;
        let value = store.operand(0);
        let at: Vec<Value> = store.operands()[1..].to_vec();
        let all = match choice {
            None => value,
            Some(old) => {
                let b = Builder::before(old);
                let new = [Block::new(&[]), Block::new(&[])];
                let made = branch(b, old.operand(0), &[value.ty()], new);
                for (k, region) in old.regions().into_iter().enumerate() {
                    // The second branch may be missing.
                    if let Some(block) = region.first_block() {
                        move_ops(block, &[block.end()], new[k]);
                    }
                    let end = Builder::at_end(new[k], old.location());
                    // Reads the whole array at a point where the position of the store is available.
                    let read_whole = || {
                        let start = end.index(0);
                        end.value(Kind::VectorLoad, &[&at[..1], &vec![start; at.len() - 1]].concat(), value.ty(), &[])
                    };
                    let whole = if k == 0 { value } else { read_whole() };
                    end.make(Kind::ScfYield, &[whole], &[], &[]);
                }
                old.erase();
                made.result(0)
            }
        };
        for (read, from) in reads {
            let (b, ty) = (Builder::before(read), read.result(0).ty());
            let part = match ty.is_vector() {
                true => b.shuffle(all, all, &(from..from + ty.lanes() as i64).collect::<Vec<_>>()),
                false => b.extract(all, from),
            };
            read.replace_with([part]);
        }
        store.erase();
    }
}

/// Returns the uses of the array and of its views with another shape.
fn users(memory: Value) -> Vec<Op> {
    let direct: Vec<Op> = memory.uses().into_iter().map(|(user, _)| user).collect();
    let casts = direct.iter().filter(|op| op.kind() == Kind::MemrefReinterpretCast).flat_map(|op| users(op.result(0)));
    let casts: Vec<Op> = casts.collect();
    [direct, casts].concat()
}

/// Returns the position, in the whole array, of the first element that `read` reads.
fn position(read: Op) -> Option<i64> {
    let ty = read.operand(0).ty();
    if !ty.is_contiguous_memref() {
        return None;
    }
    let indices = read.operands().into_iter().skip(1);
    indices.zip(ty.shape()).try_fold(0, |at: i64, (i, n)| Some(at * i64::try_from(n?).ok()? + known(i)?))
}
