//! Rules whose two sides are alternatives, written as functions because they need an analysis. `choice.rules` has the
//! other rules, and the order in which rules are tried.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::pool::Free;
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use smallvec::SmallVec;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "regroup",
        law: "a ∘ b ∘ c ∘ ... grouped differently: first the operands that vary in the same outer loops, or in none, \
              and last those that depend on the state of a loop; ∘ is + or ·",
        when: "all operators carry `reassoc`; at most 64 operands",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::AddF | Prim::MulF, _)),
        apply: Apply::Native(regroup),
    },
    super::scatter::INTO,
    super::scatter::FROM_MASK,
];

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
