//! Strength reduction that needs an analysis. `strength.rules` has the other rules, and the order.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op};
use egg::Id;

pub const RULES: &[Rule<'static>] = &[Rule {
    name: "divide-by-invariant",
    law: "x / c = x·(1/c): the reciprocal is taken once where c changes less often than x",
    when: "`arcp`, and x depends on an index or a state that c does not depend on",
    requirement: Requirement::Fast,
    at: |op| matches!(op, Op::Prim(Prim::DivF, _)),
    apply: Apply::Native(invariant),
}];

fn invariant(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::DivF, f) = node.op else { return };
    let (x, c) = (node.children[0], node.children[1]);
    let changes_less = v.pool.info(x).free.iter().any(|free| !v.pool.mentions(c, free.level));
    if f.allow(Flags::ARCP) && changes_less && v.pool.scalar(c).is_none() {
        let one = v.pool.float(v.pool.element(t), 1.0);
        let r = v.pool.prim(Prim::DivF, f, &[one, c]);
        out.push(v.pool.prim(Prim::MulF, f, &[x, r]));
    }
}
