//! Closed forms of recurrences. They contain powers in place of a chain of products: more work, but no dependence
//! between iterations. This is faster only on machines that execute many operations at once, so these rules run only on
//! request, in `normalise-terms`.

use super::ifold::fold;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Cast, Prim};
use crate::optimise::terms::{Flags, Op, Reduction};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[Rule {
    name: "affine-recurrence",
    law: "ifold (s i → c·s + e) z n = cⁿ·z + Σ_{i<n} c^(n-1-i)·e (X.27)",
    when: "c mentions neither s nor i and may run where n = 0, e does not mention s; scalars; product and addition \
           carry `reassoc`",
    requirement: Requirement::Fast,
    at: |op| matches!(op, Op::Proj(_)),
    apply: Apply::Native(affine),
}];

fn affine(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    if f.inits.len() != 1 || v.pool.rank(t) > 0 {
        return;
    }
    // Under the binders of the loop: the index at level 0, the state at level 1.
    let body = v.node(f.bodies[0]);
    let Op::Prim(p @ (Prim::AddF | Prim::SubF), flags) = body.op else { return };
    let (product, e) = match (body.children[0], body.children[1]) {
        (a, b) if v.pool.mentions(a, 1) => (a, b),
        (a, b) if p == Prim::AddF => (b, a),
        _ => return,
    };
    let factors = v.node(product);
    let Op::Prim(Prim::MulF, more) = factors.op else { return };
    let flags = flags.and(more);
    let is_state = |t: Id| matches!(v.pool.op(t), Op::State(1, 0, _));
    let c = match (factors.children[0], factors.children[1]) {
        (a, b) if is_state(a) => b,
        (a, b) if is_state(b) => a,
        _ => return,
    };
    let is_invariant = !v.pool.mentions(c, 0) && !v.pool.mentions(c, 1) && v.pool.may_leave(c, f.n);
    if !flags.allow(Flags::REASSOC) || !is_invariant || v.pool.mentions(e, 1) {
        return;
    }
    let element = v.pool.element(t);
    let n = v.pool.length_of(f.n);
    let c = v.pool.shift(c, 0, -2);
    let first = power(v, c, n, element, flags);
    let first = v.pool.prim(Prim::MulF, flags, &[first, f.inits[0]]);
    let (e, c) = (v.pool.shift(e, 1, -1), v.pool.shift(c, 0, 1));
    let i = v.pool.bound_ix(n);
    let one = v.pool.index(1);
    let last = v.pool.shift(n, 0, 1);
    let last = v.pool.prim2(Prim::SubI, last, one);
    let left = v.pool.prim2(Prim::SubI, last, i);
    let weight = power(v, c, left, element, flags);
    let e = if p == Prim::SubF { v.pool.prim(Prim::NegF, flags, &[e]) } else { e };
    let term = v.pool.prim(Prim::MulF, flags, &[weight, e]);
    let sum = v.pool.add(Op::Reduce(Reduction::Sum, flags), [n, term]);
    out.push(v.pool.prim(Prim::AddF, flags, &[first, sum]));
}

/// Returns `cᵏ` for an index `k`.
fn power(v: &mut View, c: Id, k: Id, element: Element, flags: Flags) -> Id {
    let k = v.pool.prim1(Prim::Cast(Cast::Index, Element::I64), k);
    let k = v.pool.prim1(Prim::Cast(Cast::SIToFP, element), k);
    v.pool.prim(Prim::PowF, flags, &[c, k])
}
