//! The clock calculus (`spec/streams.md` 5.3): infers by unification in which cycles each stream is present.

use super::graph::{EquationKind, Graph, Var, reach};
use mlopt_dialects::diagnostics::{Diagnostic, Reported};
use mlopt_dialects::text::count;
use std::collections::{HashMap, HashSet};

/// One level of a clock: the condition, and whether the cycles are those in which it is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub condition: Var,
    pub holds: bool,
}

/// A clock, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clock(usize);

impl Clock {
    pub const BASE: Clock = Clock(0);

    /// Returns the number, counted from 0; see [`Clocks::all`].
    pub fn number(self) -> usize {
        self.0
    }
}

/// The clocks of all streams. Equal clocks have one number.
#[derive(Default)]
pub struct Clocks {
    of: Vec<Clock>,
    /// The clocks of literals at their uses: the reader and the operand.
    literals: HashMap<(Var, usize), Clock>,
    /// For clock `k + 1`, the enclosing clock and its innermost level.
    levels: Vec<(Clock, Literal)>,
}

impl Clocks {
    pub fn of(&self, v: Var) -> Clock {
        self.of[v]
    }

    /// Returns the clock on which `v` reads its operand `k`.
    pub fn of_operand(&self, graph: &Graph, v: Var, k: usize) -> Clock {
        self.literals.get(&(v, k)).copied().unwrap_or_else(|| self.of(graph.args(v)[k]))
    }

    /// Returns all clocks, in the order of their numbers: each after the enclosing one.
    pub fn all(&self) -> impl Iterator<Item = Clock> {
        (0..=self.levels.len()).map(Clock)
    }

    /// Returns the enclosing clock and the innermost level; `None` for the base clock.
    pub fn level(&self, clock: Clock) -> Option<(Clock, Literal)> {
        Some(self.levels[clock.0.checked_sub(1)?])
    }

    /// Returns the levels, innermost first.
    pub fn literals(&self, clock: Clock) -> impl Iterator<Item = Literal> {
        let up = |l: &(Clock, Literal)| self.level(l.0);
        std::iter::successors(self.level(clock), up).map(|l| l.1)
    }

    /// Returns the levels, outermost first.
    pub fn levels(&self, clock: Clock) -> Vec<Literal> {
        let mut levels: Vec<Literal> = self.literals(clock).collect();
        levels.reverse();
        levels
    }

    /// Formats a clock: `. on c on not d`. The specification writes `onot d` for `on not d`.
    pub fn show(&self, graph: &Graph, clock: Clock) -> String {
        show(graph, &self.levels(clock))
    }
}

fn show(graph: &Graph, levels: &[Literal]) -> String {
    let word = |l: &Literal| format!(" {} {}", if l.holds { "on" } else { "on not" }, graph.label(l.condition));
    std::iter::once(".".to_string()).chain(levels.iter().map(word)).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    Open,
    Same(usize),
    On(usize, Literal),
}

struct Solver<'a> {
    graph: &'a Graph,
    /// The first terms are those of the streams.
    terms: Vec<Term>,
    /// Literals at their uses: reader, operand, term.
    literals: Vec<(Var, usize, usize)>,
}

