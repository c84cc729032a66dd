//! Rules for conditionals and masks. An entry of a one-hot tangent is `cond(c, One, Zero)`, where `One` and `Zero` are
//! the structural one and zero. The rules move such masks outwards until they reach a loop over the index; there the
//! rules for sums replace the loop by a single element.

use super::index::{conjunction, conjuncts, negated};
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{EQ, NE, Prim};
use crate::optimise::terms::{Flags, Op};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    // Measure: size.
    Rule {
        name: "cond-known",
        law: "cond(true, a, b) = a, cond(false, a, b) = b, cond(c, a, a) = a (d1, d2, d3)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(known),
    },
    Rule {
        name: "cond-bool",
        law: "cond(c, true, false) = c",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(boolean),
    },
    // Measure: the number of negations.
    Rule {
        name: "cond-not",
        law: "cond(not c, a, b) = cond(c, b, a), cond(x ≠ y, a, b) = cond(x = y, b, a) (d7)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(not),
    },
    // Measure: the number of conditionals.
    Rule {
        name: "cond-and",
        law: "cond(c, cond(c', a, b), b) = cond(c and c', a, b) (d8)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Cond,
        apply: Apply::Native(and),
    },
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
    // Measure: the number of operators above conditionals.
    Rule {
        name: "mask-out",
        law: "f(cond(c, x, Zero)) = cond(c, f(x), Zero) for f = ·y, y·, /y, -, extf, truncf: f(Zero) = Zero (d5)",
        when: "",
        requirement: Requirement::Exact0,
        at: |op| matches!(op, Op::Prim(Prim::MulF | Prim::DivF | Prim::NegF | Prim::Cast(..), _)),
        apply: Apply::Native(mask_out),
    },
    // Exact: x - y = x + (-y). Measure: the number of subtractions of masks.
    Rule {
        name: "subtract-mask",
        law: "x - cond(c, y, Zero) = x + cond(c, -y, Zero)",
        when: "",
        requirement: Requirement::Exact0,
        at: |op| matches!(op, Op::Prim(Prim::SubF, _)),
        apply: Apply::Native(subtract_mask),
    },
    // Measure: the number of masks below products.
    Rule {
        name: "distribute-mask",
        law: "(cond(c, a, Zero) + b)·y = cond(c, a, Zero)·y + b·y, also for /y and -",
        when: "the addition and the other operation carry `reassoc`",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::MulF | Prim::DivF | Prim::NegF, _)),
        apply: Apply::Native(distribute),
    },
    // Measure: the number of additions of equal terms.
    Rule {
        name: "double-mask",
        law: "s + s = 2·s for s = cond(c, a, Zero) + b: products with masks are distributed",
        when: "both additions carry `reassoc`: else no product is distributed",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::AddF, _)),
        apply: Apply::Native(double),
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

fn known(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    match v.pool.as_int(node.children[0]) {
        Some(0) => out.push(node.children[2]),
        Some(_) => out.push(node.children[1]),
        None if node.children[1] == node.children[2] => out.push(node.children[1]),
        None => {}
    }
}

fn boolean(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if v.pool.element(t) == Element::I1
        && v.pool.rank(t) == 0
        && (v.pool.as_int(node.children[1]), v.pool.as_int(node.children[2])) == (Some(1), Some(0))
    {
        out.push(node.children[0]);
    }
}

fn not(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (c, a, b) = (node.children[0], node.children[1], node.children[2]);
    if let Some(positive) = negated(v, c) {
        out.push(v.pool.cond(positive, b, a));
    } else if let Op::Prim(Prim::CmpI(NE), f) = v.pool.op(c) {
        let operands = v.node(c).children;
        let equal = v.pool.prim(Prim::CmpI(crate::optimise::terms::prim::EQ), f, &operands);
        out.push(v.pool.cond(equal, b, a));
    }
}

