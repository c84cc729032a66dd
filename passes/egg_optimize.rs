//! Rewrites pure array code to the cheapest equal code that the rules find: fusion, partial evaluation, loop normalisation,
//! algebra under the licence of `fastmath`, motion of invariants, common subexpressions.
//!
//! Naive forward-mode gradients come out at their best order of growth, here from O(n²) to nothing at all: the zeros that `jvp`
//! made are structural (`dual.zero`), so no `fastmath` is needed.
//!
//! Needs: nothing; what it does not understand stays where it is and is a leaf to what it does. Leaves: a function that costs no more
//! under the model of `cost.rs`, the same text when nothing cheaper was found.
//! ```mlir before
//! func.func @gradient_of_dot(%v1: tensor<8xf64>, %v2: tensor<8xf64>) -> tensor<8xf64> {
//!   %n = arith.constant 8 : index
//!   %g = array.build (%i < 8) -> (tensor<8xf64>) {
//!     %zero = dual.zero : f64
//!     %one = dual.one : f64
//!     %s = array.ifold (%j < %n) iter_args(%a = %zero) -> (f64) {
//!       %here = arith.cmpi eq, %i, %j : index
//!       %hot = arith.select %here, %one, %zero : f64
//!       %y = array.get %v2[%j] : tensor<8xf64> -> f64
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

use crate::cost;
use crate::dead_code;
use crate::explain::{Explanation, Source};
use crate::optimise::{self, Driver};
use crate::proof::{Link, Proofs};
use crate::rules::{Laws, SETS, every};
use crate::saturate::Report;
use crate::terms::Pool;
use crate::terms::export::Exporter;
use crate::terms::import::Importer;
use crate::terms::plan::{Plan, Val};
use crate::terms::read::Reader;
use crate::user_rules::Rules;
use egg::Id;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::diagnostics::{self, Reported};
use mlopt_dialects::ir::{Block, Builder, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

pub const PASS: Pass = Pass {
    name: "egg-optimize",
    description: "Rewrite pure array code to the cheapest equal code, by normalisation and equality saturation",
    anchor: "func.func",
    options: &[
        PassOption {
            name: "driver",
            kind: OptionKind::Text,
            initial: "both",
            description: "What runs the rules: normalise (deterministic rewriting), egg (everything in the e-graph) or both",
        },
        PassOption {
            name: "fuel",
            kind: OptionKind::Integer,
            initial: "4000",
            description: "E-nodes at which saturation stops",
        },
        PassOption {
            name: "iter",
            kind: OptionKind::Integer,
            initial: "30",
            description: "Iterations at which saturation stops",
        },
        PassOption {
            name: "rules",
            kind: OptionKind::Text,
            initial: "all",
            description: "Rules to use, separated by commas: names of rules or sets (docs/rules.md), all; -NAME takes away; \
                          FILE.rules adds rules of yours",
        },
        PassOption {
            name: "check-rules",
            kind: OptionKind::Bool,
            initial: "false",
            description: "Try rules of files on random values first",
        },
        PassOption {
            name: "report",
            kind: OptionKind::Bool,
            initial: "false",
            description: "Say the cost before and after, and why saturation stopped, in a remark",
        },
    ],
    dialects: &["arith", "array", "dual", "math", "tensor"],
    run,
};

/// Operations that are looked at together. More are cut into pieces: values that cross are leaves to the next.
const LARGEST_PIECE: usize = 400;

/// A loop with more operations than this inside is left alone: its block comes in pieces of its own. A derivative has several times the
/// operations of its function.
const LARGEST_LOOP: usize = 4 * LARGEST_PIECE;

/// Blocks with more operations than this are machine-made: their pieces are normalised only, in time linear in their number.
const LARGEST_SATURATED: usize = 4 * LARGEST_PIECE;

/// Looks at one function; what is not at rest by then is rare.
const ROUNDS: usize = 4;

/// In units of the cost model: less than the cheapest operation is no gain.
const SMALLEST_GAIN: f64 = 0.05;

/// As a part of the whole: what is of lower order in the sizes is within the error of the model.
const SMALLEST_PART: f64 = 1.0 / cost::ASSUMED_LENGTH;

/// Terms of large pieces are deep, and their traversals recursive; the passes' own threads have small stacks.
const STACK: usize = 1 << 28;

fn run(function: Op, options: &Options) -> Result<(), Reported> {
    let list = options.list("rules");
    let (names, files) = Rules::load_all(&list, options.bool("check-rules"))
        .map_err(|text| diagnostics::error(function.location(), format!("egg-optimize: {text}")))?;
    let (laws, chosen) = parse(function, options, &names)?;
    let laws = laws.with(&files);
    let mut rewriter = Rewriter::new(&laws, chosen);
    rewriter.rewrite(function);
    if options.bool("report") {
        let Rewriter { before, after, reports, given_up, .. } = rewriter;
        let mut stop =
            reports.iter().map(|r| format!("{} after {} iterations with {} e-nodes", r.stop, r.iterations, r.nodes));
        let stop = stop.next_back().unwrap_or_else(|| "saturation did not run".to_string());
        let left = if given_up > 0 {
            format!("; {given_up} operations left as they are: fuel used up")
        } else {
            String::new()
        };
        let _reported = function.remark(format!("cost {before:.0} before, {after:.0} after; {stop}{left}")).emit();
    }
    Ok(())
}

/// Rewrites functions piece by piece, and keeps account.
pub struct Rewriter<'l> {
    laws: &'l Laws<'l>,
    options: optimise::Options,
    /// Costs of all pieces.
    pub before: f64,
    pub after: f64,
    pub reports: Vec<Report>,
    /// Operations that no piece could be made of: rewritten, they grow too much.
    pub given_up: usize,
    /// Why each piece became what it did, when asked for.
    pub explanations: Option<Vec<Explanation>>,
}

