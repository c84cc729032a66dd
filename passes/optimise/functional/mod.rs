//! Rewriting of straight-line functional code as terms (`spec/functional.md` B.9 ii): the part of `egg-optimize` for
//! the dialect `lambda`.
//!
//! This module may use the rest of the optimiser. It must not depend on the passes of `functions`, which may run before
//! or after it.
//!
//! Each block is optimised separately, inner blocks first; a long block is split into pieces. Functions, conditionals
//! and loops in a block are treated like other ops; two of them are equal if their operands, their regions and the
//! values that the regions capture are equal. An op that can stop with an error or run forever keeps its position, and
//! so does an op with a token operand. The code for every other value is written before the first op that reads it. If
//! this code would read the result of an op that keeps a later position, the piece is not changed.

mod export;
mod import;
mod nests;

use crate::optimise::explanation::explain::{Explanation, Source};
use crate::optimise::explanation::proof::{Link, Proofs};
use crate::optimise::normaliser::normalise::{Normaliser, Step};
use crate::optimise::normaliser::record::Record;
use crate::optimise::phases::{LARGEST_PIECE, NORMALISER_FUEL, Options, Phases, SMALLEST_GAIN, room_for};
use crate::optimise::rules::Laws;
use crate::optimise::rules::profile::Profile;
use crate::optimise::saturate::{self, Report};
use crate::optimise::terms::Pool;
use crate::optimise::translation::import::read_outside;
use egg::Id;
use export::Exporter;
use import::{Importer, Taken};
use mlopt_dialects::ir::{Block, Builder, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use nests::Nests;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The rewriter of functions, with statistics.
pub struct Equalities<'l> {
    laws: &'l Laws<'l>,
    options: Options,
    /// The cost of all pieces in the last iteration, and the total reduction in all iterations.
    pub cost: f64,
    pub gain: f64,
    pub reports: Vec<Report>,
    /// The number of ops in pieces that were not rewritten.
    pub given_up: usize,
    pub profile: Option<Profile<'l>>,
    /// The derivation of each piece, if requested.
    pub explanations: Option<Vec<Explanation>>,
    changed: bool,
}

/// Checks whether a function contains functional code.
pub fn is_functional(function: Op) -> bool {
    function.nested_ops().into_iter().any(|op| op.kind().dialect() == "lambda")
}

impl<'l> Equalities<'l> {
    pub fn new(laws: &'l Laws<'l>, options: Options) -> Self {
        Equalities {
            laws,
            options,
            cost: 0.0,
            gain: 0.0,
            reports: Vec::new(),
            given_up: 0,
            profile: None,
            explanations: None,
            changed: false,
        }
    }

    /// Rewrites a function. Returns whether it has changed.
    pub fn rewrite(&mut self, function: Op) -> bool {
        self.changed = false;
        (self.cost, self.given_up) = (0.0, 0);
        self.inside(function, &mut Nests::default());
        self.changed
    }

    fn inside(&mut self, op: Op, nests: &mut Nests) {
        for block in op.blocks() {
            block.ops().into_iter().for_each(|inner| self.inside(inner, nests));
            if in_order(op) && is_ours(block) {
                self.block(block, nests);
            }
        }
    }

    fn block(&mut self, block: Block, nests: &mut Nests) {
        let ops = block.ops();
        for start in (0..ops.len()).step_by(LARGEST_PIECE) {
            self.piece(&ops, start..ops.len().min(start + LARGEST_PIECE), nests);
        }
    }

    fn piece(&mut self, ops: &[Op], range: Range<usize>, nests: &mut Nests) {
        let mut importer = Importer::new(&self.options, nests);
        let (mut taken, mut roots) = (FxHashSet::default(), Vec::new());
        for k in range.clone() {
            let op = ops[k];
            // A value that is read before its definition (in a group of functions) is already a leaf.
            if op.results().iter().any(|r| importer.values.contains_key(r)) {
                continue;
            }
            let Some(how) = importer.understands(op) else { continue };
            let term = importer.take(op);
            taken.insert(op);
            if how == Taken::InPlace {
                let (ty, is_bundle, may_go) =
                    (op.result(0).ty(), op.num_results() > 1, importer.nests.nest(op).is_harmless);
                roots.push(Root { value: None, term, ty, before: k, is_bundle, may_go });
            }
        }
        roots.extend(read_outside(ops, range.clone(), &taken).into_iter().map(|(v, before)| {
            let (term, ty) = (importer.values[&v], v.ty());
            Root { value: Some(v), term, ty, before, is_bundle: false, may_go: false }
        }));
        roots.sort_by_key(|r| r.before);
        if roots.is_empty() {
            return;
        }
        let mut pool = std::mem::take(&mut importer.pool);
        let terms: Vec<Id> = roots.iter().map(|r| r.term).collect();
        let found = self.cheapest(&mut pool, &roots, &terms);
        self.cost += importer.cost;
        let Some(Found { terms: new, cost, steps }) = found.filter(|f| f.cost <= importer.cost - SMALLEST_GAIN) else {
            return;
        };
        let Some(values) = write(&importer, &pool, ops, &roots, &new) else {
            self.given_up += taken.len();
            return;
        };
        self.gain += importer.cost - cost;
        self.changed = true;
        if let Some(profile) = &mut self.profile
            && let Some(steps) = &steps
        {
            links(&pool, steps, &terms, &new).iter().for_each(|link| profile.of(link.rule).steps += 1);
        }
        if let (Some(explanations), Some(steps)) = (&mut self.explanations, steps) {
            let links = links(&pool, &steps, &terms, &new);
            let origins = importer.origins.iter().map(|(t, v)| (*t, v.location()));
            let source = Source::written_by(Box::new(|pool, t| export::fragment(&importer, pool, t)));
            let explanation = source.with_origins(origins).explain(&mut pool, &links, self.laws);
            explanations.push(Explanation { before: importer.cost, after: cost, ..explanation });
        }
        for (root, value) in roots.iter().zip(values) {
            if let (Some(old), Some(new)) = (root.value, value) {
                nests.forget_readers(old);
                old.replace_all_uses_with(new);
            }
        }
        for op in ops[range].iter().rev().filter(|op| taken.contains(op)) {
            nests.forget(*op);
            op.erase();
        }
    }

