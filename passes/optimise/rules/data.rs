//! Rules for data of functional programs: tuples, lists, environments of gradients, and updates of one element of an
//! array (`spec/functional.md` B.9 ii). Differentiation represents a missing contribution by a structural zero.
//!
//! Both operands of a conditional are values that are already computed, so a rule never causes an op to be executed
//! that the program would not execute.

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
        "part-of-tuple",
        "get i (tuple x0 .. xn) = xi, also for records",
        "",
        |op| matches!(op, Op::Data(Form::Part(_), _)),
        part_of_tuple,
    ),
    law(
        "part-of-update",
        "get i (tset i t v) = v, get i (tset j t v) = get i t for i ≠ j, also for records",
        "",
        |op| matches!(op, Op::Data(Form::Part(_), _)),
        part_of_update,
    ),
    law(
        "update-of-tuple",
        "tset i (tuple .. xi ..) v = tuple .. v .., also for records",
        "",
        |op| matches!(op, Op::Data(Form::Update(_), _)),
        update_of_tuple,
    ),
    law(
        "update-of-update",
        "tset i (tset i t v) w = tset i t w, also for records",
        "",
        |op| matches!(op, Op::Data(Form::Update(_), _)),
        update_of_update,
    ),
    law(
        "tuple-of-parts",
        "tuple (get 0 t) .. (get n t) = t, also for records",
        "these are all parts of `t`",
        |op| matches!(op, Op::Data(Form::Tuple, _)),
        tuple_of_parts,
    ),
    law("head-of-cons", "head (cons h t) = h", "", |op| matches!(op, Op::Data(Form::Head, _)), head_of_cons),
    law("tail-of-cons", "tail (cons h t) = t", "", |op| matches!(op, Op::Data(Form::Tail, _)), tail_of_cons),
    law(
        "is-empty-of-cons",
        "is_empty (cons h t) = false, is_empty nil = true",
        "",
        |op| matches!(op, Op::Data(Form::IsEmpty, _)),
        is_empty_of_cons,
    ),
    law(
        "zeros-of-type",
        "zeros_like x = Zero",
        "the type says how large x is",
        |op| matches!(op, Op::Data(Form::Zeros(_), _)),
        zeros_of_type,
    ),
    law(
        "sum-with-zero",
        "gadd x Zero = x, gadd Zero x = x; env.add likewise with the empty environment",
        "",
        |op| matches!(op, Op::Data(Form::Sum | Form::EnvSum, _)),
        sum_with_zero,
    ),
    law(
        "sum-of-tuples",
        "gadd (tuple a0 .. an) (tuple b0 .. bn) = tuple (gadd a0 b0) .. (gadd an bn), also for records",
        "",
        |op| matches!(op, Op::Data(Form::Sum, _)),
        sum_of_tuples,
    ),
    law(
        "sum-of-updates",
        "gadd (tset i Zero u) (tset i Zero v) = tset i Zero (gadd u v); \
         gadd (tset i Zero u) (tset j Zero v) = tset i (tset j Zero v) u for i ≠ j; also for records",
        "",
        |op| matches!(op, Op::Data(Form::Sum, _)),
        sum_of_updates,
    ),
    law(
        "lookup-of-insert",
        "env.get (env.set e k v) k z = v, env.get (env.set e k v) j z = env.get e j z for j ≠ k",
        "",
        |op| matches!(op, Op::Data(Form::Lookup(_), _)),
        lookup_of_insert,
    ),
    law(
        "lookup-of-empty",
        "env.get empty k z = z",
        "",
        |op| matches!(op, Op::Data(Form::Lookup(_), _)),
        lookup_of_empty,
    ),
    law(
        "insert-of-insert",
        "env.set (env.set e k v) k w = env.set e k w",
        "",
        |op| matches!(op, Op::Data(Form::Insert(_), _)),
        insert_of_insert,
    ),
    law(
        "insert-of-zero",
        "env.set e k Zero = e",
        "e is put together here, without k",
        |op| matches!(op, Op::Data(Form::Insert(_), _)),
        insert_of_zero,
    ),
    law(
        "transform-of-inverse",
        "J (Jinv x) = x, Jinv (J x) = x",
        "of transforms without a level",
        |op| matches!(op, Op::Data(Form::Transform | Form::Inverse, _)),
        transform_of_inverse,
    ),
    law(
        "transform-of-data",
        "J x = x, Jinv x = x",
        "no function is in the type of x",
        |op| matches!(op, Op::Data(Form::Transform | Form::Inverse, _)),
        transform_of_data,
    ),
    law(
        "transform-of-tuple",
        "J (tuple x0 .. xn) = tuple (J x0) .. (J xn), also for Jinv and for records",
        "",
        |op| matches!(op, Op::Data(Form::Transform | Form::Inverse, _)),
        transform_of_tuple,
    ),
    law(
        "linear-of-zero",
        "f Zero = Zero for sums, transposes, reshapes, replications, reads and reversals of arrays",
        "the type says how large the result is",
        |op| matches!(op, Op::Data(Form::Linear(_), _)),
        linear_of_zero,
    ),
    law(
        "read-of-write",
        "aget (aset a i v) i = v, aget (aset a i v) j = aget a j for i ≠ j",
        "as many indices in both; i = j or i ≠ j is proved",
        |op| matches!(op, Op::Data(Form::Read(_), _)),
        read_of_write,
    ),
    law(
        "write-of-write",
        "aset (aset a i v) i w = aset a i w",
        "",
        |op| matches!(op, Op::Data(Form::Write(_), _)),
        write_of_write,
    ),
    law("write-of-read", "aset a i (aget a i) = a", "", |op| matches!(op, Op::Data(Form::Write(_), _)), write_of_read),
];

