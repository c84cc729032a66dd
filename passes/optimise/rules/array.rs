//! Rules for arrays that need an analysis or have any number of operands. `array.rules` has the others, and the order.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::Op;
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    // Measure: the number of builds that are read.
    Rule {
        name: "get-of-build",
        law: "(build n f)[i] = f(i) (c1)",
        when: "0 ≤ i < n is proved; else cond(0 ≤ i < n, f(i), 0), if f may run for any index. Reading outside gives \
            0, f(i) need not",
        requirement: Requirement::Exact,
        at: |op| op == Op::Get,
        apply: Apply::Native(get_of_build),
    },
    Rule {
        name: "length-known",
        law: "the length of an array is what its form says: length(build n f) = max(n, 0) (c2)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Dim(_)),
        apply: Apply::Native(length),
    },
];

fn get_of_build(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (a, i) = (node.children[0], node.children[1]);
    for build in v.forms_with(a, |op| op == Op::Build) {
        let (n, body) = (build.children[0], build.children[1]);
        let inside = v.pool.substitute(body, i);
        match v.pool.in_bounds(i, n) {
            Some(true) => out.push(inside),
            Some(false) => {}
            None => {
                if !v.pool.info(body).speculatable {
                    continue;
                }
                let mut zero = outside(v, inside, body);
                for axis in (0..v.pool.rank(inside)).rev() {
                    let m = v.pool.extent(inside, axis);
                    let inner = v.pool.shift(zero, 0, 1);
                    zero = v.pool.build(m, inner);
                }
                if let Some(guard) = v.pool.guard(i, n) {
                    out.push(v.pool.cond(guard, inside, zero));
                }
            }
        }
    }
}

/// Returns the result of a read out of range. If the array contains structurally zero tangents, there is no dependency
/// outside of it either, so the zero is structural. Otherwise it is an ordinary number.
fn outside(v: &mut View, inside: Id, body: Id) -> Id {
    let element = v.pool.element(body);
    let structural = |v: &View, t: Id| {
        let row = std::iter::successors(Some(t), |&t| (v.pool.op(t) == Op::Build).then(|| v.pool.child(t, 1)));
        let t = row.last().unwrap_or(t);
        match v.pool.op(t) {
            Op::Zero(_) | Op::One(_) => true,
            Op::Cond => v.pool.node(t).children[1..].iter().any(|&x| matches!(v.pool.op(x), Op::Zero(_) | Op::One(_))),
            _ => false,
        }
    };
    if structural(v, inside) || structural(v, body) { v.pool.zero(element) } else { v.pool.plain_zero(element) }
}

fn length(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if let Op::Dim(axis) = node.op {
        let n = v.pool.extent(node.children[0], axis as usize);
        let n = v.pool.length_of(n);
        if n != t {
            out.push(n);
        }
    }
}
