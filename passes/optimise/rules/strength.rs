//! Strength reduction: an expensive op becomes a cheaper one, if the flags allow different rounding.
//!
//! The rules run in the e-graph and keep the original. A product is cheaper than a power, but if the power is also
//! needed elsewhere, using it twice may be cheaper still.

use super::index::negated;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{EQ, NE, Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Operands};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "divide-by-constant",
        law: "x / c = x·(1/c)",
        when: "`arcp`, and 1/c is finite; or c is a power of two (then both are exact)",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::DivF, _)),
        apply: Apply::Native(reciprocal),
    },
    Rule {
        name: "divide-by-invariant",
        law: "x / c = x·(1/c): the reciprocal is taken once where c changes less often than x",
        when: "`arcp`, and x depends on an index or a state that c does not depend on",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::DivF, _)),
        apply: Apply::Native(invariant),
    },
    Rule {
        name: "divide-twice",
        law: "(x / y) / z = x / (y·z)",
        when: "both operations carry `reassoc` and `arcp`",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::DivF, _)),
        apply: Apply::Native(divide_twice),
    },
    Rule {
        name: "negate-comparison",
        law: "not (a = b) = (a ≠ b), not (a ≠ b) = (a = b), of integers and of floats",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(Prim::XOrI, _)),
        apply: Apply::Native(negate_comparison),
    },
    Rule {
        name: "power",
        law: "x^0 = 1, x^1 = x, x^2 = x·x, x^3 = x·x·x, x^4 = (x·x)·(x·x), x^-1 = 1/x, x^-2 = 1/(x·x), x^½ = √x",
        when: "the power carries `afn`; for ½ also `ninf` and `nsz`, because -∞ and -0 have other roots",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::PowF | Prim::FPowI, _)),
        apply: Apply::Native(power),
    },
    Rule {
        name: "inverse-functions",
        law: "exp(log x) = x, log(exp x) = x, √x·√x = x, √(x·x) = |x|",
        when: "both operations carry `reassoc` and `nnan`, and but for the last law `nsz`",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::Exp | Prim::Log | Prim::MulF | Prim::Sqrt, _)),
        apply: Apply::Native(inverse),
    },
    Rule {
        name: "exponential-of-sum",
        law: "exp x · exp y = exp(x + y), exp x / exp y = exp(x - y)",
        when: "all three operations carry `reassoc`",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::MulF | Prim::DivF, _)),
        apply: Apply::Native(exponentials),
    },
];

fn reciprocal(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::DivF, f) = node.op else { return };
    let Some(Scalar::F(c)) = v.pool.scalar(node.children[1]) else { return };
    let element = v.pool.element(t);
    let exact = c.is_normal() && (1.0 / c).is_normal() && {
        let bits = c.to_bits() & ((1 << 52) - 1);
        bits == 0 && (element != Element::F32 || (c.abs() > 1e-37 && c.abs() < 1e37))
    };
    // The reciprocal of the smallest numbers is infinite, and 0 times infinity is NaN.
    let is_finite = match element {
        Element::F32 => ((1.0 / c) as f32).is_finite(),
        _ => (1.0 / c).is_finite(),
    };
    if exact || (f.allow(Flags::ARCP) && is_finite && c.is_finite()) {
        let r = v.pool.float(element, 1.0 / c);
        out.push(v.pool.prim(Prim::MulF, f, &[node.children[0], r]));
    }
}

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

fn divide_twice(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::DivF, f) = node.op else { return };
    let requirement = Flags(Flags::REASSOC.0 | Flags::ARCP.0);
    for inner in v.forms_with(node.children[0], |op| matches!(op, Op::Prim(Prim::DivF, _))) {
        let Op::Prim(_, g) = inner.op else { continue };
        let both = f.and(g);
        if both.allow(requirement) {
            let divisor = v.pool.prim(Prim::MulF, both, &[inner.children[1], node.children[1]]);
            out.push(v.pool.prim(Prim::DivF, both, &[inner.children[0], divisor]));
        }
    }
}

/// The numbers of predicates of floats: equal and ordered, unequal or unordered.
const OEQ: u8 = 1;
const UNE: u8 = 13;

