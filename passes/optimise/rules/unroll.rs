//! Unrolling of small loops in which the index decides a comparison or selects an operand of `array.stack`. In the
//! unrolled code the comparison becomes a constant, and the read of the stacked array becomes one of the operands.
//! Loops of very few iterations in one long loop are always unrolled: the body of the long loop, work on a record, then
//! consists of scalars, so that neighbouring records can be computed in the lanes of vectors.

use super::{Apply, Requirement, Rule};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use rustc_hash::FxHashSet;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "unroll-loop",
        law: "build n (i → e) = [e[0], ..., e[n-1]];  ifold (s i → e) z n = e[s := ... e[s := z, i := 0] ..., \
              i := n-1] (f2)",
        when: "n is a small constant, a built array has few elements, and i decides a comparison with a value that \
               small constants bound, or selects a row of a stack; or n is at most four, and the loop is inside of \
               exactly one long loop. If the body of an array only selects, unrolling saves nothing, and the rule does \
               not apply",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Build | Op::Proj(_)),
        apply: Apply::Native(|v, t, out| {
            let is_array = v.pool.op(t) == Op::Build;
            out.extend(if is_array { build(v.pool, t) } else { fold(v.pool, t) });
        }),
    },
    Rule {
        name: "unroll-sum",
        law: "Σ_{i<n} e = e[0] + ... + e[n-1];  scatter(z, i → p(i), e) = [z[0] + Σ_{p(i) = 0} e[i], ...]",
        when: "n is a small constant, and for a sum as for `unroll-loop`; for a scatter, z is a computed array of one \
               axis with few elements, and the position is a constant for each index",
        requirement: Requirement::Free,
        at: |op| op.is_sum() || matches!(op, Op::Scatter(_, 1)),
        apply: Apply::Native(|v, t, out| {
            let is_sum = v.pool.op(t).is_sum();
            out.extend(if is_sum { sum(v.pool, t) } else { scatter(v.pool, t) });
        }),
    },
];

/// The maximum length of an unrolled loop.
const LONGEST: i64 = 12;

/// The maximum length of a loop that is always unrolled if it is inside of one long loop.
const SHORTEST: i64 = 4;

/// The maximum number of elements of an unrolled array, without axes of unknown length.
const LARGEST_ARRAY: i64 = 64;

/// The maximum size, as a tree, of an expression that the index decides.
const LARGEST_DECISION: u64 = 64;

/// The maximum number of terms that unrolling may add.
const LARGEST: usize = 4000;

fn build(pool: &mut Pool, t: Id) -> Option<Id> {
    let (n, body) = (pool.child(t, 0), pool.child(t, 1));
    let Short { count, saves } = short(pool, n, &[body], 1)?;
    let mut elements = count;
    for axis in 0..pool.rank(body) {
        let n = pool.extent(body, axis);
        elements = elements.saturating_mul(pool.as_int(n).unwrap_or(1));
    }
    if elements > LARGEST_ARRAY || !saves {
        return None;
    }
    let rows = rows(pool, body, count);
    Some(pool.stack(&rows))
}

fn sum(pool: &mut Pool, t: Id) -> Option<Id> {
    let (n, body) = (pool.child(t, 0), pool.child(t, 1));
    let count = short(pool, n, &[body], 1)?.count;
    let add = if pool.element(t).is_float() { Prim::AddF } else { Prim::AddI };
    let flags = match pool.op(t) {
        Op::Reduce(_, flags) if pool.element(t).is_float() => flags,
        _ => Flags::NONE,
    };
    rows(pool, body, count).into_iter().reduce(|a, b| pool.prim(add, flags, &[a, b]))
}

/// Returns the body for each index.
fn rows(pool: &mut Pool, body: Id, count: i64) -> Vec<Id> {
    let row = |i: i64| {
        let i = pool.index(i);
        pool.substitute(body, i)
    };
    (0..count).map(row).collect()
}

fn fold(pool: &mut Pool, t: Id) -> Option<Id> {
    let Op::Proj(k) = pool.op(t) else { return None };
    let node = pool.node(pool.child(t, 0)).clone();
    let Op::Ifold(m) = node.op else { return None };
    let m = m as usize;
    let bodies = &node.children[1 + m..];
    let count = short(pool, node.children[0], bodies, 2)?.count;
    let mut state = node.children[1..=m].to_vec();
    for i in 0..count {
        let i = pool.index(i);
        state = bodies.iter().map(|&b| pool.substitute_loop(b, i, &state)).collect();
    }
    Some(state[k as usize])
}

