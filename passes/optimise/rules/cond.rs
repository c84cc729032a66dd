//! Rules for conditionals and masks that need an analysis. `cond.rules` has the others, and the order.

use super::index::conjuncts;
use super::{Apply, Requirement, Rule, View, every};
use crate::optimise::terms::prim::{EQ, Prim};
use crate::optimise::terms::{Flags, Op};
use egg::Id;
use std::sync::LazyLock;

pub const RULES: &[Rule<'static>] = &[
    // The whole conditional is rewritten; a is never made equal to its specialised form. Measure: size.
    Rule {
        name: "cond-context",
        law: "cond(c, a, b) = cond(c, a[c := true], b[c := false]); every conjunct of c holds in a (d4)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(context),
    },
    // Measure: the number of terms that are not constants.
    Rule {
        name: "cond-equal",
        law: "cond(x = k and c, a, b) = cond(x = k and c, a[x := k], b) (d6)",
        when: "k is an integer constant, x is none",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(equal),
    },
];

pub fn is_structural_zero(v: &View, t: Id) -> bool {
    matches!(v.pool.op(t), Op::Zero(_))
}

/// The maximum size of an arm that is specialised for its condition: the search is linear in the size, for every
/// conditional.
const CONTEXT_SIZE: u64 = 400;

fn context(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (c, a, b) = (node.children[0], node.children[1], node.children[2]);
    if matches!(v.pool.op(c), Op::Const(..)) {
        return;
    }
    let (mut a2, mut b2) = (a, b);
    if v.pool.info(a).size <= CONTEXT_SIZE {
        let yes = v.pool.bool(true);
        for part in std::iter::once(c).chain(conjuncts(v, c)) {
            a2 = v.pool.replace_term(a2, part, yes);
        }
    }
    if v.pool.info(b).size <= CONTEXT_SIZE {
        let no = v.pool.bool(false);
        b2 = v.pool.replace_term(b2, c, no);
    }
    if (a2, b2) != (a, b) {
        out.push(v.pool.cond(c, a2, b2));
    }
}

fn equal(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if v.pool.info(node.children[1]).size > CONTEXT_SIZE {
        return;
    }
    let mut a = node.children[1];
    for part in conjuncts(v, node.children[0]) {
        let comparison = v.node(part);
        if comparison.op != Op::Prim(Prim::CmpI(EQ), Flags::NONE) {
            continue;
        }
        let (x, y) = (comparison.children[0], comparison.children[1]);
        for (x, k) in [(x, y), (y, x)] {
            if v.pool.as_int(k).is_some() && v.pool.as_int(x).is_none() {
                a = v.pool.replace_term(a, x, k);
            }
        }
    }
    if a != node.children[1] {
        out.push(v.pool.cond(node.children[0], a, node.children[2]));
    }
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
