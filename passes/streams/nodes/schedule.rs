//! Schedules of the cycles of a node: straight-line code under conditions (`spec/streams.md` 6.2). Equations on the
//! same clock are together, each after the equations that it depends on.
//!
//! A sweep (not an op of the dialect `sweep`) runs over some cycles, forward or backward. A forward sweep carries the
//! values of `stream.fby`, and reads those of `stream.post` as inputs; a backward sweep does the reverse. A value that
//! depends on later cycles may be unknown, so each such stream has a mask of known values. Forward and backward sweeps
//! alternate until no further value becomes known, which is the least fixpoint (4.1).

use super::clocks::{Clock, Clocks, Literal};
use super::graph::{EquationKind, Graph, Var, reach};
use mlopt_dialects::ops::{HasKind, Kind};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A value that is computed in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// The value of a stream where it is present.
    Stream(Var),
    /// The mask that tells whether it is known.
    Known(Var),
    /// The next value of a delay, in the cycles in which its clock ticks.
    Next(Var),
    /// The mask that tells whether it is known.
    NextKnown(Var),
    /// The condition that a clock ticks, as far as known.
    Ticks(Clock),
    /// The mask that tells whether it is known.
    TicksKnown(Clock),
    /// The condition that a division fails.
    Fault(Var),
}

/// A step of the code of a block.
pub enum Step {
    Compute(Key),
    /// A choice, by its number: see [`Schedule::choices`].
    Choice(usize),
}

/// Code under a condition, and under its negation.
pub struct Choice {
    pub condition: Var,
    /// The arms for a false or unknown condition, and for a true one.
    pub arms: [Vec<Step>; 2],
    /// The values that are read outside of it.
    pub results: Vec<Export>,
}

/// A result of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The value is computed in this arm.
    Value(Key, bool),
    /// `stream.merge`: each arm has another operand.
    Merge(Var),
    /// The mask that tells whether the merge is known.
    MergeKnown(Var),
}

pub struct Schedule {
    pub steps: Vec<Step>,
    pub choices: Vec<Choice>,
}

/// The position of an item: choices from outside to inside, each with the arm.
type Path = Vec<(usize, bool)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

pub struct Scheduler<'a> {
    pub graph: &'a Graph,
    pub clocks: &'a Clocks,
    pub direction: Direction,
    /// Streams that depend on the future.
    ahead: HashSet<Var>,
    /// Further streams that are available before the cycle, because an earlier pass over the same cycles computed them.
    given: HashSet<Var>,
    /// Streams that are equal to others in all cycles of the sweep.
    aliases: HashMap<Var, Var>,
}

