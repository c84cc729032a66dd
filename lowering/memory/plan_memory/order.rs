//! Reads before writes: an op that reads an array, and does not depend on the update of this array, is moved before the
//! update. The update can then be done in place.

use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Reorders the pure ops of every block of `function`.
pub fn readers_first(function: Op) {
    let ops = function.nested_ops();
    let changed = Changed::by(&ops);
    for op in ops {
        for array in changed.of(op) {
            if array.defining_op().is_none_or(|(maker, _)| maker.kind() != Kind::ArithConstant) {
                readers_before(*array, op, &changed);
            }
        }
    }
}

/// The arrays that each op updates, directly or, if it is an `scf.if`, in its regions.
struct Changed(HashMap<Op, Vec<Value>>);

impl Changed {
    fn by(ops: &[Op]) -> Changed {
        let mut changed: HashMap<Op, Vec<Value>> = HashMap::new();
        for &op in ops {
            let mut arrays = match op.kind() {
                Kind::SweepNest => op.operand_segment(1),
                Kind::SweepAdd | Kind::SweepPut => vec![op.operand(1)],
                Kind::ScfWhile => op.operands(),
                _ => continue,
            };
            arrays.retain(|v| v.ty().is_tensor());
            let outer: Vec<Value> = arrays.iter().copied().filter(|v| v.block() != op.block()).collect();
            changed.entry(op).or_default().extend(arrays);
            for around in ancestors(op).filter(|around| around.kind() == Kind::ScfIf && !outer.is_empty()) {
                changed.entry(around).or_default().extend(&outer);
            }
        }
        Changed(changed)
    }

    fn of(&self, op: Op) -> &[Value] {
        self.0.get(&op).map_or(&[], Vec::as_slice)
    }
}

fn readers_before(array: Value, op: Op, changed: &Changed) {
    let block = enclosing_block(op);
    let later: Vec<Op> = std::iter::successors(op.next(), |op| op.next()).collect();
    let users: Vec<Op> = array.uses().into_iter().filter_map(|(user, _)| ancestor_in(user, block)).collect();
    if !later.iter().any(|l| users.contains(l)) {
        return;
    }
    // Ops that need a result of `op`, directly or indirectly, stay after it.
    let mut behind: HashSet<Op> = HashSet::from([op]);
    let mut needed: HashSet<Op> = HashSet::new();
    for l in &later {
        let needs = operands_inside(*l).into_iter().any(|v| v.defining_op().is_some_and(|(d, _)| behind.contains(&d)));
        if needs || l.next().is_none() {
            behind.insert(*l);
        } else if users.contains(l) && !changed.of(*l).contains(&array) {
            needed.insert(*l);
        }
    }
    // Each reader is moved with the ops that compute its operands.
    for l in later.iter().rev() {
        if needed.contains(l) {
            let makers = operands_inside(*l).into_iter().filter_map(|v| Some(v.defining_op()?.0));
            needed.extend(makers.filter(|m| m.block() == Some(block) && later.contains(m)));
        }
    }
    for l in later {
        if needed.contains(&l) {
            l.move_before(op);
        }
    }
}