/// Alternatives: an operation on a choice becomes a choice between the results for both values. This pays if one of
/// them simplifies.
pub const CHOICE: &[Rule<'static>] = &[
    law(
        "part-of-choice",
        "get i (cond c a b) = cond c (get i a) (get i b)",
        "",
        |op| matches!(op, Op::Data(Form::Part(_), _)),
        part_of_choice,
    ),
    law(
        "sum-of-choices",
        "gadd (cond c a b) (cond c p q) = cond c (gadd a p) (gadd b q)",
        "",
        |op| matches!(op, Op::Data(Form::Sum | Form::EnvSum, _)),
        sum_of_choices,
    ),
    law(
        "lookup-of-sum",
        "env.get (env.add a b) k z = gadd (env.get a k z) (env.get b k z)",
        "z is Zero",
        |op| matches!(op, Op::Data(Form::Lookup(_), _)),
        lookup_of_sum,
    ),
    law(
        "lookup-of-choice",
        "env.get (cond c a b) k z = cond c (env.get a k z) (env.get b k z)",
        "",
        |op| matches!(op, Op::Data(Form::Lookup(_), _)),
        lookup_of_choice,
    ),
];

/// Rules that hold once no derivative remains to be expanded.
pub const EXPANDED: &[Rule<'static>] = &[law(
    "stop-gradient",
    "stop_gradient x = x",
    "nothing in the module is differentiated any more, as who asks for the rule promises",
    |op| matches!(op, Op::Data(Form::StopGradient, _)),
    |v, t, out| out.push(v.pool.child(t, 0)),
)];

/// Returns the forms of a term with one of the wanted constructors, as their nodes.
fn made(v: &View, t: Id, wanted: impl Fn(Form) -> bool) -> Vec<Node> {
    v.forms_with(t, |op| matches!(op, Op::Data(form, _) if wanted(form))).into_vec()
}

fn choices(v: &View, t: Id) -> Vec<Node> {
    v.forms_with(t, |op| op == Op::Cond).into_vec()
}

/// Returns the constructor and type of an operation on data, and its node.
fn this(v: &View, t: Id) -> Option<(Form, Ty, Node)> {
    let node = v.node(t);
    match node.op {
        Op::Data(form, ty) => Some((form, ty, node)),
        _ => None,
    }
}

/// Checks whether one of the forms is a strong zero.
fn is_zero(v: &View, t: Id) -> bool {
    v.forms(t).into_iter().any(|f| match v.pool.op(f) {
        Op::Zero(_) | Op::Data(Form::EmptyEnv | Form::Unit | Form::Zeros(_), _) => true,
        Op::Data(Form::Tuple, _) => v.pool.node(f).children.iter().all(|&c| is_zero(v, c)),
        _ => false,
    })
}

fn part_of_tuple(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((Form::Part(k), _, node)) = this(v, t) else { return };
    out.extend(made(v, node.children[0], |f| f == Form::Tuple).iter().map(|tuple| tuple.children[k as usize]));
}

