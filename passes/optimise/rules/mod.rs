//! The rewrite rules. Each rule is written once. It reads terms through the type [`View`], which both the normaliser
//! and the e-graph provide, and so runs in both. This module may use `terms`. It must not depend on the normaliser, the
//! e-graph, a target or a benchmark: a rule states an equation that holds everywhere.
//!
//! A rule reads one term and the known facts about its operands, and returns equal terms. A directed rule is applied in
//! one direction only. A comment at the rule names a measure that it decreases; if an existing rule could undo a new
//! one, the new one must not increase the measure of the existing rule, so that rewriting ends. The rules of the set
//! `choice` are not directed and run only in the e-graph. The text of the equation of a rule, `law`, may end with the
//! origin of the rule in parentheses: a letter and a number, such as (c1) or (f4), is a rule of Shaikhha et al. (arXiv
//! 2212.10307, Fig. 8), and (X.12) is number 12 in section E.3 of the specification, `spec/arrays.md`.

pub mod array;
pub mod choice;
pub mod cond;
pub mod contract;
pub mod data;
pub mod ifold;
pub mod index;
pub mod interchange;
pub mod pattern;
pub mod peel;
pub mod profile;
pub mod reading;
pub mod recurrence;
pub mod ring;
pub mod scatter;
pub mod stable;
pub mod strength;
pub mod sum;
pub mod unroll;

use crate::optimise::rules::profile::Profile;
use crate::optimise::terms::{Node, Op, Pool};
use egg::Id;
use mlopt_dialects::ir::Op as IrOp;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// The data that an e-graph adds to the pool: other forms of a term.
#[derive(Default)]
pub struct Classes {
    /// All e-nodes of a class, as terms with the cheapest operands, by the cheapest term of the class.
    pub forms: FxHashMap<Id, Vec<Id>>,
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

    pub fn node(&self, t: Id) -> Node {
        self.pool.node(t).clone()
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
    /// A user rule.
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
    pub fn apply(&self, view: &mut View, t: Id, out: &mut Vec<Id>) {
        if !(self.at)(view.pool.op(t)) {
            return;
        }
        match self.apply {
            Apply::Native(f) => f(view, t, out),
            Apply::Pattern(rule) => rule.apply(view, t, out),
            Apply::Reading(_) => {}
        }
    }

    /// As [`Rule::apply`], with the matches and the time recorded in the profile, if any.
    pub fn apply_in(&self, profile: &mut Option<Profile<'a>>, view: &mut View, t: Id, out: &mut Vec<Id>) {
        let Some(profile) = profile else { return self.apply(view, t, out) };
        let (before, start) = (out.len(), Instant::now());
        self.apply(view, t, out);
        let count = profile.of(self.name);
        count.matches += out.len() - before;
        count.time += start.elapsed();
    }
}

/// Rules by the operators at their roots.
pub struct Dispatch<'a> {
    rules: Vec<Rule<'a>>,
    /// Numbers of rules, ascending.
    by_op: FxHashMap<Op, Rc<[usize]>>,
}

impl<'a> Dispatch<'a> {
    pub fn new(rules: Vec<Rule<'a>>) -> Self {
        Dispatch { rules, by_op: FxHashMap::default() }
    }

    pub fn rules(&self) -> &[Rule<'a>] {
        &self.rules
    }

    /// Returns the numbers of the rules for an operator.
    pub fn at(&mut self, op: Op) -> Rc<[usize]> {
        let rules = &self.rules;
        let of = || (0..rules.len()).filter(|&k| (rules[k].at)(op)).collect();
        self.by_op.entry(op).or_insert_with(of).clone()
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

/// The named sets.
pub const SETS: &[(&str, Driver, &[Rule<'static>])] = &[
    (READING, Driver::Read, reading::RULES),
    ("index", Driver::Directed, index::RULES),
    ("ring", Driver::Directed, ring::RULES),
    ("cond", Driver::Directed, cond::RULES),
    ("array", Driver::Directed, array::RULES),
    ("ifold", Driver::Directed, ifold::RULES),
    ("sum", Driver::Directed, sum::RULES),
    ("scatter", Driver::Directed, scatter::RULES),
    ("data", Driver::Directed, data::RULES),
    ("contract", Driver::Contract, contract::RULES),
    ("unroll", Driver::Unroll, unroll::RULES),
    ("choice", Driver::Choice, choice::RULES),
    ("strength", Driver::Choice, strength::RULES),
    ("data-choice", Driver::Choice, data::CHOICE),
    ("peel", Driver::Asked, peel::RULES),
    ("interchange", Driver::Asked, interchange::RULES),
    ("stable", Driver::AskedDirected, stable::RULES),
    ("recurrence", Driver::AskedDirected, recurrence::RULES),
    ("expanded", Driver::AskedDirected, data::EXPANDED),
];

/// The name of the set of readings.
const READING: &str = "reading";

fn is_asked_for(set: &str) -> bool {
    SETS.iter().any(|(name, driver, _)| *name == set && matches!(driver, Driver::Asked | Driver::AskedDirected))
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
        Laws::those(|set, _| !is_asked_for(set))
    }

    /// Returns the rules that `chosen` accepts, by the names of set and rule.
    fn those(chosen: impl Fn(&str, &str) -> bool) -> Self {
        let of = |wanted: &[Driver]| {
            let sets = SETS.iter().filter(|(_, driver, _)| wanted.contains(driver));
            sets.flat_map(|(set, _, rules)| rules.iter().filter(|r| chosen(set, r.name)).copied()).collect()
        };
        Laws {
            directed: of(&[Driver::Directed, Driver::AskedDirected]),
            choice: of(&[Driver::Choice, Driver::Asked]),
            contract: of(&[Driver::Contract]),
            unroll: of(&[Driver::Unroll]),
            unread: reading::RULES.iter().filter(|r| !chosen(READING, r.name)).copied().collect(),
        }
    }

    /// Returns the rules of a list of names of sets, of rules, or `all`, which stands for [`Laws::all`] and is the
    /// default if no name adds rules. A name after `-` excludes rules. Readings are enabled without a name. The error
    /// is an unknown name.
    pub fn named<'n>(list: &[&'n str]) -> Result<Self, &'n str> {
        let known = |name: &str| name == "all" || every().any(|(set, rule)| set == name || rule.name == name);
        if let Some(name) = list.iter().map(|n| n.strip_prefix('-').unwrap_or(n)).find(|n| !known(n)) {
            return Err(name);
        }
        let taken_away: Vec<&str> = list.iter().filter_map(|n| n.strip_prefix('-')).collect();
        let given: Vec<&str> = list.iter().filter(|n| !n.starts_with('-')).copied().collect();
        let is_named = |names: &[&str], set: &str, rule: &str| names.contains(&set) || names.contains(&rule);
        let all = given.is_empty() || given.contains(&"all");
        Ok(Laws::those(|set, rule| {
            let chosen = set == READING || (all && !is_asked_for(set)) || is_named(&given, set, rule);
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
