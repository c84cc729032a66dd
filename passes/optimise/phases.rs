//! The phases that rewrite terms: normalisation, the choice of the order of sums, unrolling of small loops, and
//! saturation. The cheapest form after placement replaces the input if it costs less; with `Accept::Changed`, the last
//! form does. This module does not depend on MLIR: `egg_optimize` translates regions to terms and plans to regions.

use crate::optimise::normaliser::bottom_up::BottomUp;
use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::normaliser::record::Record;
use crate::optimise::normaliser::top_down;
use crate::optimise::placement::place::Placer;
use crate::optimise::placement::plan::{Plan, Val};
use crate::optimise::placement::share;
use crate::optimise::rules::Laws;
use crate::optimise::rules::profile::Profile;
use crate::optimise::saturate::{self, Report};
use crate::optimise::terms::Pool;
use crate::optimise::terms::cost::Assumed;
use egg::Id;
use rustc_hash::FxHashSet;

/// The set of enabled phases, in their order. Without any, terms are only placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    pub normalise: bool,
    /// The order of sums, followed by normalisation.
    pub contract: bool,
    /// Unrolling of small loops, followed by normalisation.
    pub unroll: bool,
    /// Saturation, from the last form that is not unrolled.
    pub saturate: bool,
}

impl Phases {
    pub const NONE: Phases = Phases { normalise: false, contract: false, unroll: false, saturate: false };
    pub const ALL: Phases = Phases { saturate: true, ..Phases::DETERMINISTIC };
    /// All phases except saturation.
    pub const DETERMINISTIC: Phases = Phases { normalise: true, contract: true, unroll: true, saturate: false };
    /// Saturation alone, for study and small programs.
    pub const SATURATE: Phases = Phases { saturate: true, ..Phases::NONE };
}

/// The criterion by which a form replaces the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accept {
    /// A lower cost.
    Cheaper,
    /// Any change: the form of the last phase, regardless of its cost, because later passes need it.
    Changed,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub phases: Phases,
    pub accept: Accept,
    /// The match budget, in e-nodes.
    pub fuel: usize,
    pub iterations: usize,
    /// The length that costs assume for dynamic axes and unknown trip counts.
    pub assumed_length: Assumed,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            phases: Phases::ALL,
            accept: Accept::Cheaper,
            fuel: 4000,
            iterations: 30,
            assumed_length: Assumed::default(),
        }
    }
}

/// The maximum number of applications of directed rules. Programs of a few hundred ops need a few thousand.
pub(crate) const NORMALISER_FUEL: u64 = 200_000;

/// The limit on the growth of terms: nodes of the pool, and values of a plan, for each node of the input. Substitution
/// copies a producer for each way in which it is read, and placement repeats in each loop the shared inputs of several
/// loops, so a chain of reads at computed positions doubles with every link. Where growth pays, in gradients of
/// recurrent networks, it is tenfold.
const GROWTH: usize = 12;

/// The lower bound of this limit, for the smallest inputs.
const LEAST_ROOM: usize = 10_000;

/// Returns the limit on the size of a pool that contains the input.
pub(crate) fn room_for(input: &Pool) -> usize {
    LEAST_ROOM.max(GROWTH * input.len())
}

/// The maximum number of ops that are optimised together. Longer blocks are split into pieces; values that cross a
/// boundary are leaves of the next piece.
pub(crate) const LARGEST_PIECE: usize = 1200;

/// The smallest gain, in units of the cost model, for which a piece is replaced: less than the cheapest op.
pub(crate) const SMALLEST_GAIN: f64 = 0.05;

/// The factor by which a form with unrolled loops must be cheaper if its code is longer than the input, and the same if
/// this code is not inside of a loop: then it uses no vector instructions.
const LENGTH: f64 = 1.25;
const STRAIGHT_LENGTH: f64 = 2.0;