fn scatter(pool: &mut Pool, t: Id) -> Option<Id> {
    let node = pool.node(t).clone();
    let Op::Scatter(axes, 1) = node.op else { return None };
    let (init, extents, position, e) = match &node.children[..] {
        [init, extents @ .., position, e] => (*init, extents, *position, *e),
        _ => return None,
    };
    let is_computed = matches!(pool.op(init), Op::Build | Op::Stack | Op::Scatter(..));
    let length = pool.extent(init, 0);
    let count = pool.as_int(length).filter(|n| (1..=LARGEST_ARRAY).contains(n) && is_computed)?;
    let extents: Vec<i64> = extents.iter().map(|&n| pool.as_int(n)).collect::<Option<_>>()?;
    let indices =
        extents.iter().try_fold(1, |all: i64, &n| all.checked_mul(n)).filter(|n| (0..=LONGEST).contains(n))?;
    let mut rows: Vec<Id> = (0..count)
        .map(|q| {
            let q = pool.index(q);
            pool.get(init, q)
        })
        .collect();
    let add = if pool.element(t).is_float() { Prim::AddF } else { Prim::AddI };
    for number in 0..indices {
        let (mut at, mut added, mut rest) = (position, e, number);
        // The innermost index is at level 0.
        for level in (0..axes as usize).rev() {
            let i = pool.index(rest % extents[level]);
            rest /= extents[level];
            (at, added) = (pool.substitute(at, i), pool.substitute(added, i));
        }
        let at = pool.linear(at).as_constant()?;
        // A position outside of the array is ignored.
        if let Some(row) = usize::try_from(at).ok().and_then(|at| rows.get_mut(at)) {
            let flags = flags_of(pool, *row).and(flags_of(pool, added));
            *row = pool.prim(add, flags, &[*row, added]);
        }
    }
    Some(pool.stack(&rows))
}

/// Returns the `fastmath` flags of the operator of a float term: of a number, all; of other operators, none.
fn flags_of(pool: &Pool, t: Id) -> Flags {
    match pool.op(t) {
        Op::Prim(p, flags) if p.is_float() => flags,
        Op::Const(..) | Op::Zero(_) | Op::One(_) if pool.element(t).is_float() => FAST,
        _ => Flags::NONE,
    }
}

/// All flags.
const FAST: Flags = Flags(127);

/// A loop that may be unrolled.
struct Short {
    count: i64,
    /// True if its body contains more than selection: arithmetic, or reads of a stack, which then need not be an array.
    saves: bool,
}

/// Returns the loop, if its bodies under `binders` are not large and contain an expression that its index decides.
fn short(pool: &Pool, n: Id, bodies: &[Id], binders: u32) -> Option<Short> {
    let count = pool.as_int(n).filter(|&n| n > 0)?;
    let most = LARGEST / count as usize;
    let (mut seen, mut saves) = (FxHashSet::default(), false);
    let mut decides = count <= SHORTEST && is_in_one_loop(pool, bodies, binders);
    let mut todo: Vec<(Id, u32)> = bodies.iter().map(|&b| (b, 0)).collect();
    while let Some((t, depth)) = todo.pop() {
        // Terms that depend on the loop are copied for each index; the others are shared.
        if (0..binders).all(|level| !pool.mentions(t, depth + level)) || !seen.insert((t, depth)) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let node = pool.node(t);
        let decided = |t: Id| pool.mentions(t, depth) && is_bounded(pool, t, depth);
        match node.op {
            Op::Prim(Prim::CmpI(_), _) => decides |= decided(t),
            Op::Prim(p, _) => saves |= p.is_float(),
            Op::Opaque(..) | Op::Reduce(..) | Op::Ifold(_) | Op::Scatter(..) => saves = true,
            Op::Get if pool.op(node.children[0]) == Op::Stack && decided(node.children[1]) => {
                (decides, saves) = (true, true);
            }
            _ => {}
        }
        todo.extend(node.children.iter().enumerate().map(|(k, &c)| (c, depth + node.binds(k))));
    }
    decides.then_some(Short { count, saves })
}

/// Checks whether bodies under `binders` read the index of exactly one long loop around them, and no states.
fn is_in_one_loop(pool: &Pool, bodies: &[Id], binders: u32) -> bool {
    let free = bodies.iter().flat_map(|&b| &pool.info(b).free).filter(|f| f.level >= binders);
    let mut long = FxHashSet::default();
    for f in free {
        match f.extent {
            Some(n) if n > LONGEST as f64 => drop(long.insert(f.level)),
            Some(_) => {}
            None => return false,
        }
    }
    long.len() == 1
}

/// Checks whether a term under `depth` binders of the body of a loop is a constant once the loop and those inside are
/// unrolled: it reads only indices of short loops. Indices of outer loops do not count, because these loops were tried
/// before.
fn is_bounded(pool: &Pool, t: Id, depth: u32) -> bool {
    if pool.info(t).size > LARGEST_DECISION {
        return false;
    }
    let node = pool.node(t);
    match node.op {
        Op::Ix(level) => level <= depth && pool.as_int(node.children[0]).is_some_and(|n| n <= LONGEST),
        Op::Const(..) => true,
        Op::Prim(..) => node.children.iter().all(|&c| is_bounded(pool, c, depth)),
        _ => false,
    }
}
