//! Which values depend, through floats, on the inputs that vary. What does not is not differentiated.

use crate::derivatives::{self, Rule};
use mlopt_dialects::ir::{Op, Value};
use std::collections::HashSet;

/// The values of one function that carry a tangent, for one choice of varying arguments.
pub struct Activity {
    active: HashSet<Value>,
}

impl Activity {
    /// `arguments[i]` says whether argument `i` varies. Calls are followed; `callee` finds a function by name.
    pub fn of(function: Op, arguments: &[bool], callee: &dyn Fn(&str) -> Option<Op>) -> Activity {
        Activity::nested(function, arguments, callee, 0)
    }

    fn nested(function: Op, arguments: &[bool], callee: &dyn Fn(&str) -> Option<Op>, depth: usize) -> Activity {
        let mut activity = Activity { active: HashSet::new() };
        let Some(body) = function.body() else { return activity };
        for (value, _) in body.arguments().into_iter().zip(arguments).filter(|(_, varies)| **varies) {
            activity.active.insert(value);
        }
        // Loops carry activity backwards to their own start: repeat until nothing is new. Each round adds a value.
        let ops = function.nested_ops();
        loop {
            let before = activity.active.len();
            for &op in &ops {
                activity.visit(op, callee, depth);
            }
            if activity.active.len() == before {
                return activity;
            }
        }
    }

    pub fn is_active(&self, value: Value) -> bool {
        self.active.contains(&value)
    }

    fn mark(&mut self, value: Value) {
        if value.ty().is_differentiable() {
            self.active.insert(value);
        }
    }

    fn visit(&mut self, op: Op, callee: &dyn Fn(&str) -> Option<Op>, depth: usize) {
        match op.name() {
            "array.ifold" => {
                let Some(body) = op.body() else { return };
                let next = body.terminator().map(Op::operands).unwrap_or_default();
                for k in 0..op.num_results() {
                    let carried = body.argument(k + 1);
                    let depends = [Some(op.operand(k + 1)), next.get(k).copied(), Some(carried)];
                    if depends.into_iter().flatten().any(|v| self.is_active(v)) {
                        self.mark(carried);
                        self.mark(op.result(k));
                    }
                }
            }
            "array.build" => {
                let yielded = op.body().and_then(|b| b.terminator()).map(Op::operands).unwrap_or_default();
                for (result, element) in op.results().into_iter().zip(yielded) {
                    if self.is_active(element) {
                        self.mark(result);
                    }
                }
            }
            "func.call" => {
                let arguments: Vec<bool> = op.operands().into_iter().map(|v| self.is_active(v)).collect();
                let name = op.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
                // Recursion is refused where the call is differentiated; here it must only end.
                if !arguments.contains(&true) || depth > MAX_CALL_DEPTH {
                    return;
                }
                if let Some(function) = callee(&name) {
                    let inner = Activity::nested(function, &arguments, callee, depth + 1);
                    let returned = function.body().and_then(|b| b.terminator()).map(Op::operands).unwrap_or_default();
                    for (result, value) in op.results().into_iter().zip(returned) {
                        if inner.is_active(value) {
                            self.mark(result);
                        }
                    }
                }
            }
            name => {
                let constant = matches!(derivatives::rule(name), Some(Rule::Constant));
                if !constant && op.operands().into_iter().any(|v| self.is_active(v)) {
                    op.results().into_iter().for_each(|r| self.mark(r));
                }
                // An op without a rule may still use, inside, what varies: it must be noticed and refused.
                if derivatives::rule(name).is_none() && op.num_regions() > 0 {
                    let captures = op.nested_ops().iter().any(|o| o.operands().into_iter().any(|v| self.is_active(v)));
                    if captures {
                        op.results().into_iter().for_each(|r| self.mark(r));
                    }
                }
            }
        }
    }
}

/// Calls nested deeper than this are recursion.
pub const MAX_CALL_DEPTH: usize = 256;