impl Solver<'_> {
    /// Returns the representative, with path compression.
    fn root(&mut self, mut t: usize) -> usize {
        while let Term::Same(u) = self.terms[t] {
            self.terms[t] = match self.terms[u] {
                Term::Same(next) => Term::Same(next),
                _ => return u,
            };
            t = u;
        }
        t
    }

    /// Returns `parent on c`. Sampling by a constant that selects everything changes nothing [D10].
    fn on(&mut self, parent: usize, condition: Var, holds: bool) -> usize {
        if self.graph.constant(condition) == Some(holds) {
            return parent;
        }
        self.terms.push(Term::On(parent, Literal { condition, holds }));
        self.terms.len() - 1
    }

    fn occurs(&mut self, v: usize, mut t: usize) -> bool {
        loop {
            t = self.root(t);
            match self.terms[t] {
                _ if t == v => return true,
                Term::On(parent, _) => t = parent,
                _ => return false,
            }
        }
    }

    /// Unifies two clocks.
    ///
    /// # Errors
    /// The parts of the two that differ, if they are not unifiable; then nothing changes.
    fn unify(&mut self, mut a: usize, mut b: usize) -> Result<(), (usize, usize)> {
        let mut equal = Vec::new();
        loop {
            (a, b) = (self.root(a), self.root(b));
            match (self.terms[a], self.terms[b]) {
                _ if a == b => break,
                (Term::Open, _) | (_, Term::Open) => {
                    let (v, t) = if self.terms[a] == Term::Open { (a, b) } else { (b, a) };
                    if self.occurs(v, t) {
                        return Err((a, b));
                    }
                    equal.push((v, t));
                    break;
                }
                (Term::On(p, c), Term::On(q, d)) if c == d => {
                    equal.push((a, b));
                    (a, b) = (p, q);
                }
                _ => return Err((a, b)),
            }
        }
        equal.into_iter().for_each(|(a, b)| self.terms[a] = Term::Same(b));
        Ok(())
    }

    /// Returns the levels, outermost first.
    fn levels(&mut self, t: usize) -> Vec<Literal> {
        let mut levels = Vec::new();
        let mut t = self.root(t);
        while let Term::On(parent, literal) = self.terms[t] {
            levels.push(literal);
            t = self.root(parent);
        }
        levels.reverse();
        levels
    }

    /// Returns the clocks. An open clock is the base clock [D9].
    fn clocks(&mut self) -> Clocks {
        let (streams, literals) = (self.graph.vars(), std::mem::take(&mut self.literals));
        let mut clocks = Clocks::default();
        let mut known: HashMap<usize, Clock> = HashMap::new();
        let mut numbers: HashMap<(Clock, Literal), Clock> = HashMap::new();
        let mut clock_of = |t: usize, clocks: &mut Clocks| {
            let mut open = Vec::new();
            let mut t = self.root(t);
            let mut clock = loop {
                match (known.get(&t), self.terms[t]) {
                    (Some(&clock), _) => break clock,
                    (None, Term::On(parent, literal)) => {
                        open.push((t, literal));
                        t = self.root(parent);
                    }
                    _ => break Clock::BASE,
                }
            };
            for (t, literal) in open.into_iter().rev() {
                clock = *numbers.entry((clock, literal)).or_insert_with(|| {
                    clocks.levels.push((clock, literal));
                    Clock(clocks.levels.len())
                });
                known.insert(t, clock);
            }
            clock
        };
        for v in streams {
            let clock = clock_of(v, &mut clocks);
            clocks.of.push(clock);
        }
        for (v, k, t) in literals {
            let clock = clock_of(t, &mut clocks);
            clocks.literals.insert((v, k), clock);
        }
        clocks
    }

    /// Returns the term of an operand.
    fn operand(&mut self, v: Var, k: usize) -> usize {
        let operand = self.graph.args(v)[k];
        if self.graph.kind(operand) != EquationKind::Literal {
            return operand;
        }
        self.terms.push(Term::Open);
        let term = self.terms.len() - 1;
        self.literals.push((v, k, term));
        term
    }

    /// Returns the constraints of the equation of `v`: a stream, the term of its clock, and the term with which it must
    /// be unified. Readers of `v` determine the latter.
    fn constraints(&mut self, v: Var) -> Vec<(Var, usize, usize)> {
        let args = self.graph.args(v).to_vec();
        match self.graph.kind(v) {
            EquationKind::Input | EquationKind::Literal | EquationKind::Constant => vec![],
            EquationKind::Pointwise | EquationKind::Fby | EquationKind::Post | EquationKind::Select => {
                (0..args.len()).map(|k| (args[k], self.operand(v, k), v)).collect()
            }
            EquationKind::When(holds) => {
                let (x, c) = (self.operand(v, 0), self.operand(v, 1));
                vec![(args[0], x, c), (v, self.on(c, args[1], holds), v)]
            }
            EquationKind::Merge => {
                let [c, a, b] = [0, 1, 2].map(|k| self.operand(v, k));
                let [left, right] = [true, false].map(|holds| self.on(c, args[0], holds));
                vec![(v, c, v), (args[1], a, left), (args[2], b, right)]
            }
        }
    }
}

