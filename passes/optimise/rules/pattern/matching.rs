//! Matching of patterns, and instantiation of their right sides.
//!
//! A variable for a number matches a term that does not depend on the indices of the pattern. A variable for an array
//! that the pattern reads at its own indices, each once, matches every term: it is the array of that term over these
//! indices (a pattern in the sense of Miller, "Unification under a mixed prefix", 1992). Everywhere else an array
//! variable matches an array.

use super::{Condition, Kind, Pattern, Variable, counts, position, with_position, without_position};
use crate::optimise::rules::View;
use crate::optimise::terms::prim::{self, EQ, NE, Prim, SGE, SGT, SLE, SLT, Scalar};
use crate::optimise::terms::{Flags, Node, Op, Operands, Pool, data};
use egg::Id;
use mlopt_dialects::value::Element;
use smallvec::{SmallVec, smallvec};

/// The maximum number of matches of one term.
const MOST: usize = 16;

/// The maximum number of attempts for one term, because sums of many terms match in many ways.
const ATTEMPTS: usize = 2000;

/// The maximum number of positions in one rule.
pub const POSITIONS: usize = 2;

/// A term of the pattern and a term that must match it, under a number of binders of the pattern.
type Goal = (Id, Id, u32);

/// A partial match.
#[derive(Clone)]
struct State {
    /// The values of variables, as terms outside of the binders of the pattern.
    bound: SmallVec<[Option<Id>; 6]>,
    positions: [Option<u32>; POSITIONS],
    /// The intersections of the flags of all matched float operators, of all negations, and of all reductions.
    flags: Option<Flags>,
    negations: Option<Flags>,
    sums: Option<Flags>,
    /// Pairs that must still match; the last one comes first.
    goals: SmallVec<[Goal; 6]>,
}

pub fn apply(pattern: &Pattern, view: &mut View, t: Id, out: &mut Vec<Id>) {
    if pattern.root.is_some_and(|(element, rank)| (view.pool.element(t), view.pool.rank(t)) != (element, rank))
        || !fits(pattern, pattern.pool.op(pattern.left), view.pool.op(t))
        || !may_match(pattern, view, t)
    {
        return;
    }
    let start = State {
        bound: smallvec![None; pattern.variables.len()],
        positions: [None; POSITIONS],
        flags: None,
        negations: None,
        sums: None,
        goals: SmallVec::new(),
    };
    let mut todo: SmallVec<[State; 2]> = SmallVec::new();
    // The drivers offer each form of the root.
    inside(pattern, start, pattern.left, view.pool.node(t), 0, &mut todo);
    todo.reverse();
    let (mut attempts, mut found) = (0, 0);
    while let Some(mut state) = todo.pop() {
        attempts += 1;
        if attempts > ATTEMPTS || found == MOST {
            return;
        }
        let Some((p, x, depth)) = state.goals.pop() else {
            if let Some(result) = finish(pattern, view, state, t) {
                found += 1;
                out.push(result);
            }
            continue;
        };
        let first = todo.len();
        step(pattern, view, state, p, x, depth, &mut todo);
        // The first alternative is tried next.
        todo[first..].reverse();
    }
}

/// Checks whether the operands of `t` may match those of the left side, by their operators alone. Most terms fail here.
fn may_match(pattern: &Pattern, view: &View, t: Id) -> bool {
    let (wanted, found) = (pattern.pool.node(pattern.left), view.pool.node(t));
    let (wanted, found, commutes) = (&wanted.children, &found.children, commutes(wanted.op));
    if wanted.len() != found.len() {
        return false;
    }
    let straight = || wanted.iter().zip(found).all(|(&p, &x)| operand_may_match(pattern, view, p, x));
    let crossed = || wanted.iter().zip(found.iter().rev()).all(|(&p, &x)| operand_may_match(pattern, view, p, x));
    straight() || (commutes && crossed())
}

