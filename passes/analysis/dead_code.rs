//! Elimination of dead code after differentiation: unused ops, values that loops carry without need, and rows that
//! loops emit without need.

use crate::analysis::edit;
use mlopt_dialects::ir::{Block, Builder, Op, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// Removes dead code in `root` until a fixpoint.
pub fn remove(root: Op) {
    loop {
        remove_unused(root);
        // Inner loops first, and only one loop of a nest in an iteration, because the others may have moved.
        let mut changed = HashSet::new();
        for op in root.nested_ops().into_iter().rev() {
            let touched = |op: &Op| changed.contains(op);
            if edit::with_nested(op).any(|op| touched(&op)) {
                continue;
            }
            let around: Vec<Op> = edit::ancestors(op).collect();
            if around.iter().any(touched) {
                continue;
            }
            if trim(op) {
                changed.extend(around);
            }
        }
        if changed.is_empty() {
            return;
        }
    }
}

/// Erases unused ops with results and without effects, and checks that always hold. Returns whether an op was erased.
/// Uses are after definitions, so one traversal in reverse order finds all.
pub fn remove_unused(root: Op) -> bool {
    let mut found = false;
    for op in root.nested_ops().into_iter().rev() {
        if is_unused(op) || is_proved_check(op) {
            op.erase();
            found = true;
        }
    }
    found
}

/// Checks whether an op has results, none of which is used, and no effects.
pub fn is_unused(op: Op) -> bool {
    op.num_results() > 0 && op.results().into_iter().all(Value::is_unused) && is_harmless(op)
}

/// Checks whether an op is a check that always holds.
fn is_proved_check(op: Op) -> bool {
    match op.kind() {
        Kind::ArrayCheck => edit::known(op.operand(0)).is_some_and(|value| value != 0),
        Kind::ArraySameSize => {
            let known = |k: usize| edit::known(op.operand(k));
            op.operand(0) == op.operand(1) || known(0).is_some_and(|n| known(1) == Some(n))
        }
        _ => false,
    }
}

/// Checks whether an op may be erased if its results are unused.
pub fn is_harmless(op: Op) -> bool {
    is_harmless_alone(op) && op.nested_ops().into_iter().all(is_harmless_alone)
}

/// Checks whether an op may be erased if its results are unused, provided that the ops inside may be erased too.
pub fn is_harmless_alone(op: Op) -> bool {
    // A functional loop that may not terminate must stay, because the program waits for it.
    op.has_no_own_effects() && op.kind() != Kind::LambdaWhile
}

/// The correspondence of operands, arguments and results of a loop.
struct Shape {
    /// The operands before the inits, other than arrays.
    bounds: Vec<Value>,
    /// The arrays of which an iteration reads a row: the first arguments after those for bounds.
    arrays: Vec<Value>,
    inits: Vec<Value>,
    /// The number of arguments of the body before the rows.
    counters: usize,
}

fn shape(op: Op) -> Option<Shape> {
    let all = op.operands();
    let plain = |bounds: usize| Shape {
        bounds: all[..bounds].to_vec(),
        arrays: Vec::new(),
        inits: all[bounds..].to_vec(),
        counters: 1,
    };
    match op.kind() {
        Kind::ArrayIfold => Some(plain(1)),
        Kind::ScfFor => Some(plain(3)),
        Kind::ArrayFold | Kind::ArrayMapAccum => {
            Some(Shape { bounds: Vec::new(), arrays: op.operand_segment(0), inits: op.operand_segment(1), counters: 0 })
        }
        _ => None,
    }
}

/// Removes the unused carried values, rows and results of a loop. Returns whether the op was replaced.
fn trim(op: Op) -> bool {
    let Some(shape) = shape(op) else { return false };
    let body = op.entry();
    let end = body.end();
    let arguments = body.arguments();
    let first = shape.counters + shape.arrays.len();
    let mut needed: Vec<bool> = op.results().into_iter().map(|r| !r.is_unused()).collect();
    let live = live_ops(body, end, &mut needed, &arguments[first..]);
    let is_live = |user: Op| edit::ancestor_in(user, body).is_some_and(|top| live.contains(&top));
    let read = |k: usize| arguments[k].users().any(is_live);
    let mut rows: Vec<usize> = (0..shape.arrays.len()).filter(|&k| read(shape.counters + k)).collect();
    if rows.is_empty() && !shape.arrays.is_empty() {
        rows.push(0);
    }
    if needed.iter().all(|n| *n) && rows.len() == shape.arrays.len() || !needed.contains(&true) {
        return false;
    }
    let kept: Vec<usize> = (0..needed.len()).filter(|&k| needed[k]).collect();
    let carried: Vec<usize> = kept.iter().copied().filter(|&k| k < shape.inits.len()).collect();
    let yielded: Vec<Value> = kept.iter().map(|&k| end.operand(k)).collect();
    end.set_operands(&yielded);
    // Only later dead ops use a dead op, so the last one is erased first.
    body.ops().into_iter().rev().filter(|inner| !live.contains(inner)).for_each(|dead| dead.erase());
    let stay: Vec<usize> = (0..shape.counters)
        .chain(rows.iter().map(|&k| shape.counters + k))
        .chain(carried.iter().map(|&k| first + k))
        .collect();
    let block = edit::moved(body, &stay);
    let b = Builder::before(op);
    let pick = |values: &[Value], which: &[usize]| which.iter().map(|&k| values[k]).collect::<Vec<_>>();
    let types: Vec<Type> = kept.iter().map(|&k| op.result(k).ty()).collect();
    let inits = pick(&shape.inits, &carried);
    let new = b.op(op.name()).results(&types);
    let new = match shape.counters {
        0 => new.operand_segments(&[&pick(&shape.arrays, &rows), &inits]),
        _ => new.operands(&[shape.bounds, inits].concat()),
    };
    let new = new.attributes(op.attributes().into_iter().filter(|(name, _)| name != "operandSegmentSizes"));
    let results = b.insert(new.region(Region::with_block(block)).build()).results();
    kept.iter().zip(results).for_each(|(&k, new)| op.result(k).replace_all_uses_with(new));
    op.erase();
    true
}

/// Returns the ops directly in `body` that the needed results need. Carried values that those need are marked as
/// needed.
fn live_ops(body: Block, end: Op, needed: &mut [bool], carried: &[Value]) -> HashSet<Op> {
    let mut live = HashSet::from([end]);
    let mut todo: Vec<Value> = (0..needed.len()).filter(|&k| needed[k]).map(|k| end.operand(k)).collect();
    let keep = |op: Op, live: &mut HashSet<Op>, todo: &mut Vec<Value>| {
        if live.insert(op) {
            todo.extend(edit::with_nested(op).flat_map(Op::operands));
        }
    };
    for op in body.ops().into_iter().filter(|op| *op != end && !is_harmless(*op)) {
        keep(op, &mut live, &mut todo);
    }
    while let Some(v) = todo.pop() {
        if let Some(k) = carried.iter().position(|c| *c == v) {
            if !needed[k] {
                needed[k] = true;
                todo.push(end.operand(k));
            }
        } else if let Some((op, _)) = v.defining_op()
            && op.block() == Some(body)
        {
            keep(op, &mut live, &mut todo);
        }
    }
    live
}
