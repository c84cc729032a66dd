//! Rules for sums that need an analysis. `sum.rules` has the others, and the order. `Σ_{i<n} e` is one operator of
//! terms. The order of its additions is unspecified, and so is the order of all additions of directly nested sums.

use super::cond::{is_mask, is_structural_zero};
use super::ifold::{fixes_index, flatten};
use super::index::{conjunction, conjuncts};
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Cast, Prim, SLE, SLT, Scalar};
use crate::optimise::terms::range::Linear;
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    // Measure: sums.
    Rule {
        name: "sum-one-hot",
        law: "Σ_{i<n} cond(i = d and c, e, Zero) = cond(0 ≤ d < n and c[i := d], e[i := d], Zero) (X.10)",
        when: "d does not mention i. With the user's zero for Zero: when the sign of a zero e does not matter (the \
            sum has nsz, or the operator that gives e), for 0 + (-0) is +0",
        requirement: Requirement::Exact0,
        at: |op| op.is_sum(),
        apply: Apply::Native(one_hot),
    },
    // Measure: the number of conditions in sums.
    Rule {
        name: "sum-mask-out",
        law: "Σ_i cond(c and c', e, Zero) = cond(c, Σ_i cond(c', e, Zero), Zero)",
        when: "c does not mention i, and may run where the sum has no terms or it has some",
        requirement: Requirement::Exact0,
        at: |op| op.is_sum(),
        apply: Apply::Native(mask_out),
    },
    // Measure: the number of additions in sums.
    Rule {
        name: "sum-split-mask",
        law: "Σ_i (a + b) = Σ_i a + Σ_i b (X.8)",
        when: "a or b is a mask with Zero, and the addition carries `reassoc`, or there are two addends, both of \
            them masks that select one index (then at most two terms are added)",
        requirement: Requirement::Fast,
        at: |op| op.is_sum(),
        apply: Apply::Native(split),
    },
    // Measure: sums.
    Rule {
        name: "sum-exchange-one-hot",
        law: "Σ_i Σ_j cond(i = d and c, e, Zero) = Σ_j cond(0 ≤ d < n and c[i := d], e[i := d], Zero) (X.9, then X.10)",
        when: "d does not mention i; it may mention j",
        requirement: Requirement::Exact0,
        at: |op| op.is_sum(),
        apply: Apply::Native(exchange),
    },
    // Measure: extents.
    Rule {
        name: "sum-window",
        law: "Σ\\_{i<n} cond(a ≤ i < a + w and c, e, Zero) = Σ\\_{k<w} cond(0 ≤ a + k < n and c, e, Zero)[i := a + k]",
        when: "w is a constant and less than n, of which a length that is not known is taken to be more; a does not \
               mention i; c and e may run for any index; nothing wraps",
        requirement: Requirement::Free,
        at: |op| op.is_sum(),
        apply: Apply::Native(window),
    },
    Rule {
        name: "sum-of-invariant",
        law: "Σ_{i<n} e = cond(0 < n, n·e, 0) (X.6)",
        when: "e does not mention i, and may run where n = 0 or n > 0 is known; integers, or the sum or the operator \
               that gives e carries `reassoc`. Without the condition where n > 0 is known, or e cannot be infinite: it \
               is an integer or a constant, or carries `nnan` and `ninf`",
        requirement: Requirement::Fast,
        at: |op| op.is_sum(),
        apply: Apply::Native(invariant),
    },
];

fn sum(v: &View, t: Id) -> Option<(Id, Id)> {
    let node = v.pool.node(t);
    node.op.is_sum().then(|| (node.children[0], node.children[1]))
}

/// Returns a sum of other terms with the flags of the sum `t`.
fn sum_like(v: &mut View, t: Id, n: Id, body: Id) -> Id {
    let op = v.pool.op(t);
    v.pool.add(op, [n, body])
}

