//! One cycle of a node whose streams need nothing of the future, as straight code under conditions (`spec/streams.md` 6.2): equations of
//! one clock together, in an order in which each finds what it reads.

use super::clocks::{Clock, Clocks, Literal};
use super::graph::{Graph, Kind, Var};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A value of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// What a stream is where it is present.
    Stream(Var),
    /// What the state of a `fby` becomes where its clock ticks.
    Next(Var),
    /// True where a clock ticks.
    Ticks(Clock),
    /// True where a division has no result.
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
    /// Where the condition is false, and where it is true.
    pub arms: [Vec<Step>; 2],
    /// What is read outside of it.
    pub results: Vec<Export>,
}

/// A result of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// Computed in one arm; in the other, nobody reads it.
    Value(Key, bool),
    /// `stream.merge`, by its number.
    Merge(Var),
}

pub struct Schedule {
    pub steps: Vec<Step>,
    pub choices: Vec<Choice>,
}

/// Where an item stands: choices from outside to inside, each with the arm.
type Path = Vec<(usize, bool)>;

pub struct Scheduler<'a> {
    pub graph: &'a Graph,
    pub clocks: &'a Clocks,
}

impl Scheduler<'_> {
    pub fn source(&self, v: Var) -> Var {
        source(self.graph, v)
    }

    /// Whether the value of `v` is there before the cycle: of an input, of a state, or the same in all cycles.
    fn is_given(&self, v: Var) -> bool {
        match self.graph.kind(v) {
            Kind::Input | Kind::Literal | Kind::Constant => true,
            Kind::Fby => self.is_preloaded(v),
            _ => false,
        }
    }

    /// Whether the first value of a `fby` is known before the first cycle.
    pub fn is_preloaded(&self, v: Var) -> bool {
        let first = self.source(self.graph.args(v)[0]);
        matches!(self.graph.kind(first), Kind::Literal | Kind::Constant)
    }

    fn clock(&self, key: Key) -> Clock {
        match key {
            Key::Stream(v) | Key::Next(v) | Key::Fault(v) => self.clocks.of(v),
            Key::Ticks(clock) => clock,
        }
    }

    /// What must be there in the same cycle.
    fn reads(&self, key: Key) -> Vec<Key> {
        let args = |v: Var| self.graph.args(v).iter().copied();
        let values: Vec<Var> = match key {
            Key::Stream(v) if self.graph.kind(v) == Kind::Fby => vec![self.graph.args(v)[0]],
            Key::Stream(v) | Key::Fault(v) => args(v).collect(),
            Key::Next(v) => vec![self.graph.args(v)[1]],
            Key::Ticks(_) => vec![],
        };
        let conditions = self.clocks.literals(self.clock(key)).map(|l| l.condition);
        let all: BTreeSet<Var> = values.into_iter().chain(conditions).map(|v| self.source(v)).collect();
        all.into_iter().filter(|&v| !self.is_given(v)).map(Key::Stream).collect()
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

    /// The code of a cycle that computes `wanted`, all of which are read outside of every choice.
    pub fn schedule(&self, wanted: &[Key]) -> Schedule {
        let wanted: Vec<Key> = wanted.iter().filter_map(|&k| self.computed(k)).collect();
        let needs = self.closure(&wanted);
        let order = self.order(&needs);
        let mut layout = Layout {
            scheduler: self,
            schedule: Schedule { steps: vec![], choices: vec![] },
            at: HashMap::new(),
            open: vec![],
            known: HashSet::new(),
        };
        order.iter().for_each(|&key| layout.place(key));
        for (item, reads) in &needs {
            let to = layout.at[item].clone();
            match *item {
                Key::Stream(v) if self.graph.kind(v) == Kind::Merge => layout.merge(v, &to),
                _ => reads.iter().for_each(|&read| layout.export(read, &to)),
            }
        }
        wanted.iter().for_each(|&key| layout.export(key, &[]));
        layout.schedule
    }

    /// Sampling and what is given are not computed.
    fn computed(&self, key: Key) -> Option<Key> {
        let Key::Stream(v) = key else { return Some(key) };
        let v = self.source(v);
        (!self.is_given(v)).then_some(Key::Stream(v))
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
        let mut order = Vec::with_capacity(needs.len());
        let mut at = Clock::BASE;
        while !ready.is_empty() {
            let next = |from: Clock| {
                let depth = |c: Clock| self.clocks.literals(c).count();
                let shared = |c: Clock| {
                    let levels = |c: Clock| self.clocks.literals(c).collect::<Vec<Literal>>().into_iter().rev().collect::<Vec<_>>();
                    levels(from).iter().zip(&levels(c)).take_while(|(a, b)| a == b).count()
                };
                // Here; then what shares the most conditions, inside before outside.
                ready.keys().copied().max_by_key(|&c| (c == from, shared(c), depth(c), std::cmp::Reverse(c)))
            };
            let clock = next(at).expect("something is ready");
            at = clock;
            let keys = ready.get_mut(&clock).expect("it is ready");
            let key = keys.pop_first().expect("clocks without keys go");
            if keys.is_empty() {
                ready.remove(&clock);
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
        debug_assert_eq!(order.len(), needs.len(), "a cycle can be computed");
        order
    }
}

/// The stream that computes what `v` is where it is present: sampling selects cycles only, and a parameter is its initial value.
pub fn source(graph: &Graph, mut v: Var) -> Var {
    loop {
        let is_parameter = graph.kind(v) == Kind::Pointwise && graph.op(v).name() == "stream.param";
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
            self.schedule.choices.push(Choice { condition: l.condition, arms: [vec![], vec![]], results: vec![] });
            self.steps().push(Step::Choice(number));
            self.open.push((number, l));
        }
        self.steps().push(Step::Compute(key));
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
    fn merge(&mut self, v: Var, to: &Path) {
        let s = self.scheduler;
        let [c, a, b] = [0, 1, 2].map(|k| s.computed(Key::Stream(s.graph.args(v)[k])));
        let operands = [(false, b), (true, a)];
        // The choice just inside of `to`.
        let inside = |key: Key| {
            let path = self.at.get(&s.item(key))?;
            (path.len() > to.len() && path[..to.len()] == to[..]).then(|| path[to.len()].0)
        };
        let host = operands.iter().filter_map(|o| inside(o.1?)).max();
        if let Some(c) = c {
            self.export(c, to);
        }
        for (holds, key) in operands {
            let Some(key) = key else { continue };
            let end: Path = to.iter().copied().chain(host.map(|host| (host, holds))).collect();
            self.export(key, &end);
        }
        if let Some(host) = host {
            self.schedule.choices[host].results.push(Export::Merge(v));
        }
    }
}