fn part_of_update(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((Form::Part(k), ty, node)) = this(v, t) else { return };
    for update in made(v, node.children[0], |f| matches!(f, Form::Update(_))) {
        match update.op {
            Op::Data(Form::Update(j), _) if j == k => out.push(update.children[1]),
            _ => out.push(v.pool.data(Form::Part(k), ty, [update.children[0]])),
        }
    }
}

fn update_of_tuple(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((Form::Update(k), ty, node)) = this(v, t) else { return };
    for mut tuple in made(v, node.children[0], |f| f == Form::Tuple) {
        tuple.children[k as usize] = node.children[1];
        out.push(v.pool.data(Form::Tuple, ty, tuple.children));
    }
}

fn update_of_update(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    for inner in made(v, node.children[0], |f| f == form) {
        out.push(v.pool.data(form, ty, [inner.children[0], node.children[1]]));
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

fn head_of_cons(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let list = v.pool.child(t, 0);
    out.extend(made(v, list, |f| f == Form::Cons).iter().map(|c| c.children[0]));
}

fn tail_of_cons(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let list = v.pool.child(t, 0);
    out.extend(made(v, list, |f| f == Form::Cons).iter().map(|c| c.children[1]));
}

fn is_empty_of_cons(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let list = v.pool.child(t, 0);
    let known = made(v, list, |f| matches!(f, Form::Cons | Form::Nil));
    if let Some(node) = known.first() {
        out.push(v.pool.bool(matches!(node.op, Op::Data(Form::Nil, _))));
    }
}

fn zeros_of_type(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, _)) = this(v, t) else { return };
    out.extend(v.pool.zero_of_data(ty));
}

fn sum_with_zero(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let [a, b] = node.children[..] else { return };
    if is_zero(v, a) {
        out.push(b);
    }
    if is_zero(v, b) {
        out.push(a);
    }
}

fn sum_of_tuples(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    let Type::Tuple(types) = v.pool.types.of(ty).clone() else { return };
    for a in made(v, node.children[0], |f| f == Form::Tuple) {
        for b in made(v, node.children[1], |f| f == Form::Tuple) {
            let parts: Vec<Id> =
                (0..types.len()).map(|k| v.pool.sum_of_data(types[k], a.children[k], b.children[k])).collect();
            out.push(v.pool.data(Form::Tuple, ty, parts));
        }
    }
}

fn sum_of_updates(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    let Type::Tuple(types) = v.pool.types.of(ty).clone() else { return };
    let updates = |v: &View, k: usize| {
        let found = made(v, node.children[k], |f| matches!(f, Form::Update(_)));
        found.into_iter().filter(|u| is_zero(v, u.children[0])).collect::<Vec<Node>>()
    };
    for a in updates(v, 0) {
        for b in updates(v, 1) {
            let (Op::Data(Form::Update(i), _), Op::Data(Form::Update(j), _)) = (a.op, b.op) else { continue };
            let (u, w) = (a.children[1], b.children[1]);
            if i == j {
                let sum = v.pool.sum_of_data(types[i as usize], u, w);
                out.push(v.pool.data(Form::Update(i), ty, [a.children[0], sum]));
            } else {
                let other = v.pool.data(Form::Update(j), ty, [b.children[0], w]);
                out.push(v.pool.data(Form::Update(i), ty, [other, u]));
            }
        }
    }
}

fn lookup_of_insert(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((Form::Lookup(k), ty, node)) = this(v, t) else { return };
    for set in made(v, node.children[0], |f| matches!(f, Form::Insert(_))) {
        match set.op {
            Op::Data(Form::Insert(j), _) if j == k => out.push(set.children[1]),
            _ => out.push(v.pool.data(Form::Lookup(k), ty, [set.children[0], node.children[1]])),
        }
    }
}

fn lookup_of_empty(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    if is_zero(v, node.children[0]) {
        out.push(node.children[1]);
    }
}

fn insert_of_insert(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    for inner in made(v, node.children[0], |f| f == form) {
        out.push(v.pool.data(form, ty, [inner.children[0], node.children[1]]));
    }
}

