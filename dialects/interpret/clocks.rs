//! Inference of the clocks of streams, by unification (`spec/streams.md` 5.3).

use super::Rejected;
use super::equations::{Equation, Equations, Stream};
use std::collections::HashMap;
use std::rc::Rc;

/// A clock, by its number. Equal clocks have one number.
pub type Clock = usize;

/// The clock of the node.
pub const BASE: Clock = 0;

/// A condition, and the value that it has where the clock ticks.
type Level = (Stream, bool);

/// The conditions under a clock. Clocks share the lists of the clocks around them.
type Levels = Option<Rc<Inside>>;

/// The innermost condition of a clock, and the conditions around it.
struct Inside {
    level: Level,
    around: Levels,
}

/// A clock while it is being inferred: an unknown clock, and the conditions under it.
#[derive(Clone)]
struct Path {
    root: usize,
    levels: Levels,
}

impl Path {
    /// Returns the conditions, innermost first.
    fn conditions(&self) -> impl Iterator<Item = Level> + '_ {
        std::iter::successors(self.levels.as_deref(), |l| l.around.as_deref()).map(|l| l.level)
    }

    /// Adds conditions inside; the first one of `levels` is the innermost.
    fn extend(&mut self, levels: impl Iterator<Item = Level>) {
        let levels: Vec<Level> = levels.collect();
        for level in levels.into_iter().rev() {
            self.levels = Some(Rc::new(Inside { level, around: self.levels.take() }));
        }
    }
}

/// The clocks of all streams.
pub struct Clocks {
    of: Vec<Clock>,
    /// Of the literals that a stream reads, by stream and operand.
    of_literals: HashMap<(Stream, usize), Clock>,
    /// Of each clock: the clock around it and its innermost condition; none for the base clock.
    levels: Vec<Option<(Clock, Level)>>,
}

impl Clocks {
    /// # Errors
    /// For an equation whose operands are on different clocks.
    pub fn solve(equations: &Equations) -> Result<Clocks, Rejected> {
        let mut solver = Solver { equations, bindings: vec![None; equations.len()], literals: HashMap::new() };
        for s in 0..equations.len() {
            solver.constrain(s)?;
        }
        let mut clocks = Clocks { of: vec![], of_literals: HashMap::new(), levels: vec![None] };
        let mut numbers = HashMap::new();
        for s in 0..equations.len() {
            let clock = clocks.number(&solver.resolve(s), &mut numbers);
            clocks.of.push(clock);
        }
        for (at, root) in std::mem::take(&mut solver.literals) {
            let clock = clocks.number(&solver.resolve(root), &mut numbers);
            clocks.of_literals.insert(at, clock);
        }
        Ok(clocks)
    }

    /// Returns the number of a clock. A root that is still unknown is the base clock [D9].
    fn number(&mut self, path: &Path, numbers: &mut HashMap<(Clock, Level), Clock>) -> Clock {
        let levels: Vec<Level> = path.conditions().collect();
        levels.into_iter().rev().fold(BASE, |parent, level| {
            *numbers.entry((parent, level)).or_insert_with(|| {
                self.levels.push(Some((parent, level)));
                self.levels.len() - 1
            })
        })
    }

    /// Returns the number of clocks.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    pub fn of(&self, s: Stream) -> Clock {
        self.of[s]
    }

    /// Returns the clock on which `s` reads operand `k`, a literal.
    pub fn of_operand(&self, s: Stream, k: usize) -> Clock {
        self.of_literals[&(s, k)]
    }

    /// Returns the parent clock and the innermost condition; `None` for the base clock.
    pub fn level(&self, clock: Clock) -> Option<(Clock, Stream, bool)> {
        self.levels[clock].map(|(parent, (condition, holds))| (parent, condition, holds))
    }

    /// Returns the conditions of a clock, innermost first.
    pub fn conditions(&self, clock: Clock) -> impl Iterator<Item = Stream> + '_ {
        let around = |&(parent, _): &(Clock, Level)| self.levels[parent];
        std::iter::successors(self.levels[clock], around).map(|(_, (condition, _))| condition)
    }
}

