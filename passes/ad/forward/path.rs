//! The diagnostic for an op that the table of derivatives does not contain. It shows how the results depend on that op.

use super::Forward;
use mlopt_dialects::diagnostics::{Diagnostic, Reported};
use mlopt_dialects::ir::{Block, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet, VecDeque};

/// The maximum number of shown ops of the path, from either end.
const SHOWN: usize = 4;

impl Forward<'_> {
    /// Rejects `op`, which varies and has no applicable rule, for the reason `why`.
    pub(super) fn without_rule(&self, op: Op, why: &str) -> Reported {
        let code = self.code();
        let diagnostic = op.error(format!(
            "{code}cannot be differentiated: {why}; the op is on a path from an input to a differentiated result"
        ));
        let name = self.function.symbol().unwrap_or_default();
        let returned = format!("`@{name}` returns a value that depends on that op");
        let request = self.setting.request;
        note_steps(diagnostic, &path_to_return(op), &returned)
            .note(request.op.location(), format!("the derivative of `@{}` is requested here", request.callee))
            .note(
                op.location(),
                "an enclosing function may define its own derivative: `func.func @f(...) attributes {dual.jvp = \
                 @f_jvp}`, or `dual.vjp`; `dual.stop_gradient` makes an operand constant",
            )
            .emit()
    }

    /// Rejects an op that is differentiable but not supported.
    pub(super) fn not_supported(&self, op: Op, what: &str) -> Reported {
        match self.code() {
            "" => op.not_supported(what),
            code => op.error(format!("{code}not supported: {what}")).emit(),
        }
    }

    /// Returns the error code: that of spec/streams.md 5 if an equation of a node is differentiated.
    fn code(&self) -> &'static str {
        let is_equation = self.setting.request.op.parent_op().is_some_and(|op| op.kind() == Kind::StreamNode);
        if is_equation { "E-DIFF: " } else { "" }
    }
}

/// Adds notes about the ops of a path to a return, the last one first, with the text `returned` for the return.
pub fn note_steps(diagnostic: Diagnostic, path: &[Op], returned: &str) -> Diagnostic {
    let hidden = SHOWN..path.len().saturating_sub(SHOWN);
    let shown = path.iter().enumerate().rev().filter(|(k, _)| !hidden.contains(k));
    shown.fold(diagnostic, |diagnostic, (_, step)| match step.kind() {
        Kind::FuncReturn => diagnostic.note(step.location(), returned),
        _ => diagnostic.note(step.location(), format!("the value reaches the result through '{}'", step.name())),
    })
}

/// Returns the ops of a shortest path from the results of `op` to the end of the function. Each uses the previous one;
/// the last one returns.
fn path_to_return(op: Op) -> Vec<Op> {
    let mut came_from: HashMap<Op, Op> = HashMap::new();
    let mut seen: HashSet<Value> = HashSet::new();
    let mut queue: VecDeque<(Op, Value)> = op.results().into_iter().map(|r| (op, r)).collect();
    while let Some((from, value)) = queue.pop_front() {
        if !seen.insert(value) {
            continue;
        }
        // Uses are listed in reverse order.
        for (user, operand) in value.uses().into_iter().rev() {
            if user != op && user != from && !came_from.contains_key(&user) {
                came_from.insert(user, from);
            }
            if user.kind() == Kind::FuncReturn {
                return steps_to(user, &came_from, op);
            }
            queue.extend(reached(user, operand).into_iter().map(|v| (user, v)));
        }
    }
    Vec::new()
}

/// Returns the values that depend on operand `k` of `user`.
pub fn reached(user: Op, k: usize) -> Vec<Value> {
    let around = user.parent_op();
    let at = |op: Op, k: usize| (k < op.num_results()).then(|| op.result(k));
    match user.kind() {
        Kind::ArrayYield | Kind::ScfYield | Kind::ScfCondition => {
            let k = k - usize::from(user.kind() == Kind::ScfCondition && k > 0);
            around.and_then(|op| at(op, k).or_else(|| at(op, 0))).into_iter().collect()
        }
        _ => [user.results(), carried(user, k)].concat(),
    }
}

/// Returns the arguments of the body of a loop whose init is operand `k`, or that are its rows.
fn carried(op: Op, k: usize) -> Vec<Value> {
    let before = match op.kind() {
        Kind::ArrayFold | Kind::ArrayMapAccum => 0,
        Kind::ArrayIfold => 0,
        Kind::ScfFor => 2,
        Kind::ScfWhile => 0,
        _ => return Vec::new(),
    };
    let at = |block: Block| (k >= before && k - before < block.num_arguments()).then(|| block.argument(k - before));
    op.body().and_then(at).into_iter().collect()
}

fn steps_to(last: Op, came_from: &HashMap<Op, Op>, first: Op) -> Vec<Op> {
    let (mut steps, mut step) = (vec![last], last);
    while let Some(&before) = came_from.get(&step)
        && before != first
        && !steps.contains(&before)
    {
        steps.push(before);
        step = before;
    }
    steps.reverse();
    steps
}
