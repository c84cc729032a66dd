//! Alternatives: neither side is better in itself. They run in egg, where both sides stay and the cost chooses.

use super::{Apply, Licence, Rule, View};
use crate::terms::prim::Prim;
use crate::terms::{Flags, Op};
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "factor",
        law: "e·a + e·b = e·(a + b), also for differences (b5)",
        when: "all three operators carry `reassoc`",
        licence: Licence::Fast,
        apply: Apply::Native(factor),
    },
    Rule {
        name: "sum-factor-out",
        law: "Σ_i c·e = c·Σ_i e (X.7)",
        when: "the product carries `reassoc`, and c does not mention i",
        licence: Licence::Fast,
        apply: Apply::Native(sum_factor),
    },
    Rule {
        name: "sum-exchange",
        law: "Σ_i Σ_j e = Σ_j Σ_i e (X.9)",
        when: "the inner extent does not mention i",
        licence: Licence::Free,
        apply: Apply::Native(exchange),
    },
    super::scatter::INTO,
    Rule {
        name: "cond-into",
        law: "f(cond(c, a, b)) = cond(c, f(a), f(b)) (d5)",
        when: "a and b are constants",
        licence: Licence::Exact,
        apply: Apply::Native(super::cond::into),
    },
    Rule {
        name: "divide-by-constant",
        law: "x / c = x·(1/c)",
        when: "`arcp`, or c is a power of two (then both are exact)",
        licence: Licence::Fast,
        apply: Apply::Native(reciprocal),
    },
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

fn factor(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::AddF | Prim::SubF), f) = node.op else { return };
    if !f.allow(Flags::REASSOC) {
        return;
    }
    for (x, a, fa) in products(v, node.children[0]) {
        for (y, b, fb) in products(v, node.children[1]) {
            if x == y {
                let flags = f.and(fa).and(fb);
                let inner = v.pool.prim(p, flags, &[a, b]);
                out.push(v.pool.prim(Prim::MulF, flags, &[x, inner]));
            }
        }
    }
}

fn sum_factor(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if !node.op.is_sum() {
        return;
    }
    for (c, e, f) in products(v, node.children[1]) {
        if !v.pool.mentions(c, 0) {
            let c = v.pool.shift(c, 0, -1);
            let sum = v.pool.add(node.op, vec![node.children[0], e]);
            out.push(v.pool.prim(Prim::MulF, f, &[c, sum]));
        }
    }
}

fn exchange(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if !node.op.is_sum() {
        return;
    }
    let n = node.children[0];
    for inner in v.forms_with(node.children[1], |op| op == node.op) {
        let m = inner.children[0];
        if v.pool.mentions(m, 0) {
            continue;
        }
        let m = v.pool.shift(m, 0, -1);
        let n = v.pool.shift(n, 0, 1);
        let body = v.pool.swap(inner.children[1]);
        let inner = v.pool.add(node.op, vec![n, body]);
        out.push(v.pool.add(node.op, vec![m, inner]));
    }
}

fn reciprocal(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::DivF, f) = node.op else { return };
    let Some(crate::terms::prim::Scalar::F(c)) = v.pool.scalar(node.children[1]) else { return };
    let element = v.pool.element(t);
    let exact = c.is_normal() && (1.0 / c).is_normal() && {
        let bits = c.to_bits() & ((1 << 52) - 1);
        bits == 0 && (element != mlopt_dialects::value::Element::F32 || (c.abs() > 1e-37 && c.abs() < 1e37))
    };
    if exact || (f.allow(Flags::ARCP) && c != 0.0 && c.is_finite()) {
        let r = v.pool.float(element, 1.0 / c);
        out.push(v.pool.prim(Prim::MulF, f, &[node.children[0], r]));
    }
}
