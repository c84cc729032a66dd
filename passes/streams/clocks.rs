//! The clock calculus (`spec/streams.md` 5.3): in which cycles a stream is present, by unification.

use super::graph::{Graph, Kind, Var};
use mlopt_dialects::diagnostics::{Diagnostic, Reported};
use std::collections::HashMap;

/// One level of a clock: the condition, and whether the cycles are those where it is true or where it is false.
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

    /// From 0; see [`Clocks::all`].
    pub fn number(self) -> usize {
        self.0
    }
}

/// The clocks of all streams. Equal clocks are one.
#[derive(Default)]
pub struct Clocks {
    of: Vec<Clock>,
    /// Of literals, where they are read: the reader and the operand.
    literals: HashMap<(Var, usize), Clock>,
    /// Of clock `k + 1`: the clock around it, and its innermost level.
    levels: Vec<(Clock, Literal)>,
}

impl Clocks {
    pub fn of(&self, v: Var) -> Clock {
        self.of[v]
    }

    /// The clock on which `v` reads its operand `k`.
    pub fn of_operand(&self, graph: &Graph, v: Var, k: usize) -> Clock {
        self.literals.get(&(v, k)).copied().unwrap_or_else(|| self.of(graph.args(v)[k]))
    }

    /// All clocks, in the order of their numbers: each after the one around it.
    pub fn all(&self) -> impl Iterator<Item = Clock> {
        (0..=self.levels.len()).map(Clock)
    }

    /// The clock around it, and its innermost level; none for the base clock.
    pub fn level(&self, clock: Clock) -> Option<(Clock, Literal)> {
        Some(self.levels[clock.0.checked_sub(1)?])
    }

    /// Innermost level first.
    pub fn literals(&self, clock: Clock) -> impl Iterator<Item = Literal> {
        let up = |l: &(Clock, Literal)| self.level(l.0);
        std::iter::successors(self.level(clock), up).map(|l| l.1)
    }

    /// In the notation of the specification: `. on c onot d`.
    pub fn show(&self, graph: &Graph, clock: Clock) -> String {
        let mut levels: Vec<Literal> = self.literals(clock).collect();
        levels.reverse();
        show(graph, &levels)
    }
}

fn show(graph: &Graph, levels: &[Literal]) -> String {
    let word = |l: &Literal| format!(" {} {}", if l.holds { "on" } else { "onot" }, graph.label(l.condition));
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
    /// The first ones are those of the streams.
    terms: Vec<Term>,
    /// Of literals, where they are read: reader, operand, term.
    literals: Vec<(Var, usize, usize)>,
}

impl Solver<'_> {
    /// Ways become shorter as they are gone, so that long chains of equations take no longer.
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

    /// `parent on c`. Sampling by a constant that selects everything changes nothing [D10].
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

    /// Whether two clocks can be one; then they are.
    fn unify(&mut self, mut a: usize, mut b: usize) -> bool {
        loop {
            (a, b) = (self.root(a), self.root(b));
            match (self.terms[a], self.terms[b]) {
                _ if a == b => return true,
                (Term::Open, _) | (_, Term::Open) => {
                    let (v, t) = if self.terms[a] == Term::Open { (a, b) } else { (b, a) };
                    if self.occurs(v, t) {
                        return false;
                    }
                    self.terms[v] = Term::Same(t);
                    return true;
                }
                (Term::On(p, c), Term::On(q, d)) if c == d => {
                    self.terms[a] = Term::Same(b);
                    (a, b) = (p, q);
                }
                _ => return false,
            }
        }
    }

    /// Outermost level first.
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

    /// What is open is the base clock [D9].
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

    /// The term of an operand.
    fn operand(&mut self, v: Var, k: usize) -> usize {
        let operand = self.graph.args(v)[k];
        if self.graph.kind(operand) != Kind::Literal {
            return operand;
        }
        self.terms.push(Term::Open);
        let term = self.terms.len() - 1;
        self.literals.push((v, k, term));
        term
    }

    /// What must be one clock for the equation of `v`: a stream, the term of its clock, and the term that this must be.
    fn constraints(&mut self, v: Var) -> Vec<(Var, usize, usize)> {
        let args = self.graph.args(v).to_vec();
        match self.graph.kind(v) {
            Kind::Input | Kind::Literal | Kind::Constant => vec![],
            Kind::Pointwise | Kind::Fby | Kind::Post | Kind::Select => {
                (0..args.len()).map(|k| (args[k], self.operand(v, k), v)).collect()
            }
            Kind::When(holds) => {
                let (x, c) = (self.operand(v, 0), self.operand(v, 1));
                vec![(args[0], x, c), (v, v, self.on(c, args[1], holds))]
            }
            Kind::Merge => {
                let [c, a, b] = [0, 1, 2].map(|k| self.operand(v, k));
                let [left, right] = [true, false].map(|holds| self.on(c, args[0], holds));
                vec![(v, v, c), (args[1], a, left), (args[2], b, right)]
            }
        }
    }
}

