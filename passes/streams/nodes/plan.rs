//! Productivity analysis (`spec/streams.md` 5.5): determines how far equations look ahead, which conditions limit that,
//! and the resulting class of the node: `forward`, `retimed`, `waiting` or `segmented`.

use super::causality;
use super::clocks::{self, Clock, Clocks, Literal};
use super::graph::{EquationKind, Graph, Var, components, components_with_edges, reach, shortest_cycle};
use super::names::strings;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::{BOUNDARY, SEGMENT_CONSTANT};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// The plan class of a program; each is more general than the previous ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// No equation looks ahead.
    Forward,
    /// All lookahead is by a fixed number of cycles.
    Retimed,
    /// The lookahead is a number of cycles that depends on data, once.
    Waiting,
    /// There are recurrences backward in time, bounded by a condition.
    Segmented,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Class::Forward => "forward",
            Class::Retimed => "retimed",
            Class::Waiting => "waiting",
            Class::Segmented => "segmented",
        }
    }
}

/// Marks the `stream.post` that is the adjoint of a `stream.fby`.
pub const ADJOINT: &str = "stream.adjoint";

/// The bound of a recurrence backward in time.
#[derive(Clone, Debug)]
pub struct Break {
    pub streams: Vec<Var>,
    pub when: Literal,
}

pub struct Plan {
    pub class: Class,
    pub breaks: Vec<Break>,
    pub promise: Option<Promise>,
}

/// Returns the results of all analyses of a node.
///
/// # Errors
/// The errors of the analyses.
pub fn analysed(node: Op) -> Result<(Graph, Clocks, Plan), Reported> {
    let graph = Graph::of(node)?;
    let clocks = clocks::infer(&graph)?;
    causality::order(&graph, &clocks)?;
    let plan = plan(&graph, &clocks)?;
    Ok((graph, clocks, plan))
}

/// The promise of the environment (D13): conditions only change at the end of a sequence.
#[derive(Clone, Debug)]
pub struct Promise {
    /// True in the last cycle of a sequence.
    pub boundary: Var,
    pub constant: Vec<Var>,
}

impl Promise {
    fn of(graph: &Graph, clocks: &Clocks) -> Result<Option<Promise>, Reported> {
        let Some(boundary) = graph.node.attribute(BOUNDARY).and_then(|a| a.as_string()) else { return Ok(None) };
        let constant = strings(graph.node, SEGMENT_CONSTANT).into_iter();
        let names = strings(graph.node, "inputs");
        let input = |name: String| {
            let wrong = || graph.node.error(format!("expected the name of an input, found `{name}`")).emit();
            let v = names.iter().position(|n| *n == name).ok_or_else(wrong)?;
            match clocks.of(v) == Clock::BASE {
                true => Ok(v),
                false => {
                    let clock = clocks.show(graph, clocks.of(v));
                    let text = format!(
                        "not supported: `stream.boundary` and `stream.segment_constant` may name only inputs on the \
                         base clock; `{name}` is on the clock `{clock}`"
                    );
                    Err(graph.node.error(text).emit())
                }
            }
        };
        Ok(Some(Promise { boundary: input(boundary)?, constant: constant.map(input).collect::<Result<_, _>>()? }))
    }
}

/// A dependence: `from` at cycle n needs `to` at n - shift, if the guard holds at n.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub from: Var,
    pub to: Var,
    pub shift: i64,
    pub guard: Option<Literal>,
    /// True for the initial value of a `fby`, which is read only in the first present cycle.
    pub is_initial: bool,
}