impl<'a> Scheduler<'a> {
    pub fn new(graph: &'a Graph, clocks: &'a Clocks, direction: Direction) -> Scheduler<'a> {
        let mut readers: HashMap<Var, Vec<Var>> = HashMap::new();
        // The value of an input is available, although it may be unknown whether its clock ticks.
        let is_given = |v: Var| graph.kind(v) == EquationKind::Input || graph.is_fixed(v);
        for v in graph.vars().filter(|&v| !is_given(v)) {
            let conditions = clocks.literals(clocks.of(v)).map(|l| l.condition);
            graph.args(v).iter().copied().chain(conditions).for_each(|a| readers.entry(a).or_default().push(v));
        }
        let posts = graph.vars().filter(|&v| graph.kind(v) == EquationKind::Post);
        let ahead = reach(posts, |v| readers.get(&v).into_iter().flatten().copied());
        Scheduler { graph, clocks, direction, ahead, given: HashSet::new(), aliases: HashMap::new() }
    }

    /// Creates a scheduler for one of several passes over the same cycles, in which all values are known.
    pub fn pass(
        graph: &'a Graph,
        clocks: &'a Clocks,
        direction: Direction,
        given: HashSet<Var>,
        aliases: HashMap<Var, Var>,
    ) -> Scheduler<'a> {
        Scheduler { graph, clocks, direction, ahead: HashSet::new(), given, aliases }
    }

    /// Returns the stream that computes the value of `v` where it is present.
    pub fn source(&self, v: Var) -> Var {
        let mut v = source(self.graph, v);
        while let Some(&other) = self.aliases.get(&v) {
            v = source(self.graph, other);
        }
        v
    }

    /// Checks whether a stream is known in every cycle of the sweep.
    pub fn is_sure(&self, v: Var) -> bool {
        !self.ahead.contains(&self.source(v))
    }

    /// Checks whether it is known in every cycle whether a clock ticks.
    pub fn is_sure_clock(&self, clock: Clock) -> bool {
        self.clocks.literals(clock).all(|l| self.is_sure(l.condition))
    }

    /// Checks whether the state of a delay is always known.
    pub fn is_sure_state(&self, v: Var) -> bool {
        !self.ahead.contains(&v)
    }

    /// Checks whether the value of `v` is available before the cycle: an input, a delay, or a value that is the same in
    /// all cycles.
    pub fn is_given(&self, v: Var) -> bool {
        match self.graph.kind(v) {
            _ if self.given.contains(&v) => true,
            EquationKind::Input | EquationKind::Literal | EquationKind::Constant | EquationKind::Post => true,
            EquationKind::Fby => self.direction == Direction::Backward || is_preloaded(self.graph, v),
            _ => false,
        }
    }

    /// Returns the next value of a delay.
    pub fn handed_on(&self, v: Var) -> Var {
        self.graph.args(v)[if self.graph.kind(v) == EquationKind::Fby { 1 } else { 0 }]
    }

    fn clock(&self, key: Key) -> Clock {
        match key {
            Key::Stream(v) | Key::Known(v) | Key::Next(v) | Key::NextKnown(v) | Key::Fault(v) => self.clocks.of(v),
            Key::Ticks(clock) | Key::TicksKnown(clock) => clock,
        }
    }

    /// Returns the keys that must be computed before, in the same cycle.
    fn reads(&self, key: Key) -> Vec<Key> {
        let all: BTreeSet<Key> = self.all_reads(key).into_iter().filter_map(|k| self.computed(k)).collect();
        all.into_iter().collect()
    }

    /// Returns the streams from which a key is computed in the same cycle.
    pub fn read_by(&self, key: Key) -> BTreeSet<Var> {
        let stream = |k: Key| match k {
            Key::Stream(v) | Key::Known(v) => Some(self.source(v)),
            _ => None,
        };
        self.all_reads(key).into_iter().filter_map(stream).collect()
    }

    /// Returns the keys that must be available in the same cycle.
    fn all_reads(&self, key: Key) -> Vec<Key> {
        let graph = self.graph;
        let is_first = |v: Var| graph.kind(v) == EquationKind::Fby;
        let mut all: Vec<Key> = Vec::new();
        match key {
            Key::Stream(v) | Key::Known(v) if is_first(v) => {
                let first = graph.args(v)[0];
                all.push(if matches!(key, Key::Stream(_)) { Key::Stream(first) } else { Key::Known(first) });
            }
            Key::Stream(v) => all.extend(graph.args(v).iter().map(|&a| Key::Stream(a))),
            Key::Known(v) => {
                all.extend(graph.args(v).iter().map(|&a| Key::Known(a)));
                if let EquationKind::Merge | EquationKind::Select = graph.kind(v) {
                    all.push(Key::Stream(graph.args(v)[0]));
                }
            }
            Key::Fault(v) => all.extend(graph.args(v).iter().flat_map(|&a| [Key::Stream(a), Key::Known(a)])),
            Key::Next(v) => all.push(Key::Stream(self.handed_on(v))),
            Key::NextKnown(v) => all.push(Key::Known(self.handed_on(v))),
            Key::Ticks(_) | Key::TicksKnown(_) => {}
        }
        let conditions = self.clocks.literals(self.clock(key)).map(|l| l.condition);
        all.extend(conditions.flat_map(|c| [Key::Stream(c), Key::Known(c)]));
        all
    }

    /// Returns the key that is computed for a key, if any: sampling only selects cycles, and given or always known
    /// values need no computation.
    fn computed(&self, key: Key) -> Option<Key> {
        match key {
            Key::Stream(v) => {
                let v = self.source(v);
                (!self.is_given(v)).then_some(Key::Stream(v))
            }
            Key::Known(v) => {
                let v = self.source(v);
                (!self.is_given(v) && !self.is_sure(v)).then_some(Key::Known(v))
            }
            Key::NextKnown(v) if self.is_sure_state(v) => None,
            Key::TicksKnown(clock) if self.is_sure_clock(clock) => None,
            key => Some(key),
        }
    }

    /// Returns the item of a key. An equation with several results is computed once, with the first.
    fn item(&self, key: Key) -> Key {
        match key {
            Key::Stream(v) if self.graph.kind(v) == EquationKind::Pointwise => {
                let op = self.graph.op(v);
                let is_same = |u: &Var| self.graph.kind(*u) != EquationKind::Input && self.graph.op(*u) == op;
                Key::Stream((0..=v).rev().take_while(is_same).last().unwrap_or(v))
            }
            key => key,
        }
    }

    /// Returns the items that `wanted` needs, with the keys that each reads.
    fn closure(&self, wanted: &[Key]) -> BTreeMap<Key, Vec<Key>> {
        let mut found = BTreeMap::new();
        let mut open = wanted.to_vec();
        while let Some(key) = open.pop() {
            let item = self.item(key);
            if found.contains_key(&item) {
                continue;
            }
            let reads = self.reads(item);
            open.extend(&reads);
            found.insert(item, reads);
        }
        found
    }

    /// Returns the given or carried streams that `wanted` needs.
    pub fn given_to(&self, wanted: &[Key]) -> BTreeSet<Var> {
        let computed: Vec<Key> = wanted.iter().filter_map(|&k| self.computed(k)).collect();
        let mut found: BTreeSet<Var> = BTreeSet::new();
        for &key in wanted {
            if let Key::Stream(v) = key {
                found.insert(self.source(v));
            }
        }
        self.closure(&computed).into_keys().for_each(|key| found.extend(self.read_by(key)));
        found.retain(|&v| self.is_given(v) || matches!(self.graph.kind(v), EquationKind::Fby | EquationKind::Post));
        found
    }

    /// Returns the delays among them.
    pub fn delays(&self, wanted: &[Key]) -> BTreeSet<Var> {
        let mut found = self.given_to(wanted);
        found.retain(|&v| matches!(self.graph.kind(v), EquationKind::Fby | EquationKind::Post));
        found
    }

    /// Returns the code of a cycle that computes `wanted`, all of which are read outside of every choice.
    pub fn schedule(&self, wanted: &[Key]) -> Schedule {
        let wanted: Vec<Key> = wanted.iter().filter_map(|&k| self.computed(k)).collect();
        let needs = self.closure(&wanted);
        let order = self.order(&needs);
        let mut layout = Layout {
            scheduler: self,
            schedule: Schedule { steps: vec![], choices: vec![] },
            at: HashMap::new(),
            when: HashMap::new(),
            entered: vec![],
            open: vec![],
            known: HashSet::new(),
        };
        order.iter().for_each(|&key| layout.place(key));
        for (item, reads) in &needs {
            let to = layout.at[item].clone();
            match *item {
                Key::Stream(v) if self.graph.kind(v) == EquationKind::Merge => {
                    layout.merge(v, &to, Key::Stream, Export::Merge(v));
                }
                Key::Known(v) if self.graph.kind(v) == EquationKind::Merge => {
                    layout.merge(v, &to, Key::Known, Export::MergeKnown(v));
                }
                _ => reads.iter().for_each(|&read| layout.export(read, &to)),
            }
        }
        wanted.iter().for_each(|&key| layout.export(key, &[]));
        layout.schedule
    }

    /// Returns a topological order with few changes of the clock.
    fn order(&self, needs: &BTreeMap<Key, Vec<Key>>) -> Vec<Key> {
        let mut waiting: HashMap<Key, usize> = HashMap::new();
        let mut readers: HashMap<Key, Vec<Key>> = HashMap::new();
        let mut ready: BTreeMap<Clock, BTreeSet<Key>> = BTreeMap::new();
        for (&key, reads) in needs {
            let items: BTreeSet<Key> = reads.iter().map(|&r| self.item(r)).collect();
            waiting.insert(key, items.len());
            items.iter().for_each(|&r| readers.entry(r).or_default().push(key));
            if reads.is_empty() {
                ready.entry(self.clock(key)).or_default().insert(key);
            }
        }
        let mut order = Vec::with_capacity(needs.len());
        let mut at = Clock::BASE;
        loop {
            if !ready.contains_key(&at) {
                // The item with the most common conditions comes next, inner choices before outer ones.
                let here = self.clocks.levels(at);
                let near = |c: &Clock| {
                    let there = self.clocks.levels(*c);
                    let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
                    (shared, there.len(), Reverse(*c))
                };
                let Some(next) = ready.keys().copied().max_by_key(near) else { break };
                at = next;
            }
            let keys = ready.get_mut(&at).expect("it is ready");
            let key = keys.pop_first().expect("clocks without keys go");
            if keys.is_empty() {
                ready.remove(&at);
            }
            order.push(key);
            for &r in readers.get(&key).into_iter().flatten() {
                let left = waiting.get_mut(&r).expect("it waits");
                *left -= 1;
                if *left == 0 {
                    ready.entry(self.clock(r)).or_default().insert(r);
                }
            }
        }
        assert_eq!(order.len(), needs.len(), "a cycle can be computed");
        order
    }
}

