//! The laws. Each is written once, as a function over a view; the normaliser and egg both run it.
//!
//! A rule reads one term and what is known of its operands and offers equal terms. Every rule of the directed sets goes down in a
//! measure (see each law), so that no two of them undo each other; rules of the set `choice` are alternatives and run in egg alone.
//! Numbers in parentheses are those of the published rule sets: `c1`, `f4` (Shaikhha et al., arXiv 2212.10307, Fig. 8), and of
//! `spec/arrays.md` E.3: `X.12`.

pub mod array;
pub mod choice;
pub mod cond;
pub mod ifold;
pub mod index;
pub mod ring;
pub mod scatter;
pub mod sum;

use crate::terms::{Node, Op, Pool};
use egg::Id;
use rustc_hash::FxHashMap;

/// What an e-graph adds to the pool: other forms of a term.
#[derive(Default)]
pub struct Classes {
    /// By the cheapest term of a class: all of its nodes as terms whose operands are the cheapest ones.
    pub forms: FxHashMap<Id, Vec<Id>>,
}

/// What a rule sees.
pub struct View<'a> {
    pub pool: &'a mut Pool,
    pub classes: Option<&'a Classes>,
}

impl View<'_> {
    /// All known forms of a term, itself first.
    pub fn forms(&self, t: Id) -> Vec<Id> {
        match self.classes.and_then(|c| c.forms.get(&t)) {
            Some(forms) => std::iter::once(t).chain(forms.iter().copied().filter(|&f| f != t)).collect(),
            None => vec![t],
        }
    }

    /// The forms of a term that have a given operator, as their nodes.
    pub fn forms_with(&self, t: Id, wanted: impl Fn(Op) -> bool) -> Vec<Node> {
        self.forms(t).into_iter().map(|f| self.pool.node(f)).filter(|n| wanted(n.op)).cloned().collect()
    }

    pub fn node(&self, t: Id) -> Node {
        self.pool.node(t).clone()
    }
}

/// What a law asks of the numbers (`spec/arrays.md` E.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Licence {
    /// Every bit stays.
    Exact,
    /// Every bit stays where zeros and ones are structural; the user's zeros need `nnan`, `ninf` and `nsz`.
    Exact0,
    /// The order of additions changes where it is open: inside reductions, and of what a scatter adds to one place.
    Free,
    /// Where the operators carry the `fastmath` flags that the condition names.
    Fast,
}

impl Licence {
    pub fn name(self) -> &'static str {
        match self {
            Licence::Exact => "exact",
            Licence::Exact0 => "exact0",
            Licence::Free => "free",
            Licence::Fast => "fast",
        }
    }
}

/// Pushes every right-hand side that holds for a term.
#[derive(Clone, Copy)]
pub enum Apply {
    Native(fn(&mut View, Id, &mut Vec<Id>)),
}

/// A law with its name.
#[derive(Clone, Copy)]
pub struct Rule<'a> {
    pub name: &'a str,
    /// The equation. Numbers in parentheses are those of the published sets.
    pub law: &'a str,
    /// The side condition; empty where there is none.
    pub when: &'a str,
    pub licence: Licence,
    pub apply: Apply,
}

impl Rule<'_> {
    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        match self.apply {
            Apply::Native(f) => f(view, t, out),
        }
    }
}

/// The named sets, in the order in which the normaliser tries them.
pub const SETS: &[(&str, &[Rule<'static>])] = &[
    ("index", index::RULES),
    ("ring", ring::RULES),
    ("cond", cond::RULES),
    ("array", array::RULES),
    ("ifold", ifold::RULES),
    ("sum", sum::RULES),
    ("scatter", scatter::RULES),
    ("choice", choice::RULES),
];

/// The laws in use.
#[derive(Clone)]
pub struct Laws<'a> {
    /// What the normaliser runs.
    pub directed: Vec<Rule<'a>>,
    /// Alternatives: they run in the e-graph alone, with the directed ones.
    pub choice: Vec<Rule<'a>>,
}

impl Laws<'static> {
    /// Those of the sets that `chosen` accepts.
    pub fn of_sets(chosen: impl Fn(&str) -> bool) -> Self {
        let of = |choice: bool| {
            let sets = SETS.iter().filter(|(name, _)| chosen(name) && (*name == "choice") == choice);
            sets.flat_map(|(_, rules)| rules.iter().copied()).collect()
        };
        Laws { directed: of(false), choice: of(true) }
    }

    pub fn all() -> Self {
        Laws::of_sets(|_| true)
    }
}

impl<'a> Laws<'a> {
    pub fn together(&self) -> Vec<Rule<'a>> {
        [self.directed.as_slice(), &self.choice].concat()
    }
}
