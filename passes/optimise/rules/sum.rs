//! Rules for sums, written as functions because they need an analysis. `sum.rules` has the other rules, and the order
//! in which rules are tried. `Σ_{i<n} e` is one operator of terms. The order of its additions is unspecified, and so is
//! the order of all additions of directly nested sums.

use super::cond::is_structural_zero;
use super::index::{conjunction, conjuncts};
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Cast, Prim, SLE, SLT, Scalar};
use crate::optimise::terms::range::Linear;
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    // Measure: extents.
    Rule {
        name: "sum-window",
        law: "Σ_{i<n} cond(a ≤ i < a + w and c, e, Zero) = Σ_{k<w} cond(0 ≤ a + k < n and c, e, Zero)[i := a + k]",
        when: "w is a constant and less than n (a length that is not known is assumed to be greater); a does not \
               depend on i; c and e may be computed for any index; nothing overflows",
        requirement: Requirement::Free,
        at: |op| op.is_sum(),
        apply: Apply::Native(window),
    },
];

/// Checks whether 0 times the product of `factors` is 0 in any order of multiplication: the product is known to be
/// finite.
pub fn is_finite(pool: &Pool, factors: &[Id]) -> bool {
    let largest = |&t: &Id| pool.element(t).greatest();
    factors.iter().map(|&t| magnitude(pool, t).max(1.0)).product::<f64>()
        <= factors.iter().map(largest).fold(f64::MAX, f64::min)
}

/// Returns an upper bound of |t|, infinite if none is known.
fn magnitude(pool: &Pool, t: Id) -> f64 {
    match (pool.op(t), pool.scalar(t)) {
        (Op::Zero(_) | Op::One(_), _) => 1.0,
        (Op::Prim(Prim::Cast(Cast::SIToFP | Cast::UIToFP, _), _), _) => u64::MAX as f64,
        (_, Some(Scalar::F(x))) if x.is_finite() => x.abs(),
        _ if !pool.element(t).is_float() => 1.0,
        _ => f64::INFINITY,
    }
}

/// Returns `value`, the product of sums over `extents` and a factor that was moved out of them, if none of them is
/// empty; else 0, the empty sum, even if `value` multiplies it by an infinity or NaN. `flags` are those of the
/// multiplication.
pub fn where_not_empty(v: &mut View, extents: &[Id], flags: Flags, value: Id) -> Id {
    if flags.allow(Flags(Flags::NNAN.0 | Flags::NINF.0)) {
        return value;
    }
    let first = v.pool.index(0);
    let guards: Vec<Id> = extents.iter().filter_map(|&n| v.pool.guard(first, n)).collect();
    if guards.is_empty() {
        return value;
    }
    let c = conjunction(v, &guards);
    let nothing = v.pool.plain_zero(v.pool.element(value));
    v.pool.cond(c, value, nothing)
}

/// Checks whether the sign of a zero `e` does not matter.
pub(super) fn ignores_sign_of_zero(v: &View, e: Id) -> bool {
    match (v.pool.op(e), v.pool.scalar(e)) {
        (Op::Prim(_, f), _) => f.allow(Flags::NSZ),
        (_, Some(Scalar::F(x))) => x != 0.0 || x.is_sign_positive(),
        _ => false,
    }
}

/// The maximum length of the window to which a loop of unknown length is reduced.
const LARGEST_WINDOW: i128 = 64;

fn window(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let sum = v.node(t);
    let (n, body) = (sum.children[0], sum.children[1]);
    if !v.pool.info(body).speculatable {
        return;
    }
    let length = v.pool.linear(n);
    let longest = length.as_constant().map_or(LARGEST_WINDOW, |n| n - 1);
    for mask in v.forms_with(body, |op| op == Op::Cond) {
        let (c, e, z) = (mask.children[0], mask.children[1], mask.children[2]);
        if !is_structural_zero(v, z) {
            continue;
        }
        let parts = conjuncts(v, c);
        // The bounds of the index: `lower ≤ i` and `i ≤ upper`, with the conjunct of the bound, or none for the bound
        // of the loop.
        let one = Linear::constant(1);
        let extent = v.pool.shift(n, 0, 1);
        let inside = v.pool.linear(extent);
        let mut lower = vec![(None, Linear::constant(0))];
        let mut upper = vec![(None, inside.add(&one, -1))];
        for &part in &parts {
            let Some((up, bound)) = bound(v, part) else { continue };
            if up { lower.push((Some(part), bound)) } else { upper.push((Some(part), bound)) }
        }
        let found = lower.iter().flat_map(|l| upper.iter().map(move |u| (l, u))).find_map(|(l, u)| {
            let width = u.1.add(&l.1, -1).add(&one, 1).as_constant()?;
            let is_new = l.0.is_some() || u.0.is_some();
            (is_new && width > 0 && width <= longest).then(|| (l.clone(), u.clone(), width))
        });
        let Some(((said, least), (said_too, _), width)) = found else { continue };
        let w = v.pool.index(width as i64);
        let k = v.pool.bound_ix(w);
        let least = v.pool.from_linear(&least, Element::Index);
        let i = v.pool.prim2(Prim::AddI, least, k);
        let kept = parts.iter().filter(|&&p| Some(p) != said && Some(p) != said_too);
        let mut new: Vec<Id> = kept.map(|&p| v.pool.rename(p, 0, i)).collect();
        let n = v.pool.shift(n, 0, 1);
        new.extend(v.pool.guard(i, n));
        let (e, z) = (v.pool.rename(e, 0, i), v.pool.rename(z, 0, i));
        let c = conjunction(v, &new);
        let body = v.pool.cond(c, e, z);
        out.push(v.pool.add(sum.op, [w, body]));
    }
}

/// Returns the bound of a comparison on the index at level 0: whether it is a lower bound, and the bound.
fn bound(v: &View, comparison: Id) -> Option<(bool, Linear)> {
    let node = v.pool.node(comparison);
    let strict = match node.op {
        Op::Prim(Prim::CmpI(SLE), _) => 0,
        Op::Prim(Prim::CmpI(SLT), _) => 1,
        _ => return None,
    };
    let [a, b] = [0, 1].map(|k| v.pool.linear(node.children[k]));
    // 0 ≤ b - a, or 1 ≤.
    let gap = b.add(&a, -1).add(&Linear::constant(strict), -1);
    let &(i, c) = gap.terms.iter().find(|x| v.pool.op(x.0) == Op::Ix(0))?;
    let rest = gap.add(&Linear::of(i, c), -1);
    if c.abs() != 1 || rest.terms.iter().any(|x| v.pool.mentions(x.0, 0)) || !v.pool.bounded(&[&gap]) {
        return None;
    }
    // ±i + rest ≥ 0.
    Some((c == 1, Linear::constant(0).add(&rest, -c)))
}
