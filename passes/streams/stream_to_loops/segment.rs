//! Emission of the function that processes a whole sequence: one loop over the cycles for each pass, followed by code
//! that runs once, after the last cycle.

use super::sweep::{Held, Sweep};
use super::values::{copy_of, rows_of, zero};
use super::{Parts, STARTS, WHOLE};
use crate::streams::nodes::clocks::Clock;
use crate::streams::nodes::schedule::{Direction, Key, Scheduler, is_preloaded};
use crate::streams::nodes::segments::Segments;
use crate::streams::{EquationKind, Var};
use mlopt_dialects::ir::Value;
use mlopt_dialects::ops::Kind;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The values that a pass computes.
#[derive(Default)]
struct Wanted {
    keys: Vec<Key>,
    /// The delays that it carries, and the clocks for which it records whether they have ticked.
    carried: Vec<Var>,
    flags: BTreeSet<Clock>,
    /// The values that later passes read, row by row.
    kept: BTreeSet<Var>,
    /// The values that are read after the last cycle.
    last: BTreeSet<Var>,
}

pub(super) struct Segment<'a> {
    parts: &'a Parts<'a>,
    segments: &'a Segments,
    still: HashSet<Var>,
    wanted: Vec<Wanted>,
    schedulers: Vec<Scheduler<'a>>,
    /// The scheduler of the code after the last cycle.
    after: Scheduler<'a>,
    late: Vec<Key>,
    /// For a stream that a forward delay holds in the next cycle, the delay from which it is read after the last cycle.
    held_as: HashMap<Var, Var>,
    outputs: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Segment<'a> {
    /// Creates the function; returns `None` if the passes are not compatible.
    pub fn of(parts: &'a Parts<'a>, segments: &'a Segments) -> Option<Segment<'a>> {
        let (graph, clocks) = (parts.graph, parts.clocks);
        let pass_of = |v: Var| segments.pass.get(&v).copied();
        let still: HashSet<Var> = segments.still.iter().copied().collect();
        let count = segments.pass.values().max().map_or(1, |p| p + 1);
        let schedulers: Vec<Scheduler> = (0..=count)
            .map(|p| {
                let before = segments.pass.iter().filter(|(_, at)| **at < p).map(|(v, _)| *v);
                let given = still.iter().copied().chain(before).collect();
                Scheduler::pass(graph, clocks, Segments::direction(p), given, segments.within.clone())
            })
            .collect();
        let known = segments.valid.iter().chain(&parts.delays).chain(&still).copied().collect();
        let after = Scheduler::pass(graph, clocks, Direction::Forward, known, segments.at_end.clone());
        let late: Vec<Key> = segments.late.iter().map(|&v| Key::Next(v)).collect();
        let mut made = Segment {
            parts,
            segments,
            still,
            wanted: (0..=count).map(|_| Wanted::default()).collect(),
            schedulers,
            after,
            late,
            held_as: HashMap::new(),
            outputs: BTreeMap::new(),
        };
        for &v in parts.delays.iter().chain(&parts.posts).filter(|v| !made.still.contains(v)) {
            // If it is not computed, it is not visible.
            let Some(p) = pass_of(v) else { continue };
            made.wanted[p].carried.push(v);
            made.wanted[p].keys.push(Key::Next(v));
            if graph.kind(v) == EquationKind::Fby {
                let clock = clocks.of(v);
                if parts.flags.contains(&clock) {
                    made.wanted[p].flags.insert(clock);
                    made.wanted[p].keys.push(Key::Ticks(clock));
                }
                let next = made.schedulers[p].source(graph.args(v)[1]);
                if clock == Clock::BASE && pass_of(next) == Some(p) && segments.valid.contains(&next) {
                    made.held_as.entry(next).or_insert(v);
                }
            }
        }
        for (k, (_, v)) in graph.outputs.iter().enumerate() {
            let v = made.schedulers[0].source(*v);
            let p = pass_of(v).unwrap_or(0);
            made.wanted[p].keys.push(Key::Stream(v));
            made.outputs.entry(p).or_default().push(k);
        }
        for (_, _, clock) in parts.presences() {
            let p = made.pass_of_clock(clock);
            made.wanted[p].keys.push(Key::Ticks(clock));
        }
        for &v in &parts.divisions {
            let p = made.pass_of_fault();
            made.wanted[p].keys.push(Key::Fault(v));
        }
        made.after_the_last()?;
        made.rows()?;
        Some(made)
    }

    /// Returns the first pass in which it is known when a clock ticks.
    fn pass_of_clock(&self, clock: Clock) -> usize {
        let conditions = self.parts.clocks.literals(clock).map(|l| self.schedulers[0].source(l.condition));
        conditions.filter_map(|c| self.segments.pass.get(&c).copied()).max().unwrap_or(0)
    }

    /// Returns the pass in which all quotients are computed.
    fn pass_of_fault(&self) -> usize {
        let reads = self.parts.divisions.iter().flat_map(|&v| self.schedulers[0].read_by(Key::Fault(v)));
        reads.filter_map(|v| self.segments.pass.get(&v).copied()).max().unwrap_or(0)
    }

    /// Collects the values that the code after the last cycle reads.
    fn after_the_last(&mut self) -> Option<()> {
        let mut reads = self.after.given_to(&self.late);
        // The values that delays keep if their clock does not tick in the last cycle.
        let sampled = self.segments.late.iter().copied().filter(|&v| self.parts.clocks.of(v) != Clock::BASE);
        for v in sampled {
            if !is_preloaded(self.parts.graph, v) {
                return None;
            }
            reads.insert(v);
        }
        for v in reads {
            let kind = self.parts.graph.kind(v);
            let is_fixed = self.parts.graph.is_fixed(v) || self.still.contains(&v);
            if is_fixed || self.holds_at_end(v).is_some() {
                continue;
            }
            let p = match (kind, self.segments.pass.get(&v)) {
                (EquationKind::Input, _) => 0,
                (_, Some(&p)) if self.segments.valid.contains(&v) || kind == EquationKind::Fby => p,
                _ => return None,
            };
            let p = p + p % 2;
            if !self.held_as.contains_key(&v) {
                self.wanted[p].last.insert(v);
            }
            self.wanted[p].keys.push(Key::Stream(v));
        }
        Some(())
    }

    /// Returns the value of a condition in the last cycle, if it is known statically.
    fn holds_at_end(&self, v: Var) -> Option<bool> {
        let end = self.segments.end;
        let mut around = self.parts.clocks.literals(self.parts.clocks.of(end));
        if v == end { Some(true) } else { around.find(|l| l.condition == v).map(|l| l.holds) }
    }

    /// Collects the rows that passes write for later ones.
    fn rows(&mut self) -> Option<()> {
        for p in (0..self.wanted.len()).rev() {
            for v in self.schedulers[p].given_to(&self.wanted[p].keys) {
                let is_own = self.wanted[p].carried.contains(&v);
                match (self.parts.graph.kind(v), self.segments.pass.get(&v)) {
                    (EquationKind::Input | EquationKind::Literal | EquationKind::Constant, _) => {}
                    _ if is_own || self.still.contains(&v) => {}
                    (_, Some(&q)) if q < p => {
                        self.wanted[q].kept.insert(v);
                        self.wanted[q].keys.push(Key::Stream(v));
                    }
                    _ => return None,
                }
            }
            let unique: BTreeSet<Key> = self.wanted[p].keys.drain(..).collect();
            self.wanted[p].keys.extend(unique);
        }
        Some(())
    }

    /// Writes `@f_segment`. `masked` tells which states have masks elsewhere: after a sequence everything is known.
    pub fn function(&'a self, symbol: &str, masked: &Scheduler) {
        let (parts, graph) = (self.parts, self.parts.graph);
        let mut sweep = Sweep::new(parts, &self.schedulers[0]);
        let mut inputs: HashMap<Var, Value> = HashMap::new();
        for v in graph.inputs() {
            let (name, ty) = (graph.label(v), graph.value(v).ty());
            sweep.arguments.push(format!("input {name}"));
            let location = graph.node.location().unnamed().named(&name);
            inputs.insert(v, sweep.root.add_argument(rows_of(ty), location));
        }
        // A pass that reads no rows iterates over some input.
        let first = graph.inputs().next();
        let (any, any_ty) = match first {
            Some(v) => (inputs[&v], graph.value(v).ty()),
            None => (sweep.cycles(), graph.node.context().index()),
        };
        let (states, flags) = self.states(&mut sweep, masked);
        sweep.constants();
        let always = states.iter().filter(|(v, _)| self.still.contains(v));
        sweep.env.extend(always.map(|(&v, &x)| (Key::Stream(v), x)));
        for &v in self.segments.still.iter().filter(|v| graph.kind(**v) != EquationKind::Fby) {
            let op = graph.op(v);
            let b = sweep.outside().at(op.location());
            let copy = copy_of(b, op, &|x| Some(sweep.value(graph.var(x)?)));
            for (u, new) in graph.results(op).zip(copy.results()) {
                if self.still.contains(&u) {
                    sweep.env.entry(Key::Stream(u)).or_insert(new);
                }
            }
        }
        let outside = sweep.env.clone();
        let mut kept: HashMap<Var, Value> = HashMap::new();
        let mut after: HashMap<Var, Value> = HashMap::new();
        let mut ends: HashMap<Var, Value> = HashMap::new();
        let mut ticked: HashMap<Clock, Value> = HashMap::new();
        let mut outputs: HashMap<usize, Value> = HashMap::new();
        let presences = parts.presences();
        let mut present: HashMap<Clock, Value> = HashMap::new();
        let mut fault = None;
        for (p, wanted) in self.wanted.iter().enumerate() {
            if wanted.keys.is_empty() {
                continue;
            }
            sweep.scheduler = &self.schedulers[p];
            sweep.env = outside.clone();
            let mut reads_rows = false;
            for v in self.schedulers[p].given_to(&wanted.keys) {
                if let Some(&rows) = inputs.get(&v).or(kept.get(&v)) {
                    let row = sweep.row_of(rows, &graph.label(v), graph.value(v).ty());
                    sweep.env.insert(Key::Stream(v), row);
                    reads_rows = true;
                }
            }
            if !reads_rows {
                sweep.row_of(any, "cycle", any_ty);
            }
            for &v in &wanted.carried {
                let first = match (graph.kind(v), self.segments.restarts.get(&v)) {
                    (_, Some(first)) => outside[&Key::Stream(*first)],
                    (EquationKind::Post, None) => zero(sweep.outside(), graph.value(v).ty()),
                    _ => states[&v],
                };
                let value = sweep.carry(&graph.label(v), first);
                sweep.env.insert(Key::Stream(v), value);
                sweep.held.insert(v, Held { value, known: None });
            }
            for &clock in &wanted.flags {
                let value = sweep.carry("ticked", flags[&clock]);
                sweep.flags.insert(clock, Held { value, known: None });
            }
            for &v in &wanted.last {
                let first = zero(sweep.outside(), graph.value(v).ty());
                sweep.carry(&graph.label(v), first);
            }
            let schedule = self.schedulers[p].schedule(&wanted.keys);
            let b = sweep.inside();
            sweep.code(b, &schedule, &schedule.steps);

            let mut yields: Vec<Value> = wanted.carried.iter().map(|&v| sweep.env[&Key::Next(v)]).collect();
            for &clock in &wanted.flags {
                let now = sweep.env[&Key::Ticks(clock)];
                yields.push(b.unary(Kind::ArithOri, &[sweep.flags[&clock].value, now], sweep.bit()));
            }
            yields.extend(wanted.last.iter().map(|&v| sweep.value(v)));
            let carried = yields.len();
            yields.extend(wanted.kept.iter().map(|&v| sweep.value(v)));
            // Values that later passes also read are written once.
            let source = |k: usize| self.schedulers[p].source(graph.outputs[k].1);
            let (shared, own): (Vec<usize>, Vec<usize>) =
                self.outputs.get(&p).into_iter().flatten().partition(|&&k| wanted.kept.contains(&source(k)));
            yields.extend(own.iter().map(|&k| sweep.value(graph.outputs[k].1)));
            let clocks: BTreeSet<Clock> =
                presences.iter().map(|x| x.2).filter(|&c| self.pass_of_clock(c) == p).collect();
            yields.extend(clocks.iter().map(|&c| sweep.env[&Key::Ticks(c)]));
            let fails = !parts.divisions.is_empty() && self.pass_of_fault() == p;
            if fails {
                let code = sweep.fault(b);
                yields.push(code);
            }
            let mut made = sweep.close(&yields, carried).into_iter();
            after.extend(wanted.carried.iter().copied().zip(&mut made));
            ticked.extend(wanted.flags.iter().copied().zip(&mut made));
            ends.extend(wanted.last.iter().copied().zip(&mut made));
            kept.extend(wanted.kept.iter().copied().zip(&mut made));
            outputs.extend(shared.into_iter().map(|k| (k, kept[&source(k)])));
            outputs.extend(own.into_iter().zip(&mut made));
            present.extend(clocks.into_iter().zip(&mut made));
            if fails {
                fault = made.next();
            }
        }
        self.code_after(&mut sweep, outside, &after, &ends);
        let mut results = Vec::new();
        sweep.results.clear();
        for &v in &parts.delays {
            sweep.results.push(format!("state {}", graph.label(v)));
            results.push(match (self.segments.late.contains(&v), after.get(&v)) {
                (true, _) => sweep.env[&Key::Next(v)],
                (_, Some(&value)) => value,
                _ => states[&v],
            });
            if !masked.is_sure_state(v) {
                sweep.results.push(format!("state? {}", graph.label(v)));
                results.push(sweep.outside().bool(true));
            }
        }
        for &clock in &parts.flags {
            let name = parts.flag(clock);
            sweep.results.push(format!("ticked {name}"));
            results.push(ticked[&clock]);
            if !masked.is_sure_clock(clock) {
                sweep.results.push(format!("ticked? {name}"));
                results.push(sweep.outside().bool(true));
            }
        }
        for (k, (name, _)) in graph.outputs.iter().enumerate() {
            sweep.results.push(format!("output {name}"));
            results.push(outputs[&k]);
        }
        for (roles, name, clock) in &presences {
            sweep.results.push(format!("{} {name}", roles[0]));
            results.push(present[clock]);
        }
        if let Some(rows) = fault {
            sweep.results.push("fault".into());
            results.push(rows);
        }
        let function = sweep.end(symbol, &results);
        let context = graph.node.context();
        let starts = self.segments.starts.iter().map(|&v| graph.label(v));
        function.set_attribute(STARTS, context.strings_attr(starts));
        let is_late = |v: &Var| self.segments.pass.get(v).is_some_and(|&p| p > 0);
        if parts.delays.iter().any(is_late) {
            function.set_attribute(WHOLE, context.unit_attr());
        }
        if !parts.divisions.is_empty() {
            parts.name_faults(function);
        }
    }

    /// Adds states and flags as arguments, with masks where sweeps have them.
    fn states(&self, sweep: &mut Sweep, masked: &Scheduler) -> (HashMap<Var, Value>, HashMap<Clock, Value>) {
        let (parts, bit) = (self.parts, sweep.bit());
        let (mut states, mut flags) = (HashMap::new(), HashMap::new());
        for &v in &parts.delays {
            let name = parts.graph.label(v);
            states.insert(v, sweep.argument("state", &name, parts.graph.value(v).ty()));
            if !masked.is_sure_state(v) {
                sweep.argument("state?", &name, bit);
            }
        }
        for &clock in &parts.flags {
            let name = parts.flag(clock);
            flags.insert(clock, sweep.argument("ticked", &name, bit));
            if !masked.is_sure_clock(clock) {
                sweep.argument("ticked?", &name, bit);
            }
        }
        (states, flags)
    }

    /// Writes the code after the last cycle, for the next sequence.
    fn code_after(
        &'a self,
        sweep: &mut Sweep<'a>,
        outside: HashMap<Key, Value>,
        after: &HashMap<Var, Value>,
        ends: &HashMap<Var, Value>,
    ) {
        sweep.scheduler = &self.after;
        sweep.env = outside;
        sweep.env.extend(ends.iter().map(|(&v, &x)| (Key::Stream(v), x)));
        let held = self.held_as.iter().filter(|(v, _)| self.after.is_given(**v));
        sweep.env.extend(held.map(|(&v, d)| (Key::Stream(v), after[d])));
        for v in self.after.given_to(&self.late) {
            if let Some(holds) = self.holds_at_end(v) {
                let value = sweep.outside().bool(holds);
                sweep.env.insert(Key::Stream(v), value);
            }
        }
        for &v in &self.segments.late {
            if let Some(&value) = sweep.env.get(&Key::Stream(v)) {
                sweep.held.insert(v, Held { value, known: None });
            }
        }
        let schedule = self.after.schedule(&self.late);
        let b = sweep.outside();
        sweep.code(b, &schedule, &schedule.steps);
    }
}

