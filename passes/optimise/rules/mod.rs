//! The rewrite rules. Each rule is written once. It reads terms through the type [`View`], which both the normaliser
//! and the e-graph provide, and so runs in both. Most rules are text in `TOPIC.rules`, in the language of user rules
//! (docs/user-rules.md); a rule that needs an analysis is a function in `TOPIC.rs`. This module may use `terms` and
//! their notation. It must not depend on the normaliser, the e-graph, a target or a benchmark: a rule states an
//! equation that holds everywhere.
//!
//! A rule reads one term and the known facts about its operands, and returns equal terms. A directed rule is applied in
//! one direction only. A comment at the rule names its *measure*: a quantity that the rule decreases, such as the
//! number of comparisons. Rewriting terminates: if rule B could undo rule A, A does not increase the measure of B.
//! Check this when you add a rule. The rules of the set `choice` are not directed and run only in the e-graph.
//!
//! `law` is the equation of a rule as a text. It may end with the origin of the rule in parentheses. A small letter and
//! a number, such as (c1) or (f4), is a rule of Shaikhha et al. (arXiv 2212.10307, Fig. 8). The letter X and a number,
//! such as (X.12), is a rule in section E.3 of the specification, `spec/arrays.md`.

pub mod algebra;
pub mod array;
pub mod chains;
pub mod choice;
pub mod cond;
pub mod contract;
pub mod ifold;
pub mod index;
pub mod interchange;
pub mod pattern;
pub mod peel;
pub mod profile;
pub mod reading;
pub mod scatter;
pub mod sum;
pub mod unroll;

use crate::optimise::rules::profile::Profile;
use crate::optimise::terms::data::Form;
use crate::optimise::terms::{Node, Op, Pool};
use egg::Id;
use mlopt_dialects::ir::Op as IrOp;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Instant;

/// The data that an e-graph adds to the pool: other forms of a term.
#[derive(Default)]
pub struct Classes {
    /// All e-nodes of a class, as terms with the cheapest operands, by the cheapest term of the class.
    pub forms: FxHashMap<Id, Vec<Id>>,
    /// The kinds of these forms, as a set of bits, by the cheapest term of the class.
    pub kinds: FxHashMap<Id, u64>,
    /// The match budget: the number of forms that rules may still read. In large classes, matching dominates the work.
    /// At zero, each term has one form.
    pub match_budget: Cell<usize>,
}

impl Classes {
    fn of(&self, t: Id) -> Option<&Vec<Id>> {
        let forms = self.forms.get(&t)?;
        let left = self.match_budget.get();
        self.match_budget.set(left.saturating_sub(forms.len()));
        (left > 0).then_some(forms)
    }
}

/// The view of a rule on the pool.
pub struct View<'a> {
    pub pool: &'a mut Pool,
    pub classes: Option<&'a Classes>,
}

impl View<'_> {
    /// Returns all known forms of a term, itself first.
    pub fn forms(&self, t: Id) -> SmallVec<[Id; 4]> {
        match self.classes.and_then(|c| c.of(t)) {
            Some(forms) => std::iter::once(t).chain(forms.iter().copied().filter(|&f| f != t)).collect(),
            None => smallvec![t],
        }
    }

    /// Returns the forms of a term that have a given operator, as their nodes.
    pub fn forms_with(&self, t: Id, wanted: impl Fn(Op) -> bool) -> SmallVec<[Node; 1]> {
        self.forms(t).into_iter().map(|f| self.pool.node(f)).filter(|n| wanted(n.op)).cloned().collect()
    }

    /// Returns the kinds of all known forms of a term, as a set of bits.
    pub fn kinds(&self, t: Id) -> u64 {
        let others = self.classes.and_then(|c| c.kinds.get(&t));
        1u64 << self.pool.op(t).kind() | others.copied().unwrap_or(0)
    }

    /// Returns the [`View::kinds`] of each operand of a term.
    pub fn kinds_of_operands(&self, t: Id) -> SmallVec<[u64; 4]> {
        self.pool.node(t).children.iter().map(|&c| self.kinds(c)).collect()
    }

    pub fn node(&self, t: Id) -> Node {
        self.pool.node(t).clone()
    }

    /// Checks whether one of the forms is the structural zero or a strong zero of data.
    pub fn is_strong_zero(&self, t: Id) -> bool {
        self.forms(t).into_iter().any(|f| match self.pool.op(f) {
            Op::Zero(_) | Op::Data(Form::EmptyEnv | Form::Unit | Form::Zeros(_), _) => true,
            Op::Data(Form::Tuple, _) => self.pool.node(f).children.iter().all(|&c| self.is_strong_zero(c)),
            _ => false,
        })
    }
}