fn operand_may_match(pattern: &Pattern, view: &View, p: Id, x: Id) -> bool {
    let wanted = pattern.pool.op(p);
    match wanted {
        Op::Const(..) | Op::Zero(_) | Op::One(_) => view.pool.op(x) == wanted,
        Op::Leaf(..) => {
            let is_constant = variable(pattern, p).is_some_and(|k| pattern.variables[k].is_constant);
            !is_constant || matches!(view.pool.op(x), Op::Const(..))
        }
        // A read may be abstracted.
        Op::Get | Op::Ix(_) | Op::State(..) => true,
        _ => view.classes.is_some() || fits(pattern, wanted, view.pool.op(x)),
    }
}

fn commutes(op: Op) -> bool {
    matches!(op, Op::Prim(p, _) if p.commutes())
}

fn variable(pattern: &Pattern, p: Id) -> Option<usize> {
    matches!(pattern.pool.op(p), Op::Leaf(..)).then(|| pattern.variables.iter().position(|v| v.leaf == p)).flatten()
}

/// Returns the variable that `p` reads, and the levels of the pattern's own indices at which it reads.
fn read_of_variable(pool: &Pool, variables: &[Variable], p: Id) -> Option<(usize, SmallVec<[u32; 4]>)> {
    let (mut array, mut levels) = (p, SmallVec::<[u32; 4]>::new());
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
fn step(
    pattern: &Pattern,
    view: &mut View,
    mut state: State,
    p: Id,
    t: Id,
    depth: u32,
    out: &mut SmallVec<[State; 2]>,
) {
    if let Some(k) = variable(pattern, p) {
        let closed = (0..depth).all(|level| !view.pool.mentions(t, level));
        let value = if closed { view.pool.shift(t, 0, -(depth as i64)) } else { return };
        if bind(pattern, view, &mut state, k, value) {
            out.push(state);
        }
        return;
    }
    if pattern.pool.op(p) == Op::Get
        && let Some((k, levels)) = read_of_variable(&pattern.pool, &pattern.variables, p)
        && levels.iter().all(|&l| l < depth)
    {
        read(pattern, view, state, (p, t, depth), k, &levels, out);
        return;
    }
    let wanted = pattern.pool.op(p);
    match wanted {
        Op::Ix(a) => {
            if view.pool.op(t) == Op::Ix(a) {
                out.push(state);
            }
        }
        Op::State(a, j, _) => {
            if matches!(view.pool.op(t), Op::State(b, k, _) if (a, j) == (b, k)) {
                out.push(state);
            }
        }
        Op::Const(..) | Op::Zero(_) | Op::One(_) => {
            if view.pool.op(t) == wanted {
                out.push(state);
            }
        }
        _ => {
            for found in view.forms_with(t, |op| fits(pattern, wanted, op)) {
                inside(pattern, state.clone(), p, &found, depth, out);
            }
        }
    }
}

/// Appends the states in which the operands of a term match those of a term of the pattern with the same operator.
fn inside(pattern: &Pattern, mut state: State, p: Id, found: &Node, depth: u32, out: &mut SmallVec<[State; 2]>) {
    let node = pattern.pool.node(p);
    if found.children.len() != node.children.len() {
        return;
    }
    let and = |known: Option<Flags>, f: Flags| Some(known.map_or(f, |g| g.and(f)));
    match (node.op, found.op) {
        (_, Op::Prim(q, f)) if counts(q) => state.flags = and(state.flags, f),
        (_, Op::Prim(q, f)) if q.is_float() => state.negations = and(state.negations, f),
        (_, Op::Reduce(_, f)) => state.sums = and(state.sums, f),
        (Op::Data(wanted, _), Op::Data(form, _)) => {
            if let (Some(k), Some(found)) = (position(wanted), position(form))
                && *state.positions[k as usize].get_or_insert(found) != found
            {
                return;
            }
        }
        _ => {}
    }
    let goals = |state: &mut State, crossed: bool| {
        let n = node.children.len();
        let goal =
            |k: usize| (node.children[k], found.children[if crossed { n - 1 - k } else { k }], depth + node.binds(k));
        let first = state.goals.len();
        // The last goal is processed first: extents before bodies, and what fails sooner before what costs more.
        state.goals.extend((0..n).rev().map(goal));
        let binds = (0..n).any(|k| node.binds(k) > 0);
        if !binds {
            state.goals[first..].sort_by_key(|goal| std::cmp::Reverse(effort(pattern, goal.0)));
        }
    };
    if commutes(node.op) {
        let mut crossed = state.clone();
        goals(&mut state, false);
        goals(&mut crossed, true);
        out.push(state);
        out.push(crossed);
    } else {
        goals(&mut state, false);
        out.push(state);
    }
}

/// Returns a number that is larger for terms of the pattern whose matching costs more.
fn effort(pattern: &Pattern, p: Id) -> u8 {
    match pattern.pool.op(p) {
        Op::Const(..) | Op::Zero(_) | Op::One(_) => 0,
        Op::Leaf(..) => match variable(pattern, p) {
            Some(k) if pattern.variables[k].is_constant => 1,
            _ => 2,
        },
        _ => 3,
    }
}

/// Checks whether an operator is the one in the pattern and has the required flags.
pub fn fits(pattern: &Pattern, wanted: Op, found: Op) -> bool {
    match (wanted, found) {
        (Op::Prim(a, _), Op::Prim(b, f)) => {
            let is_spared = !a.is_float() || (a == Prim::NegF && pattern.spares_negation);
            a == b && (is_spared || f.allow(pattern.flags))
        }
        (Op::Reduce(a, _), Op::Reduce(b, _)) => a == b,
        (Op::Data(a, _), Op::Data(b, _)) => without_position(a) == without_position(b),
        _ => wanted == found,
    }
}

/// Appends the state in which variable `k`, read at the indices of the pattern at `levels`, is the array of `t`.
fn read(
    pattern: &Pattern,
    view: &mut View,
    mut state: State,
    (p, t, depth): Goal,
    k: usize,
    levels: &[u32],
    out: &mut SmallVec<[State; 2]>,
) {
    let variable = &pattern.variables[k];
    if (0..depth).any(|l| !levels.contains(&l) && view.pool.mentions(t, l)) {
        return;
    }
    if !variable.is_needed && variable.is_single && !variable.is_given {
        let fits = match variable.kind {
            Kind::Element(e) => {
                let rank = pattern.pool.rank(variable.leaf);
                e == view.pool.element(t) && rank == view.pool.rank(t) + levels.len() && is_number(view, t, e)
            }
            _ => true,
        };
        if fits {
            out.push(state);
        }
        return;
    }
    let Some(extents) = extents(pattern, view, &state, p, depth) else { return };
    if variable.is_given {
        for form in view.forms(t) {
            let mut next = state.clone();
            if let Some(array) = existing(view, form, levels, depth, &extents)
                && bind(pattern, view, &mut next, k, array)
            {
                out.push(next);
            }
        }
        return;
    }
    let value = abstracted(view, t, levels, depth, &extents);
    if bind(pattern, view, &mut state, k, value) {
        out.push(state);
    }
}

/// Returns the extents of the indices at which `p` reads, outermost axis first, outside of the binders of the pattern.
/// Returns `None` if an extent depends on an index.
fn extents(pattern: &Pattern, view: &mut View, state: &State, p: Id, depth: u32) -> Option<SmallVec<[Id; 2]>> {
    let (mut extents, mut q) = (SmallVec::new(), p);
    while pattern.pool.op(q) == Op::Get {
        let n = pattern.pool.child(pattern.pool.child(q, 1), 0);
        let n = instantiate(pattern, view, state, n, depth, None)?;
        if (0..depth).any(|l| view.pool.mentions(n, l)) {
            return None;
        }
        extents.push(view.pool.shift(n, 0, -(depth as i64)));
        q = pattern.pool.child(q, 0);
    }
    extents.reverse();
    Some(extents)
}

/// Returns the array of `t` over the indices of the pattern at `levels`.
fn abstracted(view: &mut View, t: Id, levels: &[u32], depth: u32, extents: &[Id]) -> Id {
    if let Some(array) = existing(view, t, levels, depth, extents) {
        return array;
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
    array
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

/// Checks whether a term whose element is `e` is a number or an array of numbers. Data have the element of truth
/// values.
fn is_number(view: &View, t: Id, e: Element) -> bool {
    let is_numbers = |ty| matches!(view.pool.types.of(ty), data::Type::Numbers { .. });
    e != Element::I1 || view.pool.data_type(t).is_none_or(is_numbers)
}

/// Binds variable `k` to `value`. Returns false if they are not compatible.
fn bind(pattern: &Pattern, view: &mut View, state: &mut State, k: usize, value: Id) -> bool {
    let variable = &pattern.variables[k];
    if let Some(known) = state.bound[k] {
        let may_differ =
            view.pool.rank(value) == 0 && matches!(view.pool.element(value), Element::Index | Element::I64);
        return known == value || (may_differ && view.pool.equal(known, value) == Some(true));
    }
    let same_type = match variable.kind {
        Kind::Element(e) => {
            let rank = pattern.pool.rank(variable.leaf);
            e == view.pool.element(value) && rank == view.pool.rank(value) && is_number(view, value, e)
        }
        Kind::Any => view.pool.rank(value) >= variable.sizes.len(),
        Kind::Tuple | Kind::List | Kind::Env => view.pool.rank(value) == 0,
    };
    if !same_type || (variable.is_constant && !matches!(view.pool.op(value), Op::Const(..))) {
        return false;
    }
    state.bound[k] = Some(value);
    true
}

/// Returns the right side for the match of `t`, if the sizes and conditions hold.
fn finish(pattern: &Pattern, view: &mut View, mut state: State, t: Id) -> Option<Id> {
    for (k, variable) in pattern.variables.iter().enumerate() {
        let Some(value) = state.bound[k] else { continue };
        for (axis, &size) in variable.sizes.iter().enumerate() {
            let n = pattern.variables.iter().position(|v| v.leaf == size);
            if n.is_some_and(|n| !pattern.variables[n].is_needed && state.bound[n].is_none()) {
                continue;
            }
            let length = view.pool.extent(value, axis);
            match n {
                Some(n) if state.bound[n].is_none() => state.bound[n] = Some(length),
                _ => {
                    let wanted = instantiate(pattern, view, &state, size, 0, None)?;
                    if view.pool.equal(length, wanted) != Some(true) {
                        return None;
                    }
                }
            }
        }
    }
    if !pattern.conditions.iter().all(|&c| holds(pattern, view, &state, c)) {
        return None;
    }
    instantiate(pattern, view, &state, pattern.right, 0, Some(t))
}

/// Checks whether a condition is proved.
fn holds(pattern: &Pattern, view: &mut View, state: &State, condition: Condition) -> bool {
    let value = |view: &mut View, t: Id| instantiate(pattern, view, state, t, 0, None);
    match condition {
        Condition::Compare(predicate, a, b) => {
            let (Some(a), Some(b)) = (value(view, a), value(view, b)) else { return false };
            if let (Some(x), Some(y)) = (view.pool.scalar(a), view.pool.scalar(b)) {
                return prim::eval(Prim::CmpI(predicate), view.pool.element(a), &[x, y]) == Scalar::I(1);
            }
            match predicate {
                EQ => view.pool.equal(a, b) == Some(true),
                NE => view.pool.equal(a, b) == Some(false),
                SLT => view.pool.less(a, b) == Some(true),
                SLE => view.pool.less(b, a) == Some(false),
                SGT => view.pool.less(b, a) == Some(true),
                SGE => view.pool.less(a, b) == Some(false),
                _ => false,
            }
        }
        Condition::Finite(t) => {
            let known = value(view, t).and_then(|t| view.pool.scalar(t));
            matches!(known, Some(Scalar::F(x)) if x.is_finite())
        }
        Condition::PowerOfTwo(t) => value(view, t).is_some_and(|t| is_power_of_two(view.pool, t)),
        Condition::Zero(t) => value(view, t).is_some_and(|t| view.is_strong_zero(t)),
        Condition::One(t) => value(view, t).is_some_and(|t| matches!(view.pool.op(t), Op::One(_))),
        Condition::Positions { equal, a, b } => (state.positions[a as usize] == state.positions[b as usize]) == equal,
    }
}

/// Checks whether a term is a power of two, up to its sign, whose reciprocal is a normal number as well.
fn is_power_of_two(pool: &Pool, t: Id) -> bool {
    let Some(Scalar::F(x)) = pool.scalar(t) else { return false };
    let has_one_bit = x.to_bits() & ((1 << 52) - 1) == 0;
    let is_in_range = pool.element(t) != Element::F32 || (x.abs() > 1e-37 && x.abs() < 1e37);
    x.is_normal() && (1.0 / x).is_normal() && has_one_bit && is_in_range
}

/// Instantiates a term of the pattern; `root` is the matched term, whose type operations on data have. Returns `None`
/// if a variable has no value. Operations on constants are computed, and an array that is built here is not read.
fn instantiate(pattern: &Pattern, view: &mut View, state: &State, p: Id, depth: u32, root: Option<Id>) -> Option<Id> {
    if let Some(k) = variable(pattern, p) {
        return state.bound[k].map(|value| view.pool.shift(value, 0, depth as i64));
    }
    let node = pattern.pool.node(p);
    let mut children = Operands::new();
    for (k, &child) in node.children.iter().enumerate() {
        children.push(instantiate(pattern, view, state, child, depth + node.binds(k), root)?);
    }
    let op = match node.op {
        Op::Prim(q, _) if q.is_float() => Op::Prim(q, state.flags.or(state.negations).unwrap_or_default()),
        Op::Reduce(r, _) => Op::Reduce(r, state.sums.unwrap_or_default()),
        Op::Data(form, _) => return data(view, state, form, &children, root?),
        op => op,
    };
    if let Op::Prim(q, _) = op
        && let Some(constant) = folded(view.pool, q, &children)
    {
        return Some(constant);
    }
    if op == Op::Get
        && let (Op::Build, Op::Ix(_)) = (view.pool.op(children[0]), view.pool.op(children[1]))
        && view.pool.child(children[0], 0) == view.pool.child(children[1], 0)
    {
        let body = view.pool.child(children[0], 1);
        return Some(view.pool.substitute(body, children[1]));
    }
    Some(view.pool.add(op, children))
}

/// Returns an operation on data with the type of `root`.
fn data(view: &mut View, state: &State, form: data::Form, children: &[Id], root: Id) -> Option<Id> {
    let Op::Data(_, ty) = view.pool.op(root) else { return None };
    if let (data::Form::Sum, [a, b]) = (form, children) {
        return Some(view.pool.sum_of_data(ty, *a, *b));
    }
    let form = match position(form) {
        Some(k) => with_position(form, state.positions[k as usize]?),
        None => form,
    };
    Some(view.pool.data(form, ty, children))
}

/// Returns the value of an exactly rounded operation on constants.
fn folded(pool: &mut Pool, p: Prim, children: &[Id]) -> Option<Id> {
    let first = *children.first()?;
    let args: SmallVec<[Scalar; 3]> = children.iter().map(|&c| pool.scalar(c)).collect::<Option<_>>()?;
    if !p.is_exactly_rounded() {
        return None;
    }
    let from = pool.element(first);
    let element = p.result(from);
    let bits = prim::eval(p, from, &args).to_bits(element)?;
    Some(pool.add(Op::Const(element, bits), []))
}