/// Checks whether one of the forms of an environment is built from zeros, sums and insertions of other keys.
fn is_without(v: &View, e: Id, key: u32) -> bool {
    is_zero(v, e)
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
    if is_zero(v, node.children[1]) && is_without(v, node.children[0], key) {
        out.push(node.children[0]);
    }
}

fn transform_of_inverse(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    let other = if form == Form::Transform { Form::Inverse } else { Form::Transform };
    for inner in made(v, node.children[0], |f| f == other) {
        if v.pool.data_type(inner.children[0]) == Some(ty) {
            out.push(inner.children[0]);
        }
    }
}

fn transform_of_data(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    if !v.pool.types.with_functions[ty as usize] {
        out.push(node.children[0]);
    }
}

fn transform_of_tuple(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    let Type::Tuple(types) = v.pool.types.of(ty).clone() else { return };
    for tuple in made(v, node.children[0], |f| f == Form::Tuple) {
        let parts: Vec<Id> =
            tuple.children.iter().zip(&types).map(|(&x, &part)| v.pool.data(form, part, [x])).collect();
        out.push(v.pool.data(Form::Tuple, ty, parts));
    }
}

fn linear_of_zero(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    if is_zero(v, node.children[0]) {
        out.extend(v.pool.zero_of_data(ty));
    }
}

/// Compares two rows of indices; returns `None` if it is not known whether they are equal.
fn same_place(v: &mut View, a: &[Id], b: &[Id]) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    let differ = a.iter().zip(b).any(|(&x, &y)| match (v.pool.as_int(x), v.pool.as_int(y)) {
        (Some(x), Some(y)) => x != y,
        _ => v.pool.less(x, y) == Some(true) || v.pool.less(y, x) == Some(true),
    });
    (differ && a.len() == b.len()).then_some(false)
}

fn read_of_write(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    for write in made(v, node.children[0], |f| matches!(f, Form::Write(_))) {
        let (at, there) = (&node.children[1..], &write.children[1..write.children.len() - 1]);
        match same_place(v, at, there) {
            Some(true) => out.push(write.children[write.children.len() - 1]),
            Some(false) => {
                let mut children = node.children.clone();
                children[0] = write.children[0];
                out.push(v.pool.data(form, ty, children));
            }
            None => {}
        }
    }
}

fn write_of_write(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    let last = node.children.len() - 1;
    for write in made(v, node.children[0], |f| f == form) {
        if write.children[1..write.children.len() - 1] == node.children[1..last] {
            let mut children = node.children.clone();
            children[0] = write.children[0];
            out.push(v.pool.data(form, ty, children));
        }
    }
}

fn write_of_read(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let last = node.children.len() - 1;
    let reads = made(v, node.children[last], |f| matches!(f, Form::Read(_)));
    if reads.iter().any(|r| r.children[..] == node.children[..last]) {
        out.push(node.children[0]);
    }
}

fn part_of_choice(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    for choice in choices(v, node.children[0]) {
        let [c, a, b] = choice.children[..] else { continue };
        let (a, b) = (v.pool.data(form, ty, [a]), v.pool.data(form, ty, [b]));
        out.push(v.pool.cond(c, a, b));
    }
}

fn sum_of_choices(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((_, ty, node)) = this(v, t) else { return };
    for left in choices(v, node.children[0]) {
        for right in choices(v, node.children[1]) {
            let ([c, a, b], [d, p, q]) = (&left.children[..], &right.children[..]) else { continue };
            if c == d {
                let (x, y) = (v.pool.sum_of_data(ty, *a, *p), v.pool.sum_of_data(ty, *b, *q));
                out.push(v.pool.cond(*c, x, y));
            }
        }
    }
}

fn lookup_of_sum(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    if !is_zero(v, node.children[1]) {
        return;
    }
    for sum in made(v, node.children[0], |f| f == Form::EnvSum) {
        let [a, b] = [0, 1].map(|k| v.pool.data(form, ty, [sum.children[k], node.children[1]]));
        out.push(v.pool.sum_of_data(ty, a, b));
    }
}

fn lookup_of_choice(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some((form, ty, node)) = this(v, t) else { return };
    for choice in choices(v, node.children[0]) {
        let [c, a, b] = choice.children[..] else { continue };
        let (a, b) = (v.pool.data(form, ty, [a, node.children[1]]), v.pool.data(form, ty, [b, node.children[1]]));
        out.push(v.pool.cond(c, a, b));
    }
}
