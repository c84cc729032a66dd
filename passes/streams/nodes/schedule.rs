//! Cycles of a node as straight code under conditions (`spec/streams.md` 6.2): equations of one clock together, in an order in which each
//! finds what it reads.
//!
//! A sweep goes over some cycles, forward or backward. Forward it carries what `stream.fby` holds, and is given what `stream.post`
//! sees; backward the reverse. What depends on the future may not be known yet: of such streams a mask says where they are (4.1, the
//! least fixed point: sweeps in turns find more until nothing is new).

use super::clocks::{Clock, Clocks, Literal};
use super::graph::{Graph, Kind, Var};
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A value of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// What a stream is where it is present.
    Stream(Var),
    /// Whether that is known.
    Known(Var),
    /// What a delay hands on from the cycles in which its clock ticks.
    Next(Var),
    /// Whether that is known.
    NextKnown(Var),
    /// Whether a clock ticks, as far as known.
    Ticks(Clock),
    /// Whether it is known.
    TicksKnown(Clock),
    /// Whether a division has no result.
    Fault(Var),
}

/// What is computed under one condition after the other.
pub enum Step {
    Compute(Key),
    /// By number: see [`Schedule::choices`].
    Choice(usize),
}

/// Code under a condition, and under its negation.
pub struct Choice {
    pub condition: Var,
    /// Where the condition is false, or not known, and where it is true.
    pub arms: [Vec<Step>; 2],
    /// What is read outside of it.
    pub results: Vec<Export>,
}

/// A result of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// Computed in this arm.
    Value(Key, bool),
    /// `stream.merge`: in each arm another operand.
    Merge(Var),
    /// Whether that is known.
    MergeKnown(Var),
}

pub struct Schedule {
    pub steps: Vec<Step>,
    pub choices: Vec<Choice>,
}

/// Where an item stands: choices from outside to inside, each with the arm.
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
    /// Streams that are there before the cycle besides: what an earlier pass over the same cycles has found.
    given: HashSet<Var>,
    /// Streams that are others in all cycles of the sweep.
    aliases: HashMap<Var, Var>,
}

