//! Rules whose two sides are alternatives, and that need an analysis. `choice.rules` has the others, and the order.

use super::sum::{is_finite, where_not_empty};
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::pool::Free;
use crate::optimise::terms::prim::{Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use smallvec::SmallVec;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "sum-factor-out",
        law: "Σ_{i<n} c·e = cond(0 < n, c·Σ_i e, 0), Σ_{i<n} e/c = cond(0 < n, (Σ_i e)/c, 0), Σ_i -e = -Σ_i e (X.7)",
        when: "c does not mention i, and the product or quotient carries `reassoc`; for the negation the sum carries \
               `nsz`. Without the condition where n > 0 is known, or 0·c (0/c) is 0: c is a finite constant (no zero), \
               or the operator carries `nnan` and `ninf`",
        requirement: Requirement::Fast,
        at: |op| op.is_sum(),
        apply: Apply::Native(sum_factor),
    },
    Rule {
        name: "regroup",
        law: "a ∘ b ∘ c ∘ ... with those together first that change in the same outer loops, or in none, and last what \
              depends on a loop's state; ∘ is + or ·",
        when: "all operators carry `reassoc`; at most 64 operands",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::AddF | Prim::MulF, _)),
        apply: Apply::Native(regroup),
    },
    super::scatter::INTO,
    super::scatter::FROM_MASK,
];

fn products(v: &View, t: Id) -> Vec<(Id, Id, Flags)> {
    v.forms_with(t, |op| matches!(op, Op::Prim(Prim::MulF, f) if f.allow(Flags::REASSOC)))
        .into_iter()
        .filter_map(|n| match n.op {
            Op::Prim(_, f) => Some((n.children[0], n.children[1], f)),
            _ => None,
        })
        .flat_map(|(a, b, f)| [(a, b, f), (b, a, f)])
        .collect()
}

/// The maximum number of operands that are regrouped.
const LARGEST: usize = 64;

/// Returns the loops on which a term depends, innermost first. The state of a loop counts as inside of its index,
/// because the next iteration waits for it.
fn changes(pool: &Pool, t: Id) -> [u32; 4] {
    let mut at = [u32::MAX; 4];
    // The states of a loop are bound one level outside of its index.
    let order = |f: &Free| if f.extent.is_some() { 2 * f.level + 1 } else { (2 * f.level).saturating_sub(2) };
    let mut all: SmallVec<[u32; 4]> = pool.info(t).free.iter().map(order).collect();
    all.sort_unstable();
    at.iter_mut().zip(all).for_each(|(at, order)| *at = order);
    at
}

/// Collects the operands of nested operators `p` that may be regrouped, in order, and intersects `flags` with the flags
/// of the operators.
fn operands(pool: &Pool, t: Id, p: Prim, flags: &mut Flags, all: &mut Vec<Id>) {
    let node = pool.node(t);
    match node.op {
        Op::Prim(q, f) if q == p && f.allow(Flags::REASSOC) && all.len() < LARGEST => {
            *flags = flags.and(f);
            node.children.iter().for_each(|&c| operands(pool, c, p, flags, all));
        }
        _ => all.push(t),
    }
}

fn regroup(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Op::Prim(p, mut flags) = v.pool.op(t) else { return };
    let mut all = Vec::new();
    operands(v.pool, t, p, &mut flags, &mut all);
    if all.len() < 3 || all.len() > LARGEST {
        return;
    }
    // The order within a group is by number, so that sums of the same terms share prefixes.
    all.sort_by_cached_key(|&x| (std::cmp::Reverse(changes(v.pool, x)), x));
    let mut groups: SmallVec<[(Id, [u32; 4]); 8]> = SmallVec::new();
    for x in all {
        let at = changes(v.pool, x);
        match groups.last_mut() {
            Some((group, same)) if *same == at => *group = v.pool.prim(p, flags, &[*group, x]),
            _ => groups.push((x, at)),
        }
    }
    if groups.len() > 1 {
        out.extend(groups.into_iter().map(|(t, _)| t).reduce(|outer, inner| v.pool.prim(p, flags, &[inner, outer])));
    }
}

fn sum_factor(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let ignores_sign = matches!(node.op, Op::Reduce(_, f) if f.allow(Flags::NSZ));
    for (c, e, f) in products(v, node.children[1]) {
        if !v.pool.mentions(c, 0) && v.pool.may_leave(c, node.children[0]) {
            let c = v.pool.shift(c, 0, -1);
            let sum = v.pool.add(node.op, [node.children[0], e]);
            let product = v.pool.prim(Prim::MulF, f, &[c, sum]);
            let extents = if is_finite(v.pool, &[c]) { &[] } else { &node.children[..1] };
            out.push(where_not_empty(v, extents, f, product));
        }
    }
    for inner in v.forms_with(node.children[1], |op| matches!(op, Op::Prim(Prim::DivF | Prim::NegF, _))) {
        let Op::Prim(p, f) = inner.op else { continue };
        let mut args = inner.children.clone();
        let mut extents = &[][..];
        match p {
            Prim::DivF
                if f.allow(Flags::REASSOC)
                    && !v.pool.mentions(args[1], 0)
                    && v.pool.may_leave(args[1], node.children[0]) =>
            {
                args[1] = v.pool.shift(args[1], 0, -1);
                let divides = matches!(v.pool.scalar(args[1]), Some(Scalar::F(c)) if c != 0.0 && !c.is_nan());
                if !divides {
                    extents = &node.children[..1];
                }
            }
            // A sum without elements is +0.
            Prim::NegF if ignores_sign => {}
            _ => continue,
        }
        args[0] = v.pool.add(node.op, [node.children[0], args[0]]);
        let value = v.pool.prim(p, f, &args);
        out.push(where_not_empty(v, extents, f, value));
    }
}
