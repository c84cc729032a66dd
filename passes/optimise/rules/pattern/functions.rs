//! Functions on right sides: analyses whose results are terms. If a function has no result for its operands, the
//! equation does not apply. An operand that is a map is given as its body, a term under the binders of the pattern.

use crate::optimise::rules::View;
use crate::optimise::rules::index::conjuncts;
use crate::optimise::terms::prim::{EQ, NE, Prim, SLE, SLT};
use crate::optimise::terms::{Flags, Op};
use egg::Id;

/// The name, the number of operands, and the analysis of a function.
type Function = (&'static str, usize, fn(&mut View, &[Id]) -> Option<Id>);

pub(super) const FUNCTIONS: &[Function] = &[
    ("inside", 2, inside),
    ("outside", 3, outside),
    ("canonical", 1, canonical),
    ("decided", 1, decided),
    ("assuming", 2, assuming),
    ("denying", 2, denying),
    ("equating", 2, equating),
];

/// Returns the condition 0 ≤ i < n without its known parts.
fn inside(v: &mut View, operands: &[Id]) -> Option<Id> {
    let guard = v.pool.guard(operands[0], operands[1]);
    Some(guard.unwrap_or_else(|| v.pool.bool(true)))
}

/// Returns what an array of n elements, computed by a map, reads as at i, unless i is in range: zeros. If the array
/// contains structurally zero tangents, there is no dependency outside of it either, so the zeros are structural.
/// Returns `None` if i is known to be out of range.
fn outside(v: &mut View, operands: &[Id]) -> Option<Id> {
    let (body, i, n) = (operands[0], operands[1], operands[2]);
    if v.pool.in_bounds(i, n) == Some(false) {
        return None;
    }
    let inside = v.pool.substitute(body, i);
    let is_unit = |t: Id| matches!(v.pool.op(t), Op::Zero(_) | Op::One(_));
    let is_structural = |t: Id| {
        let row = std::iter::successors(Some(t), |&t| (v.pool.op(t) == Op::Build).then(|| v.pool.child(t, 1)));
        let t = row.last().unwrap_or(t);
        is_unit(t) || (v.pool.op(t) == Op::Cond && v.pool.node(t).children[1..].iter().any(|&x| is_unit(x)))
    };
    let (element, is_zero) = (v.pool.element(body), is_structural(inside) || is_structural(body));
    let mut zero = if is_zero { v.pool.zero(element) } else { v.pool.plain_zero(element) };
    for axis in (0..v.pool.rank(inside)).rev() {
        let m = v.pool.extent(inside, axis);
        let inner = v.pool.shift(zero, 0, 1);
        zero = v.pool.build(m, inner);
    }
    Some(zero)
}

/// Returns the canonical notation of the linear form of an integer, unless it is longer.
fn canonical(v: &mut View, operands: &[Id]) -> Option<Id> {
    let t = operands[0];
    let (form, element) = (v.pool.linear(t), v.pool.element(t));
    let r = v.pool.from_linear(&form, element);
    (v.pool.info(r).size <= v.pool.info(t).size).then_some(r)
}

/// Returns the value of a comparison of integers that linear arithmetic over index variables and lengths decides.
fn decided(v: &mut View, operands: &[Id]) -> Option<Id> {
    let node = v.node(operands[0]);
    let Op::Prim(Prim::CmpI(p), _) = node.op else { return None };
    let (a, b) = (node.children[0], node.children[1]);
    let known = match p {
        EQ => v.pool.equal(a, b),
        NE => v.pool.equal(a, b).map(|x| !x),
        SLT => v.pool.less(a, b),
        SLE => v.pool.less(b, a).map(|x| !x),
        _ => None,
    };
    known.map(|x| v.pool.bool(x))
}

/// The maximum size of a term that is specialised for a condition: the search is linear in the size, for every
/// conditional.
const LARGEST: u64 = 400;

/// Returns a term in which a condition and each of its conjuncts are replaced by true.
fn assuming(v: &mut View, operands: &[Id]) -> Option<Id> {
    let (c, mut t) = (operands[0], operands[1]);
    if matches!(v.pool.op(c), Op::Const(..)) {
        return None;
    }
    if v.pool.info(t).size <= LARGEST {
        let yes = v.pool.bool(true);
        for part in std::iter::once(c).chain(conjuncts(v, c)) {
            t = v.pool.replace_term(t, part, yes);
        }
    }
    Some(t)
}

/// Returns a term in which a condition is replaced by false.
fn denying(v: &mut View, operands: &[Id]) -> Option<Id> {
    let (c, t) = (operands[0], operands[1]);
    if v.pool.info(t).size > LARGEST {
        return Some(t);
    }
    let no = v.pool.bool(false);
    Some(v.pool.replace_term(t, c, no))
}

/// Returns a term in which the integers that a condition says to be constants are these constants.
fn equating(v: &mut View, operands: &[Id]) -> Option<Id> {
    let (c, mut t) = (operands[0], operands[1]);
    if v.pool.info(t).size > LARGEST {
        return None;
    }
    for part in conjuncts(v, c) {
        let comparison = v.node(part);
        if comparison.op != Op::Prim(Prim::CmpI(EQ), Flags::NONE) {
            continue;
        }
        let (x, y) = (comparison.children[0], comparison.children[1]);
        for (x, k) in [(x, y), (y, x)] {
            if v.pool.as_int(k).is_some() && v.pool.as_int(x).is_none() {
                t = v.pool.replace_term(t, x, k);
            }
        }
    }
    Some(t)
}