/// Returns the stream that computes the value of `v` where it is present: sampling only selects cycles, and a parameter
/// is its initial value.
pub fn source(graph: &Graph, mut v: Var) -> Var {
    loop {
        let is_parameter = graph.kind(v) == EquationKind::Pointwise && graph.op(v).kind() == Kind::StreamParam;
        if !is_parameter && !matches!(graph.kind(v), EquationKind::When(_)) {
            return v;
        }
        v = graph.args(v)[0];
    }
}

/// Checks whether the first value of a `fby` is known before the first cycle.
pub fn is_preloaded(graph: &Graph, v: Var) -> bool {
    graph.is_fixed(source(graph, graph.args(v)[0]))
}

struct Layout<'a> {
    scheduler: &'a Scheduler<'a>,
    schedule: Schedule,
    at: HashMap<Key, Path>,
    /// The number of items that were placed before an item, and before a choice was entered.
    when: HashMap<Key, usize>,
    entered: Vec<usize>,
    /// The choices that contain the last item, with their literals.
    open: Vec<(usize, Literal)>,
    known: HashSet<(usize, Key, bool)>,
}

impl Layout<'_> {
    fn place(&mut self, key: Key) {
        let s = self.scheduler;
        let levels = s.clocks.levels(s.clock(key));
        let same = self.open.iter().zip(&levels).take_while(|(o, l)| o.1 == **l).count();
        // The other arm of an open choice.
        let turns = self.open.get(same).zip(levels.get(same)).is_some_and(|(o, l)| o.1.condition == l.condition);
        self.open.truncate(same + usize::from(turns));
        if turns {
            self.open[same].1 = levels[same];
        }
        for &l in &levels[self.open.len()..] {
            let number = self.schedule.choices.len();
            self.entered.push(self.at.len());
            self.schedule.choices.push(Choice { condition: l.condition, arms: [vec![], vec![]], results: vec![] });
            self.steps().push(Step::Choice(number));
            self.open.push((number, l));
        }
        self.steps().push(Step::Compute(key));
        self.when.insert(key, self.at.len());
        self.at.insert(key, self.open.iter().map(|&(k, l)| (k, l.holds)).collect());
    }

    /// Returns the code that contains the last item.
    fn steps(&mut self) -> &mut Vec<Step> {
        match self.open.last() {
            Some(&(k, l)) => &mut self.schedule.choices[k].arms[usize::from(l.holds)],
            None => &mut self.schedule.steps,
        }
    }

    /// Makes `key` available at `to`.
    fn export(&mut self, key: Key, to: &[(usize, bool)]) {
        let Some(from) = self.at.get(&self.scheduler.item(key)) else { return };
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        for &(k, holds) in &from[common..] {
            if self.known.insert((k, key, holds)) {
                self.schedule.choices[k].results.push(Export::Value(key, holds));
            }
        }
    }

    /// Makes the operands of a merge at `to` available at the ends of the arms of a choice that contains one, or there.
    fn merge(&mut self, v: Var, to: &Path, kind: fn(Var) -> Key, result: Export) {
        let s = self.scheduler;
        let args = s.graph.args(v);
        for c in [Key::Stream(args[0]), Key::Known(args[0])] {
            if let Some(c) = s.computed(c) {
                self.export(c, to);
            }
        }
        let operands = [(false, s.computed(kind(args[2]))), (true, s.computed(kind(args[1])))];
        // The choice just inside of `to`.
        let inside = |key: Key| {
            let path = self.at.get(&s.item(key))?;
            (path.len() > to.len() && path[..to.len()] == to[..]).then(|| path[to.len()].0)
        };
        let host = operands.iter().filter_map(|o| inside(o.1?)).max();
        // Values from outside of it must be available when it is entered.
        let is_there =
            |key: Key, host: usize| inside(key) == Some(host) || self.when[&s.item(key)] < self.entered[host];
        let host = host.filter(|&host| operands.iter().all(|o| o.1.is_none_or(|key| is_there(key, host))));
        for (holds, key) in operands {
            let Some(key) = key else { continue };
            let end: Path = to.iter().copied().chain(host.map(|host| (host, holds))).collect();
            self.export(key, &end);
        }
        if let Some(host) = host {
            self.schedule.choices[host].results.push(result);
        }
    }
}
