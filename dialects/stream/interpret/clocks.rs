//! Clocks of streams, by unification (`spec/streams.md` 5.3).

use super::equations::{Equation, Equations, Stream};
use std::collections::HashMap;

/// A clock, by its number. Equal clocks have one number.
pub type Clock = usize;

/// The clock of the node.
pub const BASE: Clock = 0;

/// A condition, and the value that it has where the clock ticks.
type Level = (Stream, bool);

/// A clock while it is being inferred: an unknown clock, and the conditions under it, outermost first.
#[derive(Clone, Debug, PartialEq)]
struct Path {
    root: usize,
    levels: Vec<Level>,
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
    pub fn solve(equations: &Equations) -> Result<Clocks, String> {
        let mut solver = Solver { equations, bindings: vec![None; equations.len()], literals: HashMap::new() };
        for s in 0..equations.len() {
            solver.constrain(s)?;
        }
        let mut clocks = Clocks { of: vec![], of_literals: HashMap::new(), levels: vec![None] };
        let mut numbers = HashMap::new();
        for s in 0..equations.len() {
            let path = solver.resolve(s);
            let clock = clocks.number(&path.levels, &mut numbers);
            clocks.of.push(clock);
        }
        for (at, root) in std::mem::take(&mut solver.literals) {
            let path = solver.resolve(root);
            let clock = clocks.number(&path.levels, &mut numbers);
            clocks.of_literals.insert(at, clock);
        }
        Ok(clocks)
    }

    /// The number of the clock with these conditions. A root that is still unknown is the base clock [D9].
    fn number(&mut self, levels: &[Level], numbers: &mut HashMap<(Clock, Level), Clock>) -> Clock {
        levels.iter().fold(BASE, |parent, &level| {
            *numbers.entry((parent, level)).or_insert_with(|| {
                self.levels.push(Some((parent, level)));
                self.levels.len() - 1
            })
        })
    }

    /// The number of clocks.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    pub fn of(&self, s: Stream) -> Clock {
        self.of[s]
    }

    /// The clock on which `s` reads the literal that is its operand `k`.
    pub fn of_operand(&self, s: Stream, k: usize) -> Clock {
        self.of_literals[&(s, k)]
    }

    /// The clock around it and its innermost condition; none for the base clock.
    pub fn level(&self, clock: Clock) -> Option<(Clock, Stream, bool)> {
        self.levels[clock].map(|(parent, (condition, holds))| (parent, condition, holds))
    }

    /// The conditions of a clock, innermost first.
    pub fn conditions(&self, clock: Clock) -> impl Iterator<Item = Stream> + '_ {
        let around = |&(parent, _): &(Clock, Level)| self.levels[parent];
        std::iter::successors(self.levels[clock], around).map(|(_, (condition, _))| condition)
    }
}

struct Solver<'a> {
    equations: &'a Equations,
    /// The clock that each unknown stands for, as far as it is known. The first unknowns are the clocks of the streams.
    bindings: Vec<Option<Path>>,
    /// The unknowns of literals, by reader and operand.
    literals: HashMap<(Stream, usize), usize>,
}

impl Solver<'_> {
    /// Adds what the equation of `s` says of clocks.
    fn constrain(&mut self, s: Stream) -> Result<(), String> {
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

    /// The unknown of an operand: that of its stream, or a new one for a literal.
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

    /// The cycles of `parent` in which `condition` has the value `holds`. Sampling by the constant `holds` selects all
    /// of them [D10].
    fn on(&self, parent: usize, condition: Stream, holds: bool) -> Path {
        let is_always = self.equations.boolean_constant(condition) == Some(holds);
        Path { root: parent, levels: if is_always { vec![] } else { vec![(condition, holds)] } }
    }

    /// The clock of an unknown as far as it is known: its root is unbound.
    fn resolve(&mut self, root: usize) -> Path {
        // Inside out, and the results are remembered: chains of bindings may be long.
        let mut chain = vec![root];
        while let Some(next) = &self.bindings[chain[chain.len() - 1]] {
            chain.push(next.root);
        }
        let mut resolved = path(chain.pop().expect("the chain has its start"));
        for unknown in chain.into_iter().rev() {
            let own = self.bindings[unknown].take().map_or(vec![], |binding| binding.levels);
            resolved.levels.extend(own);
            self.bindings[unknown] = Some(resolved.clone());
        }
        resolved
    }

    /// Makes two clocks equal, for the equation of `s`.
    fn unify(&mut self, s: Stream, a: Path, b: Path) -> Result<(), String> {
        let [mut a, mut b] = [a, b].map(|p| {
            let mut resolved = self.resolve(p.root);
            resolved.levels.extend(p.levels);
            resolved
        });
        while let (Some(inner), Some(other)) = (a.levels.last(), b.levels.last()) {
            if inner != other {
                break;
            }
            a.levels.pop();
            b.levels.pop();
        }
        if a == b {
            return Ok(());
        }
        let (unknown, known) = if a.levels.is_empty() { (a, b) } else { (b, a) };
        if !unknown.levels.is_empty() || unknown.root == known.root {
            return Err(format!(
                "E-CLOCK: the equation of {} reads streams on different clocks",
                self.equations.label(s)
            ));
        }
        self.bindings[unknown.root] = Some(known);
        Ok(())
    }
}

/// The clock of an unknown, before it is looked up.
fn path(root: usize) -> Path {
    Path { root, levels: vec![] }
}