fn negate_comparison(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(condition) = negated(v, t) else { return };
    for comparison in v.forms_with(condition, |op| matches!(op, Op::Prim(Prim::CmpI(_) | Prim::CmpF(_), _))) {
        let Op::Prim(p, flags) = comparison.op else { continue };
        let other = match p {
            Prim::CmpI(EQ) => Prim::CmpI(NE),
            Prim::CmpI(NE) => Prim::CmpI(EQ),
            Prim::CmpF(OEQ) => Prim::CmpF(UNE),
            Prim::CmpF(UNE) => Prim::CmpF(OEQ),
            _ => continue,
        };
        out.push(v.pool.prim(other, flags, &comparison.children));
    }
}

fn power(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::PowF | Prim::FPowI), f) = node.op else { return };
    let (x, element) = (node.children[0], v.pool.element(t));
    let exponent = match (p, v.pool.scalar(node.children[1])) {
        (Prim::PowF, Some(Scalar::F(c))) => c,
        (Prim::FPowI, Some(Scalar::I(c))) => c as f64,
        _ => return,
    };
    if !f.allow(Flags::AFN) {
        return;
    }
    let root = f.allow(Flags(Flags::NINF.0 | Flags::NSZ.0));
    let mut times = |a: Id, b: Id| v.pool.prim(Prim::MulF, f, &[a, b]);
    let whole = match exponent.abs() {
        0.5 if root && exponent > 0.0 => {
            out.push(v.pool.prim(Prim::Sqrt, f, &[x]));
            return;
        }
        0.0 => {
            out.push(v.pool.float(element, 1.0));
            return;
        }
        1.0 => x,
        2.0 => times(x, x),
        3.0 => {
            let square = times(x, x);
            times(square, x)
        }
        4.0 => {
            let square = times(x, x);
            times(square, square)
        }
        _ => return,
    };
    out.push(if exponent > 0.0 {
        whole
    } else {
        let one = v.pool.float(element, 1.0);
        v.pool.prim(Prim::DivF, f, &[one, whole])
    });
}

/// Returns the operands and flags of each form of `t` that is a `wanted` with all flags of `needed`.
fn operands(v: &View, t: Id, wanted: Prim, needed: Flags) -> Vec<(Operands, Flags)> {
    v.forms_with(t, |op| matches!(op, Op::Prim(p, f) if p == wanted && f.allow(needed)))
        .into_iter()
        .filter_map(|n| match n.op {
            Op::Prim(_, f) => Some((n.children, f)),
            _ => None,
        })
        .collect()
}

fn inverse(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    let algebra = Flags(Flags::REASSOC.0 | Flags::NNAN.0);
    let without_signs = Flags(algebra.0 | Flags::NSZ.0);
    match p {
        Prim::Exp if f.allow(without_signs) => {
            out.extend(operands(v, node.children[0], Prim::Log, without_signs).into_iter().map(|(x, _)| x[0]));
        }
        Prim::Log if f.allow(without_signs) => {
            out.extend(operands(v, node.children[0], Prim::Exp, without_signs).into_iter().map(|(x, _)| x[0]));
        }
        Prim::MulF if node.children[0] == node.children[1] && f.allow(without_signs) => {
            out.extend(operands(v, node.children[0], Prim::Sqrt, without_signs).into_iter().map(|(x, _)| x[0]));
        }
        Prim::Sqrt if f.allow(algebra) => {
            for (x, _) in operands(v, node.children[0], Prim::MulF, algebra) {
                if x[0] == x[1] {
                    out.push(v.pool.prim(Prim::AbsF, f, &[x[0]]));
                }
            }
        }
        _ => {}
    }
}

fn exponentials(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (p, f) = match node.op {
        Op::Prim(Prim::MulF, f) => (Prim::AddF, f),
        Op::Prim(Prim::DivF, f) => (Prim::SubF, f),
        _ => return,
    };
    if !f.allow(Flags::REASSOC) {
        return;
    }
    for (x, fx) in operands(v, node.children[0], Prim::Exp, Flags::REASSOC) {
        for (y, fy) in operands(v, node.children[1], Prim::Exp, Flags::REASSOC) {
            let flags = f.and(fx).and(fy);
            let exponent = v.pool.prim(p, flags, &[x[0], y[0]]);
            out.push(v.pool.prim(Prim::Exp, flags, &[exponent]));
        }
    }
}
