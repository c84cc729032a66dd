//! Which values depend, through floats, on the inputs that vary. What does not is not differentiated.

use crate::ad::derivatives::{self, Rule};
use crate::analysis::derivative_rules::rules_of;
use mlopt_dialects::ir::{Block, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

/// The values of one function that carry a tangent, for one choice of varying arguments.
pub struct Activity {
    active: HashSet<Value>,
}

/// Finds a function by name.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<Op>;

/// Where dependence is followed: from arguments to what depends on them, or from results to what they depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Onwards,
    Backwards,
}

/// How a value comes to depend on another.
enum Flow {
    /// The second depends on the first.
    Direct(Value, Value),
    /// The results of a call depend on some of its operands.
    Call(Op),
}

/// Which results of a called function vary, by function and varying arguments, or the other way round; `None` while that is
/// being found out.
pub type Calls = HashMap<(Op, Vec<bool>), Option<Vec<bool>>>;

impl Activity {
    /// `arguments[i]` says whether argument `i` varies. Calls are followed; `calls` are those that were followed
    /// before, from arguments to results.
    pub fn of(function: Op, arguments: &[bool], lookup: Lookup, calls: &mut Calls) -> Activity {
        Activity::within(function, Way::Onwards, arguments, lookup, calls)
    }

    /// The values on which a result of `function` depends: an argument is among them if and only if some result is active
    /// where that argument alone varies.
    pub fn leading_to_results(function: Op, lookup: Lookup) -> Activity {
        let all = vec![true; returned(function).len()];
        Activity::within(function, Way::Backwards, &all, lookup, &mut Calls::new())
    }

    /// Nothing varies.
    pub fn none() -> Activity {
        Activity { active: HashSet::new() }
    }

    /// `ends` says which arguments vary, or which results are asked about.
    fn within(function: Op, way: Way, ends: &[bool], lookup: Lookup, calls: &mut Calls) -> Activity {
        let mut activity = Activity::none();
        let Some(body) = function.body() else { return activity };
        match way {
            Way::Onwards => {
                let varies = body.arguments().into_iter().zip(ends).filter(|(_, varies)| **varies);
                activity.active.extend(varies.map(|(v, _)| v));
            }
            Way::Backwards => {
                let asked = returned(function).into_iter().zip(ends).filter(|(_, asked)| **asked);
                asked.for_each(|(v, _)| activity.mark(v));
            }
        }
        let mut flows: Vec<Flow> = function.nested_ops().into_iter().flat_map(flows).collect();
        if way == Way::Backwards {
            flows.reverse();
        }
        // Loops carry activity backwards to their own start: repeat until nothing is new. Each round adds a value.
        loop {
            let before = activity.active.len();
            for flow in &flows {
                match *flow {
                    Flow::Direct(from, to) => {
                        let (known, next) = if way == Way::Onwards { (from, to) } else { (to, from) };
                        if activity.is_active(known) {
                            activity.mark(next);
                        }
                    }
                    Flow::Call(op) => activity.call(op, way, lookup, calls),
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

    /// Values of types that carry no derivative vary, too, unless they are integers: what makes them is refused.
    fn mark(&mut self, value: Value) {
        if !value.ty().is_discrete() {
            self.active.insert(value);
        }
    }

    /// Which results of a call vary, or on which operands they depend. A function that calls itself counts as varying: it is
    /// refused where it is differentiated.
    fn call(&mut self, call: Op, way: Way, lookup: Lookup, calls: &mut Calls) {
        let (near, far) = match way {
            Way::Onwards => (call.operands(), call.results()),
            Way::Backwards => (call.results(), call.operands()),
        };
        let near: Vec<bool> = near.into_iter().map(|v| self.is_active(v)).collect();
        if !near.contains(&true) {
            return;
        }
        let reached = called(call, way, near, lookup, calls).unwrap_or_else(|| vec![true; far.len()]);
        far.into_iter().zip(reached).filter(|(_, reached)| *reached).for_each(|(v, _)| self.mark(v));
    }
}

/// `None`: all that there are.
fn called(call: Op, way: Way, near: Vec<bool>, lookup: Lookup, calls: &mut Calls) -> Option<Vec<bool>> {
    let function = lookup(&call.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default())?;
    // Its own rule says how they vary, whatever its body does; without a body nothing is known, and it is refused as well.
    if !rules_of(function).is_empty() || function.body().is_none() {
        return None;
    }
    let key = (function, near);
    if let Some(known) = calls.get(&key) {
        return known.clone();
    }
    calls.insert(key.clone(), None);
    let inner = Activity::within(function, way, &key.1, lookup, calls);
    let ends = match way {
        Way::Onwards => returned(function),
        Way::Backwards => function.body().map(Block::arguments).unwrap_or_default(),
    };
    let reached: Vec<bool> = ends.into_iter().map(|v| inner.is_active(v)).collect();
    calls.insert(key, Some(reached.clone()));
    Some(reached)
}

/// How `op` lets its results, and the arguments of its regions, depend on other values.
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
            let rule = derivatives::rule(op.name());
            if matches!(rule, Some(Rule::Constant)) {
                return Vec::new();
            }
            let mut used = op.operands();
            // An op without a rule may still use, inside, what varies: it must be noticed and refused.
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

/// `scf.while` hands values from its start to `before`, from there to `after` and to the results, and back to `before`.
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

/// A loop whose body has `before` arguments, then the carried values; results beyond those are emitted rows.
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
