//! Rules for floating point arithmetic. Zeros and ones that differentiation creates absorb exactly; those of the
//! program do so only if the flags of the operators permit it.
//!
//! Differentiation creates the structural constants `Zero`, for a value that does not depend on the input, and `One`,
//! for the input itself. The program of a derivative is *defined* by `Zero·x = Zero`, `Zero + x = x` and `One·x = x`,
//! so these rules need no `fastmath` flags. For a `0.0` of the program they do not hold: `0.0·x` is not zero for an
//! infinite x, and `0.0 + x` is not x for x = -0.0.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Operands};
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    // Measure: size.
    Rule {
        name: "structural-zero",
        law: "Zero·x = Zero, One·x = x, Zero + x = x, x - Zero = x, Zero - x = -x, -Zero = Zero, Zero/x = Zero, \
            x/One = x, fma(Zero, x, y) = y, fma(One, x, y) = x + y, fma(x, y, Zero) = x·y",
        when: "",
        requirement: Requirement::Exact0,
        at: |op| matches!(op, Op::Prim(p, _) if has_structural_law(p)),
        apply: Apply::Native(structural),
    },
    Rule {
        name: "plain-zero",
        law: "x·1 = x, x/1 = x, x + (-0) = x, x - 0 = x, x·(-1) = -x;\n\
              x + 0 = x, x - (-0) = x;\n\
              x·0 = 0, 0/x = 0",
        when: "the second line: nsz; the third: nnan, ninf, nsz",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::AddF | Prim::SubF | Prim::MulF | Prim::DivF, _)),
        apply: Apply::Native(plain),
    },
    Rule {
        name: "cancel",
        law: "x - x = 0, x/x = 1",
        when: "nnan, ninf",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::SubF | Prim::DivF, _)),
        apply: Apply::Native(cancel),
    },
    // Measure: the number of negations below other operators.
    Rule {
        name: "negation",
        law: "-(-x) = x, x + (-y) = x - y, x - (-y) = x + y, (-x)·y = -(x·y), (-x)/y = -(x/y), x/(-y) = -(x/y)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(Prim::NegF | Prim::AddF | Prim::SubF | Prim::MulF | Prim::DivF, _)),
        apply: Apply::Native(negation),
    },
    // Measure: the number of constants.
    Rule {
        name: "gather-constants",
        law: "(x + c) + d = x + (c + d), (x·c)·d = x·(c·d)",
        when: "c and d are constants; both operators carry `reassoc`",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::AddF | Prim::MulF, _)),
        apply: Apply::Native(gather_constants),
    },
];

/// Checks whether `structural` defines the result of the primitive on `Zero` or `One`. Other primitives fold them by
/// value.
pub fn has_structural_law(p: Prim) -> bool {
    use Prim::*;
    matches!(p, AddF | SubF | MulF | DivF | NegF | Fma) || matches!(p, Cast(c, _) if super::index::keeps_units(c))
}

fn structural(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    if !node.children.iter().any(|&c| matches!(v.pool.op(c), Op::Zero(_) | Op::One(_))) {
        return;
    }
    let zero = |k: usize| matches!(v.pool.op(node.children[k]), Op::Zero(_));
    let one = |k: usize| matches!(v.pool.op(node.children[k]), Op::One(_));
    let c = &node.children;
    let r = match p {
        Prim::MulF if zero(0) || one(1) => c[0],
        Prim::MulF if zero(1) || one(0) => c[1],
        Prim::AddF if zero(0) => c[1],
        Prim::AddF | Prim::SubF if zero(1) => c[0],
        Prim::SubF if zero(0) => v.pool.prim(Prim::NegF, f, &[c[1]]),
        Prim::NegF if zero(0) => c[0],
        Prim::DivF if zero(0) || one(1) => c[0],
        Prim::Fma if zero(0) || zero(1) => c[2],
        Prim::Fma if one(0) => v.pool.prim(Prim::AddF, f, &[c[1], c[2]]),
        Prim::Fma if one(1) => v.pool.prim(Prim::AddF, f, &[c[0], c[2]]),
        Prim::Fma if zero(2) => v.pool.prim(Prim::MulF, f, &[c[0], c[1]]),
        Prim::Cast(_, to) if zero(0) => v.pool.add(Op::Zero(to), []),
        Prim::Cast(_, to) if one(0) => v.pool.add(Op::One(to), []),
        // One with another constant is an ordinary number.
        Prim::AddF | Prim::SubF | Prim::NegF | Prim::DivF | Prim::MulF => {
            let element = v.pool.element(t);
            let plain: Operands = c
                .iter()
                .map(|&x| if matches!(v.pool.op(x), Op::One(_)) { v.pool.float(element, 1.0) } else { x })
                .collect();
            if plain == *c {
                return;
            }
            v.pool.prim(p, f, &plain)
        }
        _ => return,
    };
    out.push(r);
}

