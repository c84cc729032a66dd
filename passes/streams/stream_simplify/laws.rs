//! The laws of `spec/streams.md` 4.5: a stream that equals another stream of the node is replaced by it.
//!
//! Some laws make a value known earlier than the semantics requires (4.4): the `post` of a delay, for example, is then
//! known without waiting for the next cycle. Such laws are applied only on request. No law removes an equation of a
//! node whose effect can be observed: a quotient that may fail, or a delay with a name, whose state can be set from
//! outside.

use crate::streams::nodes::clocks::Clocks;
use crate::streams::nodes::graph::{EquationKind, Graph, Var, reach};
use crate::streams::nodes::plan;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The equalities of streams.
pub struct Laws<'a> {
    graph: &'a Graph,
    /// For each stream an equal one.
    to: Vec<Var>,
    /// Delays of literals, which equal the literal, on a clock that their readers determine.
    pub constants: BTreeMap<Var, Var>,
    /// Streams that depend on a quotient.
    may_fail: HashSet<Var>,
    /// Streams that depend on the future; empty if laws may make more cells known.
    open: HashSet<Var>,
    /// True if laws may make more cells known.
    early: bool,
    /// Streams that are the same in all cycles.
    still: HashSet<Var>,
    conditions: HashSet<Var>,
    clocks: &'a Clocks,
}

/// The maximum number of traversals of all equations. They find nearly all equalities; the next iteration finds the
/// rest.
const PASSES: usize = 8;

impl<'a> Laws<'a> {
    /// Computes the equalities of the streams in `needed`; `to` contains the known ones.
    pub fn of(graph: &'a Graph, clocks: &'a Clocks, needed: &BTreeSet<Var>, to: Vec<Var>, early: bool) -> Laws<'a> {
        let conditions = graph.vars().filter_map(|v| match graph.kind(v) {
            EquationKind::When(_) => Some(graph.args(v)[1]),
            EquationKind::Merge => Some(graph.args(v)[0]),
            _ => None,
        });
        let conditions = conditions.flat_map(|c| [c, to[c]]).collect();
        let constants = BTreeMap::new();
        let is_quotient = |v: Var| graph.kind(v) != EquationKind::Input && graph.op(v).kind() == Kind::StreamDiv;
        let is_ahead = |v: Var| !early && graph.kind(v) == EquationKind::Post;
        let (may_fail, open) = (depending(graph, clocks, &is_quotient), depending(graph, clocks, &is_ahead));
        let still = still(graph);
        let mut laws = Laws { graph, to, constants, may_fail, open, early, still, conditions, clocks };
        for _ in 0..PASSES {
            let mut is_new = false;
            for &v in needed {
                is_new |= laws.apply(v);
            }
            if !is_new {
                break;
            }
        }
        laws
    }

    /// Returns the stream that computes the value of `v`.
    pub fn find(&self, v: Var) -> Var {
        let mut v = v;
        while self.to[v] != v {
            v = self.to[v];
        }
        v
    }

    fn arg(&self, v: Var, k: usize) -> Var {
        self.find(self.graph.args(v)[k])
    }

    fn apply(&mut self, v: Var) -> bool {
        if self.to[v] != v || self.constants.contains_key(&v) {
            return false;
        }
        if let Some(literal) = self.stands_still(v) {
            self.constants.insert(v, literal);
            return false;
        }
        let Some(other) = self.equal(v).map(|w| self.find(w)) else { return false };
        // A literal has no clock of its own, and a constant condition makes two clocks equal.
        let is_condition = self.conditions.contains(&v);
        let is_constant = self.graph.constant(other).is_some() && is_condition;
        if other == v || is_constant || self.graph.kind(other) == EquationKind::Literal {
            return false;
        }
        if is_condition {
            self.conditions.insert(other);
        }
        self.to[v] = other;
        true
    }

    /// Returns a stream to which `v` is equal by a law.
    fn equal(&self, v: Var) -> Option<Var> {
        let graph = self.graph;
        match graph.kind(v) {
            EquationKind::Post if self.early => {
                let p = self.arg(v, 0);
                match graph.kind(p) {
                    // Law: post (y fby x) = x.
                    EquationKind::Fby => self.without(v, &[self.arg(p, 0)], self.arg(p, 1)),
                    // Law: post c = c.
                    _ => self.still.contains(&p).then_some(p).and_then(|p| self.without(v, &[], p)),
                }
            }
            // Law: c fby c = c.
            EquationKind::Fby => {
                let (first, next) = (self.arg(v, 0), self.arg(v, 1));
                let is_still = first == next && self.still.contains(&first) && graph.value(v).name().is_none();
                is_still.then_some(first).and_then(|first| self.without(v, &[], first))
            }
            EquationKind::When(holds) => {
                let (x, c) = (self.arg(v, 0), self.arg(v, 1));
                // Law: x when true = x.
                if graph.constant(c) == Some(holds) {
                    return Some(x);
                }
                // Law: merge(c, a, b) when c = a.
                let is_merge = graph.kind(x) == EquationKind::Merge && self.arg(x, 0) == c && !self.open.contains(&c);
                let [chosen, other] = if holds { [1, 2] } else { [2, 1] };
                is_merge.then(|| self.without(v, &[c, self.arg(x, other)], self.arg(x, chosen))).flatten()
            }
            EquationKind::Merge => {
                let [c, a, b] = [0, 1, 2].map(|k| self.arg(v, k));
                // Law: merge(true, a, b) = a.
                if let Some(holds) = graph.constant(c) {
                    let [chosen, other] = if holds { [a, b] } else { [b, a] };
                    return self.without(v, &[other], chosen);
                }
                // Law: merge(c, x when c, x when not c) = x.
                let sampled = |s: Var, holds: bool| {
                    (graph.kind(s) == EquationKind::When(holds) && self.arg(s, 1) == c).then(|| self.arg(s, 0))
                };
                let x = sampled(a, true)?;
                (sampled(b, false) == Some(x) && !self.open.contains(&c)).then(|| self.without(v, &[c], x)).flatten()
            }
            EquationKind::Select => {
                let [c, a, b] = [0, 1, 2].map(|k| self.arg(v, k));
                match graph.constant(c) {
                    // Law: if true then a else b = a.
                    Some(true) => self.without(v, &[b], a),
                    Some(false) => self.without(v, &[a], b),
                    // Law: if c then a else a = a.
                    None => (a == b && !self.open.contains(&c)).then(|| self.without(v, &[c], a)).flatten(),
                }
            }
            _ => None,
        }
    }

    /// Returns `x` as the replacement of `v`, if the removed streams `out` and the conditions of its clock are not
    /// observable.
    fn without(&self, v: Var, out: &[Var], x: Var) -> Option<Var> {
        let conditions = self.clocks.literals(self.clocks.of(v)).map(|l| self.find(l.condition));
        let is_missed = out.iter().copied().chain(conditions).any(|u| self.may_fail.contains(&u));
        (!is_missed).then_some(x)
    }

    /// Returns the literal to which a delay of literals is equal in all cycles.
    fn stands_still(&self, v: Var) -> Option<Var> {
        let graph = self.graph;
        let literal = match graph.kind(v) {
            EquationKind::Post if self.early => self.arg(v, 0),
            EquationKind::Fby if graph.value(v).name().is_none() && self.arg(v, 0) == self.arg(v, 1) => self.arg(v, 0),
            _ => return None,
        };
        let fits = graph.op(literal).kind() == Kind::ArithConstant && !self.conditions.contains(&v);
        (fits && graph.kind(literal) == EquationKind::Literal).then_some(literal).and_then(|c| self.without(v, &[], c))
    }
}

