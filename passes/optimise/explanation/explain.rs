//! Explanations for readers: each rewriting step with its rule, its location in the program, and the code before and
//! after as MLIR.

use crate::optimise::explanation::proof::Link;
use crate::optimise::placement::place::{Placer, Variable};
use crate::optimise::rules::{self, Laws, Rule};
use crate::optimise::saturate::Report;
use crate::optimise::terms::Pool;
use crate::optimise::translation::export::{Exporter, index_name, state_name};
use crate::optimise::translation::import::Prototypes;
use egg::Id;
use mlopt_dialects::ir::{Block, Builder, Context, Dim, Location, OpBuilder, Type as IrType, Value};
use mlopt_dialects::ops::Kind;
use rustc_hash::FxHashMap;

/// The maximum number of source locations in one step.
const MOST_LOCATIONS: usize = 3;

/// The derivation of the new form of a piece of a program.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    pub steps: Vec<Step>,
    /// The cost of the original under the cost model.
    pub before: f64,
    pub after: f64,
    pub report: Option<Report>,
}

/// One rewriting step, at all places where the code occurs.
#[derive(Clone, Debug)]
pub struct Step {
    pub rule: String,
    pub set: String,
    pub law: String,
    /// The side condition; empty where there is none.
    pub when: String,
    pub requirement: &'static str,
    /// False if the rule was read from right to left.
    pub forward: bool,
    /// The source locations of the code.
    pub locations: Vec<String>,
    pub before: String,
    pub after: String,
}

/// Formats `f.mlir:7:15 (%x)`. Returns `None` for a location outside of any file.
fn written(location: &Location) -> Option<String> {
    let place = location.place()?;
    Some(match location.name() {
        Some(name) => format!("{place} (%{name})"),
        None => place.to_string(),
    })
}

/// The data that translation from terms to code needs.
pub struct Source<'a> {
    fragment: Box<Fragment<'a>>,
    /// The source location of each term.
    origins: FxHashMap<Id, Location>,
}

/// A function that returns the code of a term for readers.
type Fragment<'a> = dyn Fn(&mut Pool, Id) -> String + 'a;

impl<'a> Source<'a> {
    /// Creates the source of array code, with `leaves` by number.
    pub fn new(context: Context, prototypes: &'a Prototypes, leaves: &[Value]) -> Self {
        let names = crate::optimise::translation::names::of_values(leaves);
        let leaves = leaves.iter().map(|v| v.ty()).collect();
        let arrays = Arrays { context, prototypes, leaves, names };
        Source::written_by(Box::new(move |pool, t| arrays.fragment(pool, t)))
    }

    pub fn written_by(fragment: Box<Fragment<'a>>) -> Self {
        Source { fragment, origins: FxHashMap::default() }
    }

    /// Records the source locations of terms.
    pub fn with_origins(mut self, origins: impl IntoIterator<Item = (Id, Location)>) -> Self {
        for (t, location) in origins {
            self.origins.entry(t).or_insert(location);
        }
        self
    }

    pub fn explain(mut self, pool: &mut Pool, links: &[Link], laws: &Laws) -> Explanation {
        let yours = laws.choice.iter().map(|&rule| (rule.name, ("yours", rule)));
        let known: FxHashMap<&str, (&str, Rule)> =
            yours.chain(rules::every().map(|(set, rule)| (rule.name, (set, rule)))).collect();
        let steps = links
            .iter()
            .map(|link| {
                let mut locations = self.locations(pool, link.left);
                if locations.is_empty() {
                    locations = self.locations(pool, link.right);
                }
                self.inherit(pool, link.right, locations.first().copied());
                let mut seen: Vec<String> = Vec::new();
                for place in locations.iter().filter_map(written) {
                    if !seen.contains(&place) {
                        seen.push(place);
                    }
                }
                let (set, law, when, requirement) = match known.get(link.rule) {
                    Some((set, rule)) => (*set, rule.law, rule.when, rule.requirement.name()),
                    None => ("", "", "", "exact"),
                };
                Step {
                    rule: link.rule.to_string(),
                    set: set.to_string(),
                    law: law.to_string(),
                    when: when.to_string(),
                    requirement,
                    forward: link.forward,
                    locations: seen,
                    before: (self.fragment)(pool, link.left),
                    after: (self.fragment)(pool, link.right),
                }
            })
            .collect();
        Explanation { steps, ..Explanation::default() }
    }