/// The selected forms.
pub struct Outcome {
    /// The factor by which it must be cheaper than the input: [`LENGTH`] or [`STRAIGHT_LENGTH`] for longer code with
    /// unrolled loops.
    pub weight: f64,
    pub roots: Vec<Id>,
    /// The result of [`place`] for these forms.
    pub placed: (Plan, Vec<Val>, Vec<usize>),
    /// The cost of the placed forms.
    pub cost: f64,
    /// The saturation report; `None` if saturation did not run.
    pub report: Option<Report>,
}

/// Returns the cheapest forms that the phases find for closed terms; `groups` as in [`place`], and `length` is the
/// number of statements of the input. Returns `None` if the terms grow too much; the caller should then use smaller
/// pieces.
pub fn optimise<'a>(
    pool: &mut Pool,
    roots: &[Id],
    groups: &[usize],
    length: usize,
    laws: &'a Laws,
    options: Options,
    record: &mut Record<'a>,
) -> Option<Outcome> {
    let room = room_for(pool);
    let mut normaliser = Normaliser::new(&laws.directed, NORMALISER_FUEL);
    normaliser.room = room;
    normaliser.log = record.steps.is_some().then(Vec::new);
    normaliser.profile = record.profile.is_some().then(Profile::default);
    // The input itself competes in `egg_optimize`; its terms are only the start of the phases.
    let mut candidates = Vec::new();
    let mut report = None;
    let mut forms = roots.to_vec();
    // The result of the last phase, if it differs from `forms`.
    let mut last = None;
    // The forms with unrolled loops, if they differ.
    let mut written_out: Vec<Vec<Id>> = Vec::new();
    if options.phases.normalise {
        forms = normaliser.normalise_all(pool, &forms);
        if pool.len() > room {
            return None;
        }
        candidates.push(forms.clone());
    }
    if options.phases.contract {
        forms = contracted(pool, &forms, laws, &mut normaliser, record);
        candidates.push(forms.clone());
    }
    if options.phases.unroll {
        // Contraction may hide what unrolled iterations share, so that it runs before or after unrolling.
        for start in [candidates.first().cloned().unwrap_or(forms.clone()), forms.clone()] {
            let unrolled = top_down::rewrite_all(pool, &start, &laws.unroll, &mut normaliser, record);
            if !candidates.contains(&unrolled) && !written_out.contains(&unrolled) {
                if options.phases.contract {
                    written_out.push(contracted(pool, &unrolled, laws, &mut normaliser, record));
                }
                written_out.push(unrolled.clone());
            }
            last = Some(unrolled);
        }
        written_out.retain(|unrolled| !candidates.contains(unrolled));
        // Of forms of equal cost, the first is selected.
        candidates.splice(0..0, written_out.clone());
    }
    if options.phases.saturate {
        let (best, r) =
            saturate::saturate(pool, &forms, laws, &mut normaliser, options.fuel, options.iterations, record);
        last = Some(best.clone());
        candidates.push(best);
        report = Some(r);
    }
    if candidates.is_empty() || options.accept == Accept::Changed {
        candidates = vec![last.unwrap_or(forms)];
    }
    if let (Some(steps), Some(normal)) = (&mut record.steps, normaliser.log) {
        // Steps of the normaliser come first: paths prefer them.
        steps.splice(0..0, normal);
    }
    if let (Some(profile), Some(more)) = (&mut record.profile, &normaliser.profile) {
        profile.add(more);
    }
    // Of equal forms the last stays, so that each form is placed once.
    for k in (0..candidates.len()).rev() {
        if candidates[k + 1..].contains(&candidates[k]) {
            candidates.remove(k);
        }
    }
    let mut best: Option<(f64, Outcome)> = None;
    let mut values = VALUES_OF_TRIALS;
    for roots in candidates {
        let bound = best.as_ref().map_or(f64::INFINITY, |(least, _)| *least);
        let Some((placed, cost)) = place_shared(pool, &roots, groups, room, bound, &mut values) else { continue };
        let is_longer = placed.0.len() > length + length / 8;
        let weight = match is_longer && written_out.contains(&roots) {
            true if placed.0.is_straight_line(&placed.1) => STRAIGHT_LENGTH,
            true => LENGTH,
            false => 1.0,
        };
        if best.as_ref().is_none_or(|(least, _)| cost * weight < *least) {
            best = Some((cost * weight, Outcome { roots, placed, cost, weight, report: None }));
        }
    }
    best.map(|(_, best)| Outcome { report, ..best })
}