/// # Errors
/// E-PRODUCTIVITY for unbounded recurrences, E-CAUSALITY for cycles without net delay, among all streams that outputs
/// need.
pub fn plan(graph: &Graph, clocks: &Clocks) -> Result<Plan, Reported> {
    let mut edges = dependences(graph, clocks);
    let needed = needed(graph, &edges);
    edges.retain(|e| needed.contains(&e.from));
    let looks_ahead = |v: Var| match graph.kind(v) {
        EquationKind::Post if clocks.of(v) == Clock::BASE => Class::Retimed,
        EquationKind::Post => Class::Waiting,
        _ => Class::Forward,
    };
    let mut plan = Plan {
        class: needed.iter().map(|&v| looks_ahead(v)).max().unwrap_or(Class::Forward),
        breaks: vec![],
        promise: Promise::of(graph, clocks)?,
    };
    let mut failed = None;
    for (streams, own) in components_with_edges(needed.iter().copied(), &edges, |e| (e.from, e.to)) {
        let component = Component { graph, clocks, edges: &edges, needed: &needed, streams, own };
        match component.recurrence() {
            Ok(None) => {}
            Ok(Some(found)) => {
                plan.class = Class::Segmented;
                plan.breaks.push(found);
            }
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(plan), Err)
}

pub(crate) fn dependences(graph: &Graph, clocks: &Clocks) -> Vec<Edge> {
    let mut all = Vec::new();
    for v in graph.vars() {
        let args = graph.args(v);
        let mut edge = |to: Var, shift: i64, guard: Option<Literal>| {
            all.push(Edge { from: v, to, shift, guard, is_initial: false });
        };
        let literal = |condition: Var, holds: bool| Some(Literal { condition, holds });
        let kind = graph.kind(v);
        if let EquationKind::Constant | EquationKind::Fby | EquationKind::Post = kind {
            clocks.literals(clocks.of(v)).for_each(|l| edge(l.condition, 0, None));
        }
        match kind {
            EquationKind::Input | EquationKind::Constant => {}
            EquationKind::Literal | EquationKind::Pointwise => args.iter().for_each(|&a| edge(a, 0, None)),
            EquationKind::When(holds) => {
                edge(args[1], 0, None);
                edge(args[0], 0, literal(args[1], holds));
            }
            EquationKind::Merge | EquationKind::Select => {
                edge(args[0], 0, None);
                edge(args[1], 0, literal(args[0], true));
                edge(args[2], 0, literal(args[0], false));
            }
            EquationKind::Fby => {
                edge(args[1], 1, None);
                all.push(Edge { from: v, to: args[0], shift: 0, guard: None, is_initial: true });
            }
            EquationKind::Post => edge(args[0], -1, None),
        }
    }
    all
}

/// Returns the streams on which outputs depend [D11].
pub fn needed_streams(graph: &Graph, clocks: &Clocks) -> BTreeSet<Var> {
    needed(graph, &dependences(graph, clocks))
}

/// Returns the lookahead in cycles of a program that is at most retimed: the stage of its latest stream
/// (`spec/streams.md` 6.3).
pub fn latency(graph: &Graph, clocks: &Clocks) -> usize {
    let edges = dependences(graph, clocks);
    let needed = needed(graph, &edges);
    let mut readers: HashMap<Var, Vec<(Var, i64)>> = HashMap::new();
    edges.iter().filter(|e| needed.contains(&e.from)).for_each(|e| {
        readers.entry(e.to).or_default().push((e.from, e.shift));
    });
    // Longest paths: no cycle makes one longer, since every cycle goes to the past.
    let mut stages: HashMap<Var, i64> = HashMap::new();
    // Dependences come first, so that most stages are final when they are read.
    let order = components(needed.iter().copied(), edges.iter().map(|e| (e.from, e.to)));
    let mut open: VecDeque<Var> = order.into_iter().flatten().collect();
    let mut waits: HashSet<Var> = needed.iter().copied().collect();
    while let Some(u) = open.pop_front() {
        waits.remove(&u);
        let stage = stages.get(&u).copied().unwrap_or(0);
        for &(v, shift) in readers.get(&u).into_iter().flatten() {
            if stage - shift > stages.get(&v).copied().unwrap_or(0) {
                stages.insert(v, stage - shift);
                if waits.insert(v) {
                    open.push_back(v);
                }
            }
        }
    }
    stages.into_values().max().unwrap_or(0) as usize
}

fn needed(graph: &Graph, edges: &[Edge]) -> BTreeSet<Var> {
    let mut used: HashMap<Var, Vec<Var>> = HashMap::new();
    edges.iter().for_each(|e| used.entry(e.from).or_default().push(e.to));
    reach(graph.outputs.iter().map(|o| o.1), |v| used.get(&v).into_iter().flatten().copied()).into_iter().collect()
}

/// The maximum number of delays in a message besides one cycle.
const NOTES: usize = 6;

/// A set of streams that depend on each other, over time.
struct Component<'a> {
    graph: &'a Graph,
    clocks: &'a Clocks,
    edges: &'a [Edge],
    needed: &'a BTreeSet<Var>,
    streams: Vec<Var>,
    /// The edges within the component.
    own: Vec<Edge>,
}

