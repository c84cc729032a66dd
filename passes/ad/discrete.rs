//! The warning about gradients that are zero because of integers. It is reported if the results depend on an argument,
//! but every path from the argument to the results contains a value that is not a float. Such values carry no
//! derivative (`spec/arrays.md` A.1, A.4). The program is valid, but seldom intended.

use crate::ad::activity::Activity;
use crate::ad::derivatives::{self, Rule};
use crate::ad::forward::{note_steps, reached};
use crate::analysis::derivative_rules::rules_of;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, VecDeque};

/// Warns about the requests in `module` that `is_mine` accepts and whose functions contain no requests.
pub fn warn(module: Op, is_mine: fn(&Request) -> bool) {
    let functions: HashMap<String, Op> =
        module.child_ops().into_iter().filter_map(|f| Some((f.symbol()?, f))).collect();
    for op in module.nested_ops() {
        let Some(request) = Request::of(op).filter(is_mine) else { continue };
        let callee = functions.get(&request.callee).and_then(|&f| Some((f, f.body()?)));
        let Some((function, body)) = callee else { continue };
        // A rule of the function determines how its results vary.
        if !rules_of(function).is_empty() {
            continue;
        }
        let ops = function.nested_ops();
        if ops.iter().any(|op| Request::of(*op).is_some()) || !ops.iter().any(|op| is_conversion(*op)) {
            continue;
        }
        let activity = Activity::leading_to_results(function, &|name| functions.get(name).copied());
        for &k in request.wrt.iter().filter(|k| !activity.is_active(body.argument(**k))) {
            warn_about(&request, function, body.argument(k), k);
        }
    }
}

/// Warns if the results depend on `argument`, which is number `k`, but not through floats.
fn warn_about(request: &Request, function: Op, argument: Value, k: usize) {
    let path = path_to_return(argument);
    let Some(at) = path.iter().position(|op| is_conversion(*op)) else { return };
    let name = argument.name().map_or(format!("argument {k}"), |name| format!("`%{name}`"));
    let callee = match request.op.callee() {
        Some(_) if !request.callee.contains('.') => format!("`@{}`", request.callee),
        _ => "the function".to_string(),
    };
    let text = format!(
        "the derivative of {callee} with respect to {name} is zero: {name} reaches the results through integers only"
    );
    let conversion = path[at];
    let ty = conversion.result(0).ty();
    let _warned = note_steps(request.op.warning(text), &path[at + 1..], &format!("this result depends on {name}"))
        .note(
            conversion.location(),
            format!("'{}' returns a value of type {ty}, which has no derivative", conversion.name()),
        )
        .note(
            function.location(),
            "a function may define its own derivative: `func.func @f(...) attributes {dual.jvp = @f_jvp}`, or \
             `dual.vjp`",
        )
        .emit();
}

/// Checks whether an op has float operands but no float results. The sizes of an array are not a function of its
/// elements.
fn is_conversion(op: Op) -> bool {
    let is_float = |v: Value| v.ty().is_differentiable();
    let results = op.results();
    op.num_regions() == 0
        && op.operands().into_iter().any(is_float)
        && !results.is_empty()
        && !results.into_iter().any(is_float)
        && !matches!(op.kind(), Kind::ArrayLength | Kind::TensorDim)
}

/// Returns the ops on a shortest path from `argument` to a float that its function returns; empty if there is none. Ops
/// with which the author stops derivatives of floats also end paths.
fn path_to_return(argument: Value) -> Vec<Op> {
    let mut came_from: HashMap<Value, (Op, Value)> = HashMap::new();
    let mut queue = VecDeque::from([argument]);
    while let Some(value) = queue.pop_front() {
        // Uses are listed in reverse order.
        for (user, k) in value.uses().into_iter().rev() {
            if user.kind() == Kind::FuncReturn && user.operand(k).ty().is_differentiable() {
                let steps = std::iter::successors(came_from.get(&value), |(_, before)| came_from.get(before));
                let mut path: Vec<Op> = std::iter::once(user).chain(steps.map(|(op, _)| *op)).collect();
                path.reverse();
                return path;
            }
            let stops = matches!(derivatives::rule(user.kind()), Some(Rule::Constant));
            for next in reached(user, k) {
                let floats = value.ty().is_differentiable() && next.ty().is_differentiable();
                if next != argument && !(stops && floats) && !came_from.contains_key(&next) {
                    came_from.insert(next, (user, value));
                    queue.push_back(next);
                }
            }
        }
    }
    Vec::new()
}
