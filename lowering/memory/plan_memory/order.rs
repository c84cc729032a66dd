//! Reads before writes: an op that reads an array, and does not depend on the update of this array, is moved before the
//! update. The update can then be done in place.

use crate::ir::*;
use std::collections::HashSet;

/// Reorders the pure ops of every block of `function`.
pub fn readers_first(function: Op) {
    for op in function.nested_ops() {
        for array in changed(op) {
            if array.defining_op().is_none_or(|(maker, _)| maker.kind() != Kind::ArithConstant) {
                readers_before(array, op);
            }
        }
    }
}

/// Returns the arrays that `op` updates, directly or in its regions.
fn changed(op: Op) -> Vec<Value> {
    let of_one = |op: Op| match op.kind() {
        Kind::SweepNest => op.operand_segment(1),
        Kind::SweepAdd | Kind::SweepPut => vec![op.operand(1)],
        Kind::ScfWhile => op.operands(),
        _ => vec![],
    };
    let mut found = of_one(op);
    if op.kind() == Kind::ScfIf {
        for inner in op.nested_ops() {
            let is_outer = |home: Block| home != inner.block().unwrap_or(home) || home == op.block().unwrap_or(home);
            found.extend(of_one(inner).into_iter().filter(|v| v.block().is_some_and(is_outer)));
        }
    }
    found.retain(|v| v.ty().is_tensor());
    found
}

fn readers_before(array: Value, op: Op) {
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
        } else if users.contains(l) && !changed(*l).contains(&array) {
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
