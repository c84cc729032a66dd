//! Execution of whole sequences (`spec/streams.md` 6.4). If a condition ends each sequence, and no value depends on the
//! next sequence, then a sequence is processed by alternating forward and backward passes over its cycles, and each
//! equation is computed in one of these passes.
//!
//! As in the productivity analysis, the first and the last cycle of a sequence are distinguished from the others.
//! Before the last cycle the condition that ends the sequence is false, so a choice by this condition has only one
//! operand there. A state that changes only at the end of a sequence is constant within it.

use super::clocks::{Clock, Clocks, Literal};
use super::graph::{EquationKind, Graph, Var, components};
use super::plan::{self, Edge, Link, Plan, TotalShift, all_circles, last_of, reset_of, sampled_from};
use super::schedule::{Direction, Key, Scheduler, is_preloaded, source};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The execution of a sequence.
pub struct Segments {
    /// True in the last cycle of each sequence.
    pub end: Var,
    /// The pass in which a stream is computed, from 0: even ones go forward. Missing streams are computed only after
    /// the last cycle.
    pub pass: HashMap<Var, usize>,
    /// Streams that are constant within a sequence, besides literals: each after its dependences.
    pub still: Vec<Var>,
    /// Choices that equal one of their operands wherever passes compute them.
    pub within: HashMap<Var, Var>,
    /// The same in the last cycle, for streams that are computed after it.
    pub at_end: HashMap<Var, Var>,
    /// Streams whose value in the last cycle is also computed by passes.
    pub valid: HashSet<Var>,
    /// Delays that start each sequence from a constant value.
    pub restarts: HashMap<Var, Var>,
    /// Delays that are true in the first cycle of a sequence.
    pub starts: Vec<Var>,
    /// Delays whose next value is computed after the last cycle.
    pub late: BTreeSet<Var>,
}

impl Segments {
    /// Computes the execution of a program whose outputs need `needed`; returns `None` if sequences cannot be executed
    /// one by one.
    pub fn of(graph: &Graph, clocks: &Clocks, plan: &Plan, needed: &[Var]) -> Option<Segments> {
        let ends: BTreeSet<Var> = plan.breaks.iter().filter_map(|b| last_of(graph, b.when)).collect();
        let mut edges: HashMap<Var, Vec<Edge>> = HashMap::new();
        plan::dependences(graph, clocks).into_iter().for_each(|e| edges.entry(e.from).or_default().push(e));
        // One condition ends all recurrences, or some of their sequences are parts of others.
        ends.into_iter().take(MOST_ENDS).find_map(|end| {
            let around = clocks.literals(clocks.of(end)).collect();
            let promised = plan.promise.as_ref().filter(|p| p.boundary == end).map_or(&[][..], |p| &p.constant);
            let still = HashSet::new();
            let mut sequences = Sequences { graph, clocks, edges: &edges, needed, end, around, promised, still };
            sequences.still = needed.iter().copied().filter(|&v| sequences.holds_still(v)).collect();
            sequences.segments()
        })
    }

    pub fn direction(pass: usize) -> Direction {
        if pass.is_multiple_of(2) { Direction::Forward } else { Direction::Backward }
    }
}

/// The position of a cycle in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum CyclePosition {
    First,
    Middle,
    Last,
    /// The first and the last cycle.
    Only,
}
use CyclePosition::*;

impl CyclePosition {
    const ALL: [CyclePosition; 4] = [First, Middle, Last, Only];

    fn is_end(self) -> bool {
        matches!(self, Last | Only)
    }
}

/// The dependences of streams in such cycles, each with the number of cycles back.
type Reached = BTreeMap<(Var, CyclePosition), Vec<((Var, CyclePosition), i64)>>;

/// A stream in the last cycle, or before it.
type Part = (Var, bool);

struct Sequences<'a> {
    graph: &'a Graph,
    clocks: &'a Clocks,
    edges: &'a HashMap<Var, Vec<Edge>>,
    needed: &'a [Var],
    end: Var,
    /// The conditions that hold if `end` is present.
    around: Vec<Literal>,
    /// Conditions that do not change within a sequence.
    promised: &'a [Var],
    /// Delays that are constant within a sequence.
    still: HashSet<Var>,
}

