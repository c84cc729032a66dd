//! The laws. Each is written once, as a function over a view; the normaliser and egg both run it. May use `terms`. Must
//! never know who runs it, a target, or a benchmark.
//!
//! A rule reads one term and what is known of its operands and offers equal terms. Every rule of the directed sets goes down in a
//! measure (see each law), so that no two of them undo each other; rules of the set `choice` are alternatives and run in egg alone.
//! Numbers in parentheses are those of the published rule sets: `c1`, `f4` (Shaikhha et al., arXiv 2212.10307, Fig. 8), and of
//! `spec/arrays.md` E.3: `X.12`.

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

/// What an e-graph adds to the pool: other forms of a term.
#[derive(Default)]
pub struct Classes {
    /// By the cheapest term of a class: all of its nodes as terms whose operands are the cheapest ones.
    pub forms: FxHashMap<Id, Vec<Id>>,
    /// How many forms rules may still look at: in large classes, looking for matches is the work. At zero, each term has one form.
    pub looks: Cell<usize>,
}

impl Classes {
    fn of(&self, t: Id) -> Option<&Vec<Id>> {
        let forms = self.forms.get(&t)?;
        let left = self.looks.get();
        self.looks.set(left.saturating_sub(forms.len()));
        (left > 0).then_some(forms)
    }
}

/// What a rule sees.
pub struct View<'a> {
    pub pool: &'a mut Pool,
    pub classes: Option<&'a Classes>,
}

impl View<'_> {
    /// All known forms of a term, itself first.
    pub fn forms(&self, t: Id) -> SmallVec<[Id; 4]> {
        match self.classes.and_then(|c| c.of(t)) {
            Some(forms) => std::iter::once(t).chain(forms.iter().copied().filter(|&f| f != t)).collect(),
            None => smallvec![t],
        }
    }

    /// The forms of a term that have a given operator, as their nodes.
    pub fn forms_with(&self, t: Id, wanted: impl Fn(Op) -> bool) -> SmallVec<[Node; 1]> {
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
pub enum Apply<'a> {
    Native(fn(&mut View, Id, &mut Vec<Id>)),
    /// A rule of the user's.
    Pattern(&'a pattern::Rule),
    /// What the operations that it accepts mean: no step, but how they come to be terms (`terms/import.rs`).
    Reading(fn(IrOp) -> bool),
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
    /// The operators that its left-hand side begins with: [`Rule::apply`] looks at no other terms, and drivers need not try.
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

    /// [`Rule::apply`], with its matches and time in the profile if there is one.
    pub fn apply_in(&self, profile: &mut Option<Profile<'a>>, view: &mut View, t: Id, out: &mut Vec<Id>) {
        let Some(profile) = profile else { return self.apply(view, t, out) };
        let (before, start) = (out.len(), Instant::now());
        self.apply(view, t, out);
        let count = profile.of(self.name);
        count.matches += out.len() - before;
        count.time += start.elapsed();
    }
}

/// Laws by the operators that they look at.
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

    /// The numbers of the rules that look at an operator.
    pub fn at(&mut self, op: Op) -> Rc<[usize]> {
        let rules = &self.rules;
        let of = || (0..rules.len()).filter(|&k| (rules[k].at)(op)).collect();
        self.by_op.entry(op).or_insert_with(of).clone()
    }
}

/// Who runs a set of laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// The normaliser, in this order, and the e-graph.
    Directed,
    /// The e-graph alone: alternatives.
    Choice,
    /// As [`Driver::Choice`], but only where the set or the rule is named.
    Asked,
    /// As [`Driver::Directed`], but only where the set or the rule is named: forms that cost more.
    AskedDirected,
    /// `bottom_up.rs`, for the cheapest form.
    Contract,
    /// `top_down.rs`, always.
    Unroll,
    /// `terms/import.rs`, when operations become terms; in use unless taken away.
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

/// The set of readings.
const READING: &str = "reading";

fn is_asked_for(set: &str) -> bool {
    SETS.iter().any(|(name, driver, _)| *name == set && matches!(driver, Driver::Asked | Driver::AskedDirected))
}

/// Every law with the name of its set.
pub fn every() -> impl Iterator<Item = (&'static str, Rule<'static>)> {
    SETS.iter().flat_map(|(set, _, rules)| rules.iter().map(|&r| (*set, r)))
}

/// The laws in use.
#[derive(Clone)]
pub struct Laws<'a> {
    pub directed: Vec<Rule<'a>>,
    pub choice: Vec<Rule<'a>>,
    pub contract: Vec<Rule<'a>>,
    pub unroll: Vec<Rule<'a>>,
    /// Readings that are taken away: what they accept stands for itself.
    unread: Vec<Rule<'a>>,
}

impl Laws<'static> {
    /// All but those that must be asked for.
    pub fn all() -> Self {
        Laws::those(|set, _| !is_asked_for(set))
    }

    /// Those that `chosen` accepts, by the set's name and the rule's.
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

    /// Those of a list of names: of sets, of rules, or `all`, which is those of [`Laws::all`] and stands where no name adds any. A name
    /// behind `-` takes away. Readings need no name.
    /// An unknown name is the error.
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
    /// With rules of the user's, as alternatives.
    pub fn with(mut self, rules: &'a [pattern::Rules]) -> Self {
        self.choice.extend(rules.iter().flat_map(|r| r.laws()));
        self
    }

    /// What accepts the operations that stand for themselves.
    pub fn unread(&self) -> impl Iterator<Item = fn(IrOp) -> bool> {
        self.unread.iter().filter_map(|r| if let Apply::Reading(accepts) = r.apply { Some(accepts) } else { None })
    }

    /// All that are steps, in the order of the sets; those of the user's come last.
    pub fn every(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.directed.iter().chain(&self.contract).chain(&self.unroll).chain(&self.choice)
    }

    pub fn together(&self) -> Vec<Rule<'a>> {
        [self.directed.as_slice(), &self.choice].concat()
    }
}
