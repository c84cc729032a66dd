//! Rules for arrays, written as functions because they need an analysis. `array.rules` has the other rules, and the
//! order in which rules are tried.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::Op;
use egg::Id;

pub const RULES: &[Rule<'static>] = &[Rule {
    name: "length-known",
    law: "the length of an array follows from its form: length(build n f) = max(n, 0) (c2)",
    when: "",
    requirement: Requirement::Exact,
    at: |op| matches!(op, Op::Dim(_)),
    apply: Apply::Native(length),
}];

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