fn and(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (c, b) = (node.children[0], node.children[2]);
    for inner in v.forms_with(node.children[1], is_cond) {
        if inner.children[2] == b {
            let both = [conjuncts(v, c), conjuncts(v, inner.children[0])].concat();
            let c = conjunction(v, &both);
            out.push(v.pool.cond(c, inner.children[1], b));
        }
    }
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

fn mask_out(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    let places: &[usize] = match p {
        Prim::MulF => &[0, 1],
        Prim::DivF | Prim::NegF => &[0],
        Prim::Cast(c, _) if super::index::keeps_units(c) => &[0],
        _ => return,
    };
    for &k in places {
        for mask in v.forms_with(node.children[k], is_cond) {
            let (a, b) = (mask.children[1], mask.children[2]);
            if v.pool.rank(a) > 0 || !(is_structural_zero(v, a) || is_structural_zero(v, b)) {
                continue;
            }
            let mut arm = |x: Id| {
                let mut args = node.children.clone();
                args[k] = x;
                v.pool.prim(p, f, &args)
            };
            let (a, b) = (arm(a), arm(b));
            out.push(v.pool.cond(mask.children[0], a, b));
        }
    }
}

fn subtract_mask(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::SubF, f) = node.op else { return };
    for mask in v.forms_with(node.children[1], is_cond) {
        if is_structural_zero(v, mask.children[2]) {
            let minus = v.pool.prim(Prim::NegF, f, &[mask.children[1]]);
            let mask = v.pool.cond(mask.children[0], minus, mask.children[2]);
            out.push(v.pool.prim(Prim::AddF, f, &[node.children[0], mask]));
        }
    }
}

fn distribute(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::MulF | Prim::DivF | Prim::NegF), f) = node.op else { return };
    let places = if p == Prim::MulF { 2 } else { 1 };
    for k in 0..if f.allow(Flags::REASSOC) { places } else { 0 } {
        for sum in v.forms(node.children[k]) {
            if !has_mask(v, sum) {
                continue;
            }
            let sum = v.node(sum);
            let part = |v: &mut View, x: Id| {
                let mut args = node.children.clone();
                args[k] = x;
                v.pool.prim(p, f, &args)
            };
            let parts: Vec<Id> = sum.children.iter().map(|&x| part(v, x)).collect();
            out.push(v.pool.add(sum.op, parts));
        }
    }
}

/// Checks whether a term is a conditional whose alternative is the structural zero.
pub fn is_mask(v: &View, t: Id) -> bool {
    v.pool.op(t) == Op::Cond && is_structural_zero(v, v.pool.child(t, 2))
}

/// The maximum depth in sums at which masks are searched for.
const ADDENDS: u32 = 8;

/// Checks whether `t` is a sum or a difference that may be split, with a mask with Zero as an addend.
fn has_mask(v: &View, t: Id) -> bool {
    fn within(v: &View, t: Id, depth: u32) -> bool {
        let node = v.pool.node(t);
        let splits = matches!(node.op, Op::Prim(Prim::AddF | Prim::SubF, f) if f.allow(Flags::REASSOC));
        splits && depth > 0 && node.children.iter().any(|&x| is_mask(v, x) || within(v, x, depth - 1))
    }
    within(v, t, ADDENDS)
}

fn double(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::AddF, f) = node.op else { return };
    let s = node.children[0];
    if f.allow(Flags::REASSOC) && node.children[1] == s && has_mask(v, s) {
        let two = v.pool.float(v.pool.element(t), 2.0);
        out.push(v.pool.prim(Prim::MulF, f, &[two, s]));
    }
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

/// Returns the result of `p(args)` if a rule of this or a related set makes it one of its operands or a constant.
fn simplified(v: &mut View, p: Prim, f: Flags, args: &[Id]) -> Option<Id> {
    let t = v.pool.prim(p, f, args);
    let mut out = Vec::new();
    for rule in super::index::RULES.iter().chain(super::ring::RULES) {
        rule.apply(v, t, &mut out);
        out.retain(|r| args.contains(r) || is_constant(v, *r));
        if let Some(&r) = out.first() {
            return Some(r);
        }
    }
    None
}
