//! Rewrites pure array code to the cheapest equal code that the rules find. This includes fusion, partial evaluation,
//! loop normalisation, algebra that the `fastmath` flags permit, loop-invariant code motion, and common subexpression
//! elimination.
//!
//! Gradients that `jvp` computes one entry at a time become asymptotically as fast as in reverse mode. In the example
//! below, O(n²) operations are reduced to none. The zeros that `jvp` creates are structural (`dual.zero`), so the
//! rules that remove them need no `fastmath` flags.
//!
//! Requires: nothing. An op that terms cannot represent keeps its position, and the optimiser treats its results as
//! inputs. Result: a function with the same or a lower cost, by the model of `cost.rs`. If nothing cheaper is found,
//! the text of the function does not change.
//! ```mlir before
//! func.func @gradient_of_dot(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> tensor<8xf64> {
//!   %n = arith.constant 8 : index
//!   %g = array.build (%i < 8) -> (tensor<8xf64>) {
//!     %zero = dual.zero : f64
//!     %one = dual.one : f64
//!     %s = array.ifold (%j < %n) iter_args(%a = %zero) -> (f64) {
//!       %here = arith.cmpi eq, %i, %j : index
//!       %hot = arith.select %here, %one, %zero : f64
//!       %y = array.get %v2[%j] : (tensor<8xf64>) -> f64
//!       %t = arith.mulf %hot, %y : f64
//!       %b = arith.addf %a, %t : f64
//!       array.yield %b : f64
//!     }
//!     array.yield %s : f64
//!   }
//!   return %g : tensor<8xf64>
//! }
//! ```
//! ```mlir after
//! func.func @gradient_of_dot(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> tensor<8xf64> {
//!   return %v2 : tensor<8xf64>
//! }
//! ```

pub mod options;

use crate::analysis::dead_code;
use crate::analysis::mark_pure;
use crate::analysis::stack::on_large_stack;
use crate::optimise::explanation::explain::{Explanation, Source};
use crate::optimise::explanation::proof::{Link, Proofs};
use crate::optimise::functional::{self, Equalities};
use crate::optimise::normaliser::record::Record;
use crate::optimise::phases::{self, Accept, LARGEST_PIECE, Outcome, Phases, SMALLEST_GAIN};
use crate::optimise::placement::plan::{Plan, Val};
use crate::optimise::rules::Laws;
use crate::optimise::rules::profile::Profile;
use crate::optimise::saturate::{Graph, Report};
use crate::optimise::terms::Pool;
use crate::optimise::terms::cost::Assumed;
use crate::optimise::translation::export::Exporter;
use crate::optimise::translation::import::{Importer, has_blocks, read_outside};
use crate::optimise::translation::names::Names;
use crate::optimise::translation::read::Reader;
use crate::optimise::translation::same_sizes::{self, SameSize};
use egg::Id;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::time::{Duration, Instant};

pub const PASS: Pass = Pass {
    name: "egg-optimize",
    description: "Rewrite pure array code to the cheapest equal code, by normalisation and equality saturation",
    anchor: Kind::FuncFunc.name(),
    options: &[
        PassOption::new(
            "driver",
            OptionKind::Text,
            "both",
            "Driver of the rules: normalise (deterministic rewriting), egg (everything in the e-graph) or \
             both",
        ),
        options::CODE,
        options::FUEL,
        options::ITER,
        options::RULES,
        options::CHECK_RULES,
        options::ASSUME_SIZE,
        options::REPORT,
        options::PROFILE,
    ],
    dialects: options::DIALECTS,
    run,
};

/// The maximum number of ops in a loop that becomes a term. A larger loop stays, and its block is split into pieces of
/// its own. A derivative has several times the ops of its function.
const LARGEST_LOOP: usize = 1600;

/// The maximum number of ops in a block that is saturated. Larger blocks are machine-made: their pieces are only
/// normalised, in time linear in their number.
const LARGEST_SATURATED: usize = 1600;