impl<'l> Rewriter<'l> {
    pub fn new(laws: &'l Laws<'l>, options: optimise::Options) -> Self {
        Rewriter { laws, options, before: 0.0, after: 0.0, reports: Vec::new(), given_up: 0, explanations: None }
    }

    /// Block by block, the outer ones first, for what they say of values inside; again, as long as rewriting inside leaves values
    /// outside without a use or with another one.
    pub fn rewrite(&mut self, function: Op) {
        dead_code::remove_unused(function);
        for round in 0..ROUNDS {
            let before = std::mem::take(&mut self.before);
            self.after = 0.0;
            let changed_inside = self.sweep(function);
            if round > 0 {
                self.before = before;
            }
            if !dead_code::remove_unused(function) && !changed_inside {
                break;
            }
        }
    }

    /// Each block once. Whether one inside of others changed.
    fn sweep(&mut self, function: Op) -> bool {
        let mut blocks: Vec<(Block, bool)> =
            function.regions().into_iter().flat_map(|r| r.blocks()).map(|b| (b, false)).collect();
        let mut changed_inside = false;
        while let Some((block, inside)) = blocks.pop() {
            let (kept, changed) = self.block(block);
            changed_inside |= changed && inside;
            blocks.extend(kept.into_iter().flat_map(|op| op.regions()).flat_map(|r| r.blocks()).map(|b| (b, true)));
        }
        changed_inside
    }
}

fn parse<'l>(function: Op, options: &Options, names: &[&str]) -> Result<(Laws<'l>, optimise::Options), Reported> {
    let driver = match options.text("driver") {
        "normalise" => Driver::Normalise,
        "egg" => Driver::Egg,
        "both" => Driver::Both,
        other => return Err(unknown(function, "driver", other, &["normalise", "egg", "both"], &[])),
    };
    let limit = |name: &str| -> Result<usize, Reported> {
        usize::try_from(options.integer(name)).map_err(|_| {
            diagnostics::error(
                function.location(),
                format!("egg-optimize: `{name}` must not be negative, found {}", options.integer(name)),
            )
        })
    };
    let laws = Laws::named(names).map_err(|name| {
        let sets: Vec<&str> = SETS.iter().map(|s| s.0).collect();
        let rules: Vec<&str> = every().map(|(_, r)| r.name).collect();
        unknown(function, "rule set", name, &sets, &rules)
    })?;
    Ok((laws, optimise::Options { driver, fuel: limit("fuel")?, iterations: limit("iter")? }))
}

