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
    // Measure: conditionals.
    Rule {
        name: "cond-merge",
        law: "cond(c, a, b) ∘ cond(c, a', b') = cond(c, a ∘ a', b ∘ b')",
        when: "one of the four arms is a constant, so that the result is no larger",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(..)),
        apply: Apply::Native(merge),
    },
    // Measure: operators.
    Rule {
        name: "cond-out",
        law: "f(cond(c, a, b)) = cond(c, f(a), f(b)) (d5)",
        when: "f gives no new operator on either arm: both simplify by `ring` or are constants; a mask with Zero stays \
               an addend of a sum that carries `reassoc`",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(..)),
        apply: Apply::Native(cond_out),
    },
];

fn is_cond(op: Op) -> bool {
    op == Op::Cond
}

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

fn merge(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    if p.arity() != 2 || p.may_trap() {
        return;
    }
    for x in v.forms_with(node.children[0], is_cond) {
        for y in v.forms_with(node.children[1], is_cond) {
            let arms = [x.children[1], x.children[2], y.children[1], y.children[2]];
            if x.children[0] == y.children[0] && arms.iter().any(|&a| is_constant(v, a)) {
                let a = v.pool.prim(p, f, &[arms[0], arms[2]]);
                let b = v.pool.prim(p, f, &[arms[1], arms[3]]);
                out.push(v.pool.cond(x.children[0], a, b));
            }
        }
    }
}

fn cond_out(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    if p.may_trap() {
        return;
    }
    for k in 0..node.children.len() {
        for c in v.forms_with(node.children[k], is_cond) {
            if !(is_constant(v, c.children[1]) || is_constant(v, c.children[2])) {
                continue;
            }
            let is_sum = matches!(p, Prim::AddF | Prim::SubF) && f.allow(Flags::REASSOC);
            if is_sum && is_structural_zero(v, c.children[2]) && !is_structural_zero(v, node.children[1 - k]) {
                continue;
            }
            let mut args = node.children.clone();
            let arms: Option<Vec<Id>> = [c.children[1], c.children[2]]
                .into_iter()
                .map(|arm| {
                    args[k] = arm;
                    simplified(v, p, f, &args)
                })
                .collect();
            if let Some(arms) = arms {
                out.push(v.pool.cond(c.children[0], arms[0], arms[1]));
            }
        }
    }
}

pub fn into(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    if p.may_trap() || v.pool.rank(t) > 0 {
        return;
    }
    for k in 0..node.children.len() {
        for c in v.forms_with(node.children[k], is_cond) {
            if is_constant(v, c.children[1]) && is_constant(v, c.children[2]) {
                let mut arm = |x: Id| {
                    let mut args = node.children.clone();
                    args[k] = x;
                    v.pool.prim(p, f, &args)
                };
                let (a, b) = (arm(c.children[1]), arm(c.children[2]));
                out.push(v.pool.cond(c.children[0], a, b));
            }
        }
    }
}

/// The rules that find such operations.
static IDENTITIES: LazyLock<Vec<Rule<'static>>> =
    LazyLock::new(|| every().filter(|(set, _)| matches!(*set, "index" | "ring")).map(|(_, rule)| rule).collect());

/// Returns the result of `p(args)` if a rule of this or a related set makes it one of its operands or a constant.
fn simplified(v: &mut View, p: Prim, f: Flags, args: &[Id]) -> Option<Id> {
    let t = v.pool.prim(p, f, args);
    let mut out = Vec::new();
    for rule in IDENTITIES.iter() {
        rule.apply(v, t, &mut out);
        out.retain(|r| args.contains(r) || is_constant(v, *r));
        if let Some(&r) = out.first() {
            return Some(r);
        }
    }
    None
}
