//! Which values depend, through floats, on the inputs that vary. What does not is not differentiated.

use crate::derivatives::{self, Rule};
use crate::forward;
use mlopt_dialects::ir::{Op, Value};
use std::collections::{HashMap, HashSet};

/// The values of one function that carry a tangent, for one choice of varying arguments.
pub struct Activity {
    active: HashSet<Value>,
}

/// Finds a function by name.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<Op>;

/// Which results of a called function vary, by function and varying arguments; `None` while that is being found out.
type Calls = HashMap<(Op, Vec<bool>), Option<Vec<bool>>>;

impl Activity {
    /// `arguments[i]` says whether argument `i` varies. Calls are followed.
    pub fn of(function: Op, arguments: &[bool], lookup: Lookup) -> Activity {
        Activity::within(function, arguments, lookup, &mut Calls::new())
    }

    /// Nothing varies.
    pub fn none() -> Activity {
        Activity { active: HashSet::new() }
    }

    fn within(function: Op, arguments: &[bool], lookup: Lookup, calls: &mut Calls) -> Activity {
        let mut activity = Activity::none();
        let Some(body) = function.body() else { return activity };
        for (value, _) in body.arguments().into_iter().zip(arguments).filter(|(_, varies)| **varies) {
            activity.active.insert(value);
        }
        // Loops carry activity backwards to their own start: repeat until nothing is new. Each round adds a value.
        let ops = function.nested_ops();
        loop {
            let before = activity.active.len();
            for &op in &ops {
                activity.visit(op, lookup, calls);
            }
            if activity.active.len() == before {
                return activity;
            }
        }
    }

    pub fn is_active(&self, value: Value) -> bool {
        self.active.contains(&value)
    }

    /// Values of types that carry no derivative vary, too, unless they are integers: what makes them is refused.
    fn mark(&mut self, value: Value) {
        if !value.ty().is_discrete() {
            self.active.insert(value);
        }
    }

    fn any_active(&self, op: Op) -> bool {
        op.operands().into_iter().any(|v| self.is_active(v))
    }

    fn visit(&mut self, op: Op, lookup: Lookup, calls: &mut Calls) {
        match op.name() {
            "array.ifold" => self.carried(op, &op.operands()[1..], 1),
            "scf.for" => self.carried(op, &op.operands()[3..], 1),
            "scf.while" => self.repeated(op),
            "array.fold" | "array.map_accum" => {
                let (arrays, Some(body)) = (op.operand_segment(0), op.body()) else { return };
                for (array, row) in arrays.iter().zip(body.arguments()) {
                    if self.is_active(*array) {
                        self.mark(row);
                    }
                }
                self.carried(op, &op.operand_segment(1), arrays.len());
            }
            "scf.if" => {
                for region in op.regions() {
                    let end = region.first_block().and_then(|b| b.terminator());
                    for (result, value) in op.results().into_iter().zip(end.map(Op::operands).unwrap_or_default()) {
                        if self.is_active(value) {
                            self.mark(result);
                        }
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
            "func.call" if self.any_active(op) => {
                let varies = self.called(op, lookup, calls);
                for (result, _) in op.results().into_iter().zip(varies).filter(|(_, varies)| *varies) {
                    self.mark(result);
                }
            }
            "func.call" => {}
            name => {
                let rule = derivatives::rule(name);
                // An op without a rule may still use, inside, what varies: it must be noticed and refused.
                let captures = || rule.is_none() && op.nested_ops().into_iter().any(|inner| self.any_active(inner));
                if !matches!(rule, Some(Rule::Constant)) && (self.any_active(op) || captures()) {
                    op.results().into_iter().for_each(|r| self.mark(r));
                }
            }
        }
    }

    /// `scf.while` hands values from its start to `before`, from there to `after` and to the results, and back to `before`.
    fn repeated(&mut self, op: Op) {
        let [Some(before), Some(after)] = [0, 1].map(|k| op.region(k).first_block()) else { return };
        let next = after.terminator().map(Op::operands).unwrap_or_default();
        for ((carried, init), next) in before.arguments().into_iter().zip(op.operands()).zip(next) {
            if self.is_active(init) || self.is_active(next) {
                self.mark(carried);
            }
        }
        let passed = before.terminator().map(|end| end.operands().split_off(1)).unwrap_or_default();
        for ((passed, inside), result) in passed.into_iter().zip(after.arguments()).zip(op.results()) {
            if self.is_active(passed) {
                self.mark(inside);
                self.mark(result);
            }
        }
    }

    /// A loop whose body has `before` arguments, then the carried values; results beyond those are emitted rows.
    fn carried(&mut self, op: Op, inits: &[Value], before: usize) {
        let Some(body) = op.body() else { return };
        let next = body.terminator().map(Op::operands).unwrap_or_default();
        for k in 0..op.num_results() {
            let carried = (k < inits.len()).then(|| body.argument(before + k));
            let depends = [inits.get(k).copied(), next.get(k).copied(), carried];
            if depends.into_iter().flatten().any(|v| self.is_active(v)) {
                carried.into_iter().for_each(|v| self.mark(v));
                self.mark(op.result(k));
            }
        }
    }

    /// Which results of a call vary. A function that calls itself counts as varying: it is refused where it is
    /// differentiated.
    fn called(&self, call: Op, lookup: Lookup, calls: &mut Calls) -> Vec<bool> {
        let unknown = vec![true; call.num_results()];
        let name = call.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
        let Some(function) = lookup(&name) else { return unknown };
        // Its own rule says how they vary, whatever its body does.
        if !forward::rules_of(function).is_empty() {
            return unknown;
        }
        let arguments: Vec<bool> = call.operands().into_iter().map(|v| self.is_active(v)).collect();
        let key = (function, arguments.clone());
        if let Some(known) = calls.get(&key) {
            return known.clone().unwrap_or(unknown);
        }
        calls.insert(key.clone(), None);
        let inner = Activity::within(function, &arguments, lookup, calls);
        let returned = function.body().and_then(|b| b.terminator()).map(Op::operands).unwrap_or_default();
        let varies: Vec<bool> = returned.into_iter().map(|v| inner.is_active(v)).collect();
        calls.insert(key, Some(varies.clone()));
        varies
    }
}