impl Component<'_> {
    /// Returns the bound of the recurrence, if it looks ahead repeatedly.
    fn recurrence(&self) -> Result<Option<Break>, Reported> {
        let delays =
            self.streams.iter().filter(|&&v| matches!(self.graph.kind(v), EquationKind::Fby | EquationKind::Post));
        let moving: HashSet<Clock> = delays.map(|&v| self.clocks.of(v)).collect();
        // Shifts count cycles of their own clock. If there are several clocks, a `post` may look arbitrarily far ahead.
        let far = -(self.streams.len() as i64) - 1;
        let shift = |e: &Edge| {
            let is_far = moving.len() > 1 && e.shift < 0 && self.clocks.of(e.from) != Clock::BASE;
            (e.from, e.to, if is_far { far } else { e.shift })
        };
        let links: Vec<Link<Var>> = self.own.iter().map(shift).collect();
        if all_circles(&self.streams, &links, Forward) {
            return Ok(None);
        }
        if all_circles(&self.streams, &links, Backward) {
            return self.backward().map(Some);
        }
        if all_circles(&self.streams, &links, Still) {
            let why = "because the circular dependency reads values of the next cycle as often as values of the \
                       previous one";
            let text = format!("each of the streams {} depends on itself in the same cycle, {why}", self.names());
            return Err(self.fails("E-CAUSALITY", &text, None));
        }
        self.mixed().map(Some)
    }

    fn conditions(&self) -> BTreeSet<Var> {
        self.own.iter().filter_map(|e| e.guard.map(|g| g.condition)).collect()
    }

    /// For cycles that all go backward, returns a literal without which no cycle remains.
    fn backward(&self) -> Result<Break, Reported> {
        let ends = |p: &Literal| {
            let negated = Literal { holds: !p.holds, ..*p };
            let left: Vec<Link<Var>> =
                self.own.iter().filter(|e| e.guard != Some(negated)).map(|e| (e.from, e.to, e.shift)).collect();
            self.graph.constant(p.condition) != Some(!p.holds) && all_circles(&self.streams, &left, Forward)
        };
        let literals =
            || self.conditions().into_iter().flat_map(|c| [true, false].map(|holds| Literal { condition: c, holds }));
        // A condition that is true at the end of a sequence is preferred to one that is false there.
        match literals().filter(|l| l.holds).chain(literals()).find(ends) {
            Some(when) => Ok(Break { streams: self.streams.clone(), when }),
            None => {
                let is_adjoint = |&v: &Var| self.graph.op(v).attribute(ADJOINT).is_some();
                Err(self.endless(self.streams.iter().any(is_adjoint)))
            }
        }
    }

    /// Reports that no condition bounds a recurrence backward in time, with a fix.
    fn endless(&self, is_adjoint: bool) -> Reported {
        let fby = self.graph.word("fby");
        let [condition, restart] = match self.graph.is_notation() {
            true => ["an `if`", "as in `if (true fby end) then i else (i fby x)`"],
            false => ["a `stream.select`", "by a `stream.select` with the condition `stream.fby %true, %end`"],
        };
        let (rule, advice) = match is_adjoint {
            // Section 7.2 of the specification.
            true => (
                format!(
                    "the gradient of a recurrence through {fby} is computed backward from the end of the recurrence"
                ),
                format!(
                    "restart the recurrence through {fby} after the end of each sequence, {restart}, or truncate its \
                     adjoint with the option `truncate` of `stream-grad`"
                ),
            ),
            false => (
                "a recurrence backward in time must end".to_string(),
                format!("end the recurrence by {condition} whose condition is true in the last cycle of each sequence"),
            ),
        };
        let text = format!("{rule}, but no condition ends the recurrence through {}", self.names());
        self.fails("E-PRODUCTIVITY", &text, Some(advice))
    }

    /// For cycles in both directions, returns a condition that is true in the last cycle of each sequence, such that
    /// each part of a sequence goes in one direction.
    fn mixed(&self) -> Result<Break, Reported> {
        let conditions = self.conditions().into_iter().map(|c| sampled_from(self.graph, c));
        let ends = conditions.map(|c| reset_of(self.graph, c).unwrap_or(c));
        let ends: BTreeSet<Var> = ends.filter(|&end| self.graph.constant(end) != Some(false)).collect();
        let mut is_still = false;
        for end in ends {
            match self.peel(end) {
                Peeled::Scheduled => {
                    let when = Literal { condition: end, holds: true };
                    return Ok(Break { streams: self.streams.clone(), when });
                }
                Peeled::Circular => is_still = true,
                Peeled::Endless => {}
            }
        }
        let why = format!("forward and backward recurrences depend on each other in {}", self.names());
        let text = format!("{why}; expected a condition that divides the cycles into sequences");
        Err(self.fails(if is_still { "E-CAUSALITY" } else { "E-PRODUCTIVITY" }, &text, None))
    }

    /// Formats the streams in a sentence.
    fn names(&self) -> String {
        self.graph.names(&self.streams)
    }

    /// Reports an error with a cycle of dependences through time.
    fn fails(&self, code: &str, text: &str, advice: Option<String>) -> Reported {
        let first = *self.streams.iter().min().expect("a component is not empty");
        let mut needs: HashMap<Var, Vec<&Edge>> = HashMap::new();
        self.own.iter().for_each(|e| needs.entry(e.from).or_default().push(e));
        let of = |v: Var| needs.get(&v).into_iter().flatten();
        // A cycle through a delay; recurrences in both directions also have other delays.
        let start = self.own.iter().find(|e| e.shift != 0).map_or(first, |e| e.from);
        let path = shortest_cycle(start, |v| of(v).map(|e| e.to).collect());
        let steps = path.iter().zip(path.iter().cycle().skip(1));
        let mut steps: Vec<&Edge> = steps.filter_map(|(&v, &u)| of(v).copied().find(|e| e.to == u)).collect();
        let others = self.own.iter().filter(|e| e.shift != 0 && !path.contains(&e.from));
        steps.extend(others.take(NOTES));
        let mut diagnostic = self.graph.op(first).error(format!("{code}: {text}"));
        if let Some(advice) = advice {
            diagnostic = diagnostic.note(self.graph.value(first).location(), advice);
        }
        for e in steps {
            let (from, to) = (self.graph.name(e.from), self.graph.name(e.to));
            let when = [" of the next cycle", "", " of the previous cycle"][(e.shift.signum() + 1) as usize];
            diagnostic = diagnostic.note(self.graph.value(e.from).location(), format!("{from} needs {to}{when}"));
        }
        diagnostic.emit()
    }

    /// Peels the first, middle and last cycles of the sequences that `end` ends.
    fn peel(&self, end: Var) -> Peeled {
        use CyclePosition::*;
        let inside: HashSet<Var> = self.streams.iter().copied().collect();
        let is_base = |v: Var| self.clocks.of(v) == Clock::BASE;
        // If `end` is true it is present, so the conditions of its clock hold.
        let around: Vec<Literal> = self.clocks.literals(self.clocks.of(end)).collect();
        let may_hold = |g: Literal, at: CyclePosition| {
            let v = sampled_from(self.graph, g.condition);
            let last = around.iter().find(|l| l.condition == v).filter(|_| at == Last);
            // On a slower clock than that of sequences, the first cycle may come later.
            let reset = reset_of(self.graph, v).filter(|_| is_base(v) || is_base(end));
            let starts = |r: Var| around.iter().any(|l| l.condition == r && l.holds);
            match self.graph.constant(v) {
                Some(b) => b == g.holds,
                None if v == end => g.holds == (at == Last),
                None if last.is_some_and(|l| l.holds != g.holds) => false,
                None if reset == Some(end) => g.holds == (at == First),
                None if at == First && reset.is_some_and(starts) => g.holds,
                None => true,
            }
        };
        type Pair = (Var, CyclePosition);
        let mut next: HashMap<Pair, Vec<(Option<Pair>, i64)>> = HashMap::new();
        // The values that the first cycle of a sequence takes from the last cycle of the previous one.
        let mut carried: BTreeMap<Var, Var> = BTreeMap::new();
        for e in self.edges {
            for at in [First, Middle, Last] {
                if e.guard.is_some_and(|g| !may_hold(g, at)) || e.is_initial && is_base(e.from) && at != First {
                    continue;
                }
                let links = next.entry((e.from, at)).or_default();
                // On a slower clock the first cycle in a sequence may be any cycle.
                if e.shift == 1 && !is_base(e.from) {
                    carried.insert(e.from, e.to);
                }
                match (e.shift, at) {
                    (0, _) => links.push((Some((e.to, at)), 0)),
                    (1, First) => drop(carried.insert(e.from, e.to)),
                    (1, _) => links.extend([Middle, First].map(|t| (Some((e.to, t)), 1))),
                    (_, First | Middle) => links.extend([Middle, Last].map(|t| (Some((e.to, t)), -1))),
                    (_, Last) if inside.contains(&e.from) && inside.contains(&e.to) => links.push((None, -1)),
                    _ => {}
                }
            }
        }
        let outputs = self.graph.outputs.iter().flat_map(|o| [First, Middle, Last].map(|at| (o.1, at)));
        let mut seen: BTreeSet<Pair> = outputs.filter(|p| self.needed.contains(&p.0)).collect();
        let mut open: Vec<Pair> = seen.iter().copied().collect();
        let mut links: Vec<Link<Pair>> = Vec::new();
        while let Some(pair) = open.pop() {
            for &(to, shift) in next.get(&pair).into_iter().flatten() {
                let Some(to) = to else { return Peeled::Endless };
                links.push((pair, to, shift));
                open.extend(seen.insert(to).then_some(to));
            }
            if let Some(&e) = carried.get(&pair.0).filter(|_| pair.1 == First || !is_base(pair.0)) {
                open.extend(seen.insert((e, Last)).then_some((e, Last)));
            }
        }
        let own = seen.iter().copied().filter(|p| inside.contains(&p.0));
        for (c, within) in components_with_edges(own, &links, |l| (l.0, l.1)) {
            let is_one_kind = c.iter().all(|p| p.1 == c[0].1);
            if !is_one_kind || !(all_circles(&c, &within, Forward) || all_circles(&c, &within, Backward)) {
                return Peeled::Circular;
            }
        }
        Peeled::Scheduled
    }
}

