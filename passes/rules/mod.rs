//! The laws. Each is written once, as a function over a view; the normaliser and egg both run it.
//!
//! A rule reads one term and what is known of its operands and offers equal terms. Every rule of the directed sets goes down in a
//! measure (see each law), so that no two of them undo each other; rules of the set `choice` are alternatives and run in egg alone.
//! Numbers in parentheses are those of the published rule sets: `c1`, `f4`, `X.12` (Shaikhha et al., arXiv 2212.10307, Fig. 8).

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

/// A law with its name; `apply` pushes every right-hand side that holds for the term.
#[derive(Clone, Copy)]
pub struct Rule {
    pub name: &'static str,
    pub apply: fn(&mut View, Id, &mut Vec<Id>),
}

/// The named sets, in the order in which the normaliser tries them.
pub const SETS: &[(&str, &[Rule])] = &[
    ("index", index::RULES),
    ("ring", ring::RULES),
    ("cond", cond::RULES),
    ("array", array::RULES),
    ("ifold", ifold::RULES),
    ("sum", sum::RULES),
    ("scatter", scatter::RULES),
    ("choice", choice::RULES),
];

/// The rules of the sets that `chosen` names (all when `None`). `choice` rules are alternatives and no part of normalisation.
pub fn rules(chosen: Option<&[String]>, with_choice: bool) -> Vec<Rule> {
    SETS.iter()
        .filter(|(name, _)| chosen.is_none_or(|c| c.iter().any(|x| x == name)))
        .filter(|(name, _)| with_choice || *name != "choice")
        .flat_map(|(_, rules)| rules.iter().copied())
        .collect()
}