struct Solver<'a> {
    equations: &'a Equations,
    /// The clock of each unknown, if it is known. The first unknowns are the clocks of the streams.
    bindings: Vec<Option<Path>>,
    /// The unknowns of literals, by reader and operand.
    literals: HashMap<(Stream, usize), usize>,
}

impl Solver<'_> {
    /// Adds the clock constraints of the equation of `s`.
    fn constrain(&mut self, s: Stream) -> Result<(), Rejected> {
        let operands = self.equations.operands(s).to_vec();
        let all: Vec<usize> = (0..operands.len()).map(|k| self.operand(s, k)).collect();
        match self.equations.kind(s) {
            Equation::Input | Equation::Literal | Equation::Constant => Ok(()),
            Equation::Pointwise | Equation::Fby | Equation::Post | Equation::Select => {
                all.iter().try_for_each(|&operand| self.unify(s, path(operand), path(s)))
            }
            Equation::When(holds) => {
                self.unify(s, path(all[0]), path(all[1]))?;
                let sampled = self.on(all[1], operands[1], holds);
                self.unify(s, path(s), sampled)
            }
            Equation::Merge => {
                self.unify(s, path(s), path(all[0]))?;
                [(1, true), (2, false)].into_iter().try_for_each(|(k, holds)| {
                    let sampled = self.on(all[0], operands[0], holds);
                    self.unify(s, path(all[k]), sampled)
                })
            }
        }
    }

    /// Returns the unknown of an operand: that of its stream, or a new one for a literal.
    fn operand(&mut self, s: Stream, k: usize) -> usize {
        let operand = self.equations.operands(s)[k];
        if self.equations.kind(operand) != Equation::Literal {
            return operand;
        }
        self.bindings.push(None);
        let root = self.bindings.len() - 1;
        self.literals.insert((s, k), root);
        root
    }

    /// Returns the clock of the cycles of `parent` in which `condition` has the value `holds`. Sampling by the constant
    /// `holds` selects all of them [D10].
    fn on(&self, parent: usize, condition: Stream, holds: bool) -> Path {
        let is_always = self.equations.boolean_constant(condition) == Some(holds);
        let mut sampled = path(parent);
        sampled.extend((!is_always).then_some((condition, holds)).into_iter());
        sampled
    }

    /// Returns the known part of the clock of an unknown: its root is unbound.
    fn resolve(&mut self, root: usize) -> Path {
        // Inside out, and the results are remembered: chains of bindings may be long.
        let (mut chain, mut end) = (vec![], root);
        while let Some(binding) = self.bindings[end].take() {
            let next = binding.root;
            chain.push((end, binding));
            end = next;
        }
        let mut resolved = path(end);
        for (unknown, binding) in chain.into_iter().rev() {
            match resolved.levels {
                None => resolved.levels = binding.levels,
                Some(_) => resolved.extend(binding.conditions()),
            }
            self.bindings[unknown] = Some(resolved.clone());
        }
        resolved
    }

    /// Makes two clocks equal, for the equation of `s`.
    fn unify(&mut self, s: Stream, a: Path, b: Path) -> Result<(), Rejected> {
        let [mut a, mut b] = [a, b].map(|p| {
            let mut resolved = self.resolve(p.root);
            resolved.extend(p.conditions());
            resolved
        });
        while let (Some(inner), Some(other)) = (&a.levels, &b.levels) {
            let is_shared = Rc::ptr_eq(inner, other);
            if !is_shared && inner.level != other.level {
                break;
            }
            let around = |inside: &Rc<Inside>| if is_shared { None } else { inside.around.clone() };
            (a.levels, b.levels) = (around(inner), around(other));
        }
        if a.root == b.root && a.levels.is_none() && b.levels.is_none() {
            return Ok(());
        }
        let (unknown, known) = if a.levels.is_none() { (a, b) } else { (b, a) };
        if unknown.levels.is_some() || unknown.root == known.root {
            return Err(Rejected::Clocks { stream: self.equations.label(s) });
        }
        self.bindings[unknown.root] = Some(known);
        Ok(())
    }
}

/// Returns the clock of an unknown, before resolution.
fn path(root: usize) -> Path {
    Path { root, levels: None }
}