/// The maximum number of iterations over one function. Most functions reach a fixpoint sooner.
const ROUNDS: usize = 8;

/// The smallest gain as a fraction of the cost. Terms of lower order in the sizes are within the error of the model.
const SMALLEST_PART: f64 = 1.0 / 256.0;

/// The same, where a loop with more results than any loop of the input replaces bulk ops. Such a loop reads and writes
/// many arrays at once. The separate loops to which bulk ops compile were measured 2 to 10 % faster (a step of an LSTM,
/// five sizes).
const SMALLEST_PART_WIDE: f64 = 1.0 / 16.0;

fn run(function: Op, options: &Options) -> Result<(), Reported> {
    let chosen = match options.text("driver") {
        "normalise" => Phases::DETERMINISTIC,
        "egg" => Phases::SATURATE,
        "both" => Phases::ALL,
        other => {
            let drivers = ["normalise", "egg", "both"];
            return Err(options::unknown(function, PASS.name, "driver", other, &drivers, &[]));
        }
    };
    options::run(&PASS, function, options, chosen, Accept::Cheaper)
}

/// The rewriter of functions, piece by piece, with statistics.
pub struct Rewriter<'l> {
    laws: &'l Laws<'l>,
    options: phases::Options,
    /// The costs of all pieces.
    pub before: f64,
    pub after: f64,
    pub reports: Vec<Report>,
    /// The number of ops that belong to no piece, because their terms grow too much.
    pub given_up: usize,
    /// The time spent on terms in each iteration over the function, without the translation from and to ops.
    pub on_terms: Vec<Duration>,
    /// The derivation of each piece, if requested.
    pub explanations: Option<Vec<Explanation>>,
    /// The profile of the rules, if requested.
    pub profile: Option<Profile<'l>>,
    /// The e-graph of each piece of the input, if requested.
    pub graphs: Option<Vec<Saturated>>,
    pub code: Code,
}

/// The parts of a program that are optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Ops of the dialect `lambda`, and the ops on numbers in the same blocks (`optimise/functional`).
    pub functions: bool,
    pub arrays: bool,
}

impl Code {
    pub const ALL: Code = Code { functions: true, arrays: true };
    pub const ARRAYS: Code = Code { functions: false, arrays: true };
    pub const FUNCTIONS: Code = Code { functions: true, arrays: false };
}

/// The final e-graph of the saturation of one piece.
pub struct Saturated {
    pub graph: Graph,
    pub names: Names,
}

impl<'l> Rewriter<'l> {
    pub fn new(laws: &'l Laws<'l>, options: phases::Options) -> Self {
        Rewriter {
            laws,
            options,
            before: 0.0,
            after: 0.0,
            reports: Vec::new(),
            given_up: 0,
            on_terms: Vec::new(),
            explanations: None,
            profile: None,
            graphs: None,
            code: Code::ARRAYS,
        }
    }

    /// Rewrites the blocks, outer ones first, because they determine facts about values in inner blocks. Repeats until
    /// a fixpoint: written code enables more rules than the terms that it was written from, and rewriting an inner
    /// block can leave outer values unused.
    pub fn rewrite(&mut self, function: Op) {
        on_large_stack(|| {
            let is_functional = self.code.functions && functional::is_functional(function);
            let (before, after) = if is_functional { self.functions(function) } else { (0.0, 0.0) };
            if self.code.arrays {
                self.until_at_rest(function);
            }
            self.before += before;
            self.after += after;
        });
    }

    /// Rewrites functional code until a fixpoint, because outer blocks know more about inner ones than the reverse.
    /// Returns the costs before and after.
    fn functions(&mut self, function: Op) -> (f64, f64) {
        let mut equalities = Equalities::new(self.laws, self.options);
        equalities.profile = self.profile.take();
        equalities.explanations = self.explanations.take();
        let mut before = None;
        for _ in 0..ROUNDS {
            let changed = equalities.rewrite(function);
            before.get_or_insert(equalities.cost);
            if !changed {
                break;
            }
            dead_code::remove_unused(function);
        }
        self.given_up += equalities.given_up;
        self.reports.append(&mut equalities.reports);
        self.profile = equalities.profile;
        self.explanations = equalities.explanations;
        let before = before.unwrap_or(0.0);
        (before, before - equalities.gain)
    }

