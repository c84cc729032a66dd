//! Small loops that compare their index with a constant, written out: the comparisons are decided.

use super::{Apply, Licence, Rule};
use crate::terms::prim::Prim;
use crate::terms::{Flags, Op, Pool};
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "unroll-sum",
        law: "Σ_{i<n} e = e[0] + ... + e[n-1]",
        when: "n is a small constant, and e compares i with a constant",
        licence: Licence::Free,
        apply: Apply::Native(|v, t, out| out.extend(sum(v.pool, t))),
    },
    Rule {
        name: "unroll-loop",
        law: "ifold f z n = f(... f(z, 0) ..., n-1) (f2)",
        when: "n is a small constant, and f compares its index with a constant",
        licence: Licence::Exact,
        apply: Apply::Native(|v, t, out| out.extend(fold(v.pool, t))),
    },
];

/// Longest loop that is written out.
const LONGEST: i64 = 12;

/// Largest body (as a tree), times the trip count, that is written out.
const LARGEST: u64 = 2000;

fn sum(pool: &mut Pool, t: Id) -> Option<Id> {
    if !pool.op(t).is_sum() {
        return None;
    }
    let (n, body) = (pool.child(t, 0), pool.child(t, 1));
    let count = small(pool, n, &[body])?;
    let add = if pool.element(t).is_float() { Prim::AddF } else { Prim::AddI };
    (0..count)
        .map(|i| {
            let i = pool.index(i);
            pool.substitute(body, i)
        })
        .collect::<Vec<Id>>()
        .into_iter()
        .reduce(|a, b| pool.prim(add, Flags::NONE, &[a, b]))
}

fn fold(pool: &mut Pool, t: Id) -> Option<Id> {
    let Op::Proj(k) = pool.op(t) else { return None };
    let node = pool.node(pool.child(t, 0)).clone();
    let Op::Ifold(m) = node.op else { return None };
    let m = m as usize;
    let bodies = &node.children[1 + m..];
    let count = small(pool, node.children[0], bodies)?;
    let mut state = node.children[1..=m].to_vec();
    for i in 0..count {
        let i = pool.index(i);
        state = bodies.iter().map(|&b| pool.substitute_loop(b, i, &state)).collect();
    }
    Some(state[k as usize])
}

/// The trip count, when the loop is short and a body compares its index.
fn small(pool: &Pool, n: Id, bodies: &[Id]) -> Option<i64> {
    let count = pool.as_int(n).filter(|n| (1..=LONGEST).contains(n))?;
    let size = bodies.iter().map(|&b| pool.info(b).size).fold(0u64, u64::saturating_add);
    (size.saturating_mul(count as u64) <= LARGEST && bodies.iter().any(|&b| compares(pool, b, 0))).then_some(count)
}

/// Whether a comparison in `t` becomes a constant once the index at `level` is one: it reads nothing else.
fn compares(pool: &Pool, t: Id, level: u32) -> bool {
    if !pool.mentions(t, level) {
        return false;
    }
    let node = pool.node(t);
    let decided = matches!(node.op, Op::Prim(Prim::CmpI(_), _)) && reads_only(pool, t, level);
    decided || node.children.iter().enumerate().any(|(k, &c)| compares(pool, c, level + node.binds(k)))
}

fn reads_only(pool: &Pool, t: Id, level: u32) -> bool {
    let node = pool.node(t);
    match node.op {
        Op::Ix(l) => l == level,
        Op::Const(..) => true,
        Op::Prim(..) => node.children.iter().all(|&c| reads_only(pool, c, level)),
        _ => false,
    }
}