/// The position of a cycle in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum CyclePosition {
    First,
    Middle,
    Last,
}

enum Peeled {
    /// Each part of a sequence goes in one direction.
    Scheduled,
    /// A stream depends on itself, or goes in both directions.
    Circular,
    /// The last cycle of a sequence depends on the next sequence.
    Endless,
}

/// Returns the stream that is true in the last cycle of each sequence, for sequences that end by `when`: itself, or
/// `end` of `true fby end`.
pub fn last_of(graph: &Graph, when: Literal) -> Option<Var> {
    let condition = sampled_from(graph, when.condition);
    when.holds.then(|| reset_of(graph, condition).unwrap_or(condition))
}

/// Returns the stream that a condition samples: `end` of `end when bp`.
pub(super) fn sampled_from(graph: &Graph, mut v: Var) -> Var {
    while let EquationKind::When(_) = graph.kind(v) {
        v = graph.args(v)[0];
    }
    v
}

/// Returns the `end` of `true fby end`, which is true in the first cycle of each sequence.
pub(super) fn reset_of(graph: &Graph, v: Var) -> Option<Var> {
    match (graph.kind(v), graph.args(v)) {
        (EquationKind::Fby, &[first, end]) if graph.constant(first) == Some(true) => Some(sampled_from(graph, end)),
        _ => None,
    }
}