/// Writes `@f_ends`, which returns in which cycles sequences end, with the same arguments.
pub(super) fn ends(segment: &Segment, symbol: &str, masked: &Scheduler) {
    let parts = segment.parts;
    let graph = parts.graph;
    let end = segment.segments.end;
    let clock = parts.clocks.of(end);
    let mut wanted = vec![Key::Stream(end), Key::Ticks(clock)];
    let delays = loop {
        let delays = masked.delays(&wanted);
        let all = delays.iter().flat_map(|&v| [Key::Next(v), Key::Ticks(parts.clocks.of(v))]);
        let more: Vec<Key> = all.filter(|k| !wanted.contains(k)).collect();
        if more.is_empty() {
            break delays;
        }
        wanted.extend(more);
    };
    let mut sweep = Sweep::new(parts, masked);
    sweep.inputs();
    let (states, flags) = segment.states(&mut sweep, masked);
    for &v in &delays {
        let value = sweep.carry(&graph.label(v), states[&v]);
        sweep.env.insert(Key::Stream(v), value);
        sweep.held.insert(v, Held { value, known: None });
    }
    let clocks: BTreeSet<Clock> =
        delays.iter().map(|&v| parts.clocks.of(v)).filter(|c| parts.flags.contains(c)).collect();
    for &c in &clocks {
        let value = sweep.carry("ticked", flags[&c]);
        sweep.flags.insert(c, Held { value, known: None });
    }
    sweep.constants();
    let schedule = masked.schedule(&wanted);
    let b = sweep.inside();
    sweep.code(b, &schedule, &schedule.steps);
    let mut yields: Vec<Value> = delays.iter().map(|&v| sweep.env[&Key::Next(v)]).collect();
    for &c in &clocks {
        let now = sweep.env[&Key::Ticks(c)];
        yields.push(b.unary(Kind::ArithOri, &[sweep.flags[&c].value, now], sweep.bit()));
    }
    let carried = yields.len();
    let there = sweep.env[&Key::Ticks(clock)];
    yields.push(b.unary(Kind::ArithAndi, &[sweep.value(end), there], sweep.bit()));
    let made = sweep.close(&yields, carried).split_off(carried);
    sweep.results = vec!["end".into()];
    sweep.end(symbol, &made);
}