impl Sequences<'_> {
    fn edges(&self, v: Var) -> &[Edge] {
        self.edges.get(&v).map_or(&[], |e| e)
    }

    fn is_base(&self, v: Var) -> bool {
        self.clocks.of(v) == Clock::BASE
    }

    /// Checks whether a condition may have this value in such a cycle.
    fn may_hold(&self, l: Literal, at: CyclePosition) -> bool {
        let v = sampled_from(self.graph, l.condition);
        let around = self.around.iter().find(|a| a.condition == v).filter(|_| at.is_end());
        // On a slower clock the first cycle of a sequence may come later.
        let is_first = reset_of(self.graph, v) == Some(self.end) && self.is_base(v) && self.is_base(self.end);
        match self.graph.constant(v) {
            Some(b) => b == l.holds,
            None if v == self.end => l.holds == at.is_end(),
            None if around.is_some_and(|a| a.holds != l.holds) => false,
            None if is_first => l.holds == matches!(at, First | Only),
            None => true,
        }
    }

    fn may_tick(&self, v: Var, at: CyclePosition) -> bool {
        self.clocks.literals(self.clocks.of(v)).all(|l| self.may_hold(l, at))
    }

    /// Returns the operand of a choice in all these cycles, if there is only one.
    fn chosen(&self, v: Var, all: &[CyclePosition]) -> Option<Var> {
        if !matches!(self.graph.kind(v), EquationKind::Merge | EquationKind::Select) {
            return None;
        }
        let args = self.graph.args(v);
        let may_be = |holds: bool| all.iter().any(|&at| self.may_hold(Literal { condition: args[0], holds }, at));
        match (may_be(true), may_be(false)) {
            (true, false) => Some(args[1]),
            (false, true) => Some(args[2]),
            _ => None,
        }
    }

    /// Returns the stream that computes the value of `v` before the last cycle.
    fn resolved(&self, v: Var) -> Var {
        let mut v = source(self.graph, v);
        while let Some(u) = self.chosen(v, &[First, Middle]) {
            v = source(self.graph, u);
        }
        v
    }

    fn is_still(&self, v: Var) -> bool {
        self.still.contains(&v)
    }

    /// Checks whether a delay is constant within a sequence.
    fn holds_still(&self, v: Var) -> bool {
        self.graph.kind(v) == EquationKind::Fby
            && is_preloaded(self.graph, v)
            && (self.resolved(self.graph.args(v)[1]) == v || ![First, Middle].iter().any(|&at| self.may_tick(v, at)))
    }

    /// Returns the dependences of a stream in such a cycle, each with the number of cycles back; `None` if one is
    /// outside of the sequence.
    fn needs(&self, v: Var, at: CyclePosition) -> Option<Vec<((Var, CyclePosition), i64)>> {
        let mut all = Vec::new();
        for e in self.edges(v) {
            let is_out = e.guard.is_some_and(|g| !self.may_hold(g, at)) || e.is_initial && is_preloaded(self.graph, v);
            if is_out || e.is_initial && self.is_base(v) && !matches!(at, First | Only) {
                continue;
            }
            let places: &[CyclePosition] = match (e.shift, at) {
                (0, _) => &[at],
                _ if self.is_still(v) => &[],
                (1, First | Only) => &[],
                (1, _) => &[First, Middle],
                _ if at.is_end() || !self.comes_by_the_end(v) => return None,
                _ => &[Middle, Last],
            };
            let there = places.iter().filter(|&&p| p == at || self.may_tick(e.to, p));
            all.extend(there.map(|&p| ((e.to, p), e.shift)));
        }
        Some(all)
    }

    /// Checks whether the clock of a stream ticks in the last cycle of every sequence in which it ticks at all.
    fn comes_by_the_end(&self, v: Var) -> bool {
        let is_kept = |l: Literal| self.around.contains(&l) || self.promised.contains(&l.condition);
        self.clocks.literals(self.clocks.of(v)).all(is_kept)
    }

    fn segments(&self) -> Option<Segments> {
        let graph = self.graph;
        let conditions = |v: Var| self.clocks.literals(self.clocks.of(v)).map(|l| l.condition);
        let is_delay = |v: &Var| matches!(graph.kind(*v), EquationKind::Fby | EquationKind::Post);
        let (still, moving): (Vec<Var>, Vec<Var>) =
            self.needed.iter().copied().filter(is_delay).partition(|&v| self.is_still(v));
        // The streams that every cycle needs: outputs, the presence of outputs and inputs, quotients, which may fail,
        // and delays.
        let mut shown: Vec<Var> = graph.outputs.iter().map(|o| o.1).chain(conditions(self.end)).collect();
        shown.push(self.end);
        let times = graph.outputs.iter().map(|o| o.1).chain(graph.inputs()).chain(moving.iter().copied());
        shown.extend(times.flat_map(conditions));
        shown.extend(self.needed.iter().copied().filter(|&v| graph.op(v).kind() == Kind::StreamDiv));
        let holds = |v: &Var| graph.kind(*v) == EquationKind::Fby;
        shown.extend(moving.iter().copied().filter(holds));
        let at_all =
            |v: Var| CyclePosition::ALL.into_iter().filter(move |&at| self.may_tick(v, at)).map(move |at| (v, at));
        let mut roots: Vec<(Var, CyclePosition)> = shown.iter().flat_map(|&v| at_all(v)).collect();
        // The next values of delays, also for the next sequence.
        let fbys = || still.iter().chain(&moving).copied().filter(holds);
        for v in fbys() {
            let is_still = self.is_still(v);
            roots.extend(at_all(v).filter(|p| p.1.is_end() || !is_still).map(|(_, at)| (graph.args(v)[1], at)));
        }
        let mut reached = Reached::new();
        let mut open = roots;
        while let Some(pair) = open.pop() {
            if let Entry::Vacant(entry) = reached.entry(pair) {
                let needs = entry.insert(self.needs(pair.0, pair.1)?);
                open.extend(needs.iter().map(|n| n.0));
            }
        }
        let shown_at_end = self.read_at_end(&reached, &shown);
        let levels = Levels::of(self, &reached, &shown_at_end)?;
        if [self.end].into_iter().chain(conditions(self.end)).any(|v| levels.highest(v) != Some(0)) {
            return None;
        }
        let mut pass: HashMap<Var, usize> = HashMap::new();
        for &(v, _) in reached.keys() {
            let at_end = levels.at.get(&(v, true)).filter(|_| shown_at_end.contains(&v));
            if let Some(&level) = levels.at.get(&(v, false)).max(at_end) {
                pass.insert(v, level);
            }
        }
        let valid = self.valid(&reached, &levels, &pass, &shown_at_end);
        if shown_at_end.iter().any(|v| !valid.contains(v)) {
            return None;
        }
        let choices = || {
            self.needed.iter().copied().filter(|&v| matches!(graph.kind(v), EquationKind::Merge | EquationKind::Select))
        };
        let mut within: HashMap<Var, Var> = HashMap::new();
        for v in choices().filter(|v| pass.contains_key(v)) {
            let is_place = |at: &CyclePosition| reached.contains_key(&(v, *at)) && (!at.is_end() || valid.contains(&v));
            let places: Vec<CyclePosition> = CyclePosition::ALL.into_iter().filter(is_place).collect();
            within.extend(self.chosen(v, &places).map(|u| (v, u)));
        }
        let at_end = choices().filter_map(|v| Some((v, self.chosen(v, &[Last, Only])?))).collect();
        let hands_on_late = |v: &Var| {
            let ticks_at_end = self.may_tick(*v, Last) || self.may_tick(*v, Only);
            ticks_at_end && (self.is_still(*v) || !valid.contains(&graph.args(*v)[1]))
        };
        let late: BTreeSet<Var> = fbys().filter(hands_on_late).collect();
        let is_start = |v: &Var| reset_of(graph, *v) == Some(self.end) && self.is_base(*v) && self.is_base(self.end);
        let starts = fbys().filter(is_start).collect();
        let mut made = Segments {
            end: self.end,
            pass,
            still: self.hoisted(&still),
            within,
            at_end,
            valid,
            restarts: HashMap::new(),
            starts,
            late,
        };
        let Segments { pass, still, .. } = &mut made;
        pass.retain(|v, _| !still.contains(v));
        self.restart(&mut made, &moving);
        self.sink(&mut made);
        Some(made)
    }

    /// Returns the streams that are read in the last cycle to compute `roots` there, and those that the cycle before
    /// reads.
    fn read_at_end(&self, reached: &Reached, roots: &[Var]) -> HashSet<Var> {
        let mut open: Vec<(Var, CyclePosition)> = roots.iter().flat_map(|&v| [(v, Last), (v, Only)]).collect();
        open.extend(reached.values().flatten().filter(|n| n.1 < 0 && n.0.1.is_end()).map(|n| n.0));
        let mut seen: HashSet<(Var, CyclePosition)> = HashSet::new();
        while let Some(pair) = open.pop() {
            let Some(needs) = reached.get(&pair) else { continue };
            if seen.insert(pair) {
                open.extend(needs.iter().filter(|n| n.1 == 0).map(|n| n.0));
            }
        }
        seen.into_iter().map(|p| p.0).collect()
    }

    /// Returns the streams whose value in the last cycle is computed by their pass.
    fn valid(
        &self,
        reached: &Reached,
        levels: &Levels,
        pass: &HashMap<Var, usize>,
        shown_at_end: &HashSet<Var>,
    ) -> HashSet<Var> {
        let readers = self.readers();
        // Streams that only determine the next value of a delay are computed once, after the last cycle.
        let turns = |v: Var| {
            let [within, at_end] = [[First, Middle], [Last, Only]].map(|all| self.chosen(v, &all));
            let hands_on =
                |&r: &Var| self.graph.kind(r) == EquationKind::Fby && source(self.graph, self.graph.args(r)[1]) == v;
            within.is_some()
                && at_end.is_some()
                && within != at_end
                && !shown_at_end.contains(&v)
                && readers.get(&v).is_none_or(|all| all.iter().all(hands_on))
        };
        let is_fixed = |v: Var| self.graph.kind(v) == EquationKind::Input || self.graph.is_fixed(v);
        let is_early = |v: Var| match (pass.get(&v), levels.at.get(&(v, true))) {
            _ if is_fixed(v) => true,
            (Some(p), Some(at_end)) => at_end <= p && !turns(v),
            _ => false,
        };
        let mut valid: HashSet<Var> = reached.keys().filter(|p| p.1.is_end() && is_early(p.0)).map(|p| p.0).collect();
        let mut breaks: HashMap<Var, Vec<Var>> = HashMap::new();
        let mut broken: Vec<Var> = Vec::new();
        for (&(v, _), needs) in reached.iter().filter(|r| r.0.1.is_end() && valid.contains(&r.0.0)) {
            for &((u, _), _) in needs.iter().filter(|n| n.1 == 0) {
                breaks.entry(u).or_default().push(v);
                if !valid.contains(&u) || pass.get(&u) > pass.get(&v) && !is_fixed(u) {
                    broken.push(v);
                }
            }
        }
        while let Some(v) = broken.pop() {
            if valid.remove(&v) {
                broken.extend(breaks.get(&v).into_iter().flatten());
            }
        }
        valid
    }

    /// Returns the constant delays, and functions of them.
    fn hoisted(&self, delays: &[Var]) -> Vec<Var> {
        let graph = self.graph;
        let is_function = |v: Var| graph.kind(v) == EquationKind::Pointwise && !is_fallible(graph, v);
        let reads = |v: Var| -> BTreeSet<Var> {
            graph.args(v).iter().map(|&a| source(graph, a)).filter(|&a| !graph.is_fixed(a)).collect()
        };
        let readers = self.readers();
        let mut missing: HashMap<Var, usize> =
            self.needed.iter().filter(|&&v| is_function(v)).map(|&v| (v, reads(v).len())).collect();
        let mut still: Vec<Var> = delays.to_vec();
        let mut next = 0;
        while let Some(&v) = still.get(next) {
            next += 1;
            for &r in readers.get(&v).into_iter().flatten() {
                if let Some(count) = missing.get_mut(&r) {
                    *count -= 1;
                    still.extend((*count == 0).then_some(r));
                }
            }
        }
        still
    }

    /// Returns the readers of each stream, through sampling.
    fn readers(&self) -> HashMap<Var, BTreeSet<Var>> {
        let mut readers: HashMap<Var, BTreeSet<Var>> = HashMap::new();
        for &v in self.needed.iter().filter(|&&v| source(self.graph, v) == v) {
            for &a in self.graph.args(v) {
                readers.entry(source(self.graph, a)).or_default().insert(v);
            }
        }
        readers
    }

    /// Replaces a choice between a constant value in the first or last cycle and a delay elsewhere by that delay, if it
    /// starts each sequence from that value.
    fn restart(&self, made: &mut Segments, moving: &[Var]) {
        let graph = self.graph;
        let readers = self.readers();
        let is_shown = |d: Var| graph.outputs.iter().any(|o| source(graph, o.1) == d);
        let is_open =
            |x: &Var| matches!(graph.kind(*x), EquationKind::Merge | EquationKind::Select) && self.is_base(*x);
        for &x in self.needed.iter().filter(|x| is_open(x)) {
            let args = graph.args(x);
            let [first, held] = [args[1], args[2]].map(|a| source(graph, a));
            let condition = sampled_from(graph, args[0]);
            let fits = match graph.kind(held) {
                EquationKind::Fby => made.starts.contains(&condition) && is_preloaded(self.graph, held),
                EquationKind::Post => condition == self.end && self.is_base(self.end),
                _ => false,
            };
            if fits
                && !made.within.contains_key(&x)
                && graph.is_fixed(first)
                && moving.contains(&held)
                && self.is_base(held)
                && readers[&held].iter().all(|&r| r == x)
                && !is_shown(held)
                && made.pass.get(&held) == made.pass.get(&x)
            {
                made.within.insert(x, held);
                made.restarts.insert(held, first);
                if graph.kind(held) == EquationKind::Fby {
                    made.at_end.insert(x, held);
                }
            }
        }
    }

    /// Moves functions whose rows would be larger than those of their operands to their uses.
    fn sink(&self, made: &mut Segments) {
        let graph = self.graph;
        let shown: HashSet<Var> = graph.outputs.iter().map(|o| source(graph, o.1)).collect();
        let still: HashSet<Var> = made.still.iter().copied().collect();
        let bytes = |v: Var| graph.value(v).ty().shape().iter().map(|n| n.unwrap_or(1)).product::<usize>();
        let scheduler = Scheduler::pass(graph, self.clocks, Direction::Forward, HashSet::new(), made.within.clone());
        let mut reads: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
        for &v in made.pass.keys().filter(|&&v| scheduler.source(v) == v) {
            let mut all = scheduler.read_by(Key::Stream(v));
            if matches!(graph.kind(v), EquationKind::Fby | EquationKind::Post) {
                all.extend(scheduler.read_by(Key::Next(v)));
            }
            reads.insert(v, all);
        }
        let links = reads.iter().flat_map(|(&v, all)| all.iter().map(move |&u| (v, u)));
        let mut order: Vec<Var> = components(reads.keys().copied(), links).into_iter().flatten().collect();
        order.reverse();
        let mut first_reader: HashMap<Var, usize> = HashMap::new();
        for v in order {
            let is_row = |u: &Var| !still.contains(u) && graph.kind(*u) != EquationKind::Input && !graph.is_fixed(*u);
            let held: usize = scheduler.read_by(Key::Stream(v)).into_iter().filter(is_row).map(bytes).sum();
            let is_function = graph.kind(v) == EquationKind::Pointwise && !is_fallible(graph, v);
            let later = first_reader.get(&v).copied().filter(|r| *r > made.pass[&v]);
            if let Some(later) =
                later.filter(|_| is_function && held <= bytes(v) && !shown.contains(&v) && v != self.end)
            {
                made.pass.insert(v, later);
            }
            let at = made.pass[&v];
            for &u in &reads[&v] {
                first_reader.entry(u).and_modify(|first| *first = at.min(*first)).or_insert(at);
            }
        }
    }
}

