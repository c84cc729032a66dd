//! Rules that are written as text: pairs of terms with variables. `compile.rs` type-checks them, `program.rs` compiles
//! left sides to tests, and `matching.rs` runs these. `functions.rs` has the analyses that right sides may use. Rules
//! of users and most built-in rules have this form. This module may use `terms`, their notation, and the [`View`] of
//! rules. It must not depend on the normaliser, the e-graph or MLIR: it runs in the same places as rules that are
//! written in Rust.

mod compile;
mod functions;
mod matching;
mod program;

pub(crate) use compile::rule as compile;

use crate::optimise::rules::{Apply, Requirement, Rule as Law, View};
use crate::optimise::terms::data::Form;
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::text::terms::{Term, read};
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use program::Test;
use smallvec::SmallVec;

/// A rule that has been parsed and type-checked.
pub struct Rule {
    pub name: String,
    pub at: Span,
    /// The text of the rule, as written.
    pub text: String,
    /// The equations on one line, or the comment above the rule if there are several.
    pub law: String,
    pub when: String,
    pub requirement: Requirement,
    /// The equations in order, each once for every choice of types.
    pub patterns: Vec<Pattern>,
    /// The numbers of the patterns, ascending, by the kind of the operator at the root.
    by_kind: Vec<(u8, Vec<u16>)>,
    /// The kinds in `by_kind`, as a set of bits.
    pub(super) kinds: u64,
}

/// Both sides of an equation as terms of one pool; the variables are its leaves.
pub struct Pattern {
    pub pool: Pool,
    pub left: Id,
    pub right: Id,
    /// The number of the equation in the rule. An equation is tried only where no earlier one of its rule applies.
    pub equation: usize,
    /// The number of the group of equations of which only the first one that applies is used.
    group: usize,
    pub conditions: Vec<Condition>,
    pub variables: Vec<Variable>,
    /// The number of variables that denote positions in tuples or keys of environments.
    pub positions: usize,
    /// The flags that the operators of the left side must have.
    pub flags: Flags,
    /// True if a float operator other than a negation occurs on the left. Negations then need no flags, because they
    /// are exact, and do not take away those of others.
    pub spares_negation: bool,
    /// True if a difference of floats occurs on the left.
    subtracts: bool,
    /// The kinds of operators that the first operand of the root may have, as a set of bits.
    first_kinds: u64,
    /// The element type and rank of every match, if known.
    pub root: Option<(Element, usize)>,
    /// True if a variable stands for any number of terms.
    has_many: bool,
    /// True if all operands of an operator are tested alike.
    has_each: bool,
    /// The variables by their leaves.
    slots: Vec<Option<u8>>,
    /// The tests that a term must pass, from the root on.
    tests: Vec<Test>,
    /// The number of registers of the tests.
    registers: usize,
}

/// A condition that must be proved for a match. Its terms are those of the pattern.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// A comparison of integers by MLIR's number of the predicate.
    Compare(u8, Id, Id),
    Term(Property, Id),
    /// The first term is no constant, and changes less often than the second one, which depends on an index or a state
    /// on which the first one does not depend.
    Invariant(Id, Id),
    /// The first term may be computed outside of a loop whose number of iterations is the second one.
    Leaves(Id, Id),
    /// The map may be computed at the second term, which is in the range of an index with the third term as its extent,
    /// or the map cannot fail.
    Runs(Id, Id, Id),
    /// Adding or subtracting the first term, a zero, changes nothing: it is structural or an integer, or the operators
    /// or the values of the map do not distinguish zeros of both signs.
    Neutral(Id, Option<Id>),
    /// A form of the map is a choice between a value and the structural zero, for one value of its first argument.
    OneHot(Id),
    /// The sums on the left side carry these flags, or the operator of the term does. With a term, float operators of
    /// the right side get the flags of the one that does.
    Carry(Flags, Option<Id>),
    /// The terms of two variables are indices, and it is proved that some of them differ.
    Apart(usize, usize),
    /// A form of the environment is constructed without the key with this number.
    Without(u32, Id),
    /// The positions or keys with these numbers are equal, or differ.
    Positions {
        equal: bool,
        a: u32,
        b: u32,
    },
}

