//! Rules for constants, integers and booleans, written as functions because they need an analysis. `index.rules` has
//! the other rules, and the order in which rules are tried.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{self, Cast, Prim, Scalar};
use crate::optimise::terms::{Flags, Op};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    // Structural constants are folded by value where no rule of `ring` applies.
    Rule {
        name: "fold-constants",
        law: "p(c...) = the constant that the operation computes",
        when: "all operands are constants, the result is defined, and the operation is exactly rounded (this excludes \
               functions of `math`, whose last bit depends on the library at run time)",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(..)),
        apply: Apply::Native(fold_constants),
    },
    // Measure: operands ascend (constants last).
    Rule {
        name: "sort-operands",
        law: "a ∘ b = b ∘ a",
        when: "the operation is commutative",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(..)),
        apply: Apply::Native(sort_operands),
    },
    // Measure: the size of dividends.
    Rule {
        name: "divide-sum",
        law: "(d·q + r) / d = q + r / d, (d·q + r) mod d = r mod d; r / d = 0 and r mod d = r for 0 ≤ r < d",
        when: "d > 0 is a constant, or 0 ≤ r < d is proved; no operation overflows, because the operands consist of \
               index variables, lengths, and quotients and remainders of these",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Prim(Prim::Div | Prim::Mod, _)),
        apply: Apply::Native(divide_sum),
    },
];

/// Checks whether the rule `structural-zero` defines the result of the primitive on `Zero` or `One`. Other primitives
/// fold them by value.
fn has_structural_law(p: Prim) -> bool {
    use Prim::*;
    matches!(p, AddF | SubF | MulF | DivF | NegF | Fma) || matches!(p, Cast(c, _) if keeps_units(c))
}

fn fold_constants(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, _) = node.op else { return };
    let value = |c: Id| match v.pool.op(c) {
        Op::Zero(_) => Some(Scalar::F(0.0)),
        Op::One(_) => Some(Scalar::F(1.0)),
        _ => v.pool.scalar(c),
    };
    let Some(args) = node.children.iter().map(|&c| value(c)).collect::<Option<Vec<Scalar>>>() else { return };
    let structural = node.children.iter().any(|&c| matches!(v.pool.op(c), Op::Zero(_) | Op::One(_)));
    if structural && has_structural_law(p) {
        return;
    }
    if let Some(bits) = prim::folded(p, v.pool.element(node.children[0]), &args) {
        out.push(v.pool.add(Op::Const(v.pool.element(t), bits), []));
    }
}

fn sort_operands(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p, f) = node.op else { return };
    // Sums of indices are ordered by `index-algebra`.
    let is_linear = p == Prim::AddI && matches!(v.pool.element(t), Element::Index | Element::I64);
    if !p.commutes() || is_linear {
        return;
    }
    let key = |x: Id| (matches!(v.pool.op(x), Op::Const(..)), usize::from(x));
    if key(node.children[0]) > key(node.children[1]) {
        out.push(v.pool.prim(p, f, &[node.children[1], node.children[0]]));
    }
}

fn divide_sum(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(p @ (Prim::Div | Prim::Mod), _) = node.op else { return };
    let element = v.pool.element(t);
    if !matches!(element, Element::Index | Element::I64) {
        return;
    }
    let (l, d) = (v.pool.linear(node.children[0]), node.children[1]);
    let (q, r) = v.pool.divided(&l, d);
    let divisor = v.pool.linear(d);
    if !v.pool.bounded(&[&q, &r, &divisor]) {
        return;
    }
    if v.pool.is_within(&r, d) {
        out.push(v.pool.from_linear(if p == Prim::Div { &q } else { &r }, element));
        return;
    }
    let is_positive = v.pool.as_int(d).is_some_and(|d| d > 0);
    if !is_positive || (q.terms.is_empty() && q.constant == 0) {
        return;
    }
    let rest = v.pool.from_linear(&r, element);
    let rest = v.pool.prim2(p, rest, d);
    out.push(if p == Prim::Mod {
        rest
    } else {
        let q = v.pool.from_linear(&q, element);
        v.pool.prim2(Prim::AddI, q, rest)
    });
}

/// Returns the conjuncts of a condition, outermost first.
pub fn conjuncts(v: &View, c: Id) -> Vec<Id> {
    let mut out = Vec::new();
    let mut todo = vec![c];
    while let Some(t) = todo.pop() {
        match v.pool.op(t) {
            Op::Prim(Prim::AndI, _) if v.pool.element(t) == Element::I1 && out.len() + todo.len() < 64 => {
                todo.extend(v.pool.node(t).children.iter().rev());
            }
            _ => out.push(t),
        }
    }
    out
}

/// Returns the conjunction of conditions, in the given order; `true` if there are none.
pub fn conjunction(v: &mut View, parts: &[Id]) -> Id {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts.dedup();
    match parts.into_iter().reduce(|a, b| v.pool.prim(Prim::AndI, Flags::NONE, &[a, b])) {
        Some(c) => c,
        None => v.pool.bool(true),
    }
}

/// Checks whether a conversion, from float to float, maps zero to zero and one to one.
pub fn keeps_units(c: Cast) -> bool {
    matches!(c, Cast::ExtF | Cast::TruncF)
}
