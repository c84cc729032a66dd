//! Matching of patterns, and instantiation of the right sides of rules.
//!
//! A variable for a number matches a term that does not depend on the indices of the pattern. If a pattern reads an
//! array variable at its own indices, each of which occurs once, the variable matches every term: it then stands for
//! the array of that term over these indices (a pattern in the sense of Miller, "Unification under a mixed prefix",
//! 1992). Everywhere else, an array variable matches an array.

use super::{Pattern, Variable};
use crate::optimise::rules::View;
use crate::optimise::terms::prim::{EQ, NE, Prim, SGE, SGT, SLE, SLT};
use crate::optimise::terms::{Flags, Node, Op, Pool};
use egg::Id;

/// The maximum number of matches of one term.
const MOST: usize = 16;

/// The maximum number of attempts for one term, because sums of many terms match in many ways.
const ATTEMPTS: usize = 2000;

/// A partial match.
#[derive(Clone)]
struct State {
    /// The values of variables, as terms outside of the binders of the pattern.
    bound: Vec<Option<Id>>,
    /// The intersections of the flags of all matched float operators, and of all matched reductions.
    flags: Option<Flags>,
    sums: Option<Flags>,
    /// Pairs that must still match: a term of the pattern, a term, and the number of enclosing binders of the pattern.
    goals: Vec<(Id, Id, u32)>,
}

pub fn apply(pattern: &Pattern, view: &mut View, t: Id, out: &mut Vec<Id>) {
    let start = State {
        bound: vec![None; pattern.variables.len()],
        flags: None,
        sums: None,
        goals: vec![(pattern.left, t, 0)],
    };
    let mut todo = vec![start];
    let (mut attempts, mut found) = (0, 0);
    while let Some(mut state) = todo.pop() {
        attempts += 1;
        if attempts > ATTEMPTS || found == MOST {
            return;
        }
        let Some((p, t, depth)) = state.goals.pop() else {
            if let Some(result) = finish(pattern, view, state) {
                found += 1;
                out.push(result);
            }
            continue;
        };
        let first = todo.len();
        step(pattern, view, state, p, t, depth, &mut todo);
        // The first alternative is tried next.
        todo[first..].reverse();
    }
}

fn variable(pattern: &Pattern, p: Id) -> Option<usize> {
    matches!(pattern.pool.op(p), Op::Leaf(..)).then(|| pattern.variables.iter().position(|v| v.leaf == p)).flatten()
}

/// Returns the variable that `p` reads, and the levels of the pattern's own indices at which it reads.
fn read_of_variable(pool: &Pool, variables: &[Variable], p: Id) -> Option<(usize, Vec<u32>)> {
    let (mut array, mut levels) = (p, Vec::new());
    while pool.op(array) == Op::Get {
        let Op::Ix(level) = pool.op(pool.child(array, 1)) else { return None };
        levels.push(level);
        array = pool.child(array, 0);
    }
    levels.reverse();
    let mut distinct = levels.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let k = variables.iter().position(|v| v.leaf == array)?;
    (!levels.is_empty() && distinct.len() == levels.len()).then_some((k, levels))
}

/// Returns the variables that every match determines.
pub fn told(pool: &Pool, left: Id, variables: &[Variable]) -> Vec<bool> {
    fn walk(pool: &Pool, p: Id, variables: &[Variable], told: &mut Vec<bool>) {
        let found = variables.iter().position(|v| v.leaf == p);
        if let Some(k) = found.or_else(|| read_of_variable(pool, variables, p).map(|r| r.0)) {
            told[k] = true;
            for &n in &variables[k].sizes {
                walk(pool, n, variables, told);
            }
            return;
        }
        // The extent of an index is that of its loop, and is matched there.
        if matches!(pool.op(p), Op::Ix(_) | Op::State(..)) {
            return;
        }
        pool.node(p).children.iter().for_each(|&c| walk(pool, c, variables, told));
    }
    let mut known = vec![false; variables.len()];
    walk(pool, left, variables, &mut known);
    known
}