impl<'a> Scheduler<'a> {
    pub fn new(graph: &'a Graph, clocks: &'a Clocks, direction: Direction) -> Scheduler<'a> {
        let mut readers: HashMap<Var, Vec<Var>> = HashMap::new();
        // Of an input the value is there, though it may not be known yet whether its clock ticks.
        let is_given = |v: Var| matches!(graph.kind(v), Kind::Input | Kind::Literal | Kind::Constant);
        for v in graph.vars().filter(|&v| !is_given(v)) {
            let conditions = clocks.literals(clocks.of(v)).map(|l| l.condition);
            graph.args(v).iter().copied().chain(conditions).for_each(|a| readers.entry(a).or_default().push(v));
        }
        let mut open: Vec<Var> = graph.vars().filter(|&v| graph.kind(v) == Kind::Post).collect();
        let mut ahead: HashSet<Var> = open.iter().copied().collect();
        while let Some(v) = open.pop() {
            open.extend(readers.get(&v).into_iter().flatten().filter(|&&r| ahead.insert(r)));
        }
        Scheduler { graph, clocks, direction, ahead, given: HashSet::new(), aliases: HashMap::new() }
    }

    /// For one of several passes over the same cycles, in which all is known.
    pub fn pass(
        graph: &'a Graph,
        clocks: &'a Clocks,
        direction: Direction,
        given: HashSet<Var>,
        aliases: HashMap<Var, Var>,
    ) -> Scheduler<'a> {
        Scheduler { graph, clocks, direction, ahead: HashSet::new(), given, aliases }
    }

    /// The stream that computes what `v` is where it is present.
    pub fn source(&self, v: Var) -> Var {
        let mut v = source(self.graph, v);
        while let Some(&other) = self.aliases.get(&v) {
            v = source(self.graph, other);
        }
        v
    }

    /// Whether the stream is carried from cycle to cycle.
    pub fn is_carried(&self, v: Var) -> bool {
        self.graph.kind(v) == if self.direction == Direction::Forward { Kind::Fby } else { Kind::Post }
    }

    /// Whether all is known of a stream in every cycle of the sweep.
    pub fn is_sure(&self, v: Var) -> bool {
        !self.ahead.contains(&self.source(v))
    }

    /// Whether it is known in every cycle whether a clock ticks.
    pub fn is_sure_clock(&self, clock: Clock) -> bool {
        self.clocks.literals(clock).all(|l| self.is_sure(l.condition))
    }

    /// Whether all is known of what a delay holds.
    pub fn is_sure_state(&self, v: Var) -> bool {
        !self.ahead.contains(&v)
    }

    /// Whether the value of `v` is there before the cycle: of an input, of a delay, or the same in all cycles.
    pub fn is_given(&self, v: Var) -> bool {
        match self.graph.kind(v) {
            _ if self.given.contains(&v) => true,
            Kind::Input | Kind::Literal | Kind::Constant | Kind::Post => true,
            Kind::Fby => self.direction == Direction::Backward || self.is_preloaded(v),
            _ => false,
        }
    }

    /// Whether the first value of a `fby` is known before the first cycle.
    pub fn is_preloaded(&self, v: Var) -> bool {
        let first = source(self.graph, self.graph.args(v)[0]);
        matches!(self.graph.kind(first), Kind::Literal | Kind::Constant)
    }

    /// What a delay hands on.
    pub fn handed_on(&self, v: Var) -> Var {
        self.graph.args(v)[if self.graph.kind(v) == Kind::Fby { 1 } else { 0 }]
    }

    fn clock(&self, key: Key) -> Clock {
        match key {
            Key::Stream(v) | Key::Known(v) | Key::Next(v) | Key::NextKnown(v) | Key::Fault(v) => self.clocks.of(v),
            Key::Ticks(clock) | Key::TicksKnown(clock) => clock,
        }
    }

    /// What must be computed before, in the same cycle.
    fn reads(&self, key: Key) -> Vec<Key> {
        let all: BTreeSet<Key> = self.all_reads(key).into_iter().filter_map(|k| self.computed(k)).collect();
        all.into_iter().collect()
    }

    /// The streams that a key is made of in the same cycle, by what computes them.
    pub fn read_by(&self, key: Key) -> BTreeSet<Var> {
        let stream = |k: Key| match k {
            Key::Stream(v) | Key::Known(v) => Some(self.source(v)),
            _ => None,
        };
        self.all_reads(key).into_iter().filter_map(stream).collect()
    }

    /// What must be there in the same cycle.
    fn all_reads(&self, key: Key) -> Vec<Key> {
        let graph = self.graph;
        let is_first = |v: Var| graph.kind(v) == Kind::Fby;
        let mut all: Vec<Key> = Vec::new();
        match key {
            Key::Stream(v) | Key::Known(v) if is_first(v) => {
                let first = graph.args(v)[0];
                all.push(if matches!(key, Key::Stream(_)) { Key::Stream(first) } else { Key::Known(first) });
            }
            Key::Stream(v) => all.extend(graph.args(v).iter().map(|&a| Key::Stream(a))),
            Key::Known(v) => {
                all.extend(graph.args(v).iter().map(|&a| Key::Known(a)));
                if let Kind::Merge | Kind::Select = graph.kind(v) {
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

    /// What is computed for a key: sampling selects cycles only; what is given, or sure, needs nothing.
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

    /// An equation with several results is computed once, with the first.
    fn item(&self, key: Key) -> Key {
        match key {
            Key::Stream(v) if self.graph.kind(v) == Kind::Pointwise => {
                let op = self.graph.op(v);
                let is_same = |u: &Var| self.graph.kind(*u) != Kind::Input && self.graph.op(*u) == op;
                Key::Stream((0..=v).rev().take_while(is_same).last().unwrap_or(v))
            }
            key => key,
        }
    }

    /// What is needed for `wanted`, by item: what each reads.
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

    /// The streams that are given or carried and that `wanted` needs.
    pub fn given_to(&self, wanted: &[Key]) -> BTreeSet<Var> {
        let computed: Vec<Key> = wanted.iter().filter_map(|&k| self.computed(k)).collect();
        let mut found: BTreeSet<Var> = BTreeSet::new();
        for &key in wanted {
            if let Key::Stream(v) = key {
                found.insert(self.source(v));
            }
        }
        self.closure(&computed).into_keys().for_each(|key| found.extend(self.read_by(key)));
        found.retain(|&v| self.is_given(v) || matches!(self.graph.kind(v), Kind::Fby | Kind::Post));
        found
    }

    /// The delays among them.
    pub fn delays(&self, wanted: &[Key]) -> BTreeSet<Var> {
        let mut found = self.given_to(wanted);
        found.retain(|&v| matches!(self.graph.kind(v), Kind::Fby | Kind::Post));
        found
    }

    /// The code of a cycle that computes `wanted`, all of which are read outside of every choice.
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
                Key::Stream(v) if self.graph.kind(v) == Kind::Merge => {
                    layout.merge(v, &to, Key::Stream, Export::Merge(v));
                }
                Key::Known(v) if self.graph.kind(v) == Kind::Merge => {
                    layout.merge(v, &to, Key::Known, Export::MergeKnown(v));
                }
                _ => reads.iter().for_each(|&read| layout.export(read, &to)),
            }
        }
        wanted.iter().for_each(|&key| layout.export(key, &[]));
        layout.schedule
    }

    /// Topological, with few changes of the clock.
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
        let levels = |c: Clock| {
            let mut levels: Vec<Literal> = self.clocks.literals(c).collect();
            levels.reverse();
            levels
        };
        let mut order = Vec::with_capacity(needs.len());
        let mut at = Clock::BASE;
        loop {
            if !ready.contains_key(&at) {
                // What shares the most conditions, inside before outside.
                let here = levels(at);
                let near = |c: &Clock| {
                    let there = levels(*c);
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

/// The stream that computes what `v` is where it is present: sampling selects cycles only, and a parameter is its initial value.
pub fn source(graph: &Graph, mut v: Var) -> Var {
    loop {
        let is_parameter = graph.kind(v) == Kind::Pointwise && graph.op(v).kind() == OpKind::StreamParam;
        if !is_parameter && !matches!(graph.kind(v), Kind::When(_)) {
            return v;
        }
        v = graph.args(v)[0];
    }
}

struct Layout<'a> {
    scheduler: &'a Scheduler<'a>,
    schedule: Schedule,
    at: HashMap<Key, Path>,
    /// How many items were placed before this one, and before a choice was entered.
    when: HashMap<Key, usize>,
    entered: Vec<usize>,
    /// The choices that the last item is in, with their literals.
    open: Vec<(usize, Literal)>,
    known: HashSet<(usize, Key, bool)>,
}

impl Layout<'_> {
    fn place(&mut self, key: Key) {
        let s = self.scheduler;
        let mut levels: Vec<Literal> = s.clocks.literals(s.clock(key)).collect();
        levels.reverse();
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

    /// The code in which the last item stands.
    fn steps(&mut self) -> &mut Vec<Step> {
        match self.open.last() {
            Some(&(k, l)) => &mut self.schedule.choices[k].arms[usize::from(l.holds)],
            None => &mut self.schedule.steps,
        }
    }

    /// Makes `key` known at `to`.
    fn export(&mut self, key: Key, to: &[(usize, bool)]) {
        let Some(from) = self.at.get(&self.scheduler.item(key)) else { return };
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        for &(k, holds) in &from[common..] {
            if self.known.insert((k, key, holds)) {
                self.schedule.choices[k].results.push(Export::Value(key, holds));
            }
        }
    }

    /// The operands of a merge that stands at `to` are known where the arms end of a choice that holds one, or there.
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
        // What stands outside of it must be there when it is entered.
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
