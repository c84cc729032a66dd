//! Rules in the form of two terms with variables, and their matching. `user_rules` compiles texts to this form. This
//! module may use `terms` and the [`View`](super::View) of rules. It must not depend on the notation of rules or on the
//! normaliser: it runs in the same places as rules that are written in Rust.

mod matching;

pub(crate) use matching::told;

use crate::optimise::rules::{Apply, Requirement, Rule as Law, View};
use crate::optimise::terms::{Flags, Pool};
use egg::Id;
use mlopt_dialects::text::Span;

/// A rule that has been parsed and type-checked.
pub struct Rule {
    pub name: String,
    pub at: Span,
    /// The text of the rule.
    pub(crate) law: String,
    pub(crate) when: String,
    pub(crate) requirement: Requirement,
    pub(crate) pattern: Pattern,
}

/// Both sides as terms of one pool; the variables are its leaves.
pub(crate) struct Pattern {
    pub(crate) pool: Pool,
    pub(crate) left: Id,
    pub(crate) right: Id,
    /// Comparisons of indices that must be proved.
    pub(crate) conditions: Vec<Id>,
    pub(crate) variables: Vec<Variable>,
    /// The flags that the operators of the left side must have.
    pub(crate) flags: Flags,
}

/// A variable, represented by a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The leaf that represents it.
    pub(crate) leaf: Id,
    /// The length of each axis: a constant, or a variable for an index.
    pub(crate) sizes: Vec<Id>,
}

/// The rules of one file.
#[derive(Default)]
pub struct Rules {
    pub rules: Vec<Rule>,
}

impl Rules {
    /// Returns the rules in the form that the e-graph runs.
    pub fn laws(&self) -> Vec<Law<'_>> {
        let law = |r| -> Law<'_> {
            let r: &Rule = r;
            Law {
                name: &r.name,
                law: &r.law,
                when: &r.when,
                requirement: r.requirement,
                at: |_| true,
                apply: Apply::Pattern(r),
            }
        };
        self.rules.iter().map(law).collect()
    }
}

impl Rule {
    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        matching::apply(&self.pattern, view, t, out);
    }
}