/// Returns the terms with sums of products in their best order, in normal form.
fn contracted<'a>(
    pool: &mut Pool,
    forms: &[Id],
    laws: &'a Laws,
    normaliser: &mut Normaliser<'a>,
    record: &mut Record<'a>,
) -> Vec<Id> {
    let mut contraction = BottomUp::new(&laws.contract);
    contraction.room = normaliser.room;
    let forms: Vec<Id> = forms.iter().map(|&t| contraction.rewrite(pool, t, record)).collect();
    normaliser.normalise_all(pool, &forms)
}

/// Places the terms in one plan. Returns the plan, the values of the terms in it, and for each statement of its
/// outermost scope the group of the roots that need it. `groups[k]` is the group of root `k`, ascending: ops that the
/// plan does not contain separate the groups.
pub fn place(pool: &mut Pool, roots: &[Id], groups: &[usize]) -> (Plan, Vec<Val>, Vec<usize>) {
    place_within(pool, roots, groups, usize::MAX).expect("there is room")
}

/// The maximum number of terms of one form for which a table is tried, and of terms that are examined and values that
/// are created for that, in all forms.
const TRIALS: usize = 24;
const VALUES_OF_TRIALS: usize = 40_000;

/// Places the terms, and terms that several loops compute in tables of their own if this makes the plan cheaper. Tables
/// are tried only if the cost may become less than `bound`, and `values` may still be examined or created. Returns the
/// plan as [`place`] does, and its cost.
fn place_shared(
    pool: &mut Pool,
    roots: &[Id],
    groups: &[usize],
    room: usize,
    bound: f64,
    values: &mut usize,
) -> Option<((Plan, Vec<Val>, Vec<usize>), f64)> {
    let mut roots = roots.to_vec();
    let mut best = place_within(pool, &roots, groups, room)?;
    let mut least = best.0.cost(&best.1);
    let (mut tried, mut tables) = (FxHashSet::default(), share::Tables::default());
    while tried.len() < TRIALS && *values > 0 && pool.len() <= room {
        let (mut found, examined) = share::shared(pool, &roots, least, room.min(*values), &mut tables);
        *values = values.saturating_sub(examined);
        found.retain(|s| !tried.contains(&s.table));
        let gain: f64 = found.iter().map(|s| s.gain).sum();
        let Some(shared) = found.into_iter().next().filter(|_| least - gain < bound) else { break };
        tried.insert(shared.table);
        let read: Vec<Id> = roots.iter().map(|&t| shared.read_in(pool, t)).collect();
        let Some(placed) = place_within(pool, &read, groups, room) else { continue };
        let cost = placed.0.cost(&placed.1);
        *values = values.saturating_sub(placed.0.types.len());
        if cost < least {
            (roots, best, least) = (read, placed, cost);
        }
    }
    Some((best, least))
}

/// As `place`, for a plan of at most `room` values.
fn place_within(pool: &mut Pool, roots: &[Id], groups: &[usize], room: usize) -> Option<(Plan, Vec<Val>, Vec<usize>)> {
    let mut placer = Placer::new(pool);
    placer.room = room;
    let (mut values, mut segment) = (Vec::new(), Vec::new());
    for (&t, &group) in roots.iter().zip(groups) {
        values.push(placer.place(t));
        segment.resize(placer.plan.scopes[0].stmts.len(), group);
    }
    if placer.is_full() {
        return None;
    }
    let mut plan = placer.plan;
    let segment = plan.fuse(segment);
    let values: Vec<Val> = values.into_iter().map(|v| plan.find(v)).collect();
    let segment = plan.tidy(&values, &segment);
    Some((plan, values, segment))
}