/// Checks whether 0 times the product of `factors` is 0 in any order of multiplication: the product is known to be
/// finite.
pub fn is_finite(pool: &Pool, factors: &[Id]) -> bool {
    let largest = |&t: &Id| match pool.element(t) {
        Element::F32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
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

/// Returns the conditionals among the forms of the body of the sum `t`, as (condition, value, zero), whose zero is
/// neutral in the sum.
fn masks(v: &View, t: Id, body: Id) -> Vec<(Id, Id, Id)> {
    let ignores_sign = matches!(v.pool.op(t), Op::Reduce(_, f) if f.allow(Flags::NSZ));
    v.forms_with(body, |op| op == Op::Cond)
        .into_iter()
        .map(|n| (n.children[0], n.children[1], n.children[2]))
        .filter(|&(_, e, z)| match (v.pool.op(z), v.pool.scalar(z)) {
            (Op::Zero(_), _) => true,
            (_, Some(Scalar::I(x))) => x == 0,
            (_, Some(Scalar::F(x))) => x == 0.0 && (ignores_sign || ignores_sign_of_zero(v, e)),
            _ => false,
        })
        .collect()
}

/// Checks whether the sign of a zero `e` does not matter.
pub(super) fn ignores_sign_of_zero(v: &View, e: Id) -> bool {
    match (v.pool.op(e), v.pool.scalar(e)) {
        (Op::Prim(_, f), _) => f.allow(Flags::NSZ),
        (_, Some(Scalar::F(x))) => x != 0.0 || x.is_sign_positive(),
        _ => false,
    }
}

fn one_hot(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    for (c, e, z) in masks(v, t, body) {
        if v.pool.mentions(z, 0) {
            continue;
        }
        let Some((d, rest)) = fixes_index(v, c) else { continue };
        let d = v.pool.shift(d, 0, -1);
        let mut parts: Vec<Id> = rest.iter().map(|&r| v.pool.substitute(r, d)).collect();
        let guard = v.pool.guard(d, n);
        if guard.is_some() && !(v.pool.info(e).speculatable && rest.iter().all(|&r| v.pool.info(r).speculatable)) {
            continue;
        }
        parts.extend(guard);
        let e = v.pool.substitute(e, d);
        let z = v.pool.shift(z, 0, -1);
        let c = conjunction(v, &parts);
        out.push(v.pool.cond(c, e, z));
    }
}

fn mask_out(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    for (c, e, z) in masks(v, t, body) {
        let (fixed, rest): (Vec<Id>, Vec<Id>) = conjuncts(v, c).into_iter().partition(|&p| !v.pool.mentions(p, 0));
        // A sum of numbers is not an absent dependency: only Zero may stay Zero outside.
        let stays_zero = is_structural_zero(v, z) || !v.pool.element(z).is_float();
        let may_leave = fixed.iter().all(|&p| v.pool.may_leave(p, n));
        if fixed.is_empty() || !stays_zero || v.pool.mentions(z, 0) || !may_leave {
            continue;
        }
        let inner = if rest.is_empty() {
            e
        } else {
            let c = conjunction(v, &rest);
            v.pool.cond(c, e, z)
        };
        let inner = sum_like(v, t, n, inner);
        let c = conjunction(v, &fixed);
        let (c, z) = (v.pool.shift(c, 0, -1), v.pool.shift(z, 0, -1));
        out.push(v.pool.cond(c, inner, z));
    }
}

fn split(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    for add in v.forms_with(body, |op| matches!(op, Op::Prim(Prim::AddF | Prim::AddI, _))) {
        let Op::Prim(p, f) = add.op else { continue };
        let (a, b) = (add.children[0], add.children[1]);
        let mut all = Vec::new();
        flatten(v, a, &mut all);
        flatten(v, b, &mut all);
        let selects = |v: &mut View, x: Id| is_mask(v, x) && fixes_index(v, v.pool.child(x, 0)).is_some();
        let licensed = p == Prim::AddI || f.allow(Flags::REASSOC);
        let worth = all.iter().any(|&x| is_mask(v, x));
        let exact = all.len() == 2 && all.iter().all(|&x| selects(v, x));
        if exact || (licensed && worth) {
            let (a, b) = (sum_like(v, t, n, a), sum_like(v, t, n, b));
            out.push(v.pool.prim(p, f, &[a, b]));
        }
    }
}

fn exchange(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    let outer = v.pool.op(t);
    // The flags must agree: an assumption of one sum does not hold for the other.
    for inner in v.forms_with(body, |op| op == outer) {
        let (m, e) = (inner.children[0], inner.children[1]);
        if v.pool.mentions(m, 0) {
            continue;
        }
        // The levels in e: 0 is j, 1 is i. The interchange exchanges them.
        for (c, _, z) in masks(v, t, e) {
            if !is_structural_zero(v, z) {
                continue;
            }
            let c = v.pool.swap(c);
            if fixes_index(v, c).is_none() {
                continue;
            }
            let m = v.pool.shift(m, 0, -1);
            let n = v.pool.shift(n, 0, 1);
            let e = v.pool.swap(e);
            let inner = sum_like(v, t, n, e);
            out.push(sum_like(v, t, m, inner));
        }
    }
}

/// The maximum length of the window to which a loop of unknown length is reduced.
const LARGEST_WINDOW: i128 = 64;

fn window(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    if !v.pool.info(body).speculatable {
        return;
    }
    let length = v.pool.linear(n);
    let longest = length.as_constant().map_or(LARGEST_WINDOW, |n| n - 1);
    for (c, e, z) in masks(v, t, body) {
        let is_absent = is_structural_zero(v, z);
        if !is_absent {
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
        out.push(sum_like(v, t, w, body));
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

fn invariant(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((n, body)) = sum(v, t) else { return };
    if v.pool.mentions(body, 0) || !v.pool.may_leave(body, n) {
        return;
    }
    let element = v.pool.element(t);
    let e = v.pool.shift(body, 0, -1);
    let zero = v.pool.index(0);
    if v.pool.less(n, zero) != Some(false) {
        return;
    }
    if element.is_float() {
        let of = |op: Op| match op {
            Op::Prim(_, f) | Op::Reduce(_, f) if f.allow(Flags::REASSOC) => Some(f),
            _ => None,
        };
        let Some(f) = of(v.pool.op(t)).or_else(|| of(v.pool.op(body))) else { return };
        let i = v.pool.prim1(Prim::Cast(Cast::Index, Element::I64), n);
        let count = v.pool.prim1(Prim::Cast(Cast::SIToFP, element), i);
        let product = v.pool.prim(Prim::MulF, f, &[count, e]);
        let extents: &[Id] = if is_finite(v.pool, &[e]) { &[] } else { &[n] };
        out.push(where_not_empty(v, extents, f, product));
    } else if element != Element::I1 {
        let n = if element == Element::Index { n } else { v.pool.prim1(Prim::Cast(Cast::Index, element), n) };
        out.push(v.pool.prim(Prim::MulI, Flags::NONE, &[n, e]));
    }
}