/// Checks whether an equation is more than a function of its operands: a parameter, or a quotient that may fail.
fn is_fallible(graph: &Graph, v: Var) -> bool {
    matches!(graph.op(v).kind(), Kind::StreamParam | Kind::StreamDiv)
}

/// The passes in which parts of streams can be computed.
struct Levels {
    at: HashMap<Part, usize>,
}

impl Levels {
    /// Computes the passes. `shown` must be known in the last cycle if they are known before.
    fn of(s: &Sequences, reached: &Reached, shown: &HashSet<Var>) -> Option<Levels> {
        let part = |p: (Var, CyclePosition)| (p.0, p.1.is_end());
        let mut links: BTreeSet<Link<Part>> = BTreeSet::new();
        for (&from, needs) in reached {
            links.extend(needs.iter().map(|&(to, shift)| (part(from), part(to), shift)));
        }
        let parts: BTreeSet<Part> = reached.keys().map(|&p| part(p)).collect();
        let all = components(parts.iter().copied(), links.iter().map(|l| (l.0, l.1)));
        let home: HashMap<Part, usize> =
            all.iter().enumerate().flat_map(|(k, c)| c.iter().map(move |&p| (p, k))).collect();
        let mut inside: Vec<Vec<Link<Part>>> = vec![vec![]; all.len()];
        let mut outside: Vec<BTreeSet<Part>> = vec![BTreeSet::new(); all.len()];
        for &(a, b, shift) in &links {
            if home[&a] == home[&b] {
                inside[home[&a]].push((a, b, shift));
            } else {
                outside[home[&a]].insert(b);
            }
        }
        // Even passes go forward: those of components that contain a `fby`; the others go backward.
        let mut parity: Vec<Option<usize>> = Vec::new();
        for (c, own) in all.iter().zip(&inside) {
            let holds = |kind: EquationKind| c.iter().any(|p| s.graph.kind(p.0) == kind && !s.is_still(p.0));
            let shifts = [(EquationKind::Fby, TotalShift::Forward), (EquationKind::Post, TotalShift::Backward)];
            let found: Vec<usize> = (0..2).filter(|&k| holds(shifts[k].0)).collect();
            parity.push(match found[..] {
                [] if own.is_empty() => None,
                [k] if own.is_empty() || all_circles(c, own, shifts[k].1) => Some(k),
                _ => return None,
            });
        }
        let mut floor: Vec<usize> = vec![0; all.len()];
        // Each iteration lifts a stream by a pass or more; programs of many passes are better executed by sweeps.
        for _ in 0..MOST_PASSES * 4 {
            let mut level: Vec<usize> = Vec::with_capacity(all.len());
            for k in 0..all.len() {
                let reads = outside[k].iter().map(|p| level[home[p]]).max().unwrap_or(0).max(floor[k]);
                level.push(reads + parity[k].map_or(0, |p| (reads + p) % 2));
            }
            if level.iter().any(|&l| l >= MOST_PASSES) {
                return None;
            }
            let mut is_stable = true;
            for &v in parts.iter().filter(|p| p.1).map(|p| &p.0) {
                let Some(&before) = home.get(&(v, false)) else { continue };
                let last = home[&(v, true)];
                let is_together =
                    shown.contains(&v) || matches!(s.graph.kind(v), EquationKind::Fby | EquationKind::Post);
                if level[last] < level[before] {
                    floor[last] = level[before];
                    is_stable = false;
                } else if level[before] < level[last] && is_together && !s.is_still(v) {
                    floor[before] = level[last];
                    is_stable = false;
                }
            }
            if is_stable {
                return Some(Levels { at: home.into_iter().map(|(p, k)| (p, level[k])).collect() });
            }
        }
        None
    }

    fn highest(&self, v: Var) -> Option<usize> {
        [false, true].into_iter().filter_map(|side| self.at.get(&(v, side)).copied()).max()
    }
}

/// The maximum number of conditions that are tried.
const MOST_ENDS: usize = 4;

/// The maximum number of passes over a sequence. With more, sweeps with masks are better.
const MOST_PASSES: usize = 16;