impl Condition {
    /// Returns the terms of the pattern that the condition is about.
    pub fn terms(self) -> Vec<Id> {
        match self {
            Condition::Runs(map, at, n) => vec![map, at, n],
            Condition::Compare(_, a, b) | Condition::Invariant(a, b) | Condition::Leaves(a, b) => vec![a, b],
            Condition::Neutral(t, more) => [t].into_iter().chain(more).collect(),
            Condition::Term(_, t) | Condition::Without(_, t) | Condition::OneHot(t) => vec![t],
            Condition::Carry(_, t) => t.into_iter().collect(),
            Condition::Apart(..) | Condition::Positions { .. } => vec![],
        }
    }
}

/// A property of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// A constant, and a finite number.
    Finite,
    /// A constant, and a power of two with an exact reciprocal.
    PowerOfTwo,
    /// The structural zero, or a strong zero of data.
    Zero,
    /// The structural one.
    One,
    /// Data of the type of the left side.
    SameType,
    /// Data of a type without functions.
    FirstOrder,
    /// A sum or difference that `reassoc` splits, with a mask with the structural zero as an addend.
    Masked,
    /// A sum with an addend that is a choice between a value and the structural zero.
    MaskIn,
    /// A factor by which zero is zero: it is finite, or the float operators carry `nnan` and `ninf`.
    Absorbs,
    /// A divisor by which zero is zero: a constant other than zero and NaN, or the operators carry `nnan` and `ninf`.
    Divides,
    /// A constant, or a structural zero or one.
    Known,
    /// A term with fewer operators than the left side.
    Shorter,
    /// An operation that a rule on integers, booleans or floats makes one of its operands or a constant. A sum with the
    /// structural zero that `reassoc` splits is none: the zero remains an addend.
    Simplifies,
    /// An array of different elements which are not differences with a common subtrahend.
    Unshifted,
}

/// The numbers of operations of patterns: one that is not known, a map that is applied, and, from the last one on, the
/// functions by their numbers. The first operand of an application is the leaf of the map; the last operand of a
/// function has the value of the function.
const OPERATION: u32 = 0;
const APPLICATION: u32 = 1;
const FUNCTION: u32 = 2;

/// The maximum number of positions in one rule.
const POSITIONS: usize = 2;

/// The maximum number of variables for any number of terms in one rule.
const MANY: usize = 2;

/// The maximum number of variables in one rule.
const VARIABLES: usize = 32;

/// The terms that a variable matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Numbers and arrays of one element type.
    Element(Element),
    /// Terms of any type. With sizes, arrays with at least so many axes.
    Any,
    /// Data: a tuple or record, a list, an environment of gradients.
    Tuple,
    List,
    Env,
    /// Any number of operands of one operation. The number counts the variables of this kind.
    Many(usize),
}

/// A variable, represented by a leaf.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// The leaf that represents it.
    pub leaf: Id,
    pub kind: VariableKind,
    /// The length of each axis: a constant, or a variable for an index.
    pub sizes: Vec<Id>,
    /// True if it matches constants only.
    pub is_constant: bool,
    /// True if it matches only arrays that are read as they are: no array is made of another term.
    pub is_given: bool,
    /// True if the right side, a condition or a size needs its value.
    pub is_needed: bool,
    /// True if it occurs exactly once on the left.
    pub is_single: bool,
    /// The place on the left if it is a map. Its value is a term under the binders there.
    pub scope: Option<Scope>,
}

/// The place of a map on the left side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// The number of binders of the pattern around it.
    depth: u32,
    /// The indices and states to which it is applied.
    arguments: Vec<Id>,
}

/// The rules of one file.
#[derive(Default)]
pub struct Rules {
    pub rules: Vec<Rule>,
    /// The path of the file; empty for a text without one.
    pub file: String,
    /// Uses of words that will be removed.
    pub warnings: Vec<Problem>,
}

