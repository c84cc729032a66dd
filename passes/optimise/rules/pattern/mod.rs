//! Rules that are written as text: pairs of terms with variables, their compilation, and their matching. Rules of users
//! and most built-in rules are patterns. May use `notation`, `terms` and the view of `rules`. Must never know the
//! normaliser, the e-graph or MLIR.

mod compile;
mod matching;

pub(crate) use compile::rule as compile;

use crate::optimise::rules::{Apply, Requirement, Rule as Law, View};
use crate::optimise::terms::data::Form;
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::text::terms::{Term, read};
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;

/// A rule that has been parsed and type-checked.
pub struct Rule {
    pub name: String,
    pub at: Span,
    /// The text of the rule, as written.
    pub text: String,
    /// The equations on one line, or the comment above the rule if there are several.
    pub(crate) law: String,
    pub(crate) when: String,
    pub(crate) requirement: Requirement,
    /// The equations in order, each once for every choice of types.
    pub(crate) patterns: Vec<Pattern>,
    /// The numbers of the patterns, ascending, by the operator at the root of their left sides. There are few operators.
    by_head: Vec<(Op, Vec<usize>)>,
}

/// Both sides of an equation as terms of one pool; the variables are its leaves.
pub(crate) struct Pattern {
    pub(crate) pool: Pool,
    pub(crate) left: Id,
    pub(crate) right: Id,
    /// The number of the equation in the rule. An equation is tried only where no earlier one of its rule applies.
    pub(crate) equation: usize,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) variables: Vec<Variable>,
    /// The number of variables that denote positions in tuples or keys of environments.
    pub(crate) positions: usize,
    /// The flags that the operators of the left side must have.
    pub(crate) flags: Flags,
    /// True if a float operator other than a negation occurs on the left. Negations then need no flags, because they
    /// are exact, and do not take away those of others.
    pub(crate) spares_negation: bool,
    /// The element type and rank of every match, if known.
    pub(crate) root: Option<(Element, usize)>,
}

/// A condition that must be proved for a match. Its terms are those of the pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// A comparison of integers by MLIR's number of the predicate.
    Compare(u8, Id, Id),
    /// The term is a constant, and a finite number.
    Finite(Id),
    /// The term is a constant, and a power of two with an exact reciprocal.
    PowerOfTwo(Id),
    /// The term is the structural zero, or a strong zero of data.
    Zero(Id),
    /// The term is the structural one.
    One(Id),
    /// The positions or keys with these numbers are equal, or differ.
    Positions { equal: bool, a: u32, b: u32 },
}

/// The terms that a variable matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers and arrays of one element type.
    Element(Element),
    /// Terms of any type. With sizes, arrays with at least so many axes.
    Any,
    /// Data: a tuple or record, a list, an environment of gradients.
    Tuple,
    List,
    Env,
}

/// A variable, represented by a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The leaf that represents it.
    pub(crate) leaf: Id,
    pub(crate) kind: Kind,
    /// The length of each axis: a constant, or a variable for an index.
    pub(crate) sizes: Vec<Id>,
    /// True if it matches constants only.
    pub(crate) is_constant: bool,
    /// True if it matches only arrays that are read as they are: no array is made of another term.
    pub(crate) is_given: bool,
    /// True if the right side, a condition or a size needs its value.
    pub(crate) is_needed: bool,
    /// True if it occurs exactly once on the left.
    pub(crate) is_single: bool,
}

/// The rules of one file.
#[derive(Default)]
pub struct Rules {
    pub rules: Vec<Rule>,
    /// The path of the file; empty for a text without one.
    pub(crate) file: String,
    /// Uses of words that will be removed.
    pub(crate) warnings: Vec<Problem>,
}

/// An entry of a file of built-in rules.
pub(crate) enum Entry {
    Text(Rule),
    /// The place of a rule that is a Rust function, `(native NAME)`.
    Native(String),
}

impl Rules {
    /// Returns the rules in the form that drivers run.
    pub fn laws(&self) -> Vec<Law<'_>> {
        self.rules.iter().map(Rule::law).collect()
    }
}