/// A dependence: from, to, shift.
pub(super) type Link<N> = (N, N, i64);

/// The total shift of every cycle of dependences.
#[derive(Clone, Copy)]
pub(super) enum TotalShift {
    /// To the past, by at least one cycle.
    Forward,
    /// To the future, by at least one cycle.
    Backward,
    /// Neither.
    Still,
}
use TotalShift::*;

pub(super) fn all_circles<N: Copy + Eq + Hash>(nodes: &[N], links: &[Link<N>], shift: TotalShift) -> bool {
    let components = components_with_edges(nodes.iter().copied(), links, |l| (l.0, l.1));
    components.iter().filter(|(_, own)| !own.is_empty()).all(|(nodes, own)| circles(nodes, own, shift))
}

/// As `all_circles`, for strongly connected nodes: linear if all delays go in one direction.
fn circles<N: Copy + Eq + Hash>(nodes: &[N], links: &[Link<N>], shift: TotalShift) -> bool {
    let at_once: Vec<(N, N)> = links.iter().filter(|l| l.2 == 0).map(|l| (l.0, l.1)).collect();
    let order = components(nodes.iter().copied(), at_once.iter().copied());
    let is_ordered = order.iter().all(|c| c.len() == 1) && at_once.iter().all(|(a, b)| a != b);
    let [to_past, to_future] = [1, -1].map(|sign| links.iter().any(|l| l.2.signum() == sign));
    match (shift, to_past, to_future) {
        (Still, false, false) => return true,
        (Still, past, future) if past != future => return false,
        (Forward, _, false) | (Backward, false, _) => return is_ordered,
        (Forward, false, true) | (Backward, true, false) => return false,
        (Forward | Backward, ..) if !is_ordered => return false,
        _ => {}
    }
    // Longest paths reach everything that is computed in the same cycle in one iteration.
    let place: HashMap<N, usize> = order.iter().flatten().rev().enumerate().map(|(k, &n)| (n, k)).collect();
    let mut links: Vec<(usize, usize, i64)> = links.iter().map(|&(a, b, s)| (place[&a], place[&b], s)).collect();
    links.sort_unstable();
    // A cycle of m links and shift s has weight m - scale·s, which is positive unless s ≥ 1.
    let scale = nodes.len() as i64 + 1;
    let is_free = |f: &dyn Fn(i64) -> i64| {
        let weighted: Vec<_> = links.iter().map(|&(a, b, s)| (a, b, f(s))).collect();
        !has_positive_circle(nodes.len(), &weighted)
    };
    match shift {
        Forward => is_free(&|s| 1 - scale * s),
        Backward => is_free(&|s| 1 + scale * s),
        Still => is_free(&|s| s) && is_free(&|s| -s),
    }
}

/// Applies the algorithm of Bellman and Ford: checks for longest paths that still grow after as many iterations as
/// there are nodes, or that contain a cycle.
fn has_positive_circle(nodes: usize, links: &[(usize, usize, i64)]) -> bool {
    let mut longest = vec![0i64; nodes];
    let mut before: Vec<Option<usize>> = vec![None; nodes];
    for _ in 0..=nodes {
        let mut grows = false;
        for &(a, b, w) in links {
            if longest[b] < longest[a].saturating_add(w) {
                longest[b] = longest[a].saturating_add(w);
                before[b] = Some(a);
                grows = true;
            }
        }
        if !grows {
            return false;
        }
        if has_circle(&before) {
            return true;
        }
    }
    true
}

/// Checks whether an element precedes itself.
fn has_circle(before: &[Option<usize>]) -> bool {
    // The traversal in which an element was visited.
    let mut walk = vec![usize::MAX; before.len()];
    (0..before.len()).any(|start| {
        let mut at = Some(start);
        while let Some(n) = at.filter(|&n| walk[n] == usize::MAX) {
            walk[n] = start;
            at = before[n];
        }
        at.is_some_and(|n| walk[n] == start)
    })
}