/// Appends the states after one goal.
fn step(pattern: &Pattern, view: &mut View, mut state: State, p: Id, t: Id, depth: u32, out: &mut Vec<State>) {
    if let Some(k) = variable(pattern, p) {
        let closed = (0..depth).all(|level| !view.pool.mentions(t, level));
        let value = if closed { view.pool.shift(t, 0, -(depth as i64)) } else { return };
        if bind(pattern, view, &mut state, k, value) {
            out.push(state);
        }
        return;
    }
    if let Some((k, levels)) = read_of_variable(&pattern.pool, &pattern.variables, p)
        && levels.iter().all(|&l| l < depth)
    {
        if let Some(value) = abstracted(pattern, view, &state, p, t, &levels, depth)
            && bind(pattern, view, &mut state, k, value)
        {
            out.push(state);
        }
        return;
    }
    let node = pattern.pool.node(p).clone();
    match node.op {
        Op::Ix(_) | Op::State(..) => {
            let same = match (node.op, view.pool.op(t)) {
                (Op::Ix(a), Op::Ix(b)) => a == b,
                (Op::State(a, j, _), Op::State(b, k, _)) => (a, j) == (b, k),
                _ => false,
            };
            if same {
                out.push(state);
            }
        }
        Op::Const(..) => {
            if view.pool.op(t) == node.op {
                out.push(state);
            }
        }
        _ => {
            for found in view.forms_with(t, |op| fits(pattern, node.op, op)) {
                if found.children.len() != node.children.len() {
                    continue;
                }
                let mut next = state.clone();
                match found.op {
                    Op::Prim(q, f) if q.is_float() => next.flags = Some(next.flags.map_or(f, |g| g.and(f))),
                    Op::Reduce(_, f) => next.sums = Some(next.sums.map_or(f, |g| g.and(f))),
                    _ => {}
                }
                let pairs = |swapped: bool| -> Vec<(Id, Id, u32)> {
                    let n = node.children.len();
                    let at = |k: usize| if swapped { n - 1 - k } else { k };
                    // The last goal is processed first: extents before bodies.
                    (0..n).rev().map(|k| (node.children[k], found.children[at(k)], depth + node.binds(k))).collect()
                };
                if matches!(node.op, Op::Prim(q, _) if q.commutes()) {
                    let mut other = next.clone();
                    other.goals.extend(pairs(true));
                    next.goals.extend(pairs(false));
                    out.push(next);
                    out.push(other);
                } else {
                    next.goals.extend(pairs(false));
                    out.push(next);
                }
            }
        }
    }
}

/// Checks whether an operator is the one in the pattern and has the required flags.
fn fits(pattern: &Pattern, wanted: Op, found: Op) -> bool {
    match (wanted, found) {
        (Op::Prim(a, _), Op::Prim(b, f)) => a == b && (!a.is_float() || f.allow(pattern.flags)),
        (Op::Reduce(a, _), Op::Reduce(b, _)) => a == b,
        _ => wanted == found,
    }
}

/// Returns the array of `t` over the indices of the pattern at `levels`, or `None` if it depends on other indices or an
/// extent depends on an index.
fn abstracted(
    pattern: &Pattern,
    view: &mut View,
    state: &State,
    p: Id,
    t: Id,
    levels: &[u32],
    depth: u32,
) -> Option<Id> {
    if (0..depth).any(|l| !levels.contains(&l) && view.pool.mentions(t, l)) {
        return None;
    }
    // The extents of the indices, outermost axis first.
    let (mut extents, mut q) = (Vec::new(), p);
    while pattern.pool.op(q) == Op::Get {
        let n = pattern.pool.child(pattern.pool.child(q, 1), 0);
        let n = instantiate(pattern, view, state, n, depth)?;
        if (0..depth).any(|l| view.pool.mentions(n, l)) {
            return None;
        }
        extents.push(view.pool.shift(n, 0, -(depth as i64)));
        q = pattern.pool.child(q, 0);
    }
    extents.reverse();
    if let Some(array) = existing(view, t, levels, depth, &extents) {
        return Some(array);
    }
    let k = levels.len();
    let mut body = view.pool.shift(t, 0, k as i64);
    for (axis, &level) in levels.iter().enumerate() {
        let n = view.pool.shift(extents[axis], 0, (k + depth as usize) as i64);
        let i = view.pool.ix((k - 1 - axis) as u32, n);
        body = view.pool.rename(body, level + k as u32, i);
    }
    let mut array = view.pool.shift(body, k as u32, -(depth as i64));
    for (axis, &n) in extents.iter().enumerate().rev() {
        let n = view.pool.shift(n, 0, axis as i64);
        array = view.pool.build(n, array);
    }
    Some(array)
}

