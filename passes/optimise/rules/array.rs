//! Rules for arrays: vertical fusion, η-reduction (an array built from its own elements is the array), and lengths.

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
    // Measure: the number of reads above conditionals.
    Rule {
        name: "get-of-cond",
        law: "cond(c, a, b)[i] = cond(c, a[i], b[i])",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Get,
        apply: Apply::Native(get_of_cond),
    },
    Rule {
        name: "get-outside",
        law: "a[i] = 0 outside of a",
        when: "i is proved to lie outside, and a[i] is a scalar",
        requirement: Requirement::Exact,
        at: |op| op == Op::Get,
        apply: Apply::Native(get_outside),
    },
    // Measure: the number of stacks that are read.
    Rule {
        name: "get-of-stack",
        law: "[x0, ..., xn][k] = xk",
        when: "k is a constant in range",
        requirement: Requirement::Exact,
        at: |op| op == Op::Get,
        apply: Apply::Native(get_of_stack),
    },
    // Measure: stacks.
    Rule {
        name: "stack-of-gets",
        law: "[a[0], ..., a[n-1]] = a",
        when: "a has length n",
        requirement: Requirement::Exact,
        at: |op| op == Op::Stack,
        apply: Apply::Native(stack_of_gets),
    },
    // Measure: stacks.
    Rule {
        name: "stack-of-equal",
        law: "[x, ..., x] = build n (i → x)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| op == Op::Stack,
        apply: Apply::Native(stack_of_equal),
    },
    // Measure: builds.
    Rule {
        name: "build-of-get",
        law: "build n (i → a[i]) = a (X.2)",
        when: "i does not occur in a, and a has length n",
        requirement: Requirement::Exact,
        at: |op| op == Op::Build,
        apply: Apply::Native(eta),
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

fn get_of_cond(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    for c in v.forms_with(node.children[0], |op| op == Op::Cond) {
        let a = v.pool.get(c.children[1], node.children[1]);
        let b = v.pool.get(c.children[2], node.children[1]);
        out.push(v.pool.cond(c.children[0], a, b));
    }
}

fn get_outside(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if v.pool.rank(t) > 0 {
        return;
    }
    let n = v.pool.extent(node.children[0], 0);
    if v.pool.in_bounds(node.children[1], n) == Some(false) {
        let element = v.pool.element(t);
        out.push(v.pool.plain_zero(element));
    }
}

fn get_of_stack(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Some(k) = v.pool.as_int(node.children[1]).and_then(|k| usize::try_from(k).ok()) else { return };
    for stack in v.forms_with(node.children[0], |op| op == Op::Stack) {
        out.extend(stack.children.get(k));
    }
}

fn stack_of_gets(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let read = |v: &View, row: Id, k: usize| {
        let gets = v.forms_with(row, |op| op == Op::Get);
        let at = |i: Id| v.pool.as_int(i) == Some(k as i64);
        gets.iter().filter(|g| at(g.children[1])).map(|g| g.children[0]).collect::<Vec<Id>>()
    };
    for a in read(v, node.children[0], 0) {
        let n = v.pool.extent(a, 0);
        let all = v.pool.as_int(n) == Some(node.children.len() as i64);
        if all && node.children.iter().enumerate().all(|(k, &row)| read(v, row, k).contains(&a)) {
            out.push(a);
        }
    }
}

fn stack_of_equal(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Some((&x, others)) = node.children.split_first() else { return };
    if others.iter().all(|&y| y == x) {
        let n = v.pool.index(node.children.len() as i64);
        let x = v.pool.shift(x, 0, 1);
        out.push(v.pool.build(n, x));
    }
}

fn eta(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let (n, body) = (node.children[0], node.children[1]);
    for get in v.forms_with(body, |op| op == Op::Get) {
        let (a, i) = (get.children[0], get.children[1]);
        if v.pool.op(i) != Op::Ix(0) || v.pool.mentions(a, 0) {
            continue;
        }
        let a = v.pool.shift(a, 0, -1);
        let length = v.pool.extent(a, 0);
        if v.pool.equal(length, n) == Some(true) {
            out.push(a);
        }
    }
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