/// Infers the clock of each stream.
///
/// # Errors
/// E-CLOCK, for all equations with operands on different clocks.
pub fn infer(graph: &Graph) -> Result<Clocks, Reported> {
    let mut solver = Solver { graph, terms: vec![Term::Open; graph.len()], literals: vec![] };
    let mut conflicts = Vec::new();
    for v in graph.vars() {
        let wrong = solver.constraints(v).into_iter().find_map(|(stream, found, wanted)| {
            let parts = solver.unify(found, wanted).err()?;
            let is_cyclic = [parts.0, parts.1].iter().any(|&t| solver.terms[t] == Term::Open);
            Some(Conflict { equation: v, stream, found, wanted, parts, is_cyclic })
        });
        conflicts.extend(wrong);
    }
    if let Some(reported) = report(&mut solver, conflicts) {
        return Err(reported);
    }
    let clocks = solver.clocks();
    interface(graph, &clocks)?;
    Ok(clocks)
}

/// Infers the clock of each stream from the equations of `some`, which are well-clocked.
pub fn infer_by(graph: &Graph, some: impl Fn(Var) -> bool) -> Clocks {
    let mut solver = Solver { graph, terms: vec![Term::Open; graph.len()], literals: vec![] };
    for v in graph.vars().filter(|&v| some(v)) {
        for (_, own, term) in solver.constraints(v) {
            let is_one = solver.unify(own, term);
            debug_assert!(is_one.is_ok(), "fewer equations ask for less");
        }
    }
    solver.clocks()
}

/// An equation with operands on different clocks.
struct Conflict {
    equation: Var,
    /// The operand, or the result, that is on another clock.
    stream: Var,
    found: usize,
    wanted: usize,
    /// The parts of these clocks that differ.
    parts: (usize, usize),
    /// True if one of them is a part of the other.
    is_cyclic: bool,
}

/// The maximum number of further equations with the same error in a message.
const NOTES: usize = 5;

/// Reports conflicts: one for each pair of different clocks, and one for each instance, since a wrong call makes many
/// of its equations fail.
fn report(solver: &mut Solver, conflicts: Vec<Conflict>) -> Option<Reported> {
    let graph = solver.graph;
    let mut groups: Vec<Vec<Conflict>> = Vec::new();
    let mut by_clocks: HashMap<(usize, usize), usize> = HashMap::new();
    let mut by_instance: HashMap<String, usize> = HashMap::new();
    for c in conflicts {
        let (a, b) = (solver.root(c.parts.0), solver.root(c.parts.1));
        let clocks = (a.min(b), a.max(b));
        let instance = graph.instance(c.equation);
        let known = by_clocks.get(&clocks).or_else(|| by_instance.get(instance.as_ref()?)).copied();
        let group = known.unwrap_or(groups.len());
        by_clocks.entry(clocks).or_insert(group);
        if let Some(name) = instance {
            by_instance.entry(name).or_insert(group);
        }
        match groups.get_mut(group) {
            Some(others) => others.push(c),
            None => groups.push(vec![c]),
        }
    }
    let mut reported = None;
    for group in groups {
        let mut diagnostic = conflict(solver, &group[0]);
        for c in group.iter().skip(1).take(NOTES) {
            let (name, stream) = (graph.name(c.equation), graph.name(c.stream));
            let [found, wanted] = [c.found, c.wanted].map(|t| show(graph, &solver.levels(t)));
            let text = format!("{name} also requires {stream} to be on the clock `{wanted}`, found `{found}`");
            diagnostic = diagnostic.note(graph.value(c.equation).location(), text);
        }
        if group.len() > NOTES + 1 {
            let more = count(group.len() - NOTES - 1, "other equation");
            let text = format!("the same clocks are required by {more}");
            diagnostic = diagnostic.note(graph.node.location(), text);
        }
        reported = Some(diagnostic.emit());
    }
    reported
}