    fn until_at_rest(&mut self, function: Op) {
        dead_code::remove_unused(function);
        let mut graphs = None;
        for round in 0..ROUNDS {
            let before = std::mem::take(&mut self.before);
            self.after = 0.0;
            self.on_terms.push(Duration::ZERO);
            let changed = self.sweep(function);
            if round > 0 {
                self.before = before;
            } else {
                // Later iterations see the result of this one.
                graphs = self.graphs.take();
            }
            if !dead_code::remove_unused(function) && !changed {
                break;
            }
        }
        self.graphs = graphs;
    }

    /// Rewrites each block once. Returns whether a block has changed.
    fn sweep(&mut self, function: Op) -> bool {
        let mut blocks = function.blocks();
        let mut any_changed = false;
        while let Some(block) = blocks.pop() {
            let (kept, changed) = self.block(block);
            any_changed |= changed;
            blocks.extend(kept.into_iter().flat_map(Op::blocks));
        }
        any_changed
    }
}

/// The outcome of rewriting one piece.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Same,
    Better,
    /// The rewritten form grows too much, because values are read in too many ways.
    TooLarge,
}

impl Rewriter<'_> {
    /// Optimises one block, piece by piece. Returns the remaining ops with regions, and whether the block has changed.
    fn block(&mut self, block: Block) -> (Vec<Op>, bool) {
        let ops = block.ops();
        let saturate = self.options.phases.saturate && ops.len() <= LARGEST_SATURATED;
        let phases = match self.options.phases {
            // Phases that only saturate would do nothing here.
            Phases::SATURATE if !saturate => Phases::DETERMINISTIC,
            phases => Phases { saturate, ..phases },
        };
        let options = phases::Options { phases, ..self.options };
        let (mut kept, mut changed) = (Vec::new(), false);
        let (mut start, mut largest) = (0, LARGEST_PIECE);
        while start < ops.len() {
            let TakenPiece { importer, taken, mut left, size, end } =
                take_piece(&ops, start, largest, self.laws, options.assumed_length);
            let mut for_themselves: Vec<Op> = importer.prototypes.ops.clone();
            for_themselves.retain(|&op| has_blocks(op));
            let piece = if taken.is_empty() {
                Piece::Same
            } else {
                self.piece(&ops, start..end, &taken, importer, options, &mut for_themselves)
            };
            match piece {
                Piece::TooLarge if taken.len() > 1 => {
                    largest = size / 2;
                    continue;
                }
                Piece::TooLarge => {
                    self.given_up += 1;
                    left.extend(taken);
                }
                Piece::Same | Piece::Better => {
                    largest = LARGEST_PIECE.min(largest + largest / 8 + 1);
                    left.extend(for_themselves);
                    changed |= piece == Piece::Better;
                }
            }
            kept.extend(left);
            start = end;
        }
        (kept, changed)
    }

    /// Optimises one piece. `for_themselves` collects ops whose regions are not part of terms: those of the piece, then
    /// those of its replacement.
    fn piece(
        &mut self,
        ops: &[Op],
        range: Range<usize>,
        taken: &FxHashSet<Op>,
        importer: Importer,
        options: phases::Options,
        for_themselves: &mut Vec<Op>,
    ) -> Piece {
        let start = range.start;
        let roots = find_roots(ops, range.clone(), taken, &importer);
        let plan = &importer.plan;
        let wanted: Vec<Val> = roots.iter().map(|r| r.plan).collect();
        let groups: Vec<usize> = roots.iter().map(|r| r.before).collect();
        let written = plan.cost(&wanted);
        // The ops after one that may not return promise nothing.
        let last = range.end - 1 - ops[range.clone()].iter().rev().take_while(|op| !taken.contains(op)).count();
        let returns = |op: &Op| op.is_pure() || op.kind() == Kind::ArraySameSize || mark_pure::is_marked(*op);
        let promises = ops[start..last].iter().all(|op| taken.contains(op) || returns(op));
        let laws = self.laws;
        let record = Record {
            steps: (self.explanations.is_some() || self.profile.is_some()).then(Vec::new),
            profile: self.profile.is_some().then(Profile::default),
            graph: self.graphs.is_some().then(Graph::default),
        };
        let started = Instant::now();
        let result = choose(plan, &wanted, &groups, promises, laws, options, record);
        *self.on_terms.last_mut().expect("a look has begun") += started.elapsed();
        let Some(Choice { outcome, mut pool, terms, same_sizes, links, profile, graph, is_new }) = result else {
            return Piece::TooLarge;
        };
        let Outcome { weight, cost, placed: (new, values, segment), report, .. } = outcome;
        if let (Some(graphs), Some(graph)) = (&mut self.graphs, graph.filter(|g| !g.classes.is_empty())) {
            graphs.push(Saturated { graph, names: Names::new(&importer.leaves, &importer.prototypes) });
        }
        if let (Some(profile), Some(more)) = (&mut self.profile, &profile) {
            profile.add(more);
        }
        self.before += written;
        self.reports.extend(report.clone());
        let is_taken = match options.accept {
            Accept::Cheaper => {
                let part = if new.widest() > plan.widest().max(1) { SMALLEST_PART_WIDE } else { SMALLEST_PART };
                cost * weight <= written * (1.0 - part) - SMALLEST_GAIN
            }
            Accept::Changed => is_new,
        };
        if !is_taken {
            self.after += written;
            return Piece::Same;
        }
        self.after += cost;
        if let Some(profile) = &mut self.profile {
            links.iter().for_each(|link| profile.of(link.rule).steps += 1);
        }
        if let Some(explanations) = &mut self.explanations {
            let origins = terms.iter().filter_map(|(v, t)| importer.origins.get(v).map(|o| (*t, o.location())));
            let source = Source::new(ops[0].context(), &importer.prototypes, &importer.leaves).with_origins(origins);
            let explanation = source.explain(&mut pool, &links, self.laws);
            explanations.push(Explanation { before: written, after: cost, report, ..explanation });
        }
        let mut origins: FxHashMap<Id, Value> = FxHashMap::default();
        for (v, t) in &terms {
            if let Some(&origin) = importer.origins.get(v) {
                origins.entry(*t).or_insert(origin);
            }
        }
        same_sizes::emit(&same_sizes, &pool, &importer, ops);
        let mut exporter = Exporter::new(&new, &importer.prototypes, &origins, &importer.leaves);
        let mut done = 0;
        for (k, root) in roots.iter().enumerate() {
            let b = Builder::before(ops[root.before]).at(root.value.location());
            // Emits everything that the roots of this group need, once.
            let end = done + segment[done..].iter().take_while(|&&group| group <= root.before).count();
            exporter.statements(b, done..end);
            done = end;
            root.value.replace_all_uses_with(exporter.at_type(b, exporter.value(values[k]), root.value.ty()));
        }
        *for_themselves = exporter.with_regions;
        ops[range].iter().rev().filter(|op| taken.contains(op)).for_each(|op| op.erase());
        Piece::Better
    }
}