/// `known` are listed; `more` are close enough only as suggestions.
fn unknown(function: Op, what: &str, found: &str, known: &[&str], more: &[&str]) -> Reported {
    let near = |a: &str| strsim::jaro(found, a);
    let nearest = known.iter().chain(more).max_by(|a, b| near(a).total_cmp(&near(b)));
    let nearest = nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    diagnostics::error(
        function.location(),
        format!("egg-optimize: unknown {what} `{found}`{nearest} Known: {}", known.join(", ")),
    )
}

/// What became of one.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Same,
    Better,
    /// Rewritten, it grows too much: values are read in too many ways.
    TooLarge,
}

impl Rewriter<'_> {
    /// Optimises what can be taken of one block, piece by piece; returns the operations with regions that were left alone, and whether
    /// the block changed.
    fn block(&mut self, block: Block) -> (Vec<Op>, bool) {
        let ops = block.ops();
        let driver = if ops.len() > LARGEST_SATURATED { Driver::Normalise } else { self.options.driver };
        let options = optimise::Options { driver, ..self.options };
        let (mut kept, mut changed) = (Vec::new(), false);
        let (mut start, mut largest) = (0, LARGEST_PIECE);
        while start < ops.len() {
            let mut importer = Importer::new();
            let (mut taken, mut left, mut size, mut end) = (FxHashSet::default(), Vec::new(), 0, start);
            while end < ops.len() && size < largest {
                let op = ops[end];
                end += 1;
                let nested = nested_up_to(op, LARGEST_LOOP);
                // A value read before it is made (graph regions) is a leaf already.
                let is_new = op.results().iter().all(|r| !importer.values.contains_key(r));
                if is_new && nested < LARGEST_LOOP && importer.understands(op) {
                    importer.take(op);
                    taken.insert(op);
                    size += 1 + nested;
                } else if op.num_regions() > 0 {
                    left.push(op);
                }
            }
            let piece =
                if taken.is_empty() { Piece::Same } else { self.piece(&ops, start..end, &taken, importer, options) };
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
                    changed |= piece == Piece::Better;
                }
            }
            kept.extend(left);
            start = end;
        }
        (kept, changed)
    }

    fn piece(
        &mut self,
        ops: &[Op],
        range: std::ops::Range<usize>,
        taken: &FxHashSet<Op>,
        importer: Importer,
        options: optimise::Options,
    ) -> Piece {
        let start = range.start;
        let roots = find_roots(ops, range.clone(), taken, &importer);
        let plan = &importer.plan;
        let wanted: Vec<Val> = roots.iter().map(|r| r.plan).collect();
        let groups: Vec<usize> = roots.iter().map(|r| r.before).collect();
        let written = plan.cost();
        // Before an operation that may not return, what comes after it promises nothing.
        let last = range.end - 1 - ops[range.clone()].iter().rev().take_while(|op| !taken.contains(op)).count();
        let promises = ops[start..last].iter().all(|op| taken.contains(op) || op.is_pure());
        let (laws, explain) = (self.laws, self.explanations.is_some());
        let result = on_large_stack(|| choose(plan, &wanted, &groups, promises, laws, options, explain));
        let Some(result) = result else { return Piece::TooLarge };
        self.before += written;
        self.reports.extend(result.report.clone());
        if result.plan.cost() > written * (1.0 - SMALLEST_PART) - SMALLEST_GAIN {
            self.after += written;
            return Piece::Same;
        }
        self.after += result.plan.cost();
        if let Some(explanations) = &mut self.explanations {
            let origins = result.terms.iter().filter_map(|(v, t)| importer.origins.get(v).map(|o| (*t, o.location())));
            let source = Source::new(ops[0].context(), &importer.prototypes, &importer.leaves).with_origins(origins);
            let mut pool = result.pool;
            let mut explanation = source.explain(&mut pool, &result.links, self.laws);
            (explanation.before, explanation.after) = (written, result.plan.cost());
            explanation.report = result.report;
            explanations.push(explanation);
        }
        let mut origins: FxHashMap<Id, Value> = FxHashMap::default();
        for (v, t) in &result.terms {
            if let Some(&origin) = importer.origins.get(v) {
                origins.entry(*t).or_insert(origin);
            }
        }
        let mut exporter = Exporter::new(&result.plan, &importer.prototypes, &origins, &importer.leaves);
        let mut done = 0;
        for (k, root) in roots.iter().enumerate() {
            let b = Builder::before(ops[root.before]).at(root.value.location());
            // All that the roots of this group need, once.
            let end = done + result.segment[done..].iter().take_while(|&&group| group <= root.before).count();
            exporter.statements(b, done..end);
            done = end;
            let v = exporter.value(result.values[k]);
            let v = exporter.at_type(b, v, root.value.ty());
            root.value.replace_all_uses_with(v);
        }
        for op in ops[range].iter().rev().filter(|op| taken.contains(op)) {
            op.erase();
        }
        Piece::Better
    }
}