fn conflict(solver: &mut Solver, c: &Conflict) -> Diagnostic {
    let graph = solver.graph;
    let [found, wanted] = [c.found, c.wanted].map(|t| solver.levels(t));
    let name = graph.name(c.stream);
    let (found_text, wanted_text) = (show(graph, &found), show(graph, &wanted));
    let mut seen = HashSet::new();
    let conditions: Vec<Var> = wanted.iter().chain(&found).map(|l| l.condition).filter(|&c| seen.insert(c)).collect();
    let own = conditions.iter().copied().find(|&condition| needs(graph, condition, c));
    let text = match own.filter(|_| c.is_cyclic) {
        Some(_) => format!(
            "E-CLOCK: the clock of {name} must not depend on {name}; expected `{wanted_text}`, found `{found_text}`"
        ),
        None => format!("E-CLOCK: {name} must be on the clock `{wanted_text}`, found `{found_text}`"),
    };
    let hint = if let Some(own) = own {
        let (condition, equation) = (graph.name(own), graph.name(c.equation));
        match own == c.equation {
            true => format!(
                "the presence of {condition} would depend on its own value; sample by a condition that does not depend \
                 on {condition}"
            ),
            false if c.is_cyclic && c.stream != c.equation => format!(
                "{condition} is computed from {equation}, and {equation} from {name}; sample by a condition that does \
                 not depend on {name}"
            ),
            false => {
                format!(
                    "{condition} is computed from {equation}; sample by a condition that does not depend on {equation}"
                )
            }
        }
    } else if wanted.starts_with(&found) {
        format!("it is present in too many cycles: {}", graph.sampled(c.stream, &wanted[found.len()..]))
    } else if found.starts_with(&wanted) {
        format!("it is present in too few cycles: {}", graph.completed("it", c.stream, &found[wanted.len()..]))
    } else {
        let when = graph.word("when");
        format!(
            "change {when}: the conditions must be those of `{wanted_text}`, in the same order and with the same `not`"
        )
    };
    let mut diagnostic = graph
        .op(c.equation)
        .error(text)
        .note(graph.value(c.stream).location(), format!("{name} comes from here; {hint}"));
    for condition in conditions {
        let name = graph.name(condition);
        diagnostic =
            diagnostic.note(graph.value(condition).location(), format!("the condition {name} comes from here"));
    }
    diagnostic
}

/// Checks whether a condition is computed in the same cycle from the equation that reads the stream, so that it cannot
/// be its clock.
fn needs(graph: &Graph, condition: Var, c: &Conflict) -> bool {
    // The right operand of a delay may depend on the value of the delay.
    if graph.kind(c.equation) == EquationKind::Fby && graph.args(c.equation)[0] != c.stream {
        return false;
    }
    let read = |v: Var| match graph.kind(v) {
        EquationKind::Fby => graph.args(v)[..1].iter().copied(),
        EquationKind::Post => [].iter().copied(),
        _ => graph.args(v).iter().copied(),
    };
    reach([condition], read).contains(&c.equation)
}

/// Checks that the clocks of inputs and outputs use only conditions that are visible outside.
fn interface(graph: &Graph, clocks: &Clocks) -> Result<(), Reported> {
    let outside: HashSet<Var> = graph.inputs().chain(graph.outputs.iter().map(|o| o.1)).collect();
    let mut seen = HashSet::new();
    let mut failed = None;
    for v in graph.inputs().chain(graph.outputs.iter().map(|o| o.1)).filter(|&v| seen.insert(v)) {
        let mut literals = clocks.literals(clocks.of(v));
        let Some(l) = literals.find(|l| !outside.contains(&l.condition)) else { continue };
        let (name, condition) = (graph.name(v), graph.name(l.condition));
        let clock = clocks.show(graph, clocks.of(v));
        let text = format!(
            "E-CLOCK: the clock `{clock}` of {name} depends on {condition}, which is neither an input nor an output"
        );
        let levels: Vec<Literal> = clocks.literals(clocks.of(v)).collect();
        let note = match graph.kind(v) {
            EquationKind::Input => format!("make {condition} an output"),
            _ => format!("make {condition} an output, or {}", graph.completed(&name, v, &levels)),
        };
        let text = graph.op(v).error(text).note(graph.value(v).location(), format!("{name} comes from here"));
        failed = Some(text.note(graph.value(l.condition).location(), note).emit());
    }
    if graph.inputs().next().is_some() && graph.inputs().all(|i| clocks.of(i) != Clock::BASE) {
        let mut diagnostic = graph.node.error(
            "E-CLOCK: at least one input must be on the base clock `.`, to determine the cycles in which the node is \
             active; found none",
        );
        for v in graph.inputs().take(NOTES) {
            let (name, clock) = (graph.name(v), clocks.show(graph, clocks.of(v)));
            diagnostic = diagnostic.note(graph.value(v).location(), format!("{name} is on the clock `{clock}`"));
        }
        failed = Some(diagnostic.emit());
    }
    failed.map_or(Ok(()), Err)
}