/// The clock of each stream.
///
/// # Errors
/// E-CLOCK, for all equations that need what is on different clocks.
pub fn infer(graph: &Graph) -> Result<Clocks, Reported> {
    let mut solver = Solver { graph, terms: vec![Term::Open; graph.len()], literals: vec![] };
    let mut failed = None;
    for v in graph.vars() {
        for (stream, own, term) in solver.constraints(v) {
            if !solver.unify(own, term) {
                failed = Some(conflict(&mut solver, v, stream, [own, term]).emit());
                break;
            }
        }
    }
    if let Some(reported) = failed {
        return Err(reported);
    }
    let clocks = solver.clocks();
    interface(graph, &clocks)?;
    Ok(clocks)
}

/// The clock of each stream, as far as the equations of `some` decide it, which have clocks.
pub fn infer_by(graph: &Graph, some: impl Fn(Var) -> bool) -> Clocks {
    let mut solver = Solver { graph, terms: vec![Term::Open; graph.len()], literals: vec![] };
    for v in graph.vars().filter(|&v| some(v)) {
        for (_, own, term) in solver.constraints(v) {
            let is_one = solver.unify(own, term);
            debug_assert!(is_one, "fewer equations ask for less");
        }
    }
    solver.clocks()
}

fn conflict(solver: &mut Solver, v: Var, stream: Var, terms: [usize; 2]) -> Diagnostic {
    let graph = solver.graph;
    let [found, wanted] = terms.map(|t| solver.levels(t));
    let name = graph.name(stream);
    let (found_text, wanted_text) = (show(graph, &found), show(graph, &wanted));
    let hint = if wanted.starts_with(&found) {
        format!("{name} is present more often: sample it with `stream.when`")
    } else if found.starts_with(&wanted) {
        format!("{name} is present less often: complete it with `stream.merge`")
    } else {
        "a condition and its negation are different clocks, and so are two orders of the same conditions".into()
    };
    let mut diagnostic = graph
        .op(v)
        .error(format!("E-CLOCK: {name} is on the clock `{found_text}`, and must be on `{wanted_text}`"))
        .note(graph.value(stream).location(), format!("{name} comes from here; {hint}"));
    for l in wanted.iter().chain(&found) {
        let name = graph.name(l.condition);
        diagnostic =
            diagnostic.note(graph.value(l.condition).location(), format!("the condition {name} comes from here"));
    }
    diagnostic
}

/// Those outside can only know conditions that they see.
fn interface(graph: &Graph, clocks: &Clocks) -> Result<(), Reported> {
    let outside: Vec<Var> = graph.inputs().chain(graph.outputs.iter().map(|o| o.1)).collect();
    let mut failed = None;
    for &v in &outside {
        let Some(l) = clocks.literals(clocks.of(v)).find(|l| !outside.contains(&l.condition)) else { continue };
        let (name, condition) = (graph.name(v), graph.name(l.condition));
        let clock = clocks.show(graph, clocks.of(v));
        let text =
            format!("E-CLOCK: the clock `{clock}` of {name} depends on {condition}, which is neither input nor output");
        let note = "make it an output, or complete the stream with `stream.merge`";
        failed = Some(graph.op(v).error(text).note(graph.value(l.condition).location(), note).emit());
    }
    if graph.inputs().next().is_some() && graph.inputs().all(|i| clocks.of(i) != Clock::BASE) {
        failed = Some(graph.node.error("E-CLOCK: no input is on the base clock").emit());
    }
    failed.map_or(Ok(()), Err)
}