/// How many operations stand in the regions of `op`; counting stops at `limit`.
fn nested_up_to(op: Op, limit: usize) -> usize {
    let (mut count, mut todo) = (0, vec![op]);
    while let Some(op) = todo.pop() {
        if op.num_regions() == 0 {
            continue;
        }
        for inner in op
            .regions()
            .into_iter()
            .flat_map(|r| r.blocks())
            .filter_map(Block::first_op)
            .flat_map(|first| std::iter::successors(Some(first), |op| op.next()))
        {
            count += 1;
            if count >= limit {
                return count;
            }
            todo.push(inner);
        }
    }
    count
}

/// A value that the rest of the program reads: where it must stand at the latest.
struct Root {
    value: Value,
    plan: Val,
    /// Position in the block of the first operation that reads it.
    before: usize,
}

/// The results of taken operations that others read, in the order in which they are first read.
fn find_roots(ops: &[Op], range: std::ops::Range<usize>, taken: &FxHashSet<Op>, importer: &Importer) -> Vec<Root> {
    let Some(block) = ops[range.start].block() else { return Vec::new() };
    let position: FxHashMap<Op, usize> =
        ops[range.clone()].iter().enumerate().map(|(k, &op)| (op, range.start + k)).collect();
    let mut roots = Vec::new();
    for op in ops[range.clone()].iter().filter(|op| taken.contains(op)) {
        for value in op.results() {
            let mut first: Option<usize> = None;
            for (user, _) in value.uses() {
                let mut outer = user;
                while outer.block() != Some(block) {
                    let Some(parent) = outer.parent_op() else { break };
                    outer = parent;
                }
                if taken.contains(&outer) {
                    continue;
                }
                // Beyond this piece (or in another block): at the end of the piece.
                let at = position.get(&outer).copied().unwrap_or(range.end);
                first = Some(first.map_or(at, |f| f.min(at)));
            }
            if let Some(before) = first {
                roots.push(Root { value, plan: importer.values[&value], before: before.min(ops.len() - 1) });
            }
        }
    }
    roots.sort_by_key(|r| r.before);
    roots
}

/// The chosen plan, its values for the roots, and the group of each of its outermost statements.
struct Choice<'l> {
    plan: Plan,
    values: Vec<Val>,
    segment: Vec<usize>,
    pool: Pool,
    /// The terms of the program as it was written, by ascending value.
    terms: Vec<(Val, Id)>,
    /// From those of the roots to the chosen ones, when asked for.
    links: Vec<Link<'l>>,
    report: Option<Report>,
}

fn choose<'l>(
    plan: &Plan,
    wanted: &[Val],
    groups: &[usize],
    promises: bool,
    laws: &'l Laws<'l>,
    options: optimise::Options,
    explain: bool,
) -> Option<Choice<'l>> {
    let mut pool = Pool::new();
    let terms = Reader::new(&mut pool, plan, promises).read();
    let roots: Vec<Id> = wanted.iter().map(|v| terms[v]).collect();
    let mut log = explain.then(Vec::new);
    let outcome = optimise::optimise(&mut pool, &roots, groups, laws, options, log.as_mut())?;
    let (plan, values, segment) = outcome.placed;
    debug_assert_eq!(plan.check(), Ok(()), "egg-optimize made a plan out of order");
    let mut terms: Vec<(Val, Id)> = terms.into_iter().collect();
    terms.sort_unstable();
    let links = log.map_or(Vec::new(), |log| {
        let pairs = roots.iter().copied().zip(outcome.roots.iter().copied());
        Proofs::path(&pool, &log, pairs).expect("the phases log what they do")
    });
    Some(Choice { plan, values, segment, pool, terms, links, report: outcome.report })
}

/// Runs `work` where recursion may be deep.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, work);
        match thread.map(|t| t.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => panic!("cannot start a thread: {e}"),
        }
    })
}
