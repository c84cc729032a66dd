//! Rules for data that need an analysis or have any number of operands. `data.rules` has the others, and the order.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::data::{Form, Ty, Type};
use crate::optimise::terms::{Node, Op};
use egg::Id;

/// Returns an exact rule on data.
const fn law(
    name: &'static str,
    law: &'static str,
    when: &'static str,
    at: fn(Op) -> bool,
    apply: fn(&mut View, Id, &mut Vec<Id>),
) -> Rule<'static> {
    Rule { name, law, when, requirement: Requirement::Exact, at, apply: Apply::Native(apply) }
}

/// Directed rules. Measure: the number of accesses, additions and lookups, counted below each operator; then size.
pub const RULES: &[Rule<'static>] = &[
    law(
        "tuple-of-parts",
        "tuple (get 0 t) .. (get n t) = t, also for records",
        "these are all parts of `t`",
        |op| matches!(op, Op::Data(Form::Tuple, _)),
        tuple_of_parts,
    ),
    law(
        "insert-of-zero",
        "env.set e k Zero = e",
        "e is put together here, without k",
        |op| matches!(op, Op::Data(Form::Insert(_), _)),
        insert_of_zero,
    ),
];

/// Returns the forms of a term with one of the wanted constructors, as their nodes.
fn made(v: &View, t: Id, wanted: impl Fn(Form) -> bool) -> Vec<Node> {
    v.forms_with(t, |op| matches!(op, Op::Data(form, _) if wanted(form))).into_vec()
}

/// Returns the constructor and type of an operation on data, and its node.
fn this(v: &View, t: Id) -> Option<(Form, Ty, Node)> {
    let node = v.node(t);
    match node.op {
        Op::Data(form, ty) => Some((form, ty, node)),
        _ => None,
    }
}

fn tuple_of_parts(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    let wholes = |v: &View, k: usize| -> Vec<Id> {
        made(v, node.children[k], |f| f == Form::Part(k as u32)).iter().map(|p| p.children[0]).collect()
    };
    if node.children.is_empty() {
        return;
    }
    for whole in wholes(v, 0) {
        let is_whole = v.pool.data_type(whole) == Some(ty);
        if is_whole && (1..node.children.len()).all(|k| wholes(v, k).contains(&whole)) {
            out.push(whole);
        }
    }
}

/// Checks whether one of the forms of an environment is built from zeros, sums and insertions of other keys.
fn is_without(v: &View, e: Id, key: u32) -> bool {
    v.is_strong_zero(e)
        || v.forms(e).into_iter().any(|f| {
            let node = v.pool.node(f);
            match node.op {
                Op::Data(Form::Insert(k), _) => k != key && is_without(v, node.children[0], key),
                Op::Data(Form::EnvSum, _) => node.children.iter().all(|&c| is_without(v, c, key)),
                _ => false,
            }
        })
}

fn insert_of_zero(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((Form::Insert(key), _, node)) = this(v, t) else { return };
    if v.is_strong_zero(node.children[1]) && is_without(v, node.children[0], key) {
        out.push(node.children[0]);
    }
}