    /// Returns the locations of the parts of a term, its own location first.
    fn locations(&self, pool: &Pool, t: Id) -> Vec<Location> {
        let (mut found, mut seen, mut todo) = (Vec::new(), rustc_hash::FxHashSet::default(), vec![t]);
        while let Some(t) = todo.pop() {
            if found.len() == MOST_LOCATIONS || !seen.insert(t) {
                continue;
            }
            found.extend(self.origins.get(&t));
            todo.extend(pool.node(t).children.iter().rev());
        }
        found
    }

    /// Gives the result of a step, and its parts, the location of the original unless they have one.
    fn inherit(&mut self, pool: &Pool, t: Id, from: Option<Location>) {
        let Some(from) = from else { return };
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            let node = pool.node(t);
            if !node.children.is_empty() && !self.origins.contains_key(&t) {
                self.origins.insert(t, from);
                todo.extend(&node.children);
            }
        }
    }
}

struct Arrays<'a> {
    context: Context,
    prototypes: &'a Prototypes,
    /// The types of the leaves, by number.
    leaves: Vec<IrType>,
    names: Vec<String>,
}

impl Arrays<'_> {
    /// Returns the code of a term. Values from outside keep their names. The indices of enclosing loops are `%i`, `%j`,
    /// … from the outermost on; the loops of the term itself use the next letters. States are `%s0`, `%s1`, ….
    fn fragment(&self, pool: &mut Pool, t: Id) -> String {
        let (mut plan, value, variables) = Placer::fragment(pool, t, self.leaves.len() as u32);
        plan.alias.clear();
        let context = self.context;
        let at = context.unknown_location();
        let shape = |v: &Variable| v.ty.shape.iter().map(|n| n.map(|n| n as usize)).collect::<Vec<Dim>>();
        let variable_types = variables.iter().map(|v| IrType::array(&shape(v), context.scalar(v.ty.element)));
        let types: Vec<IrType> = self.leaves.iter().copied().chain(variable_types).collect();
        // Variables are in order from the outermost level.
        let mut indices = 0;
        let mut names = self.names.clone();
        for v in &variables {
            names.push(v.component.map_or_else(|| index_name(indices), state_name));
            indices += usize::from(v.component.is_none());
        }
        let block = Block::new(&types.iter().zip(&names).map(|(&ty, n)| (ty, at.named(n))).collect::<Vec<_>>());
        let leaves = block.arguments();
        let b = Builder::at_end(block, at);
        let origins = FxHashMap::default();
        let mut exporter = Exporter::new(&plan, self.prototypes, &origins, &leaves).with_names(indices);
        exporter.statements(b, 0..plan.scopes[0].stmts.len());
        let result = exporter.value(value);
        b.insert(b.op(Kind::FuncReturn).operands(&[result]).build());
        code(block, result.ty())
    }
}

/// Returns the code of a block that returns a value of this type, and erases the block.
pub fn code(block: Block, result: IrType) -> String {
    let at = result.context().unknown_location();
    let function = OpBuilder::function(Kind::FuncFunc, "fragment", block, &[result], at).build();
    let text = function.to_string();
    function.erase();
    readable(&text)
}

/// Returns the body of a function, with its result as the last line.
fn readable(function: &str) -> String {
    let lines: Vec<&str> = function.lines().collect();
    let body = &lines[1..lines.len() - 1];
    let line = |line: &str| {
        let line = line.strip_prefix("  ").unwrap_or(line);
        line.strip_prefix("return ").map_or(line.to_string(), |result| format!("=> {result}")) + "\n"
    };
    body.iter().map(|l| line(l)).collect()
}