    /// Returns the cheapest forms that the rules find.
    fn cheapest(&mut self, pool: &mut Pool, roots: &[Root], terms: &[Id]) -> Option<Found<'l>> {
        let room = room_for(pool);
        let mut normaliser = Normaliser::new(&self.laws.directed, NORMALISER_FUEL);
        normaliser.room = room;
        let is_logged = self.explanations.is_some() || self.profile.is_some();
        normaliser.log = is_logged.then(Vec::new);
        normaliser.profile = self.profile.is_some().then(Profile::default);
        let profile = self.profile.is_some().then(Profile::default);
        let mut record = Record { steps: is_logged.then(Vec::new), profile, graph: None };
        let Phases { normalise, saturate, .. } = self.options.phases;
        let (mut forms, mut candidates) = (terms.to_vec(), Vec::new());
        if normalise {
            forms = normaliser.normalise_all(pool, &forms);
            candidates.push(forms.clone());
        }
        if saturate && pool.len() <= room {
            let Options { fuel, iterations, .. } = self.options;
            let (best, report) =
                saturate::saturate(pool, &forms, self.laws, &mut normaliser, fuel, iterations, &mut record);
            candidates.push(best);
            self.reports.push(report);
        }
        if let Some(profile) = &mut self.profile {
            [normaliser.profile, record.profile].iter().flatten().for_each(|more| profile.add(more));
        }
        let steps = normaliser.log.map(|log| log.into_iter().chain(record.steps.into_iter().flatten()).collect());
        let costs: Vec<f64> = candidates
            .iter()
            .map(|terms| needed(pool, roots, terms).into_iter().map(|t| pool.own_cost(t)).sum())
            .collect();
        let cost = costs.iter().copied().min_by(f64::total_cmp)?;
        let terms = candidates.into_iter().zip(costs).find(|c| c.1 == cost)?.0;
        Some(Found { terms, cost, steps })
    }
}

/// The selected forms of terms.
struct Found<'l> {
    terms: Vec<Id>,
    /// Their total cost, each shared part once.
    cost: f64,
    /// All rewriting steps, if requested.
    steps: Option<Vec<Step<'l>>>,
}

/// Returns the steps that lead from terms to their new forms.
fn links<'l>(pool: &Pool, steps: &[Step<'l>], old: &[Id], new: &[Id]) -> Vec<Link<'l>> {
    Proofs::path(pool, steps, old.iter().copied().zip(new.iter().copied())).expect("the phases log what they do")
}

/// Checks whether the regions of an op define values before they read them. Functions of a group see each other.
fn in_order(op: Op) -> bool {
    op.kind() != Kind::LambdaLetrec && op.kind().dialect() != "stream"
}

/// Checks whether a block contains ops of functional code. Blocks with only array code are optimised separately.
fn is_ours(block: Block) -> bool {
    let is_end = |name: &str| matches!(Kind::by_name(name), Kind::LambdaYield | Kind::LambdaReturn);
    block.ops().into_iter().any(|op| op.kind().dialect() == "lambda" && !is_end(op.name()))
}

/// A term that must be available before an op.
struct Root {
    /// The value that it replaces; `None` for an op that runs whether or not its results are read.
    value: Option<Value>,
    term: Id,
    ty: Type,
    before: usize,
    is_bundle: bool,
    /// True if it may be removed when it is unused.
    may_go: bool,
}

/// Writes the terms at the positions of the roots. If one cannot be placed, writes nothing and returns `None`.
fn write(importer: &Importer, pool: &Pool, ops: &[Op], roots: &[Root], terms: &[Id]) -> Option<Vec<Option<Value>>> {
    let mut exporter = Exporter::new(importer, pool);
    let mut values = Vec::new();
    let needed: FxHashSet<Id> = needed(pool, roots, terms).into_iter().collect();
    for (root, &term) in roots.iter().zip(terms) {
        if root.may_go && !needed.contains(&term) {
            values.push(None);
            continue;
        }
        let b = Builder::before(ops[root.before]);
        let value = match root.value {
            Some(old) => exporter.value(b.at(old.location()), term, root.ty).map(Some),
            None => exporter.in_place(b.at(ops[root.before].location()), term, root.ty, root.is_bundle).map(|()| None),
        };
        match value {
            Some(value) => values.push(value),
            None => {
                exporter.written.iter().rev().for_each(|op| op.erase());
                return None;
            }
        }
    }
    Some(values)
}

/// Returns all parts of the terms that must be computed, each once.
fn needed(pool: &Pool, roots: &[Root], terms: &[Id]) -> Vec<Id> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut todo: Vec<Id> = roots.iter().zip(terms).filter(|(r, _)| !r.may_go).map(|(_, &t)| t).collect();
    while let Some(t) = todo.pop() {
        if seen.insert(t) {
            found.push(t);
            todo.extend(&pool.node(t).children);
        }
    }
    found
}
