//! Analyses of conditionals and masks, for the conditions of rules. `cond.rules` has the rules.

use super::{Rule, View, every};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op};
use egg::Id;
use std::sync::LazyLock;

pub fn is_structural_zero(v: &View, t: Id) -> bool {
    matches!(v.pool.op(t), Op::Zero(_))
}

/// Checks whether a term is a conditional whose alternative is the structural zero.
pub fn is_mask(v: &View, t: Id) -> bool {
    v.pool.op(t) == Op::Cond && is_structural_zero(v, v.pool.child(t, 2))
}

/// The maximum depth in sums at which masks are searched for.
const ADDENDS: u32 = 8;

/// Checks whether `t` is a sum or a difference that may be split, with a mask with Zero as an addend.
pub fn has_mask(v: &View, t: Id) -> bool {
    fn within(v: &View, t: Id, depth: u32) -> bool {
        let node = v.pool.node(t);
        let splits = matches!(node.op, Op::Prim(Prim::AddF | Prim::SubF, f) if f.allow(Flags::REASSOC));
        splits && depth > 0 && node.children.iter().any(|&x| is_mask(v, x) || within(v, x, depth - 1))
    }
    within(v, t, ADDENDS)
}

fn is_constant(v: &View, t: Id) -> bool {
    matches!(v.pool.op(t), Op::Const(..) | Op::Zero(_) | Op::One(_))
}

/// The rules that find such operations.
static IDENTITIES: LazyLock<Vec<Rule<'static>>> =
    LazyLock::new(|| every().filter(|(set, _)| matches!(*set, "index" | "ring")).map(|(_, rule)| rule).collect());

/// Checks whether a rule of this or a related set makes an operation one of its operands or a constant. A structural
/// zero remains an addend of a sum that may be split, so that the other addends are not masked.
pub fn simplifies(v: &mut View, t: Id) -> bool {
    if is_constant(v, t) {
        return true;
    }
    let node = v.node(t);
    let splits = matches!(node.op, Op::Prim(Prim::AddF | Prim::SubF, f) if f.allow(Flags::REASSOC));
    if splits && node.children.iter().filter(|&&x| is_structural_zero(v, x)).count() == 1 {
        return false;
    }
    let mut out = Vec::new();
    IDENTITIES.iter().any(|rule| {
        out.clear();
        rule.apply(v, t, &mut out);
        out.iter().any(|&r| node.children.contains(&r) || is_constant(v, r))
    })
}
