//! Activity analysis: determines which values depend, through floats, on the inputs with respect to which a function is
//! differentiated. Other values are not differentiated.

use crate::ad::derivatives::{self, Rule};
use crate::analysis::derivative_rules::rules_of;
use mlopt_dialects::ir::{Block, Lookup, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// The values of one function that carry a tangent, for one choice of varying arguments.
pub struct Activity {
    active: HashSet<Value>,
}

/// The direction in which dependence is followed: from arguments to results, or from results to arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// A dependence of a value on another.
enum Flow {
    /// The second value depends on the first.
    Direct(Value, Value),
    /// The results of a call depend on some of its operands.
    Call(Op),
}

/// The results of a callee that vary, by function and varying arguments, or the arguments, by function and results;
/// `None` while the analysis of the callee is in progress.
pub type Calls = HashMap<(Op, Vec<bool>), Option<Vec<bool>>>;

impl Activity {
    /// Computes activity from arguments to results. `arguments[i]` tells whether argument `i` varies. The analysis
    /// follows calls; `calls` memoises those that were analysed before.
    pub fn of(function: Op, arguments: &[bool], lookup: Lookup, calls: &mut Calls) -> Activity {
        Activity::within(function, Direction::Forward, arguments, lookup, calls)
    }

    /// Computes the values on which a result of `function` depends. An argument is among them if and only if some
    /// result is active when that argument alone varies.
    pub fn leading_to_results(function: Op, lookup: Lookup) -> Activity {
        let all = vec![true; returned(function).len()];
        Activity::within(function, Direction::Backward, &all, lookup, &mut Calls::new())
    }

    /// Returns an analysis in which no value varies.
    pub fn none() -> Activity {
        Activity { active: HashSet::new() }
    }

    /// Computes activity within a function. `ends` tells which arguments vary, or which results are of interest.
    fn within(function: Op, direction: Direction, ends: &[bool], lookup: Lookup, calls: &mut Calls) -> Activity {
        let mut activity = Activity::none();
        let Some(body) = function.body() else { return activity };
        match direction {
            Direction::Forward => {
                let varies = body.arguments().into_iter().zip(ends).filter(|(_, varies)| **varies);
                activity.active.extend(varies.map(|(v, _)| v));
            }
            Direction::Backward => {
                let asked = returned(function).into_iter().zip(ends).filter(|(_, asked)| **asked);
                asked.for_each(|(v, _)| activity.mark(v));
            }
        }
        let mut flows: Vec<Flow> = function.nested_ops().into_iter().flat_map(flows).collect();
        if direction == Direction::Backward {
            flows.reverse();
        }
        // Loops carry activity back to their own start: repeat until a fixpoint. Each iteration adds a value.
        loop {
            let before = activity.active.len();
            for flow in &flows {
                match *flow {
                    Flow::Direct(from, to) => {
                        let (known, next) = if direction == Direction::Forward { (from, to) } else { (to, from) };
                        if activity.is_active(known) {
                            activity.mark(next);
                        }
                    }
                    Flow::Call(op) => activity.call(op, direction, lookup, calls),
                }
            }
            if activity.active.len() == before {
                return activity;
            }
        }
    }

    pub fn is_active(&self, value: Value) -> bool {
        self.active.contains(&value)
    }

    /// Marks a value, unless it is an integer. Values of other types without derivatives are marked, so that the ops
    /// that compute them are rejected.
    fn mark(&mut self, value: Value) {
        if !value.ty().is_discrete() {
            self.active.insert(value);
        }
    }

    /// Marks the results of a call that vary, or the operands on which they depend. A recursive function counts as
    /// varying: differentiation rejects it.
    fn call(&mut self, call: Op, direction: Direction, lookup: Lookup, calls: &mut Calls) {
        let (near, far) = match direction {
            Direction::Forward => (call.operands(), call.results()),
            Direction::Backward => (call.results(), call.operands()),
        };
        let near: Vec<bool> = near.into_iter().map(|v| self.is_active(v)).collect();
        if !near.contains(&true) {
            return;
        }
        let reached = called(call, direction, near, lookup, calls).unwrap_or_else(|| vec![true; far.len()]);
        far.into_iter().zip(reached).filter(|(_, reached)| *reached).for_each(|(v, _)| self.mark(v));
    }
}

/// Returns the result for a callee; `None` stands for all of its results or arguments.
fn called(call: Op, direction: Direction, near: Vec<bool>, lookup: Lookup, calls: &mut Calls) -> Option<Vec<bool>> {
    let function = lookup(&call.callee().unwrap_or_default())?;
    // A rule of the function determines how its results vary, regardless of its body. Without a body nothing is known,
    // and differentiation rejects the call as well.
    if !rules_of(function).is_empty() || function.body().is_none() {
        return None;
    }
    let key = (function, near);
    if let Some(known) = calls.get(&key) {
        return known.clone();
    }
    calls.insert(key.clone(), None);
    let inner = Activity::within(function, direction, &key.1, lookup, calls);
    let ends = match direction {
        Direction::Forward => returned(function),
        Direction::Backward => function.body().map(Block::arguments).unwrap_or_default(),
    };
    let reached: Vec<bool> = ends.into_iter().map(|v| inner.is_active(v)).collect();
    calls.insert(key, Some(reached.clone()));
    Some(reached)
}

/// Returns the dependences of the results of `op`, and of the arguments of its regions, on other values.
fn flows(op: Op) -> Vec<Flow> {
    match op.kind() {
        Kind::ArrayIfold => carried(op, &op.operands()[1..], 1),
        Kind::ScfFor => carried(op, &op.operands()[3..], 1),
        Kind::ScfWhile => repeated(op),
        Kind::ArrayFold | Kind::ArrayMapAccum => {
            let (arrays, Some(body)) = (op.operand_segment(0), op.body()) else { return Vec::new() };
            let mut flows = direct(arrays.iter().copied().zip(body.arguments()));
            flows.extend(carried(op, &op.operand_segment(1), arrays.len()));
            flows
        }
        Kind::ScfIf | Kind::ArrayBuild => {
            let ends = op.regions().into_iter().filter_map(|region| region.first_block()?.terminator());
            ends.flat_map(|end| direct(end.operands().into_iter().zip(op.results()))).collect()
        }
        Kind::FuncCall => vec![Flow::Call(op)],
        _ => {
            let rule = derivatives::rule(op.kind());
            if matches!(rule, Some(Rule::Constant)) {
                return Vec::new();
            }
            let mut used = op.operands();
            // An op without a rule may use varying values in its regions: these must be found and rejected.
            if rule.is_none() && op.num_regions() > 0 {
                used.extend(op.nested_ops().into_iter().flat_map(Op::operands));
            }
            let results = op.results();
            used.into_iter().flat_map(|v| direct(results.iter().map(move |z| (v, *z)))).collect()
        }
    }
}

fn direct(pairs: impl Iterator<Item = (Value, Value)>) -> Vec<Flow> {
    pairs.map(|(from, to)| Flow::Direct(from, to)).collect()
}

/// Returns the dependences of an `scf.while`: from its inits to `before`, from there to `after` and to the results, and
/// back to `before`.
fn repeated(op: Op) -> Vec<Flow> {
    let [Some(before), Some(after)] = [0, 1].map(|k| op.region(k).first_block()) else { return Vec::new() };
    let next = after.terminator().map(Op::operands).unwrap_or_default();
    let passed = before.terminator().map(|end| end.operands().split_off(1)).unwrap_or_default();
    let mut flows = direct(op.operands().into_iter().zip(before.arguments()));
    flows.extend(direct(next.into_iter().zip(before.arguments())));
    flows.extend(direct(passed.iter().copied().zip(after.arguments())));
    flows.extend(direct(passed.into_iter().zip(op.results())));
    flows
}

/// Returns the dependences of a loop whose body has `before` arguments, then the carried values. Results after the
/// carried values are emitted rows.
fn carried(op: Op, inits: &[Value], before: usize) -> Vec<Flow> {
    let Some(body) = op.body() else { return Vec::new() };
    let state = || body.arguments().into_iter().skip(before);
    let next = body.terminator().map(Op::operands).unwrap_or_default();
    let mut flows = direct(inits.iter().copied().zip(state()));
    flows.extend(direct(next.iter().copied().zip(state())));
    flows.extend(direct(state().zip(op.results())));
    flows.extend(direct(next.into_iter().zip(op.results())));
    flows
}

fn returned(function: Op) -> Vec<Value> {
    function.body().and_then(Block::terminator).map(Op::operands).unwrap_or_default()
}