/// The result of translating consecutive ops to terms.
pub struct TakenPiece {
    pub importer: Importer,
    pub taken: FxHashSet<Op>,
    /// Ops with regions that were not translated.
    pub left: Vec<Op>,
    /// The number of translated ops, including nested ones.
    size: usize,
    /// The position of the first op after the piece.
    pub end: usize,
}

/// Translates ops from `start` until they make a piece of size `largest`.
pub fn take_piece(ops: &[Op], start: usize, largest: usize, laws: &Laws, assumed: Assumed) -> TakenPiece {
    let mut importer = Importer::new(laws);
    importer.plan.assumed_length = assumed;
    let (mut taken, mut left, mut size, mut end) = (FxHashSet::default(), Vec::new(), 0, start);
    while end < ops.len() && size < largest {
        let op = ops[end];
        end += 1;
        let nested = nested_up_to(op, LARGEST_LOOP);
        // A value that is read before its definition (in a graph region) is already a leaf.
        let is_new = op.results().iter().all(|r| !importer.values.contains_key(r));
        if is_new && nested < LARGEST_LOOP && importer.understands(op) {
            importer.take(op);
            taken.insert(op);
            size += 1 + nested;
        } else if op.num_regions() > 0 {
            left.push(op);
        }
    }
    TakenPiece { importer, taken, left, size, end }
}

