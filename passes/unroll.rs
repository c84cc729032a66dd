//! Small loops that compare their index with a constant, written out: the comparisons are decided.

use crate::terms::prim::Prim;
use crate::terms::{Flags, Node, Op, Pool};
use egg::Id;
use rustc_hash::FxHashMap;

/// Longest loop that is written out.
const LONGEST: i64 = 12;

/// Largest body (as a tree), times the trip count, that is written out.
const LARGEST: u64 = 2000;

/// The term with its small sums and loops unrolled. Law: Σ_{i<n} e = e[0] + ... + e[n-1] (the order is free);
/// ifold f z n = f(... f(z, 0) ..., n-1) (f2). When: n is a small constant, and the body compares its index with a
/// constant.
pub fn unroll(pool: &mut Pool, t: Id, memo: &mut FxHashMap<Id, Id>) -> Id {
    if let Some(&r) = memo.get(&t) {
        return r;
    }
    let node = pool.node(t).clone();
    let children = node.children.iter().map(|&c| unroll(pool, c, memo)).collect();
    let inside = pool.add_node(Node::new(node.op, children));
    let r = sum(pool, inside).or_else(|| fold(pool, inside)).unwrap_or(inside);
    memo.insert(t, r);
    r
}

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