/// The numeric assumptions of a rule (`spec/arrays.md` E.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// No bit changes.
    Exact,
    /// No bit changes if zeros and ones are structural; zeros of the program need `nnan`, `ninf` and `nsz`.
    Exact0,
    /// The order of additions changes where it is unspecified: in reductions, and in a scatter to one position.
    Free,
    /// Applies if the operators have the `fastmath` flags that the condition names.
    Fast,
}

impl Requirement {
    pub fn name(self) -> &'static str {
        match self {
            Requirement::Exact => "exact",
            Requirement::Exact0 => "exact0",
            Requirement::Free => "free",
            Requirement::Fast => "fast",
        }
    }
}

/// The implementation of a rule, which appends every right-hand side that holds for a term.
#[derive(Clone, Copy)]
pub enum Apply<'a> {
    Native(fn(&mut View, Id, &mut Vec<Id>)),
    /// A rule that is text.
    Pattern(&'a pattern::Rule),
    /// The meaning of the ops that it accepts. It is not a rewriting step: ops are translated so
    /// (`translation/import.rs`).
    Reading(fn(IrOp) -> bool),
}

/// A named rule.
#[derive(Clone, Copy)]
pub struct Rule<'a> {
    pub name: &'a str,
    /// The equation. Numbers in parentheses are those of the published rule sets.
    pub law: &'a str,
    /// The side condition; empty where there is none.
    pub when: &'a str,
    pub requirement: Requirement,
    /// The operators at the root of the left-hand side. [`Rule::apply`] ignores other terms, so drivers need not try
    /// them.
    pub at: fn(Op) -> bool,
    pub apply: Apply<'a>,
}

impl<'a> Rule<'a> {
    /// Returns the text of the rule, if it is text.
    pub fn text(&self) -> Option<&'a str> {
        match self.apply {
            Apply::Pattern(rule) => Some(&rule.text),
            Apply::Native(_) | Apply::Reading(_) => None,
        }
    }

    /// Returns the kinds of operators ([`Op::kind`]) that may be at the root of the left side, as a set of bits.
    fn kinds(&self) -> u64 {
        match self.apply {
            Apply::Pattern(rule) => rule.kinds,
            Apply::Native(_) => !0,
            Apply::Reading(_) => 0,
        }
    }

    /// Returns the equations that may apply to terms with this operator: those of a text, or all of a function.
    fn candidates(&self, op: Op) -> Option<Candidates> {
        match self.apply {
            Apply::Pattern(rule) => Some(rule.patterns_at(op)).filter(|patterns| !patterns.is_empty()),
            Apply::Native(_) => (self.at)(op).then(Candidates::new),
            Apply::Reading(_) => None,
        }
    }

    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        match self.apply {
            Apply::Pattern(rule) => rule.apply(view, t, out),
            Apply::Native(f) if (self.at)(view.pool.op(t)) => f(view, t, out),
            Apply::Native(_) | Apply::Reading(_) => {}
        }
    }

    /// As [`Rule::apply`], with the matches and the time recorded in the profile, if any.
    pub fn apply_in(&self, profile: &mut Option<Profile<'a>>, view: &mut View, t: Id, out: &mut Vec<Id>) {
        self.recorded(profile, out, |out| self.apply(view, t, out));
    }

    fn recorded(&self, profile: &mut Option<Profile<'a>>, out: &mut Vec<Id>, apply: impl FnOnce(&mut Vec<Id>)) {
        let Some(profile) = profile else { return apply(out) };
        let (before, start) = (out.len(), Instant::now());
        apply(out);
        let count = profile.of(self.name);
        count.matches += out.len() - before;
        count.time += start.elapsed();
    }
}

/// The numbers of patterns of one rule, ascending.
type Candidates = SmallVec<[u16; 8]>;

/// Rules by the operators at their roots.
pub struct Dispatch<'a> {
    rules: Vec<Rule<'a>>,
    /// The kinds of operators ([`Op::kind`]) at the root of the left side of each rule, as a set of bits.
    kinds: Vec<u64>,
    /// The numbers of the rules that may apply to operators of a kind ([`Op::kind`]), ascending.
    by_kind: [Option<Vec<usize>>; 64],
    /// The numbers of rules, ascending, with the equations to be tried.
    by_op: FxHashMap<Op, Rc<[(usize, Candidates)]>>,
}

impl<'a> Dispatch<'a> {
    pub fn new(rules: Vec<Rule<'a>>) -> Self {
        let kinds = rules.iter().map(Rule::kinds).collect();
        Dispatch { rules, kinds, by_kind: [const { None }; 64], by_op: FxHashMap::default() }
    }

    pub fn rules(&self) -> &[Rule<'a>] {
        &self.rules
    }