/// Returns the number of ops nested in `op`, or a number of at least `limit`.
fn nested_up_to(op: Op, limit: usize) -> usize {
    let (mut count, mut todo) = (0, vec![op]);
    while let Some(op) = todo.pop() {
        let firsts = op.blocks().into_iter().filter_map(Block::first_op);
        for inner in firsts.flat_map(|first| std::iter::successors(Some(first), |op| op.next())) {
            count += 1;
            if count >= limit {
                return count;
            }
            todo.push(inner);
        }
    }
    count
}

/// A value that the rest of the program reads, and its latest position.
struct Root {
    value: Value,
    plan: Val,
    /// The position in the block of the first op that reads it.
    before: usize,
}

/// Returns the results of translated ops that other ops read, in order of their first read.
fn find_roots(ops: &[Op], range: Range<usize>, taken: &FxHashSet<Op>, importer: &Importer) -> Vec<Root> {
    let root = |(value, before): (Value, usize)| Root { value, plan: importer.values[&value], before };
    let mut roots: Vec<Root> = read_outside(ops, range, taken).into_iter().map(root).collect();
    roots.sort_by_key(|r| r.before);
    roots
}

/// The selected forms of one piece.
struct Choice<'l> {
    outcome: Outcome,
    pool: Pool,
    /// The terms of the input, by ascending value.
    terms: Vec<(Val, Id)>,
    /// The conditions on sizes that the input requires.
    same_sizes: Vec<SameSize>,
    /// The proof links from the terms of the roots to the selected ones, if requested.
    links: Vec<Link<'l>>,
    profile: Option<Profile<'l>>,
    graph: Option<Graph>,
    /// True if the terms differ from those of the input.
    is_new: bool,
}

fn choose<'l>(
    plan: &Plan,
    wanted: &[Val],
    groups: &[usize],
    promises: bool,
    laws: &'l Laws<'l>,
    options: phases::Options,
    mut record: Record<'l>,
) -> Option<Choice<'l>> {
    let mut pool = Pool::assuming(options.assumed_length);
    let (terms, same_sizes) = Reader::new(&mut pool, plan, promises).read_all();
    let roots: Vec<Id> = wanted.iter().map(|v| terms[v]).collect();
    let outcome = phases::optimise(&mut pool, &roots, groups, plan.len(), laws, options, &mut record)?;
    let is_new = outcome.roots != roots;
    debug_assert_eq!(outcome.placed.0.check(), Ok(()), "egg-optimize made a plan out of order");
    let mut terms: Vec<(Val, Id)> = terms.into_iter().collect();
    terms.sort_unstable();
    let links = record.steps.map_or(Vec::new(), |steps| {
        let pairs = roots.iter().copied().zip(outcome.roots.iter().copied());
        Proofs::path(&pool, &steps, pairs).expect("the phases log what they do")
    });
    Some(Choice { outcome, pool, terms, same_sizes, links, profile: record.profile, graph: record.graph, is_new })
}
