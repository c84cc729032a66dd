//! Peeling: the first or the last iteration of a loop becomes separate code. The result is longer than the loop, so
//! these rules run only on request.

use super::ifold::fold;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::Op;
use crate::optimise::terms::prim::Prim;
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "peel-first",
        law: "ifold f z n = ifold (a i → f a (i+1)) (f z 0) (n-1) (f2)",
        when: "n is a positive constant",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(first),
    },
    Rule {
        name: "peel-last",
        law: "ifold f z n = f (ifold f z (n-1)) (n-1) (f2')",
        when: "n is a positive constant",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(last),
    },
];

fn first(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let Some(n) = v.pool.as_int(f.n).filter(|&n| n > 0) else { return };
    let (zero, fewer) = (v.pool.index(0), v.pool.index(n - 1));
    let inits: Vec<Id> = f.bodies.iter().map(|&b| v.pool.substitute_loop(b, zero, &f.inits)).collect();
    let states: Vec<Id> = inits.iter().enumerate().map(|(k, &z)| v.pool.state(z, k as u32)).collect();
    // The index counts from the second iteration on.
    let extent = v.pool.shift(fewer, 0, 2);
    let (i, one) = (v.pool.ix(0, extent), v.pool.index(1));
    let next = v.pool.prim2(Prim::AddI, i, one);
    let bodies: Vec<Id> = f
        .bodies
        .iter()
        .map(|&b| {
            let b = v.pool.shift(b, 2, 2);
            v.pool.substitute_loop(b, next, &states)
        })
        .collect();
    out.push(v.pool.ifold(fewer, &inits, &bodies, f.k as u32));
}

fn last(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let Some(n) = v.pool.as_int(f.n).filter(|&n| n > 0) else { return };
    let fewer = v.pool.index(n - 1);
    // In a shorter loop the index is smaller, so known bounds still hold.
    let before: Vec<Id> = (0..f.inits.len()).map(|k| v.pool.ifold(fewer, &f.inits, &f.bodies, k as u32)).collect();
    out.push(v.pool.substitute_loop(f.bodies[f.k], fewer, &before));
}