/// Returns the array that `t` reads at exactly these indices, if it has these lengths.
fn existing(view: &mut View, t: Id, levels: &[u32], depth: u32, extents: &[Id]) -> Option<Id> {
    let mut array = t;
    for &level in levels.iter().rev() {
        if view.pool.op(array) != Op::Get || view.pool.op(view.pool.child(array, 1)) != Op::Ix(level) {
            return None;
        }
        array = view.pool.child(array, 0);
    }
    if (0..depth).any(|l| view.pool.mentions(array, l)) {
        return None;
    }
    let array = view.pool.shift(array, 0, -(depth as i64));
    for (axis, &n) in extents.iter().enumerate() {
        let length = view.pool.extent(array, axis);
        if view.pool.equal(length, n) != Some(true) {
            return None;
        }
    }
    Some(array)
}

/// Binds variable `k` to `value`. Returns false if they are not compatible.
fn bind(pattern: &Pattern, view: &mut View, state: &mut State, k: usize, value: Id) -> bool {
    let leaf = pattern.variables[k].leaf;
    let same_type =
        pattern.pool.element(leaf) == view.pool.element(value) && pattern.pool.rank(leaf) == view.pool.rank(value);
    if !same_type {
        return false;
    }
    match state.bound[k] {
        Some(known) => known == value || (view.pool.rank(value) == 0 && view.pool.equal(known, value) == Some(true)),
        None => {
            state.bound[k] = Some(value);
            true
        }
    }
}

/// Returns the right side, if the sizes and conditions hold.
fn finish(pattern: &Pattern, view: &mut View, mut state: State) -> Option<Id> {
    for (k, variable) in pattern.variables.iter().enumerate() {
        let Some(value) = state.bound[k] else { continue };
        for (axis, &size) in variable.sizes.iter().enumerate() {
            let length = view.pool.extent(value, axis);
            match pattern.variables.iter().position(|v| v.leaf == size) {
                Some(n) if state.bound[n].is_none() => state.bound[n] = Some(length),
                _ => {
                    let wanted = instantiate(pattern, view, &state, size, 0)?;
                    if view.pool.equal(length, wanted) != Some(true) {
                        return None;
                    }
                }
            }
        }
    }
    for &c in &pattern.conditions {
        let c = instantiate(pattern, view, &state, c, 0)?;
        let Node { op: Op::Prim(Prim::CmpI(predicate), _), children } = view.node(c) else { return None };
        let (a, b) = (children[0], children[1]);
        let holds = match predicate {
            EQ => view.pool.equal(a, b) == Some(true),
            NE => view.pool.equal(a, b) == Some(false),
            SLT => view.pool.less(a, b) == Some(true),
            SLE => view.pool.less(b, a) == Some(false),
            SGT => view.pool.less(b, a) == Some(true),
            SGE => view.pool.less(a, b) == Some(false),
            _ => false,
        };
        if !holds {
            return None;
        }
    }
    instantiate(pattern, view, &state, pattern.right, 0)
}

/// Instantiates a term of the pattern. Returns `None` if a variable has no value.
fn instantiate(pattern: &Pattern, view: &mut View, state: &State, p: Id, depth: u32) -> Option<Id> {
    if let Some(k) = variable(pattern, p) {
        return state.bound[k].map(|value| view.pool.shift(value, 0, depth as i64));
    }
    let node = pattern.pool.node(p);
    let children = (0..node.children.len())
        .map(|k| instantiate(pattern, view, state, node.children[k], depth + node.binds(k)))
        .collect::<Option<Vec<Id>>>()?;
    let op = match node.op {
        Op::Prim(q, _) if q.is_float() => Op::Prim(q, state.flags.unwrap_or_default()),
        Op::Reduce(r, _) => Op::Reduce(r, state.sums.unwrap_or_default()),
        op => op,
    };
    Some(view.pool.add(op, children))
}