/// Parses a file of built-in rules, in its order.
pub(crate) fn built_in(text: &'static str) -> Result<Vec<Entry>, Problem> {
    let entry = |term: &Term| match term.list() {
        Some([head, name]) if head.name() == Some("native") => {
            Ok(Entry::Native(name.name().ok_or_else(|| name.expected("the name of a rule"))?.to_string()))
        }
        _ => compile(term, text, &mut |_, t| t, &mut vec![]).map(Entry::Text),
    };
    read(text)?.iter().map(entry).collect()
}

impl Rule {
    /// Returns the rule in the form that drivers run.
    pub fn law(&self) -> Law<'_> {
        Law {
            name: &self.name,
            law: &self.law,
            when: &self.when,
            requirement: self.requirement,
            at: |_| true,
            apply: Apply::Pattern(self),
        }
    }

    /// Checks whether an equation has this operator at the root of its left side.
    pub fn is_at(&self, op: Op) -> bool {
        let fits = |&k: &usize| matching::fits(&self.patterns[k], self.patterns[k].pool.op(self.patterns[k].left), op);
        self.at(op).is_some_and(|all| all.iter().any(fits))
    }

    /// Returns the numbers of the patterns with this operator at the root.
    fn at(&self, op: Op) -> Option<&[usize]> {
        let head = head(op);
        self.by_head.iter().find(|(known, _)| *known == head).map(|(_, all)| all.as_slice())
    }

    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        let Some(all) = self.at(view.pool.op(t)) else { return };
        let mut applies = None;
        for pattern in all.iter().map(|&k| &self.patterns[k]) {
            // The equations ascend.
            if applies.is_some_and(|equation| equation < pattern.equation) {
                return;
            }
            let before = out.len();
            matching::apply(pattern, view, t, out);
            if out.len() > before {
                applies = Some(pattern.equation);
            }
        }
    }
}

/// Returns the operator without flags, types and positions: an operator that a pattern may match has the same head as
/// the operator of the pattern.
fn head(op: Op) -> Op {
    match op {
        Op::Prim(p, _) => Op::Prim(p, Flags::NONE),
        Op::Reduce(r, _) => Op::Reduce(r, Flags::NONE),
        Op::Proj(k) => Op::Proj(k),
        Op::Data(form, _) => Op::Data(without_position(form), 0),
        op => op,
    }
}

/// Returns the constructor with its position, key or number replaced by 0.
fn without_position(form: Form) -> Form {
    match form {
        Form::Part(_) => Form::Part(0),
        Form::Update(_) => Form::Update(0),
        Form::Zeros(_) => Form::Zeros(0),
        Form::Lookup(_) => Form::Lookup(0),
        Form::Insert(_) => Form::Insert(0),
        Form::Read(_) => Form::Read(0),
        Form::Write(_) => Form::Write(0),
        Form::Linear(_) => Form::Linear(0),
        Form::Other(_) => Form::Other(0),
        Form::Result(_) => Form::Result(0),
        form => form,
    }
}

/// Returns the position or key of a constructor.
fn position(form: Form) -> Option<u32> {
    match form {
        Form::Part(k) | Form::Update(k) | Form::Lookup(k) | Form::Insert(k) => Some(k),
        _ => None,
    }
}

/// Returns the constructor with another position or key.
fn with_position(form: Form, k: u32) -> Form {
    match form {
        Form::Part(_) => Form::Part(k),
        Form::Update(_) => Form::Update(k),
        Form::Lookup(_) => Form::Lookup(k),
        Form::Insert(_) => Form::Insert(k),
        form => form,
    }
}

/// Checks whether an operator is a sum or product whose order is unspecified.
fn reorders(op: Op) -> bool {
    matches!(op, Op::Reduce(Reduction::Sum | Reduction::Prod, _) | Op::Scatter(..))
}

/// Checks whether the flags of an operator limit those of the result.
fn counts(p: Prim) -> bool {
    p.is_float() && p != Prim::NegF
}