    /// Returns the rules for an operator.
    pub fn at(&mut self, op: Op) -> Rc<[(usize, Candidates)]> {
        let Dispatch { rules, kinds, by_kind, by_op } = self;
        let of = || {
            let may_apply = |k: &usize| kinds[*k] & 1 << op.kind() != 0;
            let all = || (0..rules.len()).filter(may_apply).collect();
            let rules_of_kind = by_kind[usize::from(op.kind())].get_or_insert_with(all);
            rules_of_kind.iter().filter_map(|&k| Some((k, rules[k].candidates(op)?))).collect()
        };
        by_op.entry(op).or_insert_with(of).clone()
    }

    /// Applies a rule that [`Dispatch::at`] returned to a term with this operator, whose operands have operators of
    /// these kinds ([`View::kinds_of_operands`]).
    pub fn apply(
        &self,
        (rule, candidates): &(usize, Candidates),
        profile: &mut Option<Profile<'a>>,
        view: &mut View,
        t: Id,
        kinds: &[u64],
        out: &mut Vec<Id>,
    ) -> &Rule<'a> {
        let rule = &self.rules[*rule];
        rule.recorded(profile, out, |out| match rule.apply {
            Apply::Native(f) => f(view, t, out),
            Apply::Pattern(text) => text.apply_some(candidates, view, t, kinds, out),
            Apply::Reading(_) => {}
        });
        rule
    }
}

/// The driver of a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// The normaliser, in this order, and the e-graph.
    Directed,
    /// The e-graph alone: alternatives.
    Choice,
    /// As [`Driver::Choice`], but only if the set or the rule is requested by name.
    Asked,
    /// As [`Driver::Directed`], but only if the set or the rule is requested by name: its results cost more.
    AskedDirected,
    /// `bottom_up.rs`, which keeps the cheapest form.
    Contract,
    /// `top_down.rs`, always.
    Unroll,
    /// `translation/import.rs`, when ops become terms. Enabled unless excluded by name.
    Read,
}