fn constant(v: &View, t: Id) -> Option<f64> {
    match v.pool.scalar(t) {
        Some(Scalar::F(x)) => Some(x),
        _ => None,
    }
}

fn plain(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    if !matches!(p, Prim::AddF | Prim::SubF | Prim::MulF | Prim::DivF) {
        return;
    }
    let (a, b) = (node.children[0], node.children[1]);
    let sides: &[(Id, Id, bool)] =
        if p.commutes() { &[(a, b, true), (b, a, true)] } else { &[(a, b, true), (b, a, false)] };
    for &(x, c, constant_is_right) in sides {
        let Some(value) = constant(v, c) else { continue };
        let negative = value.is_sign_negative();
        let r = match (p, constant_is_right) {
            (Prim::MulF, _) | (Prim::DivF, true) if value == 1.0 => x,
            (Prim::MulF, _) | (Prim::DivF, true) if value == -1.0 => v.pool.prim(Prim::NegF, f, &[x]),
            (Prim::AddF, _) if value == 0.0 && (negative || f.allow(Flags::NSZ)) => x,
            (Prim::SubF, true) if value == 0.0 && (!negative || f.allow(Flags::NSZ)) => x,
            (Prim::SubF, false) if value == 0.0 && (negative || f.allow(Flags::NSZ)) => {
                v.pool.prim(Prim::NegF, f, &[x])
            }
            (Prim::MulF, _) | (Prim::DivF, false) if value == 0.0 && f.allow(Flags::ZERO_ABSORBS) => c,
            _ => continue,
        };
        out.push(r);
        return;
    }
}

fn gather_constants(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::AddF | Prim::MulF), f) = node.op else { return };
    if !f.allow(Flags::REASSOC) {
        return;
    }
    let with_constant = |v: &View, c: &[Id]| -> Option<(Id, f64)> {
        let right = constant(v, c[1]).map(|x| (c[0], x));
        right.or_else(|| constant(v, c[0]).map(|x| (c[1], x)))
    };
    let Some((inner, d)) = with_constant(v, &node.children) else { return };
    let same = |op: Op| matches!(op, Op::Prim(q, g) if q == p && g.allow(Flags::REASSOC));
    for n in v.forms_with(inner, same) {
        let (Op::Prim(_, g), Some((x, c))) = (n.op, with_constant(v, &n.children)) else { continue };
        let element = v.pool.element(t);
        let both = v.pool.float(element, if p == Prim::AddF { c + d } else { c * d });
        out.push(v.pool.prim(p, f.and(g), &[x, both]));
    }
}

fn cancel(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::SubF | Prim::DivF), f) = node.op else { return };
    if node.children[0] != node.children[1] || !f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0)) {
        return;
    }
    let element = v.pool.element(t);
    out.push(v.pool.float(element, if p == Prim::SubF { 0.0 } else { 1.0 }));
}

fn negation(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    let inner =
        |v: &View, x: Id| v.forms_with(x, |op| matches!(op, Op::Prim(Prim::NegF, _))).first().map(|n| n.children[0]);
    let c = &node.children;
    let r = match p {
        Prim::NegF => match inner(v, c[0]) {
            Some(x) => x,
            None => return,
        },
        Prim::AddF => match (inner(v, c[0]), inner(v, c[1])) {
            (_, Some(y)) => v.pool.prim(Prim::SubF, f, &[c[0], y]),
            (Some(x), None) => v.pool.prim(Prim::SubF, f, &[c[1], x]),
            _ => return,
        },
        Prim::SubF => match inner(v, c[1]) {
            Some(y) => v.pool.prim(Prim::AddF, f, &[c[0], y]),
            None => return,
        },
        Prim::MulF | Prim::DivF => {
            let (a, b) = match (inner(v, c[0]), inner(v, c[1])) {
                (Some(x), _) => (x, c[1]),
                (None, Some(y)) => (c[0], y),
                _ => return,
            };
            let product = v.pool.prim(p, f, &[a, b]);
            v.pool.prim(Prim::NegF, f, &[product])
        }
        _ => return,
    };
    out.push(r);
}
