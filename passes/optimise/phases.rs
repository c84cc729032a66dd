//! The phases that rewrite terms: normalisation, the choice of the order of sums, unrolling of small loops, and
//! saturation. The cheapest form after placement replaces the input if it costs less; with `Accept::Changed`, the last
//! form does. This module does not depend on MLIR: `egg_optimize` translates regions to terms and plans to regions.

use crate::optimise::normaliser::bottom_up::BottomUp;
use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::normaliser::record::Record;
use crate::optimise::normaliser::top_down;
use crate::optimise::placement::place::Placer;
use crate::optimise::placement::plan::{Plan, Val};
use crate::optimise::rules::Laws;
use crate::optimise::rules::profile::Profile;
use crate::optimise::saturate::{self, Report};
use crate::optimise::terms::Pool;
use crate::optimise::terms::cost::Assumed;
use egg::Id;

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
pub(crate) const LARGEST_PIECE: usize = 400;

/// The smallest gain, in units of the cost model, for which a piece is replaced: less than the cheapest op.
pub(crate) const SMALLEST_GAIN: f64 = 0.05;

/// The factor by which a form with unrolled loops must be cheaper: its code is longer, and uses no vector instructions.
const LENGTH: f64 = 2.0;

/// The selected forms.
pub struct Outcome {
    /// The factor by which it must be cheaper than the input: [`LENGTH`] for unrolled loops.
    pub weight: f64,
    pub roots: Vec<Id>,
    /// The result of [`place`] for these forms.
    pub placed: (Plan, Vec<Val>, Vec<usize>),
    /// The cost of the placed forms.
    pub cost: f64,
    /// The saturation report; `None` if saturation did not run.
    pub report: Option<Report>,
}

/// Returns the cheapest forms that the phases find for closed terms; `groups` as in [`place`]. Returns `None` if the
/// terms grow too much; the caller should then use smaller pieces.
pub fn optimise<'a>(
    pool: &mut Pool,
    roots: &[Id],
    groups: &[usize],
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
    // The form with unrolled loops, if it differs.
    let mut written_out = None;
    if options.phases.normalise {
        forms = normaliser.normalise_all(pool, &forms);
        if pool.len() > room {
            return None;
        }
        candidates.push(forms.clone());
    }
    if options.phases.contract {
        let mut contraction = BottomUp::new(&laws.contract);
        contraction.room = room;
        forms = forms.iter().map(|&t| contraction.rewrite(pool, t, record)).collect();
        forms = normaliser.normalise_all(pool, &forms);
        candidates.push(forms.clone());
    }
    if options.phases.unroll {
        let unrolled = top_down::rewrite_all(pool, &forms, &laws.unroll, &mut normaliser, record);
        last = Some(unrolled.clone());
        if !candidates.contains(&unrolled) {
            written_out = Some(unrolled.clone());
        }
        // Of forms of equal cost, the first is selected.
        candidates.insert(0, unrolled);
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
    for roots in candidates {
        let Some(placed) = place_within(pool, &roots, groups, room) else { continue };
        let cost = placed.0.cost(&placed.1);
        let weight = if written_out.as_ref() == Some(&roots) { LENGTH } else { 1.0 };
        if best.as_ref().is_none_or(|(least, _)| cost * weight < *least) {
            best = Some((cost * weight, Outcome { roots, placed, cost, weight, report: None }));
        }
    }
    best.map(|(_, best)| Outcome { report, ..best })
}

/// Places the terms in one plan. Returns the plan, the values of the terms in it, and for each statement of its
/// outermost scope the group of the roots that need it. `groups[k]` is the group of root `k`, ascending: ops that the
/// plan does not contain separate the groups.
pub fn place(pool: &mut Pool, roots: &[Id], groups: &[usize]) -> (Plan, Vec<Val>, Vec<usize>) {
    place_within(pool, roots, groups, usize::MAX).expect("there is room")
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