/// Returns the streams that depend on one of some kind, also over time.
fn depending(graph: &Graph, clocks: &Clocks, is_first: &dyn Fn(Var) -> bool) -> HashSet<Var> {
    let first: Vec<Var> = graph.vars().filter(|&v| is_first(v)).collect();
    if first.is_empty() {
        return HashSet::new();
    }
    let mut readers: Vec<Vec<Var>> = vec![vec![]; graph.len()];
    plan::dependences(graph, clocks).iter().for_each(|e| readers[e.to].push(e.from));
    reach(first, |v| readers[v].iter().copied())
}

/// Returns constants, and functions of them. A parameter is not constant, because it may be set during a run.
fn still(graph: &Graph) -> HashSet<Var> {
    let mut readers: Vec<Vec<Var>> = vec![vec![]; graph.len()];
    let mut moving: Vec<usize> = vec![0; graph.len()];
    for v in graph.vars() {
        moving[v] = graph.args(v).len();
        graph.args(v).iter().for_each(|&a| readers[a].push(v));
    }
    let is_function = |v: Var| {
        let op: Op = graph.op(v);
        graph.kind(v) == EquationKind::Pointwise
            && !matches!(op.kind(), Kind::StreamParam | Kind::StreamDiv)
            && op.is_pure()
    };
    let mut open: Vec<Var> = graph.vars().filter(|&v| graph.is_fixed(v)).collect();
    let mut found: HashSet<Var> = open.iter().copied().collect();
    while let Some(v) = open.pop() {
        for &r in &readers[v] {
            moving[r] -= 1;
            if moving[r] == 0 && is_function(r) && found.insert(r) {
                open.push(r);
            }
        }
    }
    found
}
