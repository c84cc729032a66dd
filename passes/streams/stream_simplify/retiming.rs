//! Retiming: replaces the delays of the operands of an op by one delay of its result, if that takes less memory.
//!
//! The laws are `f(a fby x, b fby y) = f(a, b) fby f(x, y)` and `f(post x, post y) = post f(x, y)`. The first values
//! must be literals, so that the initial value `f(a, b)` can be computed at compile time. A delay with a name is kept,
//! because it is state that can be read and set.

use crate::streams::nodes::graph::{EquationKind, Graph, Var};
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::Kind;
use std::collections::BTreeSet;

/// Returns the equation `v` with the delays after it, if that is better.
pub fn retimed(graph: &Graph, v: Var) -> Option<Value> {
    let op = graph.op(v);
    if graph.kind(v) != EquationKind::Pointwise || !is_cheap(op) {
        return None;
    }
    let delays: BTreeSet<Var> =
        graph.args(v).iter().copied().filter(|&a| graph.kind(a) != EquationKind::Literal).collect();
    let kind = graph.kind(*delays.first()?);
    let is_one = |p: Var| graph.kind(p) == kind && graph.value(p).users().all(|user| user == op);
    let can_go = |p: Var| match kind {
        EquationKind::Fby => graph.value(p).name().is_none() && graph.kind(graph.args(p)[0]) == EquationKind::Literal,
        EquationKind::Post => true,
        _ => false,
    };
    if !delays.iter().all(|&p| is_one(p) && can_go(p)) {
        return None;
    }
    let before: Option<usize> = delays.iter().map(|&p| bytes(graph.value(p).ty())).sum();
    if bytes(graph.value(v).ty())? >= before? {
        return None;
    }
    let b = Builder::before(op);
    // The same function of the operands `k` of the delays.
    let inner = |k: usize| {
        let copy = b.insert(op.clone_op());
        copy.set_location(op.location().unnamed());
        for (place, &a) in graph.args(v).iter().enumerate().filter(|(_, a)| delays.contains(*a)) {
            copy.set_operand(place, graph.op(a).operand(k));
        }
        copy.result(0)
    };
    let ty = graph.value(v).ty();
    Some(match kind {
        EquationKind::Fby => {
            let (first, next) = (inner(0), inner(1));
            b.unary(Kind::StreamFby, &[first, next], ty)
        }
        _ => {
            let next = inner(0);
            let post = b.unary(Kind::StreamPost, &[next], ty);
            // The same attributes as on the first one.
            let (made, old) = (post.defining_op().map(|d| d.0), graph.op(*delays.first()?));
            old.attributes().iter().for_each(|(name, value)| made.iter().for_each(|m| m.set_attribute(name, *value)));
            post
        }
    })
}

/// Checks whether an op is a function of one or two values that is cheap and total.
fn is_cheap(op: Op) -> bool {
    let name = op.name();
    name.starts_with("arith.")
        && !["div", "rem", "floordiv", "ceildiv"].iter().any(|part| name.contains(part))
        && op.num_regions() == 0
        && op.num_results() == 1
        && op.is_pure()
}

fn bytes(ty: Type) -> Option<usize> {
    let elements: Option<usize> = ty.shape().into_iter().product();
    Some(elements? * ty.element()?.bytes())
}