/// The Rust functions of each set, and its text, in which `(native NAME)` is the place of a function. A set without
/// text has its functions in their order.
pub const SOURCES: &[(&str, Driver, &[Rule<'static>], Option<&str>)] = &[
    (READING, Driver::Read, reading::RULES, None),
    ("index", Driver::Directed, index::RULES, Some(include_str!("index.rules"))),
    ("ring", Driver::Directed, &[], Some(include_str!("ring.rules"))),
    ("cond", Driver::Directed, &[], Some(include_str!("cond.rules"))),
    ("array", Driver::Directed, array::RULES, Some(include_str!("array.rules"))),
    ("ifold", Driver::Directed, ifold::RULES, Some(include_str!("ifold.rules"))),
    ("sum", Driver::Directed, sum::RULES, Some(include_str!("sum.rules"))),
    ("scatter", Driver::Directed, scatter::RULES, None),
    ("data", Driver::Directed, &[], Some(include_str!("data.rules"))),
    ("contract", Driver::Contract, contract::RULES, Some(include_str!("contract.rules"))),
    ("unroll", Driver::Unroll, unroll::RULES, None),
    ("choice", Driver::Choice, choice::RULES, Some(include_str!("choice.rules"))),
    ("strength", Driver::Choice, &[], Some(include_str!("strength.rules"))),
    ("data-choice", Driver::Choice, &[], Some(include_str!("data_choice.rules"))),
    ("peel", Driver::Asked, peel::RULES, None),
    ("interchange", Driver::Asked, interchange::RULES, None),
    ("stable", Driver::AskedDirected, &[], Some(include_str!("stable.rules"))),
    ("recurrence", Driver::AskedDirected, &[], Some(include_str!("recurrence.rules"))),
    ("expanded", Driver::AskedDirected, &[], Some(include_str!("expanded.rules"))),
];

/// The built-in rules that are text, by set, with the places of the others.
static TEXTS: LazyLock<Vec<Vec<pattern::Entry>>> = LazyLock::new(|| {
    let compiled = |&(set, _, _, text): &(&str, Driver, &[Rule<'static>], Option<&'static str>)| {
        let entries = text.map_or(Ok(vec![]), pattern::built_in);
        entries.unwrap_or_else(|e| panic!("internal error: the rules of the set {set}: {e}"))
    };
    SOURCES.iter().map(compiled).collect()
});

/// The named sets.
pub static SETS: LazyLock<Vec<Set>> = LazyLock::new(|| {
    let set = |(&(set, driver, natives, text), entries): (&(_, _, &[Rule<'static>], Option<&str>), &'static Vec<_>)| {
        let native = |name: &str| {
            let found = natives.iter().find(|r| r.name == name);
            *found.unwrap_or_else(|| panic!("internal error: no function for the rule {name} of the set {set}"))
        };
        let rule = |entry: &'static pattern::Entry| match entry {
            pattern::Entry::Text(rule) => rule.law(),
            pattern::Entry::Native(name) => native(name),
        };
        (set, driver, if text.is_some() { entries.iter().map(rule).collect() } else { natives.to_vec() })
    };
    SOURCES.iter().zip(TEXTS.iter()).map(set).collect()
});

/// A named set: its name, its driver, and its rules in their order.
pub type Set = (&'static str, Driver, Vec<Rule<'static>>);

/// The name of the set of readings.
const READING: &str = "reading";

/// Checks whether the rules of a driver run only on request.
fn is_asked_for(driver: Driver) -> bool {
    matches!(driver, Driver::Asked | Driver::AskedDirected)
}

/// Returns every rule with the name of its set.
pub fn every() -> impl Iterator<Item = (&'static str, Rule<'static>)> {
    SETS.iter().flat_map(|(set, _, rules)| rules.iter().map(|&r| (*set, r)))
}

/// The enabled rules.
#[derive(Clone)]
pub struct Laws<'a> {
    pub directed: Vec<Rule<'a>>,
    pub choice: Vec<Rule<'a>>,
    pub contract: Vec<Rule<'a>>,
    pub unroll: Vec<Rule<'a>>,
    /// Excluded readings. The ops that they accept become opaque terms.
    unread: Vec<Rule<'a>>,
}

impl Laws<'static> {
    /// Returns all rules except those that run only on request.
    pub fn all() -> Self {
        Laws::those(|_, driver, _| !is_asked_for(driver))
    }

    /// Returns the rules that `chosen` accepts, by the set, its driver, and the name of the rule.
    fn those(chosen: impl Fn(&str, Driver, &str) -> bool) -> Self {
        let of = |wanted: &[Driver]| {
            let sets = SETS.iter().filter(|(_, driver, _)| wanted.contains(driver));
            let rules_of =
                |(set, driver, rules): &'static Set| rules.iter().filter(|r| chosen(set, *driver, r.name)).copied();
            sets.flat_map(rules_of).collect()
        };
        Laws {
            directed: of(&[Driver::Directed, Driver::AskedDirected]),
            choice: of(&[Driver::Choice, Driver::Asked]),
            contract: of(&[Driver::Contract]),
            unroll: of(&[Driver::Unroll]),
            unread: reading::RULES.iter().filter(|r| !chosen(READING, Driver::Read, r.name)).copied().collect(),
        }
    }

    /// Returns the rules of a list of names of sets, of rules, or `all`, which stands for [`Laws::all`] and is the
    /// default if no name adds rules. A name after `-` excludes rules. Readings are enabled without a name. The error
    /// is an unknown name.
    pub fn named<'n>(list: &[&'n str]) -> Result<Self, &'n str> {
        if list.iter().all(|name| *name == "all") {
            return Ok(Laws::all());
        }
        let known = |name: &str| name == "all" || every().any(|(set, rule)| set == name || rule.name == name);
        if let Some(name) = list.iter().map(|n| n.strip_prefix('-').unwrap_or(n)).find(|n| !known(n)) {
            return Err(name);
        }
        let taken_away: Vec<&str> = list.iter().filter_map(|n| n.strip_prefix('-')).collect();
        let given: Vec<&str> = list.iter().filter(|n| !n.starts_with('-')).copied().collect();
        let is_named = |names: &[&str], set: &str, rule: &str| names.contains(&set) || names.contains(&rule);
        let all = given.is_empty() || given.contains(&"all");
        Ok(Laws::those(|set, driver, rule| {
            let chosen = driver == Driver::Read || (all && !is_asked_for(driver)) || is_named(&given, set, rule);
            chosen && !is_named(&taken_away, set, rule) && !taken_away.contains(&"all")
        }))
    }
}

impl<'a> Laws<'a> {
    /// Adds user rules, as alternatives.
    pub fn with(mut self, rules: &'a [pattern::Rules]) -> Self {
        self.choice.extend(rules.iter().flat_map(|r| r.laws()));
        self
    }

    /// Returns the predicates that accept the ops with excluded readings.
    pub fn unread(&self) -> impl Iterator<Item = fn(IrOp) -> bool> {
        self.unread.iter().filter_map(|r| if let Apply::Reading(accepts) = r.apply { Some(accepts) } else { None })
    }

    /// Returns all rules that are rewriting steps, in the order of the sets; user rules come last.
    pub fn every(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.directed.iter().chain(&self.contract).chain(&self.unroll).chain(&self.choice)
    }

    pub fn together(&self) -> Vec<Rule<'a>> {
        [self.directed.as_slice(), &self.choice].concat()
    }
}