/// An entry of a file of built-in rules.
pub enum Entry {
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
pub fn built_in(text: &'static str) -> Result<Vec<Entry>, Problem> {
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

    /// Returns the numbers of the patterns whose left sides have this operator at the root.
    pub fn patterns_at(&self, op: Op) -> SmallVec<[u16; 8]> {
        let fits = |k: &u16| self.patterns[usize::from(*k)].is_at(op);
        self.at(op.kind()).iter().copied().filter(fits).collect()
    }

    /// Returns the numbers of the patterns with an operator of this kind at the root.
    fn at(&self, kind: u8) -> &[u16] {
        self.by_kind.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, all)| all.as_slice())
    }

    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        let kinds = view.kinds_of_operands(t);
        self.apply_some(self.at(view.pool.op(t).kind()), view, t, &kinds, out);
    }

    /// As [`Rule::apply`], with these patterns only, and with the kinds of the operands of the term.
    pub fn apply_some(&self, patterns: &[u16], view: &mut View, t: Id, kinds: &[u64], out: &mut Vec<Id>) {
        let mut applies = None;
        for pattern in patterns.iter().map(|&k| &self.patterns[usize::from(k)]) {
            // The equations and the groups ascend.
            if applies.is_some_and(|(group, equation)| group == pattern.group && equation < pattern.equation) {
                continue;
            }
            if kinds.first().is_some_and(|first| first & pattern.first_kinds == 0) {
                continue;
            }
            let before = out.len();
            matching::apply(pattern, view, t, kinds, out);
            if out.len() > before {
                applies = Some((pattern.group, pattern.equation));
            }
        }
    }
}

impl Pattern {
    /// Returns the variable that a term of the pattern is.
    fn variable(&self, p: Id) -> Option<usize> {
        self.slots.get(usize::from(p)).copied().flatten().map(usize::from)
    }

    /// Returns the map that a term of the pattern applies.
    fn applied(&self, p: Id) -> Option<usize> {
        let node = self.pool.node(p);
        if let Op::Opaque(APPLICATION, ..) = node.op { self.variable(node.children[0]) } else { None }
    }

    /// Checks whether a term stands for any number of terms.
    fn is_many(&self, p: Id) -> bool {
        self.has_many && is_many(&self.pool, &self.variables, p)
    }

    fn is_at(&self, op: Op) -> bool {
        matches!(self.tests.first(), Some(Test::Operator(root)) if matching::fits(self, root, op))
    }

    /// Compiles the left side, when all other parts are known.
    fn compiled(mut self) -> Pattern {
        self.has_many = self.variables.iter().any(|v| matches!(v.kind, VariableKind::Many(_)));
        self.slots = vec![None; self.pool.len()];
        for (k, variable) in self.variables.iter().enumerate() {
            self.slots[usize::from(variable.leaf)] = Some(k as u8);
        }
        (self.tests, self.registers) = program::tests(&self);
        self.first_kinds = match self.tests.first() {
            Some(Test::Operator(root)) if !root.is_open() => match root.kinds.as_slice() {
                [first, .., last] if root.commutes => first | last,
                [first, ..] => *first,
                [] => !0,
            },
            _ => !0,
        };
        self.has_each = self.tests.iter().any(|test| matches!(test, Test::Next { .. }));
        self
    }
}

/// Checks whether a term of a pattern stands for any number of terms: operations on data are elementwise.
fn is_many(pool: &Pool, variables: &[Variable], t: Id) -> bool {
    match pool.op(t) {
        Op::Leaf(..) => variables.iter().any(|v| v.leaf == t && matches!(v.kind, VariableKind::Many(_))),
        Op::Data(Form::Update(_), _) => is_many(pool, variables, pool.child(t, 0)),
        Op::Data(Form::Sum | Form::Transform | Form::Inverse, _) => {
            pool.node(t).children.iter().any(|&c| is_many(pool, variables, c))
        }
        _ => false,
    }
}

/// Returns the level of an index or a state.
fn level(pool: &Pool, t: Id) -> Option<u32> {
    if let Op::Ix(level) | Op::State(level, ..) = pool.op(t) { Some(level) } else { None }
}

/// Checks whether an operator is a sum or product whose order is unspecified.
fn reorders(op: Op) -> bool {
    matches!(op, Op::Reduce(Reduction::Sum | Reduction::Prod, _) | Op::Scatter(..))
}

/// Checks whether the flags of an operator limit those of the result.
fn counts(p: Prim) -> bool {
    p.is_float() && p != Prim::NegF
}
